"""rac.h through ctypes, for the tests: every prototype and constant of the
header is declared from the header itself, so that a function that is missing
from the library, or that ctypes cannot call, is found.

Callbacks are Python functions kept behind numbered contexts: `Callback` holds
one and knows how often it was called and how often destroy ran.
"""

import ctypes
import ctypes.util
import os
import re
import types

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = os.environ.get("RAC_INCLUDE") or os.path.join(TREE, "include")
LIBRARY = os.environ.get("RAC_LIBRARY") or ctypes.util.find_library("rac")
if not LIBRARY:
    raise SystemExit("RAC_LIBRARY must name librac.so")


class Value(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("reserved", ctypes.c_uint16),
        ("length", ctypes.c_uint32),
        ("bits", ctypes.c_int64),
    ]


P = ctypes.POINTER
pointer, status = ctypes.c_void_p, ctypes.c_int32


class TraceEvent(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("type", ctypes.c_int32),
        ("subscription", ctypes.c_uint64),
        ("thread", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("value", Value),
    ]


CALLBACKS = {
    "rac_next_fn": ctypes.CFUNCTYPE(None, pointer, Value),
    "rac_error_fn": ctypes.CFUNCTYPE(None, pointer, Value),
    "rac_completed_fn": ctypes.CFUNCTYPE(None, pointer),
    "rac_action_fn": ctypes.CFUNCTYPE(None, pointer),
    "rac_destroy_fn": ctypes.CFUNCTYPE(None, pointer),
    "rac_map_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(Value)),
    "rac_predicate_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(ctypes.c_bool)),
    "rac_reduce_fn": ctypes.CFUNCTYPE(status, pointer, Value, Value, P(Value)),
    "rac_reduce_index_fn": ctypes.CFUNCTYPE(
        status, pointer, Value, Value, ctypes.c_size_t, P(Value)
    ),
    "rac_reduce_each_fn": ctypes.CFUNCTYPE(
        status, pointer, P(Value), ctypes.c_size_t, P(Value)
    ),
    "rac_factory_fn": ctypes.CFUNCTYPE(status, pointer, P(Value)),
    "rac_try_fn": ctypes.CFUNCTYPE(status, pointer, Value),
    "rac_signal_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(pointer)),
    "rac_execute_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(pointer)),
    "rac_bind_fn": ctypes.CFUNCTYPE(
        status, pointer, Value, P(ctypes.c_bool), P(pointer)
    ),
    "rac_defer_fn": ctypes.CFUNCTYPE(status, pointer, P(pointer)),
    "rac_sequence_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(pointer)),
    "rac_sequence_bind_fn": ctypes.CFUNCTYPE(
        status, pointer, Value, P(ctypes.c_bool), P(pointer)
    ),
    "rac_sequence_tail_fn": ctypes.CFUNCTYPE(status, pointer, P(pointer)),
    "rac_generate_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(Value), P(Value)),
    "rac_fold_right_fn": ctypes.CFUNCTYPE(status, pointer, Value, P(Value), P(Value)),
    "rac_subscribe_fn": ctypes.CFUNCTYPE(status, pointer, pointer, P(pointer)),
    "rac_start_fn": ctypes.CFUNCTYPE(status, pointer, pointer),
    "rac_recursive_fn": ctypes.CFUNCTYPE(None, pointer, pointer),
    "rac_enqueue_fn": ctypes.CFUNCTYPE(None, pointer, pointer),
    "rac_trace_fn": ctypes.CFUNCTYPE(None, pointer, P(TraceEvent)),
    "rac_log_fn": ctypes.CFUNCTYPE(None, pointer, ctypes.c_char_p),
    "rac_live_fn": ctypes.CFUNCTYPE(
        None,
        pointer,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_size_t,
    ),
    "rac_next_values_fn": ctypes.CFUNCTYPE(None, pointer, P(Value), ctypes.c_size_t),
    # An address as a number: what numpy and from_address take.
    "rac_next_int64s_fn": ctypes.CFUNCTYPE(None, pointer, pointer, ctypes.c_size_t),
    "rac_next_doubles_fn": ctypes.CFUNCTYPE(None, pointer, pointer, ctypes.c_size_t),
}


class Observer(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("context", pointer),
        ("next", CALLBACKS["rac_next_fn"]),
        ("error", CALLBACKS["rac_error_fn"]),
        ("completed", CALLBACKS["rac_completed_fn"]),
        ("destroy", CALLBACKS["rac_destroy_fn"]),
    ]


class BatchObserver(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("context", pointer),
        ("next_values", CALLBACKS["rac_next_values_fn"]),
        ("next_int64s", CALLBACKS["rac_next_int64s_fn"]),
        ("next_doubles", CALLBACKS["rac_next_doubles_fn"]),
        ("error", CALLBACKS["rac_error_fn"]),
        ("completed", CALLBACKS["rac_completed_fn"]),
        ("destroy", CALLBACKS["rac_destroy_fn"]),
    ]


TYPES = {
    "void": None,
    "bool": ctypes.c_bool,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "rac_status": status,
    "rac_value": Value,
    "char *": ctypes.c_char_p,
    "bool *": P(ctypes.c_bool),
    "int64_t *": P(ctypes.c_int64),
    "uint64_t *": P(ctypes.c_uint64),
    "double *": P(ctypes.c_double),
    "size_t *": P(ctypes.c_size_t),
    "rac_value *": P(Value),
    "rac_observer *": P(Observer),
    "rac_batch_observer *": P(BatchObserver),
    "char **": P(ctypes.c_char_p),
    "void **": P(pointer),
}
HANDLE = re.compile(
    r"rac_(signal|subject|subscriber|disposable|scheduler|connection|recursion|command"
    r"|sequence|sequence_iterator|property|channel) \*"
)


def type_of(text):
    """The ctypes type of a C type. Handles and foreign pointers are void *."""
    text = " ".join(re.sub(r"\bconst\b", " ", text).replace("*", " * ").split())
    text = text.replace("* *", "**")
    if text in CALLBACKS:
        return CALLBACKS[text]
    if text in TYPES:
        return TYPES[text]
    if text.endswith("*"):
        return pointer
    raise TypeError("no ctypes type for " + text)


def read(name):
    with open(os.path.join(INCLUDE, name), encoding="utf-8") as header:
        text = re.sub(r"/\*.*?\*/", " ", header.read(), flags=re.S)
    return re.sub(r"^[ ]*#(?:.*\\\n)*.*$", "", text, flags=re.M)


def prototypes():
    """name -> (result, [parameter types]), as C text."""
    found = {}
    pattern = r"([\w ]+?[ *]+)\b(rac_\w+)\s*\(([^()]*)\)\s*;"
    for result, name, parameters in re.findall(pattern, read("rac.h")):
        result = " ".join(result.replace("RAC_API", "").replace("extern", "").split())
        listed = []
        for parameter in parameters.split(","):
            parameter = " ".join(parameter.split())
            if parameter == "void":
                continue
            parameter = re.sub(r"\[\d*\]$", "", parameter)
            listed.append(re.sub(r"\b\w+$", "", parameter).strip() or parameter)
        found[name] = (result, listed)
    return found


def constants():
    found = {}
    for name, number in re.findall(r"\b(RAC_\w+) = (-?\d+)", read("rac_types.h")):
        found[name] = int(number)
    return found


PROTOTYPES = prototypes()
rac = ctypes.CDLL(LIBRARY)
for _name, (_result, _parameters) in PROTOTYPES.items():
    _function = getattr(rac, _name)
    _function.restype = type_of(_result)
    _function.argtypes = [type_of(parameter) for parameter in _parameters]
C = types.SimpleNamespace(**constants())

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
call_filter = trampoline(
    "rac_predicate_fn", lambda f, value, out: _store(out, bool(f(from_rac(value))))
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
