#!/usr/bin/env python3
"""Many values in one call: arrays in, arrays out, through bare ctypes.

    RAC_LIBRARY=build/librac.so.0.1 python3 python/ctypes_batches.py
    RAC_LIBRARY=build/librac.so.0.1 python3 python/ctypes_batches.py --time

Crossing from Python to C and back costs many times what an event costs inside.
So cross once for many: rac_subject_send_array() takes a numpy array where it
lies, and rac_subscribe_batches() calls back with an array that numpy looks at
where it lies; neither is copied. Without numpy the same functions take and give
arrays of the modules array and ctypes.

--time prints what a value costs, one at a time and many at once.
"""

import array
import ctypes
import ctypes.util
import os
import selectors
import sys
import threading
import time
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int32
from ctypes import c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64
from ctypes import c_void_p

try:
    import numpy
except ImportError:
    numpy = None

# ---- The library: see ctypes_quickstart.py for the rest of it --------------------


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
Action = CFUNCTYPE(None, c_void_p)  # completed and destroy
# Where the array is and how long; the address as a number suits numpy and ctypes.
NextArray = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class BatchObserver(ctypes.Structure):
    """rac_batch_observer: begins with its own size."""

    _fields_ = [
        ("size", c_size_t),
        ("context", c_void_p),
        ("next_values", NextArray),
        ("next_int64s", NextArray),
        ("next_doubles", NextArray),
        ("error", Next),
        ("completed", Action),
        ("destroy", Action),
    ]


DOUBLES = 3  # RAC_ARRAY_DOUBLES
UNLIMITED = c_size_t(-1).value  # RAC_BATCH_UNLIMITED
PROTOTYPES = {
    "rac_version_string": (c_char_p,),
    "rac_live_objects": (c_uint64,),
    "rac_release": (c_int32, c_void_p),
    "rac_last_error_message": (c_char_p,),
    "rac_value_double": (Value, c_double),
    "rac_value_get_double": (c_int32, Value, POINTER(c_double)),
    "rac_error_get_message": (c_char_p, Value),
    "rac_subject_create": (c_void_p,),
    "rac_subject_as_signal": (c_void_p, c_void_p),
    "rac_subject_send": (c_int32, c_void_p, Value),
    "rac_subject_send_array": (c_int32, c_void_p, c_int32, c_void_p, c_size_t),
    "rac_subject_send_completed": (c_int32, c_void_p),
    "rac_subscribe_next": (c_void_p, c_void_p, c_void_p, Next, Action),
    "rac_subscribe_batches": (
        c_void_p, c_void_p, c_size_t, c_double, c_void_p, POINTER(BatchObserver)
    ),
    "rac_scheduler_main": (c_void_p,),
    "rac_main_fd": (c_int,),
    "rac_main_drain": (c_int64, c_size_t),
}

rac = ctypes.CDLL(find_library())
for name, (result, *parameters) in PROTOTYPES.items():
    function = getattr(rac, name)
    function.restype, function.argtypes = result, parameters

# ---- Arrays in ---------------------------------------------------------------------


def send_doubles(subject, data):
    """Sends every number of an array, from where it lies. For this one call only:
    the library keeps no pointer to it."""
    if numpy is not None and isinstance(data, numpy.ndarray):
        # A slice with steps, or another type, has no doubles side by side.
        if data.dtype != numpy.float64 or not data.flags.c_contiguous:
            raise TypeError("use numpy.ascontiguousarray(data, numpy.float64)")
        start = data.ctypes.data
        return checked(rac.rac_subject_send_array(subject, DOUBLES, start, data.size))
    view = memoryview(data)
    if view.format not in ("d", "<d") or not view.c_contiguous:
        raise TypeError("needs doubles that lie side by side")
    count = view.nbytes // view.itemsize
    numbers = (c_double * count).from_buffer(view.cast("B"))
    return checked(rac.rac_subject_send_array(subject, DOUBLES, numbers, count))


def checked(status):
    if status < 0:
        raise RuntimeError(rac.rac_last_error_message().decode())
    return status


# ---- Arrays out --------------------------------------------------------------------


def lent(address, count):
    """The array a callback was given, not copied: it is gone when the callback
    returns. What is to stay is copied: numbers.copy(), or list(numbers)."""
    numbers = (c_double * count).from_address(address)
    if numpy is None:
        return numbers
    numbers = numpy.frombuffer(numbers, numpy.float64)
    numbers.flags.writeable = False
    return numbers


# The functions behind the numbers that librac knows as contexts.
functions = {}
contexts = iter(range(1, 1 << 60))


@NextArray
def call_next(context, address, count):
    functions[context][0](lent(address, count))


@Next
def call_error(context, error):
    print("failed:", rac.rac_error_get_message(error).decode())


@Action
def call_completed(context):
    functions[context][1]()


@Action
def call_destroy(context):
    del functions[context]


def subscribe_arrays(signal, on_array, on_completed, count, interval, scheduler=None):
    """Calls on_array with up to so many numbers; a number waits at most so long."""
    context = next(contexts)
    functions[context] = (on_array, on_completed)
    observer = BatchObserver(ctypes.sizeof(BatchObserver), context)
    observer.next_doubles = call_next
    observer.error = call_error
    observer.completed = call_completed
    observer.destroy = call_destroy
    subscription = rac.rac_subscribe_batches(
        signal, count, interval, scheduler, ctypes.byref(observer)
    )
    if not subscription:
        raise RuntimeError(rac.rac_last_error_message().decode())
    rac.rac_release(subscription)


# ---- The program -------------------------------------------------------------------


def samples(count):
    """0.0, 0.5, 1.0, …: numpy's if it is there."""
    if numpy is not None:
        return numpy.arange(count) * 0.5
    return array.array("d", [index * 0.5 for index in range(count)])


def total(numbers):
    return float(numpy.sum(numbers)) if numpy is not None else sum(numbers)


def show(numbers):
    print("  {} with a sum of {}".format(len(numbers), total(numbers)))


def by_count():
    print("10000 numbers in one call, 4096 at a time:")
    subject = rac.rac_subject_create()
    subscribe_arrays(
        rac.rac_subject_as_signal(subject),
        show,
        lambda: print("  completed"),
        count=4096,
        interval=float("inf"),
    )
    send_doubles(subject, samples(10000))
    rac.rac_subject_send_completed(subject)
    rac.rac_release(subject)


def by_time():
    print("Sent by another thread, gathered until this loop's turn comes:")
    main = rac.rac_scheduler_main()
    subject = rac.rac_subject_create()
    received, ends = [], []
    # A batch goes to the loop as soon as that runs: interval 0 on its scheduler.
    subscribe_arrays(
        rac.rac_subject_as_signal(subject),
        lambda numbers: received.append((len(numbers), total(numbers))),
        lambda: ends.append(True),
        count=UNLIMITED,
        interval=0.0,
        scheduler=main,
    )

    def work():
        for _ in range(100):
            send_doubles(subject, samples(100))
        rac.rac_subject_send_completed(subject)

    worker = threading.Thread(target=work)
    worker.start()
    with selectors.DefaultSelector() as selector:
        selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
        while not ends:
            selector.select(0.01)
            rac.rac_main_drain(0)
    worker.join()
    for handle in (subject, main):
        rac.rac_release(handle)
    print("  {} numbers".format(sum(count for count, _ in received)))
    print("  with a sum of {}".format(sum(part for _, part in received)))


def settle(objects):
    """Waits until all is let go: the last to do so may be a thread of the library."""
    for _ in range(10000):
        rac.rac_main_drain(0)
        if not functions and rac.rac_live_objects() == objects:
            return
        time.sleep(0.001)


# ---- What it costs -----------------------------------------------------------------


def nanoseconds(values, body):
    """For each of so many values: the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        body()
        best = min(best, time.perf_counter() - start)
    return best * 1e9 / values


def report():
    sums = [0.0, 0.0]
    ONE, MANY = 20000, 1000000
    few, many = list(samples(ONE)), samples(MANY)
    packed, number = array.array("d", few), c_double()

    def add(value):
        sums[0] += value

    @Next
    def add_value(context, value):
        rac.rac_value_get_double(value, number)
        add(number.value)

    def loop():
        for value in few:
            add(value)

    def send_each(subject):
        for value in few:
            rac.rac_subject_send(subject, rac.rac_value_double(value))

    def add_array(numbers):
        sums[1] += total(numbers)

    single, batches = rac.rac_subject_create(), rac.rac_subject_create()
    signal = rac.rac_subject_as_signal(single)
    rac.rac_release(rac.rac_subscribe_next(signal, None, add_value, Action()))
    signal = rac.rac_subject_as_signal(batches)
    subscribe_arrays(signal, add_array, None, 4096, float("inf"))
    rows = (
        ("a Python call in a Python loop", ONE, loop),
        ("one send, one callback a value", ONE, lambda: send_each(single)),
        ("arrays in, one callback a value", ONE, lambda: send_doubles(single, packed)),
        ("one send a value, arrays out", ONE, lambda: send_each(batches)),
        ("arrays in, arrays out", MANY, lambda: send_doubles(batches, many)),
    )
    for text, values, body in rows:
        print("{:34} {:8.1f} ns a value".format(text, nanoseconds(values, body)))
    for handle in (single, batches):
        rac.rac_release(handle)


if __name__ == "__main__":
    if sys.argv[1:] == ["--time"]:
        report()
        sys.exit()
    print("librac", rac.rac_version_string().decode())
    before = rac.rac_live_objects()
    by_count()
    by_time()
    settle(before)
    print("Callbacks still registered:", len(functions))
    print("Objects still alive:", rac.rac_live_objects() - before)
