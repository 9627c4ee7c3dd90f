#!/usr/bin/env python3
"""librac from Python through bare ctypes: no wrapper, nothing to install.

    RAC_LIBRARY=build/librac.so.0.1 python3 python/ctypes_quickstart.py

What is worth copying: the structure passed by value, one trampoline for each
kind of callback with the Python function behind the context, and a main
scheduler that the program drives itself.
"""

import ctypes
import ctypes.util
import os
import selectors
import threading
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int32, c_int64
from ctypes import c_size_t, c_uint8, c_uint16, c_uint32, c_uint64
from ctypes import c_void_p

# ---- The library --------------------------------------------------------------


def find_library():
    """RAC_LIBRARY, else an installed librac, else one built in this tree."""
    tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    built = [
        os.path.join(tree, folder, "librac.so")
        for folder in ("build", os.path.join("build", "embedded"))
    ]
    return (
        os.environ.get("RAC_LIBRARY")
        or ctypes.util.find_library("rac")
        or next(filter(os.path.exists, built), "librac.so.0.1")
    )


class Value(ctypes.Structure):
    """rac_value: 16 bytes, passed by value."""

    _fields_ = [
        ("kind", c_uint8),
        ("flags", c_uint8),
        ("reserved", c_uint16),
        ("length", c_uint32),
        ("bits", c_int64),
    ]


Next = CFUNCTYPE(None, c_void_p, Value)  # also rac_error_fn
Action = CFUNCTYPE(None, c_void_p)  # also completed and destroy
Map = CFUNCTYPE(c_int32, c_void_p, Value, POINTER(Value))
Subscribe = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_void_p))


class Observer(ctypes.Structure):
    """rac_observer: begins with its own size."""

    _fields_ = [
        ("size", c_size_t),
        ("context", c_void_p),
        ("next", Next),
        ("error", Next),
        ("completed", Action),
        ("destroy", Action),
    ]


# Without argtypes ctypes would cut handles down to 32 bits.
PROTOTYPES = {
    "rac_version_string": (c_char_p,),
    "rac_live_objects": (c_uint64,),
    "rac_release": (c_int32, c_void_p),
    "rac_raise": (c_int32, Value),
    "rac_last_error_message": (c_char_p,),
    "rac_value_int64": (Value, c_int64),
    "rac_value_error": (Value, c_char_p, c_int64, c_char_p),
    "rac_value_release": (None, Value),
    "rac_value_describe": (c_size_t, Value, c_char_p, c_size_t),
    "rac_error_get_message": (c_char_p, Value),
    "rac_signal_create": (c_void_p, c_void_p, Subscribe, Action),
    "rac_signal_map": (c_void_p, c_void_p, c_void_p, Map, Action),
    "rac_signal_deliver_on": (c_void_p, c_void_p, c_void_p),
    "rac_subscribe": (c_void_p, c_void_p, POINTER(Observer)),
    "rac_subscriber_send": (c_int32, c_void_p, Value),
    "rac_subscriber_send_completed": (c_int32, c_void_p),
    "rac_subject_create": (c_void_p,),
    "rac_subject_as_signal": (c_void_p, c_void_p),
    "rac_subject_send": (c_int32, c_void_p, Value),
    "rac_subject_send_completed": (c_int32, c_void_p),
    "rac_scheduler_main": (c_void_p,),
    "rac_main_fd": (c_int,),
    "rac_main_drain": (c_int64, c_size_t),
}

rac = ctypes.CDLL(find_library())
for name, (result, *parameters) in PROTOTYPES.items():
    function = getattr(rac, name)
    function.restype, function.argtypes = result, parameters

RAC_OK, RAC_EUSER = 0, -100

# ---- Python functions as callbacks ----------------------------------------------

# A context is a number; the functions behind it stay here until librac says, by
# calling destroy, that it will not call them again.
functions = {}
numbers = iter(range(1, 1 << 60))


def register(*these):
    number = next(numbers)
    functions[number] = these
    return number


def guarded(call):
    """What Python raises must not cross C: it becomes the stream's error."""
    try:
        call()
        return RAC_OK
    except Exception as exception:
        text = "{}: {}".format(type(exception).__name__, exception)
        error = rac.rac_value_error(b"python", 1, text.encode())
        status = rac.rac_raise(error)
        rac.rac_value_release(error)
        return status


@Map
def call_map(context, value, out):
    def call():
        out[0] = rac.rac_value_int64(functions[context][0](value.bits))

    return guarded(call)


@Subscribe
def call_subscribe(context, subscriber, out):
    return guarded(lambda: functions[context][0](subscriber))


@Next
def call_next(context, value):
    functions[context][0](value.bits)


@Next
def call_error(context, error):
    functions[context][1](rac.rac_error_get_message(error).decode())


@Action
def call_completed(context):
    functions[context][2]()


@Action
def call_destroy(context):
    del functions[context]


# ---- Three lines an operator -----------------------------------------------------


def create(function):
    return rac.rac_signal_create(register(function), call_subscribe, call_destroy)


def mapped(signal, function):
    return rac.rac_signal_map(signal, register(function), call_map, call_destroy)


def subscribe(signal, name, ended):
    observer = Observer(
        ctypes.sizeof(Observer),
        register(
            lambda number: print("  {} got {}".format(name, number)),
            lambda message: ended("{} failed: {}".format(name, message)),
            lambda: ended("{} completed".format(name)),
        ),
        call_next,
        call_error,
        call_completed,
        call_destroy,
    )
    subscription = rac.rac_subscribe(signal, ctypes.byref(observer))
    if not subscription:
        raise RuntimeError(rac.rac_last_error_message().decode())
    # Releasing a subscription does not end it; rac_dispose() would.
    rac.rac_release(subscription)


# ---- The program -------------------------------------------------------------------


def cold():
    print("A cold signal does its work for each subscriber:")

    def count(subscriber):
        print("  working")
        for number in (1, 2):
            rac.rac_subscriber_send(subscriber, rac.rac_value_int64(number))
        rac.rac_subscriber_send_completed(subscriber)

    signal = create(count)
    for name in ("first", "second"):
        subscribe(signal, name, lambda text: print("  " + text))
    rac.rac_release(signal)


def hot():
    print("A subject is hot: the late one misses what was sent before it came:")
    subject = rac.rac_subject_create()
    signal = rac.rac_subject_as_signal(subject)
    subscribe(signal, "early", lambda text: print("  " + text))
    rac.rac_subject_send(subject, rac.rac_value_int64(1))
    subscribe(signal, "late", lambda text: print("  " + text))
    rac.rac_subject_send(subject, rac.rac_value_int64(2))
    rac.rac_subject_send_completed(subject)
    rac.rac_release(subject)


def exceptions():
    print("What a callback raises becomes the stream's error:")

    def divide(number):
        if number == 0:
            raise ValueError("cannot divide by 0")
        return 12 // number

    subject = rac.rac_subject_create()
    divided = mapped(rac.rac_subject_as_signal(subject), divide)
    subscribe(divided, "quotient", lambda text: print("  " + text))
    for number in (4, 0, 3):
        rac.rac_subject_send(subject, rac.rac_value_int64(number))
    rac.rac_release(divided)
    rac.rac_release(subject)


def loop():
    print("Sent by another thread, received in this program's own loop:")
    # rac_scheduler_main() gives a reference too, and rac_release() takes it back.
    main = rac.rac_scheduler_main()
    subject = rac.rac_subject_create()
    squares = mapped(rac.rac_subject_as_signal(subject), lambda n: n * n)
    delivered = rac.rac_signal_deliver_on(squares, main)
    ends = []
    subscribe(delivered, "loop", ends.append)

    def work():
        for number in (1, 2, 3):
            rac.rac_subject_send(subject, rac.rac_value_int64(number))
        rac.rac_subject_send_completed(subject)

    worker = threading.Thread(target=work)
    worker.start()
    with selectors.DefaultSelector() as selector:
        # A program with sockets would register those here as well.
        selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
        while not ends:
            selector.select()
            rac.rac_main_drain(0)
    worker.join()
    # The worker may have let go of the subscription after the last drain; what is
    # below deliver_on is let go in one.
    rac.rac_main_drain(0)
    print("  " + ends[0])
    for handle in (delivered, squares, subject, main):
        rac.rac_release(handle)


if __name__ == "__main__":
    print("librac", rac.rac_version_string().decode())
    before = rac.rac_live_objects()
    cold()
    hot()
    exceptions()
    loop()
    print("Callbacks still registered:", len(functions))
    print("Objects still alive:", rac.rac_live_objects() - before)
