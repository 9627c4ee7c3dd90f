"""rac.h through ctypes, for the tests: python/rac_abi.py, which is written from the
description of the ABI, and that description, so that a function that is missing from
the library, or that ctypes cannot call, is found.

Callbacks are Python functions behind numbered contexts.
"""

import ctypes
import ctypes.util
import json
import os
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "python"))

import rac_abi  # noqa: E402
import rac_abi as C  # noqa: E402, F401
from rac_abi import rac_observer as Observer  # noqa: E402
from rac_abi import rac_value as Value  # noqa: E402

LIBRARY = os.environ.get("RAC_LIBRARY") or ctypes.util.find_library("rac")
if not LIBRARY:
    raise SystemExit("RAC_LIBRARY must name librac.so")

with open(os.path.join(TREE, "include", "rac.json"), encoding="utf-8") as _file:
    DESCRIPTION = json.load(_file)
FUNCTIONS = {each["name"]: each for each in DESCRIPTION["functions"]}
DESCRIBED_CALLBACKS = {each["name"]: each for each in DESCRIPTION["callbacks"]}
CALLBACKS = {name: getattr(rac_abi, name) for name in DESCRIBED_CALLBACKS}

pointer = ctypes.c_void_p
rac = rac_abi.load(LIBRARY)

# ---- Values --------------------------------------------------------------------

UNIT = type("Unit", (), {"__repr__": lambda self: "unit"})()


def to_rac(value):
    """An owned rac_value; None is nil. Release it, or give it away."""
    if value is None:
        return rac.rac_value_nil()
    if value is UNIT:
        return rac.rac_value_unit()
    if isinstance(value, bool):
        return rac.rac_value_bool(value)
    if isinstance(value, int):
        return rac.rac_value_int64(value)
    if isinstance(value, float):
        return rac.rac_value_double(value)
    if isinstance(value, str):
        data = value.encode()
        return rac.rac_value_string_copy(data, len(data))
    if isinstance(value, bytes):
        return rac.rac_value_bytes_copy(value, len(value))
    if isinstance(value, tuple):
        elements = (Value * len(value))(*[to_rac(element) for element in value])
        result = rac.rac_value_tuple(elements, len(value))
        for element in elements:
            rac.rac_value_release(element)
        return result
    if isinstance(value, Exception):
        name = type(value).__name__.encode()
        return rac.rac_value_error(b"python", 1, name + b": " + str(value).encode())
    raise TypeError(value)


class StreamError(Exception):
    """What an error value becomes in Python."""

    def __init__(self, value):
        Exception.__init__(
            self,
            rac.rac_error_get_domain(value).decode(),
            rac.rac_error_get_code(value),
            rac.rac_error_get_message(value).decode(),
        )


class Event(tuple):
    """What an event value becomes in Python: a name, and a value if there is one."""

    def __new__(cls, kind, payload):
        if kind == C.RAC_EVENT_COMPLETED:
            return tuple.__new__(cls, ["completed"])
        name = "next" if kind == C.RAC_EVENT_NEXT else "error"
        return tuple.__new__(cls, [name, from_rac(payload)])


def from_rac(value):
    """The Python value of a lent rac_value."""
    kind = value.kind
    if kind == C.RAC_NIL:
        return None
    if kind == C.RAC_BOOL:
        out = ctypes.c_bool()
        check(rac.rac_value_get_bool(value, ctypes.byref(out)))
        return out.value
    if kind == C.RAC_INT64:
        out = ctypes.c_int64()
        check(rac.rac_value_get_int64(value, ctypes.byref(out)))
        return out.value
    if kind == C.RAC_DOUBLE:
        out = ctypes.c_double()
        check(rac.rac_value_get_double(value, ctypes.byref(out)))
        return out.value
    if kind == C.RAC_STRING:
        text, length = ctypes.c_char_p(), ctypes.c_size_t()
        check(
            rac.rac_value_get_string(value, ctypes.byref(text), ctypes.byref(length))
        )
        address = ctypes.cast(text, pointer).value
        # The terminating NUL is read too: it is promised.
        data = ctypes.string_at(address, length.value + 1)
        assert data[-1:] == b"\0", "a string without its NUL"
        return data[:-1].decode()
    if kind == C.RAC_BYTES:
        data, length = pointer(), ctypes.c_size_t()
        check(rac.rac_value_get_bytes(value, ctypes.byref(data), ctypes.byref(length)))
        return ctypes.string_at(data.value, length.value)
    if kind == C.RAC_TUPLE:
        count = rac.rac_tuple_count(value)
        return tuple(from_rac(rac.rac_tuple_get(value, i)) for i in range(count))
    if kind == C.RAC_ERROR:
        return StreamError(value)
    if kind == C.RAC_EVENT:
        kind = rac.rac_event_get_type(value)
        failed = kind == C.RAC_EVENT_ERROR
        get = rac.rac_event_get_error if failed else rac.rac_event_get_value
        return Event(kind, get(value))
    if kind == C.RAC_UNIT:
        return UNIT
    if kind == C.RAC_SIGNAL:
        return "signal"
    if kind == C.RAC_SEQUENCE:
        return "sequence"
    raise TypeError("kind {}".format(kind))


def check(code):
    if code < 0:
        raise RuntimeError(
            "{} in {}: {}".format(
                rac.rac_status_name(code).decode(),
                rac.rac_last_error_function().decode(),
                rac.rac_last_error_message().decode(),
            )
        )
    return code


# ---- Callbacks -----------------------------------------------------------------


class Owned:
    """Keeps handles, and releases them, the last one first."""

    def __init__(self):
        self.handles = []

    def own(self, handle):
        if not handle:
            raise AssertionError(rac.rac_last_error_message())
        self.handles.append(handle)
        return handle

    def release(self):
        for handle in reversed(self.handles):
            check(rac.rac_release(handle))


class Contexts:
    """The functions behind the numbers that librac knows as contexts."""

    alive = {}
    registered = 0
    destroyed = 0
    escaped = []  # exceptions from callbacks that have no way to report them


def register(functions):
    """The number of a context with these functions, by their kind."""
    Contexts.registered += 1
    Contexts.alive[Contexts.registered] = functions
    return Contexts.registered


@CALLBACKS["rac_destroy_fn"]
def destroy(context):
    Contexts.destroyed += 1
    if Contexts.alive.pop(context, None) is None:
        Contexts.escaped.append("destroy ran twice for {}".format(context))


def trampoline(kind):
    """A C callback of that kind: it calls the function that the context has for it with what
    comes in, values as Python has them, and writes what that returns."""
    names = [each["name"] for each in DESCRIBED_CALLBACKS[kind]["parameters"][1:]]
    outs = [i for i, name in enumerate(names) if name in ("stop", "out")]
    has_status = CALLBACKS[kind]._restype_ is not None

    def call(function, arguments):
        inside = [a for i, a in enumerate(arguments) if i not in outs]
        if kind == "rac_reduce_each_fn":
            elements, count = inside
            inside = [elements[i] for i in range(count)]
        result = function(*[from_rac(a) if isinstance(a, Value) else a for a in inside])
        for place, each in zip(outs, result if len(outs) > 1 else [result]):
            out = arguments[place]
            if each is not NOTHING:
                out[0] = to_rac(each) if out._type_ is Value else each

    def run(context, *arguments):
        try:
            call(Contexts.alive[context][kind], arguments)
            return C.RAC_OK if has_status else None
        except Exception as exception:
            if not has_status:
                Contexts.escaped.append(repr(exception))
                return None
            error = to_rac(exception)
            code = rac.rac_raise(error)
            rac.rac_value_release(error)
            return code

    return CALLBACKS[kind](run)


NOTHING = object()  # returned by a function that leaves `out` as it is
call = {kind: trampoline(kind) for kind in CALLBACKS if kind != "rac_destroy_fn"}


def callbacks(*named):
    """Kinds and functions in turn, as arguments: a context, the callbacks, and destroy. Of two
    functions of one kind the first is called."""
    kinds = ["rac_{}_fn".format(kind) for kind in named[::2]]
    functions = dict(reversed(list(zip(kinds, named[1::2]))))
    return [register(functions)] + [call[kind] for kind in kinds] + [destroy]


class Recorder:
    """Subscribes to a signal and writes down what it hears."""

    def __init__(self, signal, on_next=None):
        self.events = []
        self.on_next = on_next
        context, *functions = callbacks(
            "next", self.next, "error", self.error, "completed", self.completed
        )
        observer = Observer(ctypes.sizeof(Observer), context, *functions)
        self.subscription = rac.rac_subscribe(signal, ctypes.byref(observer))

    def next(self, value):
        self.events.append(value)
        if self.on_next:
            self.on_next(value)

    def error(self, error):
        self.events.append(("error",) + error.args)

    def completed(self):
        self.events.append("completed")

    def dispose(self):
        check(rac.rac_dispose(self.subscription))

    def release(self):
        check(rac.rac_release(self.subscription))

