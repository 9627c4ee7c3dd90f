"""A round of random operations: what it calls, with what, and what lives because of it."""

import array
import functools
import inspect
import math
import random

import librac as rac
from fuzzing_things import Callback, Rude, Thing, TooMany, forget_frames

try:
    import numpy
except ImportError:
    numpy = None

# What waits for somebody, plays without an end where nothing is called, or would print.
NOT_OF_SIGNALS = {
    "wait", "values", "marble", "_repr_html_", "log",
    "repeat", "retry", "repeat_when", "retry_when", "subscribe_to", "dispose_and_wait", "key",
}
# What is for ever by its contract, runs the clock below, or asks for a loop that runs.
NOT_OF_OTHERS = {
    "dispose_and_wait", "for_qt", "for_tkinter", "for_loop", "immediate",
    "schedule_repeating", "advance_by", "advance_to", "sleep", "step", "step_all", "step_n",
    "bind_two_way", "bind_two_way_map", "terminal",
}
# What may read an endless sequence to its end.
NOT_OF_SEQUENCES = {
    "fold_left", "fold_right", "to_tuple", "all", "any", "is_equal", "content_hash",
}
# What is of the whole process, of descriptors, or waits.
NOT_OF_MODULE = {
    "main_run", "main_run_for", "main_stop", "main_drain_for", "close", "settle",
    "reinitialize", "set_log", "set_trace", "set_settle_at_exit", "set_names_enabled",
    "attach", "attach_qt", "attach_tkinter", "posix_signal", "child_exit", "readable",
    "writable", "chunks", "datagrams", "lines", "report_live", "file_changes", "tail", "spawn",
    "Scheduler",
}
KEYWORDS = ["scheduler", "bound", "count", "predicate", "transform", "seconds", "start",
            "on_error", "buffer", "bogus", "value"]
# What fits a parameter, by its name; all others are functions, or any value.
COUNTS = {"count", "index", "skip", "capacity", "max_concurrent", "attempts", "burst", "step"}
TIMES = {"seconds", "leeway", "first", "most", "interval", "offset", "timeout", "time"}
SIGNALS = {
    "other", "next", "trigger", "sampler", "boundary", "openings", "running", "replacement",
    "signal", "yes", "no", "fallback", "enabled", "source",
}
VALUES = {"value", "start", "seed", "input", "head", "nil_value", "default", "factor", "jitter"}
# What a call may raise; all else is a fault of the library's, or of this.
EXPECTED = (TypeError, ValueError, OverflowError, LookupError, AttributeError, rac.Error,
            StopIteration, StopAsyncIteration, RecursionError, BufferError)
# Operators with what fits, for chains.
CHAINED = [
    lambda s, r: s.map(r.callback()),
    lambda s, r: s.map(lambda v: Thing(r.dice)),
    lambda s, r: s.filter(lambda v: r.dice.random() < 0.9),
    lambda s, r: s.scan(lambda a, b: b, 0),
    lambda s, r: s.distinct(),
    lambda s, r: s.distinct_until_changed(),
    lambda s, r: s.pairwise(),
    lambda s, r: s.merge(r.signal()),
    lambda s, r: s.combine_latest(r.signal()),
    lambda s, r: s.zip(r.signal()),
    lambda s, r: s.flat_map(lambda v: r.inner()),
    lambda s, r: s.flat_map(lambda v: [v, Thing(r.dice)]),
    lambda s, r: s.switch_map(lambda v: r.inner()),
    lambda s, r: s.group_by(lambda v: 1).flatten(),
    lambda s, r: s.catch(lambda e: r.inner()),
    lambda s, r: s.catch(rac.of(1, Thing(r.dice))),
    lambda s, r: rac.of(1, 2).repeat().take(5),
    lambda s, r: s.retry(1),
    lambda s, r: s.retry_when(lambda errors: errors.take(2)),
    lambda s, r: s.repeat_when(lambda ends: ends.take(2)),
    lambda s, r: s.buffer(2, skip=1),
    lambda s, r: s.materialize().dematerialize(),
    lambda s, r: s.do_next(repr),
    lambda s, r: s.share(),
    lambda s, r: s.delay(0.01, scheduler=r.clock),
    lambda s, r: s.debounce(0.01, scheduler=r.clock),
    lambda s, r: s.take(r.dice.randrange(9)),
    lambda s, r: s.deliver_on(r.background),
    lambda s, r: s.subscribe_on(r.background),
    lambda s, r: rac.Property(1).signal.merge(s),
]


def names_of(owner, left_out):
    """Parts of words, which begin with one underscore, and ReactiveCocoa's own included."""
    return sorted(n for n in dir(owner) if not n.startswith("__") and n not in left_out)


def is_exception(thing):
    return isinstance(thing, type) and issubclass(thing, BaseException)


FUNCTIONS = sorted(
    name for name in rac.__all__
    if name not in NOT_OF_MODULE and callable(getattr(rac, name))
    and not is_exception(getattr(rac, name)))


@functools.cache
def parameters(owner, name):
    """Those of a call; a method's without self."""
    try:
        function = inspect.getattr_static(owner, name)
        found = list(inspect.signature(getattr(owner, name)).parameters.values())
    except (TypeError, ValueError):
        return ()
    is_method = isinstance(owner, type) and not isinstance(function, staticmethod)
    return found[1:] if is_method and found[:1] and found[0].name == "self" else found


class Round:
    """Each step has dice of its own, so that a round can be played with some left out."""

    def __init__(self, seed, shared=(), threads=False):
        self.seed = seed
        self.dice = random.Random()
        self.called = 0
        self.made = []
        self.clock = rac.Scheduler.virtual()
        self.background = rac.Scheduler.background() if threads else self.clock
        self.subjects = [rac.Subject(), rac.BehaviorSubject(1), rac.ReplaySubject(3), *shared]
        self.over = rac.ReplaySubject(1)  # the end of the round
        self.unexpected = []

    # ---- What is made up

    def value(self):
        values = [
            None, 0, 1, 2, 3, -1, 0.01, 1.5, 2**63, -(2**70), 2**62, math.nan, math.inf,
            -math.inf, 1e308, "a", "\ud800", "x" * 300, b"y", (), (1, 2), True, int, ..., 3j,
            rac.cocoa.UNIT, "drop_oldest", KeyError, range(3),
        ]
        fresh = [
            object, dict, lambda: [1, 2], lambda: {1: 2}, lambda: Thing(self.dice),
            lambda: Thing(self.dice, 1), lambda: array.array("d", [1, 2]), self.generator,
            lambda: Rude("value"), lambda: (1, Thing(self.dice)), lambda: [Thing(self.dice)],
        ]
        if numpy is not None:
            fresh += [
                lambda: numpy.arange(6.0)[::2], lambda: numpy.int8(3),
                lambda: numpy.array([1, 2], dtype=">i4"), lambda: numpy.arange(4.0),
            ]
        choice = self.dice.choice
        return choice(values) if self.dice.random() < 0.6 else choice(fresh)()

    def generator(self):
        yield 1
        raise Rude("generator")

    def callback(self):
        def raises(*arguments):
            raise Rude("callback")

        def disposes(*arguments):
            if self.made:
                one = self.dice.choice(self.made)
                if hasattr(one, "dispose"):
                    one.dispose()

        async def coroutine(*arguments):
            return 1

        def counted(function):
            """What does not fit is counted as well: it may be tried again for ever."""
            call = Callback(self, function)
            return lambda *arguments: call(*arguments)

        function = self.dice.choice([
            raises, disposes, coroutine, lambda: 1, lambda a: a, lambda a, b: b,
            lambda *a: self.inner(), lambda *a: self.value(), lambda *a: True,
            lambda *a: (self.inner(), False), lambda *a: None, lambda *a: [1, 2, 3],
            Thing(self.dice), functools.partial(self.feed, self.dice.choice(self.subjects)),
        ])
        return self.dice.choice([
            Callback(self, function), counted(lambda a: function(a)),
            counted(lambda a, b: function(a, b))])

    def feed(self, subject, *values):
        """Sends back what came, but for what holds others: pairs of pairs would double for ever."""
        holders = (tuple, list, dict, rac.Event)
        subject.send(*(0 if isinstance(one, holders) else one for one in values))

    def signal(self):
        kind = self.dice.randrange(10)
        if kind < 3:
            return self.dice.choice(self.subjects)
        if kind == 3:
            return rac.of(1, 2, 3)
        if kind == 4:
            return rac.of(self.value(), self.value())
        if kind == 5:
            return rac.throw(Rude("thrown"))
        if kind == 6:
            return rac.empty()
        if kind == 7:
            return rac.interval(0.01, scheduler=self.clock)
        signals = [one for one in self.made[-60:] if isinstance(one, rac.Signal)]
        return self.dice.choice(signals) if signals else rac.of(1)

    def inner(self):
        """What a function gives, or is lifted. A shared signal may be subscribed to inside of its
        own source, and nobody can dispose what a command executes: the round ends it."""
        return self.signal().take_until(self.over)

    def other(self):
        return self.dice.choice([
            lambda: self.clock, lambda: self.background, lambda: rac.Bound(2, "drop_oldest"),
            rac.Disposable, lambda: rac.Disposable(self.callback()),
            lambda: rac.Property(self.value()), rac.Channel, lambda: rac.Sequence.of(1, 2),
            rac.CompoundDisposable, rac.SerialDisposable,
            lambda: rac.Event.next(self.value()), lambda: rac.Sequence.of(self.value(), 3),
            lambda: rac.Command(lambda x=None: self.inner()),
        ])()

    def argument(self):
        kind = self.dice.random()
        if kind < 0.25:
            return self.callback()
        if kind < 0.5:
            return self.signal()
        if kind < 0.62:
            return self.other()
        if kind < 0.7:
            return [self.value(), self.value()]
        return self.value()

    def fitting(self, name):
        """What a parameter of that name is for."""
        dice = self.dice
        if name in COUNTS:
            return dice.randrange(5)
        if name in TIMES:
            return dice.choice([0.001, 0.01, 0.02, 1])
        if name in SIGNALS:
            return self.signal()
        if name in VALUES:
            return self.value()
        makers = {
            "scheduler": lambda: self.clock, "bound": lambda: rac.Bound(2, "drop_newest"),
            "subject": lambda: dice.choice(self.subjects), "name": lambda: "name",
            "text": lambda: "text",
            "disposable": lambda: rac.Disposable(self.callback()), "bytes": lambda: b"bytes",
            "sequences": lambda: [rac.Sequence.of(1, self.value()), rac.Sequence.of(2)],
            "properties": lambda: [rac.Property(1), rac.Property(self.value())],
            "signals": lambda: [self.inner(), self.inner()], "tuple": lambda: (1, 2),
            "values": lambda: [1, self.value()], "error": lambda: Rude("sent"),
            "array": lambda: array.array("d", [1, 2, 2]), "cases": lambda: {1: self.signal()},
            "buffer": lambda: 2, "overflow": lambda: "latest", "distinct": lambda: True,
            "dtype": lambda: dice.choice(["float64", "int64"]), "zone": lambda: "utc",
            "exception": lambda: Rude("event"), "events": list,
        }
        return makers.get(name, self.callback)()

    def arguments(self, owner, name):
        """Mostly what fits; often enough what does not."""
        made, keywords = [], {}
        expected = parameters(owner if owner is rac else type(owner), name)
        if not expected or self.dice.random() < 0.2:
            made = [self.argument() for _ in range(self.dice.choice([0, 1, 1, 2, 3, 4]))]
        else:
            for one in expected:
                if one.kind is one.VAR_POSITIONAL:
                    made += [self.argument() for _ in range(self.dice.randrange(4))]
                    continue
                if one.default is not one.empty and self.dice.random() < 0.5:
                    break
                fits = self.dice.random() < 0.9
                value = self.fitting(one.name) if fits else self.argument()
                if one.kind is one.KEYWORD_ONLY:
                    keywords[one.name] = value
                else:
                    made.append(value)
        if self.dice.random() < 0.05:
            keywords[self.dice.choice(KEYWORDS)] = self.argument()
        timed = any(one.name == "scheduler" and one.kind is one.KEYWORD_ONLY for one in expected)
        if timed and not isinstance(keywords.get("scheduler"), rac.Scheduler):
            keywords["scheduler"] = self.clock
        if name.startswith("send"):  # a subject that remembers itself is for ever
            made = [one for one in made if not isinstance(one, rac.Signal)
                    and not (isinstance(one, list) and name == "send")]
        if name == "range":  # would be sent to its end
            made = [one % 100 if isinstance(one, int) else one for one in made]
        return made, keywords

    # ---- One operation

    def call(self, function, *arguments, **keywords):
        try:
            return function(*arguments, **keywords)
        except (Exception, TooMany) as error:
            if not isinstance(error, (Rude, TooMany, *EXPECTED)):
                name = getattr(function, "__qualname__", "?")
                self.unexpected.append(f"{name}: {type(error).__name__}: {error}"[:200])
            forget_frames(error)
        finally:
            function = arguments = keywords = None

    def call_of(self, owner, name):
        """Calls `name` with anything; what takes time takes it from the clock."""
        function = self.call(getattr, owner, name)
        if not callable(function):
            return function
        arguments, keywords = self.arguments(owner, name)
        try:
            return self.call(function, *arguments, **keywords)
        finally:
            owner = function = arguments = keywords = None

    def chain(self):
        """Operators with what fits, in a row."""
        made = self.dice.choice(self.subjects)
        for _ in range(self.dice.randrange(1, 5)):
            made = self.dice.choice(CHAINED)(made, self)
        return made

    def step(self, number):
        self.dice.seed(f"{self.seed} {number}")
        self.called = 0
        kind = self.dice.random()
        if kind < 0.4:
            signal = self.signal()
            made = self.call_of(
                signal, self.dice.choice(names_of(type(signal), NOT_OF_SIGNALS)))
        elif kind < 0.5:
            made = self.call_of(rac, self.dice.choice(FUNCTIONS))
        elif kind < 0.6:
            one = self.other()
            left_out = NOT_OF_SEQUENCES if isinstance(one, rac.Sequence) else NOT_OF_OTHERS
            made = self.call_of(one, self.dice.choice(names_of(type(one), left_out)))
        elif kind < 0.65:
            made = self.call(self.chain)
        elif kind < 0.8:
            on_error = self.callback() if self.dice.random() < 0.6 else None
            made = self.call(self.signal().subscribe, self.callback(), on_error)
        elif kind < 0.97:
            made = self.call(self.dice.choice(self.subjects).send, self.value())
        else:
            made = self.call(self.clock.advance_by, 0.02)
        if made is not None and not isinstance(made, (int, float, str)):
            self.made.append(made)
        signal = one = on_error = made = None

    def end(self):
        """Disposes of all; nobody holds anything of it afterwards."""
        for one in self.made:
            self.called = 0
            if hasattr(one, "dispose"):
                self.call(one.dispose)
        for one in self.subjects:
            self.called = 0
            self.call(one.send_completed)
        self.over.send(True)
        # What waits there is alive: an error whose traceback leads to the clock would keep both.
        self.call(self.clock.advance_by, 0)
        self.made.clear()
        self.subjects.clear()
        self.clock = self.background = self.over = None
