"""`self.x = self.subject.op(self.f)`, subscribed to by `self.hear`: a cycle through every
operator, which Python's collector finds."""

import gc
import inspect
import os
import weakref

import pytest

import librac as rac
from librac import forms

CLOCK = rac.Scheduler.virtual()
NOWHERE = os.open("/dev/null", os.O_WRONLY)
subscriptions = []

# What is no operator, or gives no signal.
OTHERS = {
    "description", "iterate", "key", "marble", "named", "pipe", "subscribe", "subscribe_arrays",
    "subscribe_lists", "subscribe_to", "subscribe_weak", "to_queue", "values", "wait", "_hold",
    "_repr_html_", "_to_sequence", "_try_send"}
# Of a word that is several functions of the engine, and of ReactiveCocoa's, the functions.
OPERATORS = sorted(
    name for name in dir(rac.Signal)
    if not name.startswith("__") and name not in OTHERS and name not in forms.METHODS)

# What these subscribe to again holds itself until the subscription is disposed.
AGAIN = {"repeat", "repeat_when", "retry", "retry_when", "retry_with_backoff"}
# A clock, or a scheduler that polls, holds what waits for it from the beginning.
WAITING = {
    "_complete_within", "_delay_subscription", "_timeout", "_timeout_to", "_window_with_time",
    "write"}


class View:
    """Has two subjects, hears what an operator makes of them, and is a value, too."""

    def __init__(self, name):
        self.subject, self.other = rac.Subject(), rac.Subject()
        self.writes = name == "write"
        self.x = self.apply(name)
        if isinstance(self.x, rac.types.Connection):
            self.x = self.x.signal
        subscriptions.append(self.x.subscribe(self.hear))

    def __bool__(self):
        return True

    def f(self, *values):
        return rac.never()

    def hear(self, value):
        pass

    def argument(self, name):
        if name in {"scheduler"}:
            return rac.Scheduler.main() if self.writes else CLOCK
        if name in {"seconds", "first"}:
            return 1.0
        if name in {"count", "skip", "index", "capacity", "burst", "max_concurrent", "width"}:
            return 2
        if name in {"value", "start", "seed"}:
            return self
        if name == "delimiter":
            return b";"
        if name == "fd":
            return NOWHERE
        if name == "owned":
            return False
        if name == "bound":
            return rac.Bound(2, "drop_oldest")
        if name == "cases":
            return {1: self.other}
        if name in {
                "other", "trigger", "sampler", "running", "boundary", "openings", "replacement",
                "yes", "no", "signals", "fallback"}:
            return self.other
        return rac.Subject() if name == "subject" else self.f

    def apply(self, name):
        given, named = [], {}
        operator = getattr(rac.Signal, name)
        for parameter in list(inspect.signature(operator).parameters.values())[1:]:
            if parameter.name in {
                    "comparer", "factor", "most", "jitter", "attempts", "transform", "longest",
                    "little_endian"}:
                if parameter.default is not parameter.empty:
                    continue
            if parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = self.argument(parameter.name)
            else:
                given.append(self.argument(parameter.name))
        return operator(self.subject, *given, **named)


def collect():
    gc.collect()
    rac.host.main_drain()
    CLOCK.advance_by(0)
    gc.collect()


@pytest.fixture(autouse=True)
def nothing_goes_on():
    yield
    for subscription in subscriptions:
        subscription.dispose()
    subscriptions.clear()
    collect()


def test_a_cycle_through_each_is_collected():
    views = {name: [weakref.ref(View(name)) for _ in range(3)] for name in OPERATORS}
    collect()
    left = {name for name, some in views.items() if any(view() for view in some)}
    assert left == AGAIN | WAITING
    for subscription in subscriptions:
        subscription.dispose()
    collect()
    assert not [name for name, some in views.items() if any(view() for view in some)]


def test_who_can_be_sent_to_stays():
    views, subjects = {}, []
    for name in OPERATORS:
        view = View(name)
        subjects.append(view.subject)
        views[name] = weakref.ref(view)
        del view
    collect()
    # Nobody connects these.
    assert {name for name, view in views.items() if view() is None} == {"_multicast", "_publish"}
    subjects.clear()


def test_a_hundred_of_some():
    some = ("_merge", "_flat_map", "debounce", "share", "_combine_latest")
    views = [weakref.ref(View(name)) for name in some for _ in range(100)]
    collect()
    assert not any(view() for view in views)


class Form:
    """Has two properties, as a form has, and hears what an operator makes of them."""

    OPERATORS = {
        "map": lambda form, p: p.map(form.f),
        "filter": lambda form, p: p.filter(form.knows),
        "debounce": lambda form, p: p.debounce(1, scheduler=CLOCK),
        "throttle": lambda form, p: p.throttle(1, scheduler=CLOCK),
        "merge": lambda form, p: p.merge(form.other.signal),
        "combine_latest": lambda form, p: p.combine_latest(form.other.signal),
        "zip": lambda form, p: p.zip(form.other.signal),
        "with_latest_from": lambda form, p: p.with_latest_from(form.other.signal),
        "sample": lambda form, p: p.sample(form.other.signal),
        "take_until": lambda form, p: p.take_until(form.events),
        "flat_map": lambda form, p: p.flat_map(form.f),
        "switch_map": lambda form, p: p.switch_map(form.f),
        "debounced switch_map": lambda form, p: p.debounce(1, scheduler=CLOCK).switch_map(form.f),
        "share": lambda form, p: p.share(),
        "scan": lambda form, p: p.scan(lambda start, _: start, form),
        "buffer_with_count": lambda form, p: p.buffer(2),
        "pairwise": lambda form, p: p.pairwise(),
        "distinct_until_changed": lambda form, p: p.distinct_until_changed(),
        "do_finally": lambda form, p: p.do_finally(form.end),
        "deliver_on": lambda form, p: p.deliver_on(CLOCK),
        "deliver_on_main": lambda form, p: p.deliver_on(rac.Scheduler.main()),
        "deliver_on bounded": lambda form, p: p.deliver_on(CLOCK, rac.Bound(2, "drop_oldest")),
        "as in the manual": lambda form, p: p.debounce(1, scheduler=CLOCK).switch_map(
            form.f).deliver_on(rac.Scheduler.main()),
        "merge delivered": lambda form, p: p.merge(form.other.signal).deliver_on(CLOCK),
        "delay": lambda form, p: p.delay(1, scheduler=CLOCK),
        "rate_limit": lambda form, p: p.rate_limit(1, 1, 9, scheduler=CLOCK),
        "start_with": lambda form, p: p.start_with(form),
        "last of concat": lambda form, p: rac.of(form).concat(p),
        "catch": lambda form, p: p.catch(form.f),
        "concat_map": lambda form, p: p.concat_map(form.f),
        "group_by": lambda form, p: p.group_by(form.knows).flat_map(lambda group: group.map(form.f)),
        "window_with_count": lambda form, p: p.window(count=2).flatten(),
        "window": lambda form, p: p.window(form.other.signal).flatten(),
        "if_": lambda form, p: (p.map(form.knows) | rac.cocoa.if_(form.other.signal, form.events)),
        "delay_when": lambda form, p: p.delay_when(form.f),
        "audit_until": lambda form, p: p.audit(lambda value: form and rac.never()),
        "expand": lambda form, p: p.expand(lambda value: form and rac.empty()),
    }

    def __init__(self, name):
        self.property, self.other = rac.Property(0), rac.Property(0)
        self.events = rac.Subject()
        subscriptions.append(self.OPERATORS[name](self, self.property.signal).subscribe(self.hear))
        self.property.value = 1

    def knows(self, value):
        return value >= 0

    def f(self, value):
        return rac.of(value, self and value)

    def hear(self, value):
        pass

    def end(self):
        assert self.events


@pytest.mark.parametrize("name", sorted(Form.OPERATORS))
def test_what_hears_a_property_of_its_own_is_collected(name):
    forms = [Form(name) for _ in range(100)]
    CLOCK.advance_by(2)
    collect()
    views = [weakref.ref(form) for form in forms]
    kept = forms.pop()
    forms.clear()
    collect()
    # What is delayed, such as the end, is alive until its time comes.
    CLOCK.advance_by(2)
    collect()
    assert sum(view() is not None for view in views) == 1
    kept.property.value = 2
    assert kept.property.value == 2


class Kept:
    """What else holds what holds it."""

    def hear(self, value):
        return value

    def keep_observer(self, observer):
        self.observer = observer


def create(kept):
    kept.x = rac.create(kept.keep_observer).map(kept.hear)
    kept.x.subscribe(kept.hear)


def derived_property(kept):
    kept.one, kept.other = rac.Property(1), rac.Property(2)
    kept.ten = kept.one.map(kept.hear)
    kept.both = rac.Property.combine_latest([kept.ten, kept.other], lambda a, b: kept and a)
    kept.x = kept.both.signal.map(kept.hear)
    kept.x.subscribe(kept.hear)


def sequence(kept):
    kept.numbers = rac.Sequence.generate(0, lambda n: kept and (n, n + 1))
    kept.x = kept.numbers.map(kept.hear).take(3)
    kept.signal = kept.x.to_signal(rac.Scheduler.immediate())
    assert list(kept.x) == [0, 1, 2]


def connection(kept):
    kept.subject = rac.Subject()
    kept.x = kept.subject.map(kept.hear).publish()
    kept.x.signal.subscribe(kept.hear)
    kept.x.connect()


def subject_to_subject(kept):
    kept.one, kept.other = rac.Subject(), rac.Subject()
    kept.one.map(kept.hear).subscribe_to(kept.other)
    kept.other.subscribe(kept.hear)


def executions(kept):
    kept.command = rac.Command(lambda value: kept and rac.of(value), scheduler=CLOCK)
    kept.command.execution_signals.flatten().subscribe(kept.hear)
    kept.command.execute(1)
    CLOCK.advance_by(1)


@pytest.mark.parametrize("make", [create, derived_property, sequence, connection,
                                  subject_to_subject, executions])
def test_what_is_no_operator(make):
    gone = []
    for _ in range(100):
        kept = Kept()
        make(kept)
        gone.append(weakref.ref(kept))
    del kept
    collect()
    assert sum(one() is not None for one in gone) == 0
