"""librac through ctypes, as fast as a careful user gets it: nothing that is used
here blocks, so functions are called without giving the interpreter's lock away; the
value that is sent is one structure that is filled again for each send.

SPDX-License-Identifier: MIT
"""

import ctypes
import os
import selectors
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int32, c_int64
from ctypes import c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p


class Value(ctypes.Structure):
    """rac_value."""

    _fields_ = [
        ("kind", c_uint8),
        ("flags", c_uint8),
        ("reserved", c_uint16),
        ("length", c_uint32),
        ("bits", c_int64),
    ]


INT64 = 2

# What x86-64 and 64-bit ARM pass for a rac_value by value: two words. ctypes takes
# half the time to hand these to a callback. `kind` holds the length of strings too.
KIND, BITS = c_uint64, c_int64
Next = CFUNCTYPE(None, c_void_p, KIND, BITS)
Action = CFUNCTYPE(None, c_void_p)
Words = POINTER(c_int64)
Map = CFUNCTYPE(c_int32, c_void_p, KIND, BITS, Words)
Keep = CFUNCTYPE(c_int32, c_void_p, KIND, BITS, POINTER(c_bool))
Reduce = CFUNCTYPE(c_int32, c_void_p, KIND, BITS, KIND, BITS, Words)
Inner = CFUNCTYPE(c_int32, c_void_p, KIND, BITS, POINTER(c_void_p))
Subscribe = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_void_p))

signal = c_void_p
signals = POINTER(c_void_p)
PROTOTYPES = {
    "rac_release": (c_int32, c_void_p),
    "rac_dispose": (c_int32, c_void_p),
    "rac_value_int64": (Value, c_int64),
    "rac_value_string": (Value, c_char_p),
    "rac_value_get_string": (
        c_int32,
        KIND,
        BITS,
        POINTER(c_char_p),
        POINTER(c_size_t),
    ),
    "rac_tuple_get": (Value, KIND, BITS, c_size_t),
    "rac_subject_create": (c_void_p,),
    "rac_replay_subject_create": (c_void_p, c_size_t),
    "rac_subject_as_signal": (c_void_p, c_void_p),
    "rac_subject_send": (c_int32, c_void_p, Value),
    "rac_subscriber_send": (c_int32, c_void_p, Value),
    "rac_subscriber_send_completed": (c_int32, c_void_p),
    "rac_subscribe_next": (c_void_p, signal, c_void_p, Next, c_void_p),
    "rac_signal_create": (c_void_p, c_void_p, Subscribe, c_void_p),
    "rac_signal_return": (c_void_p, KIND, BITS),
    "rac_signal_map": (c_void_p, signal, c_void_p, Map, c_void_p),
    "rac_signal_filter": (c_void_p, signal, c_void_p, Keep, c_void_p),
    "rac_signal_scan": (c_void_p, signal, Value, c_void_p, Reduce, c_void_p),
    "rac_signal_flatten_map": (c_void_p, signal, c_void_p, Inner, c_void_p),
    "rac_signal_merge": (c_void_p, signals, c_size_t),
    "rac_signal_zip": (c_void_p, signals, c_size_t),
    "rac_signal_combine_latest": (c_void_p, signals, c_size_t),
    "rac_signal_deliver_on": (c_void_p, signal, c_void_p),
    "rac_scheduler_main": (c_void_p,),
    "rac_main_fd": (c_int32,),
    "rac_main_drain": (c_int64, c_size_t),
    "rac_scheduler_background": (c_void_p, c_int32, c_char_p),
    "rac_schedule_after": (
        c_void_p,
        c_void_p,
        c_double,
        c_void_p,
        Action,
        c_void_p,
    ),
    "rac_disposable_create": (c_void_p, c_void_p, Action, c_void_p),
    "rac_subject_send_array": (c_int32, c_void_p, c_int32, c_void_p, c_size_t),
    "rac_subscriber_send_array": (c_int32, c_void_p, c_int32, c_void_p, c_size_t),
    "rac_subscribe_batches": (
        c_void_p,
        signal,
        c_size_t,
        c_double,
        c_void_p,
        c_void_p,
    ),
}


class BatchObserver(ctypes.Structure):
    """rac_batch_observer."""

    _fields_ = [
        ("size", c_size_t),
        ("context", c_void_p),
        ("next_values", c_void_p),
        ("next_int64s", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)),
        ("next_doubles", c_void_p),
        ("error", c_void_p),
        ("completed", c_void_p),
        ("destroy", c_void_p),
    ]


def declare(library, prototypes):
    for name, (result, *parameters) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


PATH = os.environ["RAC_LIBRARY"]
rac = declare(ctypes.PyDLL(PATH), PROTOTYPES)


class MainLoop:
    """Runs the main scheduler. While it drains it keeps the interpreter's lock, so
    that a callback costs no more than one from a send."""

    def __init__(self):
        self.stopped = False

    def stop(self):
        self.stopped = True

    def run(self):
        self.stopped = False
        with selectors.DefaultSelector() as selector:
            selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
            while not self.stopped:
                selector.select()
                rac.rac_main_drain(0)


def subject(create=rac.rac_subject_create, *arguments):
    """A handle that needs no conversion at each call, and its signal."""
    handle = c_void_p(create(*arguments))
    return handle, c_void_p(rac.rac_subject_as_signal(handle))


def number():
    """An integer to send: set its `bits`."""
    return Value(kind=INT64)


def sender(handle):
    """A function that sends integers, for one thread."""
    send, value = rac.rac_subject_send, number()

    def call(bits):
        value.bits = bits
        send(handle, value)

    return call


def send_numbers(handle, n):
    """Sends the values of the events 0 to n - 1."""
    send, value = rac.rac_subject_send, number()
    for i in range(n):
        value.bits = i & 1023
        send(handle, value)
