"""Every operator once through ctypes; that none is missing here is a test, too."""

import ctypes
import os
import re
import unittest

import racffi
from racffi import Recorder, Value, rac, register, to_rac
from ractest import RacTest, release, returning, send

DONE = "completed"


class Sources:
    """What the rows below are made of; all of it is released after the row."""

    def __init__(self):
        self.handles = []

    def own(self, handle):
        if not handle:
            raise AssertionError(rac.rac_last_error_message())
        self.handles.append(handle)
        return handle

    def values(self, *values):
        held = (Value * len(values))(*[to_rac(value) for value in values])
        signal = rac.rac_signal_from_values(held, len(values))
        for value in held:
            rac.rac_value_release(value)
        return self.own(signal)

    def failing(self, *values):
        error = to_rac(ValueError("no"))
        signal = self.own(rac.rac_signal_error(error))
        rac.rac_value_release(error)
        return self.own(rac.rac_signal_concat(self.values(*values), signal))

    def held(self, value):
        """A behavior subject: sends at once and stays open."""
        kept = to_rac(value)
        subject = self.own(rac.rac_behavior_subject_create(kept))
        rac.rac_value_release(kept)
        return rac.rac_subject_as_signal(subject)

    def list(self, *signals):
        return (racffi.pointer * len(signals))(*signals), len(signals)


def call(function, *arguments):
    """An operator with its callback: a function stands for context, callback and
    destroy; a tuple for a callback of another kind than map's."""
    flat = []
    for argument in arguments:
        if isinstance(argument, Callback):
            flat += [register(argument.function), argument.kind, racffi.destroy]
        else:
            flat.append(argument)
    return function(*flat)


class Callback:
    def __init__(self, kind, function):
        self.kind = kind
        self.function = function


def reduce(function):
    return Callback(racffi.call_reduce, function)


def reduce_index(function):
    return Callback(racffi.call_reduce_index, function)


def reduce_each(function):
    return Callback(racffi.call_reduce_each, function)


def predicate(function):
    return Callback(racffi.call_filter, function)


def one(number):
    return rac.rac_value_int64(number)


def add(*values):
    return sum(values)


def materialized(s, *values):
    return s.own(rac.rac_signal_materialize(s.failing(*values)))


ERROR = ("error", "python", 1, "ValueError: no")

def signals(s, *inner):
    """A signal of signals."""
    handles = list(inner)
    source = s.values(*range(len(handles)))
    choose = Callback(racffi.call_signal_value, lambda n: handles[n])
    return s.own(call(rac.rac_signal_map, source, choose))


def ignoring(kind):
    return Callback(kind, lambda *values: None)


def started(s):
    def start(subscriber):
        rac.rac_subscriber_send(subscriber, one(5))
        rac.rac_subscriber_send_completed(subscriber)

    scheduler = s.own(rac.rac_scheduler_immediate())
    return scheduler, Callback(racffi.call_start, start)


def scheduler(s):
    return s.own(rac.rac_scheduler_immediate())


# operator: (how to make it, what it sends)
ROWS = {
    "bind": (
        lambda s: (
            s.values(1, 2, 3),
            Callback(racffi.call_bind, lambda n: (returning(n * 10), n == 2)),
        ),
        [10, 20, DONE],
    ),
    "catch_to": (lambda s: (s.failing(1), s.values(2)), [1, 2, DONE]),
    "collect": (lambda s: (s.values(1, 2),), [(1, 2), DONE]),
    "combine_latest": (
        lambda s: s.list(s.values(1, 2), s.values(3, 4)),
        [(2, 3), (2, 4), DONE],
    ),
    "combine_latest_with": (
        lambda s: (s.values(1, 2), s.values(3, 4)),
        [(2, 3), (2, 4), DONE],
    ),
    "concat_all": (lambda s: s.list(s.values(1), s.values(2)), [1, 2, DONE]),
    "defer": (
        lambda s: (Callback(racffi.call_defer, lambda: returning(7)),),
        [7, DONE],
    ),
    "distinct_until_changed": (lambda s: (s.values(1, 1, 2),), [1, 2, DONE]),
    "do_completed": (lambda s: (s.values(1), ignoring(racffi.call_action)), [1, DONE]),
    "do_error": (lambda s: (s.failing(1), ignoring(racffi.call_next)), [1, ERROR]),
    "do_next": (lambda s: (s.values(1), ignoring(racffi.call_next)), [1, DONE]),
    "empty": (lambda s: (), [DONE]),
    "finally": (lambda s: (s.values(1), ignoring(racffi.call_action)), [1, DONE]),
    "flatten": (
        lambda s: (signals(s, s.values(1, 2), s.values(3)), 1),
        [1, 2, 3, DONE],
    ),
    "group_by": (
        lambda s: (
            s.values(1, 2),
            register(lambda n: "same"),
            racffi.call_map,
            racffi.CALLBACKS["rac_map_fn"](),
            racffi.destroy,
        ),
        ["signal", DONE],
    ),
    "ignore_values": (lambda s: (s.values(1),), [DONE]),
    "initially": (lambda s: (s.values(1), ignoring(racffi.call_action)), [1, DONE]),
    "log_all": (lambda s: (s.values(1),), [1, DONE]),
    "map_replace": (lambda s: (s.values(1, 2), one(7)), [7, 7, DONE]),
    "merge": (lambda s: s.list(s.values(1, 2), s.values(3)), [1, 2, 3, DONE]),
    "merge_with": (lambda s: (s.values(1, 2), s.values(3)), [1, 2, 3, DONE]),
    "replay": (lambda s: (s.values(1, 2),), [1, 2, DONE]),
    "replay_last": (lambda s: (s.values(1, 2),), [2, DONE]),
    "replay_lazily": (lambda s: (s.values(1, 2),), [1, 2, DONE]),
    "retry": (lambda s: (s.failing(1), 1), [1, 1, ERROR]),
    "skip": (lambda s: (s.values(1, 2), 1), [2, DONE]),
    "start_eagerly": (started, [5, DONE]),
    "start_lazily": (started, [5, DONE]),
    "start_with": (lambda s: (s.values(1), one(0)), [0, 1, DONE]),
    "subscribe_on": (lambda s: (s.values(1), scheduler(s)), [1, DONE]),
    "switch_to_latest": (
        lambda s: (signals(s, s.values(1, 2), s.values(3)),),
        [1, 2, 3, DONE],
    ),
    "take_until": (
        lambda s: (s.values(1), s.own(rac.rac_signal_never())),
        [1, DONE],
    ),
    "throttle": (lambda s: (s.values(1, 2), 60.0), [2, DONE]),
    "zip": (lambda s: s.list(s.values(1, 2), s.values(3, 4)), [(1, 3), (2, 4), DONE]),
    "zip_with": (lambda s: (s.values(1, 2), s.values(3, 4)), [(1, 3), (2, 4), DONE]),
    "scan_with_index": (
        lambda s: (s.values(1, 2, 3), one(0), reduce_index(add)),
        [1, 4, 9, DONE],
    ),
    "aggregate": (lambda s: (s.values(1, 2, 3), one(0), reduce(add)), [6, DONE]),
    "aggregate_with_index": (
        lambda s: (s.values(1, 2, 3), one(0), reduce_index(add)),
        [9, DONE],
    ),
    "aggregate_with_factory": (
        lambda s: (
            s.values(1, 2),
            register(lambda *both: sum(both) if both else 10),
            racffi.call_factory,
            racffi.call_reduce,
            racffi.destroy,
        ),
        [13, DONE],
    ),
    "combine_previous": (
        lambda s: (s.values(1, 2, 4), one(0), reduce(lambda a, b: (a, b))),
        [(0, 1), (1, 2), (2, 4), DONE],
    ),
    "take_until_block": (
        lambda s: (s.values(1, 2, 3), predicate(lambda n: n == 2)),
        [1, DONE],
    ),
    "take_while_block": (
        lambda s: (s.values(1, 2, 1), predicate(lambda n: n < 2)),
        [1, DONE],
    ),
    "skip_until_block": (
        lambda s: (s.values(1, 2, 1), predicate(lambda n: n == 2)),
        [2, 1, DONE],
    ),
    "skip_while_block": (
        lambda s: (s.values(1, 2, 1), predicate(lambda n: n < 2)),
        [2, 1, DONE],
    ),
    "take_last": (lambda s: (s.values(1, 2, 3), 2), [2, 3, DONE]),
    "ignore": (lambda s: (s.values(1, 2, 1), one(1)), [2, DONE]),
    "reduce_each": (
        lambda s: (s.values((1, 2), (3, 4)), reduce_each(add)),
        [3, 7, DONE],
    ),
    "combine_latest_reduce": (
        lambda s: (*s.list(s.values(1, 2), s.values(3, 4)), reduce_each(add)),
        [5, 6, DONE],
    ),
    "zip_reduce": (
        lambda s: (*s.list(s.values(1, 2), s.values(3, 4)), reduce_each(add)),
        [4, 6, DONE],
    ),
    "then": (
        lambda s: (
            s.values(1, 2),
            Callback(racffi.call_defer, lambda: returning(7)),
        ),
        [7, DONE],
    ),
    "try": (
        lambda s: (s.values(1, 2), Callback(racffi.call_try, lambda n: 1 // (2 - n))),
        [1, ("error", "python", 1, "ZeroDivisionError: integer division or modulo by zero")],
    ),
    "try_map": (
        lambda s: (s.values(1, 2), Callback(racffi.call_map, lambda n: n * 10)),
        [10, 20, DONE],
    ),
    "from_factory": (
        lambda s: (Callback(racffi.call_factory, lambda: 7),),
        [7, DONE],
    ),
    "any": (lambda s: (s.values(1, 2), predicate(lambda n: n == 2)), [True, DONE]),
    "all": (lambda s: (s.values(1, 2), predicate(lambda n: n == 2)), [False, DONE]),
    "not": (lambda s: (s.values(True, 0),), [False, True, DONE]),
    "and": (lambda s: (s.values((1, True), (1, False)),), [True, False, DONE]),
    "or": (lambda s: (s.values((1, False), (0, False)),), [True, False, DONE]),
    "take_until_replacement": (
        lambda s: (s.values(1, 2), s.values(3)),
        [3, DONE],
    ),
    "if": (
        lambda s: (s.values(True, False), s.values(1), s.values(2)),
        [1, 2, DONE],
    ),
    "switch": (
        lambda s: (
            s.values(5, 6, 7),
            (Value * 2)(one(5), one(6)),
            *s.list(s.values(1), s.values(2)),
            s.values(3),
        ),
        [1, 2, 3, DONE],
    ),
    "throttle_passing_test": (
        lambda s: (s.values(1, 9, 2), 60.0, predicate(lambda n: n < 9)),
        [9, 2, DONE],
    ),
    "buffer_with_time": (
        lambda s: (s.values(1, 2), 60.0, s.own(rac.rac_scheduler_main())),
        [(1, 2), DONE],
    ),
    "timeout": (
        lambda s: (s.values(1), 60.0, s.own(rac.rac_scheduler_main())),
        [1, DONE],
    ),
    "sample": (lambda s: (s.held(1), s.values(0, 0)), [1, 1, DONE]),
    "with_latest_from": (
        lambda s: (s.values(1, 2), s.values(7)),
        [(1, 7), (2, 7), DONE],
    ),
    "deliver_on_main": (lambda s: (s.values(1),), [1, DONE]),
    "log_next": (lambda s: (s.values(1),), [1, DONE]),
    "log_error": (lambda s: (s.failing(1),), [1, ERROR]),
    "log_completed": (lambda s: (s.values(1),), [1, DONE]),
    "materialize": (lambda s: (s.values(1), ), [("next", 1), (DONE,), DONE]),
    "dematerialize": (lambda s: (materialized(s, 1), ), [1, ERROR]),
}


@racffi.CALLBACKS["rac_log_fn"]
def keep_quiet(context, line):
    pass


class EveryOperator(RacTest):
    def setUp(self):
        super().setUp()
        nothing = racffi.CALLBACKS["rac_destroy_fn"]()
        rac.rac_set_log(None, keep_quiet, nothing)

    def tearDown(self):
        nothing = racffi.CALLBACKS["rac_destroy_fn"]()
        rac.rac_set_log(None, racffi.CALLBACKS["rac_log_fn"](), nothing)
        super().tearDown()

    def test_rows(self):
        for name, (arguments, expected) in ROWS.items():
            with self.subTest(operator=name):
                sources = Sources()
                function = getattr(rac, "rac_signal_" + name)
                signal = sources.own(call(function, *arguments(sources)))
                heard = Recorder(signal)
                heard.dispose()
                heard.release()
                release(*reversed(sources.handles))
                self.assertEqual(heard.events, expected)

    def test_repeat_and_take(self):
        sources = Sources()
        again = sources.own(rac.rac_signal_repeat(sources.values(1, 2)))
        heard = Recorder(sources.own(rac.rac_signal_take(again, 5)))
        heard.release()
        release(*reversed(sources.handles))
        self.assertEqual(heard.events, [1, 2, 1, 2, 1, DONE])

    def test_interval(self):
        clock = rac.rac_scheduler_virtual()
        for signal in (
            rac.rac_signal_interval(clock, 1.5),
            rac.rac_signal_interval_with_leeway(clock, 1.5, 0.5),
        ):
            heard = Recorder(signal)
            racffi.check(rac.rac_virtual_advance_by(clock, 4.0))
            heard.dispose()
            heard.release()
            release(signal)
            self.assertEqual(heard.events, [0, 1])
        release(clock)

    def test_connections(self):
        subject, signal = self.subject()
        other = self.own(rac.rac_subject_create())
        for connection in (
            rac.rac_signal_publish(signal),
            rac.rac_signal_multicast(signal, other),
        ):
            shared = rac.rac_connection_signal(connection)
            heard = Recorder(shared)
            send(subject, 1)
            connected = rac.rac_connection_connect(connection)
            send(subject, 2)
            racffi.check(rac.rac_dispose(connected))
            heard.dispose()
            heard.release()
            release(connected, shared, connection)
            self.assertEqual(heard.events, [2])

    def test_blocking_reads(self):
        sources = Sources()
        numbers = sources.values(1, 2)
        out = Value()
        racffi.check(rac.rac_signal_to_array(numbers, 1.0, ctypes.byref(out)))
        self.assertEqual(racffi.from_rac(out), (1, 2))
        rac.rac_value_release(out)
        failing = sources.failing(1)
        code = rac.rac_signal_wait_until_completed(failing, 1.0, ctypes.byref(out))
        self.assertEqual(code, racffi.C.RAC_ESTREAM)
        rac.rac_value_release(out)
        nothing = sources.own(rac.rac_signal_empty())
        for read in (
            rac.rac_signal_first_or_default,
            rac.rac_signal_asynchronous_first_or_default,
        ):
            racffi.check(read(nothing, 1.0, one(5), ctypes.byref(out), None))
            self.assertEqual(racffi.from_rac(out), 5)
        racffi.check(
            rac.rac_signal_asynchronously_wait_until_completed(numbers, 1.0, None)
        )
        release(*reversed(sources.handles))

    def test_names_and_keys(self):
        sources = Sources()
        numbers = sources.values(1)
        racffi.check(rac.rac_signal_set_name(numbers, b"numbers"))
        text = ctypes.create_string_buffer(40)
        rac.rac_signal_describe(numbers, text, 40)
        self.assertIn(b"numbers", text.value)
        out = Value()
        code = rac.rac_signal_get_key(numbers, ctypes.byref(out))
        self.assertEqual(code, racffi.C.RAC_EKIND)
        release(*reversed(sources.handles))

    def test_no_operator_is_missing(self):
        """Those that are not in the table are called in another test."""
        here = os.path.dirname(os.path.abspath(__file__))
        called = {"rac_signal_" + name for name in ROWS}
        for name in os.listdir(here):
            if name.endswith(".py"):
                with open(os.path.join(here, name), encoding="utf-8") as file:
                    called |= set(re.findall(r"rac\.(rac_signal_\w+)", file.read()))
        operators = {n for n in racffi.PROTOTYPES if n.startswith("rac_signal_")}
        self.assertEqual(sorted(operators - called), [])


if __name__ == "__main__":
    unittest.main()
