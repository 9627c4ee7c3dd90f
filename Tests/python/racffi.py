"""rac.h through ctypes, for the tests: python/rac_abi.py, which is written from the
description of the ABI, and that description, so that a function that is missing from
the library, or that ctypes cannot call, is found.

Callbacks are Python functions kept behind numbered contexts: `Callback` holds
one and knows how often it was called and how often destroy ran.
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
from rac_abi import rac_batch_observer as BatchObserver  # noqa: E402, F401
from rac_abi import rac_observer as Observer  # noqa: E402
from rac_abi import rac_trace_event as TraceEvent  # noqa: E402, F401
from rac_abi import rac_value as Value  # noqa: E402

LIBRARY = os.environ.get("RAC_LIBRARY") or ctypes.util.find_library("rac")
if not LIBRARY:
    raise SystemExit("RAC_LIBRARY must name librac.so")

with open(os.path.join(TREE, "include", "rac.json"), encoding="utf-8") as _file:
    DESCRIPTION = json.load(_file)
FUNCTIONS = {each["name"]: each for each in DESCRIPTION["functions"]}
CALLBACKS = {
    each["name"]: getattr(rac_abi, each["name"]) for each in DESCRIPTION["callbacks"]
}

P = ctypes.POINTER
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


class Contexts:
    """The functions behind the numbers that librac knows as contexts."""

    alive = {}
    registered = 0
    destroyed = 0
    escaped = []  # exceptions from callbacks that have no way to report them


def register(function):
    Contexts.registered += 1
    number = Contexts.registered
    Contexts.alive[number] = function
    return number


@CALLBACKS["rac_destroy_fn"]
def destroy(context):
    Contexts.destroyed += 1
    if Contexts.alive.pop(context, None) is None:
        Contexts.escaped.append("destroy ran twice for {}".format(context))


def trampoline(kind, call):
    """A C callback of that kind which runs call(function, *arguments)."""
    if CALLBACKS[kind]._restype_ is None:

        def run(context, *arguments):
            try:
                call(Contexts.alive[context], *arguments)
            except Exception as exception:
                Contexts.escaped.append(repr(exception))

    else:

        def run(context, *arguments):
            try:
                call(Contexts.alive[context], *arguments)
                return C.RAC_OK
            except Exception as exception:
                error = to_rac(exception)
                code = rac.rac_raise(error)
                rac.rac_value_release(error)
                return code

    return CALLBACKS[kind](run)


def _store(out, value):
    out[0] = value


call_next = trampoline("rac_next_fn", lambda f, value: f(from_rac(value)))
call_error = trampoline("rac_error_fn", lambda f, error: f(from_rac(error)))
call_completed = trampoline("rac_completed_fn", lambda f: f())
call_action = trampoline("rac_action_fn", lambda f: f())
call_map = trampoline(
    "rac_map_fn", lambda f, value, out: _store(out, to_rac(f(from_rac(value))))
)


def _store_last(out, step, values):
    """All but the last are sent, and that one is written."""
    for value in values[:-1]:
        held = to_rac(value)
        check(rac.rac_step_send(step, held))
        rac.rac_value_release(held)
    if values:
        out[0] = to_rac(values[-1])


call_step = trampoline(
    "rac_step_fn",
    lambda f, step, value, out: _store_last(out, step, f(from_rac(value))),
)
call_clear = trampoline("rac_clear_fn", lambda f, state: None)
call_filter = trampoline(
    "rac_predicate_fn", lambda f, value, out: _store(out, bool(f(from_rac(value))))
)
call_compare = trampoline(
    "rac_compare_fn",
    lambda f, value, other, out: _store(out, f(from_rac(value), from_rac(other))),
)
call_reduce = trampoline(
    "rac_reduce_fn",
    lambda f, running, value, out: _store(
        out, to_rac(f(from_rac(running), from_rac(value)))
    ),
)
call_reduce_index = trampoline(
    "rac_reduce_index_fn",
    lambda f, running, value, index, out: _store(
        out, to_rac(f(from_rac(running), from_rac(value), index))
    ),
)
call_reduce_each = trampoline(
    "rac_reduce_each_fn",
    lambda f, elements, count, out: _store(
        out, to_rac(f(*[from_rac(elements[i]) for i in range(count)]))
    ),
)
call_factory = trampoline("rac_factory_fn", lambda f, out: _store(out, to_rac(f())))
call_try = trampoline("rac_try_fn", lambda f, value: f(from_rac(value)))
call_signal = trampoline(
    "rac_signal_fn", lambda f, value, out: _store(out, f(from_rac(value)))
)
call_signal_index = trampoline(
    "rac_signal_index_fn",
    lambda f, value, index, out: _store(out, f(from_rac(value), index)),
)
call_execute = trampoline(
    "rac_execute_fn", lambda f, value, out: _store(out, f(from_rac(value)))
)
call_signal_value = trampoline(
    "rac_map_fn",
    lambda f, value, out: _store(out, rac.rac_value_signal(f(from_rac(value)))),
)


def _store_both(out, stop, result):
    out[0], stop[0] = result


call_bind = trampoline(
    "rac_bind_fn",
    lambda f, value, stop, out: _store_both(out, stop, f(from_rac(value))),
)
call_sequence = trampoline(
    "rac_sequence_fn", lambda f, value, out: _store(out, f(from_rac(value)))
)
call_sequence_bind = trampoline(
    "rac_sequence_bind_fn",
    lambda f, value, stop, out: _store_both(out, stop, f(from_rac(value))),
)
call_tail = trampoline("rac_sequence_tail_fn", lambda f, out: _store(out, f()))
call_start = trampoline("rac_start_fn", lambda f, subscriber: f(subscriber))
call_defer = trampoline("rac_defer_fn", lambda f, out: _store(out, f()))
call_subscribe = trampoline(
    "rac_subscribe_fn", lambda f, subscriber, out: _store(out, f(subscriber))
)


class Recorder:
    """Subscribes to a signal and writes down what it hears."""

    def __init__(self, signal, on_next=None):
        self.events = []
        self.on_next = on_next
        observer = Observer(
            ctypes.sizeof(Observer),
            register(self),
            record_next,
            record_error,
            record_completed,
            destroy,
        )
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


record_next = trampoline("rac_next_fn", lambda r, value: r.next(from_rac(value)))
record_error = trampoline("rac_error_fn", lambda r, error: r.error(from_rac(error)))
record_completed = trampoline("rac_completed_fn", lambda r: r.completed())
