"""The example of Tests/operators/operators.def through ctypes: what the arguments of
a row are, and what is heard of it, written as its result."""

import ctypes
import os
import sys
import time

import racffi
from racffi import NOTHING, Value, callbacks, rac, to_rac

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "Tests", "operators"))

import rows  # noqa: E402, F401

SOURCE, OTHER, ANOTHER = (0, 2, 2, -3), (0, 5), (7,)
TUPLES = ((0, 0), (2, 5))


# ---- Callbacks -----------------------------------------------------------------

def returning(value, kind="signal"):
    held = to_rac(value)
    made = getattr(rac, "rac_{}_return".format(kind))(held)
    rac.rac_value_release(held)
    return made


def attempt(number):
    if number == -3:
        raise ValueError("no")


FUNCTIONS = {
    "times_ten": lambda n: n * 10,
    "steps": lambda step, n: n if n and n > 0 else NOTHING,
    "cleared": lambda state: None,
    "key": lambda n: n,
    "above": lambda n: n > 0,
    "not_above": lambda n: not n > 0,
    "attempt": attempt,
    "add": lambda running, n: running + n,
    "add_indexed": lambda running, n, index: running + n * (index + 1),
    "order": lambda n, other: (n > other) - (n < other),
    "pair": lambda before, n: n - before,
    "sum": lambda *elements: sum(elements),
    "make_value": lambda: 7,
    "choose": returning,
    "one_less": lambda n: returning(n - 1) if n > 1 else None,
    "again_once": lambda value, index: None if index else returning(7),
    "choose_or_stop": lambda n: (n == 2, returning(n)),
    "choose_sequence": lambda n: returning(n, "sequence"),
    "choose_sequence_or_stop": lambda n: (n == 2, returning(n, "sequence")),
    "the_signal": lambda: returning(7),
    "called_with": lambda value: None,
    "called": lambda: None,
}


# ---- Arguments -----------------------------------------------------------------


class Example(racffi.Owned):
    """The makers of the rows' signals or sequences, which go after the row."""

    def __init__(self, kind):
        self.kind = kind  # "signal", or "sequence"
        if kind == "signal":
            self.from_values = rac.rac_signal_from_values
        else:
            self.from_values = rac.rac_sequence_from_values
        super().__init__()
        self.clocks = []  # whose time is to come

    def values(self, *values):
        held = (Value * len(values))(*[to_rac(value) for value in values])
        made = self.from_values(held, len(values))
        for value in held:
            rac.rac_value_release(value)
        return self.own(made)

    def failing(self):
        error = to_rac(ValueError("no"))
        signal = self.own(rac.rac_signal_error(error))
        rac.rac_value_release(error)
        return self.own(rac.rac_signal_concat(self.values(0, 2), signal))

    def held(self):
        """A behavior subject: sends at once and stays open."""
        return rac.rac_subject_as_signal(
            self.own(rac.rac_behavior_subject_create(to_rac(1)))
        )

    def of_its_kind(self):
        """Signals as values, or sequences: the source and the other one."""
        wrap = getattr(rac, "rac_value_" + self.kind)
        inner = [wrap(self.values(*values)) for values in (SOURCE, OTHER)]
        made = self.from_values((Value * 2)(*inner), 2)
        for value in inner:
            rac.rac_value_release(value)
        return self.own(made)

    def first(self, count, signal):
        """Of what goes on for ever."""
        return self.own(rac.rac_signal_take(signal, count))

    def array(self, *handles):
        return [(racffi.pointer * len(handles))(*handles), len(handles)]

    def argument(self, name, *more):
        """As many arguments as it stands for."""
        if name in ("FUNCTION", "OPTIONAL", "FUNCTIONS", "FUNCTION_AND_OPTIONAL"):
            return callbacks(*(FUNCTIONS.get(each, each) for each in more))
        if name == "VALUE":
            return [to_rac(int(more[0]))]
        if name in ("COUNT", "SIZE", "STATE", "SECOND_SIZE", "PASSING", "DROPPED"):
            return [int(more[0])]
        if name in ("SECONDS", "FIRST_SECONDS", "MORE_SECONDS", "PLAIN"):
            return [float(more[0])]
        if name == "CHOICE":
            return [getattr(racffi.C, more[0])]
        if name in ("CLOCK", "MAYBE_CLOCK", "STANDING"):
            clock = self.own(rac.rac_scheduler_virtual())
            self.clocks += [] if name == "STANDING" else [clock]
            return [clock]
        if name == "ROOM":
            room = self.own(rac.rac_bound_create(1000, racffi.C.RAC_BOUND_REFUSE))
            self.own(rac.rac_subject_create_bounded(room))
            return [room]
        if name == "LIST":
            return self.array(self.values(*SOURCE), self.values(*OTHER))
        if name == "CASES":
            cases, count = self.array(self.values(*OTHER))
            keys = (Value * 1)(to_rac(2))
            return [keys, cases, count, self.values(*ANOTHER)]
        make = {
            "SOURCE": lambda: self.values(*SOURCE),
            "OTHER": lambda: self.values(*OTHER),
            "TRIGGER": lambda: self.values(*OTHER),
            "ANOTHER": lambda: self.values(*ANOTHER),
            "TUPLES": lambda: self.values(*TUPLES),
            "SIGNALS": self.of_its_kind,
            "FAILING": self.failing,
            "HELD": self.held,
            "EVENTS": lambda: self.own(rac.rac_signal_materialize(self.failing())),
            "SILENT": lambda: self.own(rac.rac_signal_never()),
        }
        return [make[name]()]

    def call(self, row):
        """What the row's function makes."""
        flat = sum((self.argument(*each) for each in row.arguments), [])
        function = getattr(rac, "rac_{}_{}".format(self.kind, row.name))
        return self.own(function(*flat))


# ---- What is heard -------------------------------------------------------------


def value_text(value):
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return str(value).lower()
    if value in ("signal", "sequence"):  # from_rac()
        return "?"
    if isinstance(value, racffi.Event):
        return "<|>" if value == ("completed",) else "<{}>".format(value_text(value[1]))
    if isinstance(value, tuple):
        return "({})".format(",".join(value_text(element) for element in value))
    if isinstance(value, Exception):
        return "#{}".format(value.args[1])
    return str(value)


def is_end(event):
    is_error = type(event) is tuple and event[:1] == ("error",)
    return event == "completed" or is_error


def event_text(event):
    """What a Recorder has heard, as in a result."""
    if event == "completed":
        return "|"
    return "#{}".format(event[2]) if is_end(event) else value_text(event)


def heard(example, signal):
    """All that it sends; waits where time has to pass."""
    recorder = racffi.Recorder(signal)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if recorder.events and is_end(recorder.events[-1]):
            break
        for clock in example.clocks:
            racffi.check(rac.rac_virtual_step_all(clock))
        rac.rac_main_drain(0)
        time.sleep(0.001)
    recorder.dispose()
    recorder.release()
    return " ".join(event_text(event) for event in recorder.events)


def of_sequence(sequence):
    """All that is in it, as in a result."""
    out = Value()
    racffi.check(rac.rac_sequence_to_array(sequence, ctypes.byref(out)))
    result = racffi.from_rac(out)
    rac.rac_value_release(out)
    return " ".join(map(value_text, result))
