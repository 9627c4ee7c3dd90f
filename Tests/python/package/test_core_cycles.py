"""Cycles that go through the engine are found by Python's collector, and nothing else is."""

import gc
import threading
import weakref

import pytest

import librac as rac


class View:
    """Hears a subject of its own."""

    def __init__(self, make):
        self.subject = rac.Subject()
        self.heard = []
        make(self)
        self.subject.send(1)

    def double(self, value):
        return value

    def add(self, running, value):
        return value

    def hear(self, value):
        self.heard.append(value)


def keep(view, **kept):
    vars(view).update(kept)


def kept_signal(view):
    keep(view, doubled=view.subject.map(view.double))
    view.doubled.subscribe(view.hear)


def kept_signals(view):
    keep(view, some=view.subject.take(9))
    keep(view, changes=view.some.distinct_until_changed())
    keep(view, subscription=view.changes.subscribe(view.hear, view.hear))


WAYS = {
    "map": lambda v: v.subject.map(v.double).subscribe(v.hear),
    "chain": lambda v: v.subject.map(v.double).filter(v.double).scan(v.add, 0).subscribe(v.hear),
    "chain, then native": lambda v: v.subject.map(v.double).filter(v.double).take(9).subscribe(
        v.hear),
    "native": lambda v: v.subject.distinct_until_changed().take(9).subscribe(v.hear),
    "subscription kept": lambda v: keep(v, s=v.subject.map(v.double).subscribe(v.hear)),
    "three functions": lambda v: keep(v, s=v.subject.subscribe(v.hear, v.hear, v.double)),
    "two subscriptions": lambda v: (v.subject.subscribe(v.hear), v.subject.subscribe(v.double)),
    "signal kept": kept_signal,
    "signals kept": kept_signals,
    "itself as a value": lambda v: keep(v, last=rac.BehaviorSubject(v)),
    "itself as a property": lambda v: keep(v, mine=rac.Property(v)),
}


@pytest.mark.parametrize("make", WAYS.values(), ids=WAYS)
def test_what_hears_itself_is_collected(make):
    views = [View(make) for _ in range(20)]
    gone = [weakref.ref(view) for view in views]
    del views
    gc.collect()
    assert sum(each() is None for each in gone) == 20


@pytest.mark.parametrize("make", WAYS.values(), ids=WAYS)
def test_what_is_held_elsewhere_stays(make):
    view = View(make)
    subject, heard = view.subject, view.heard
    before = len(heard)
    del view
    gc.collect()
    subject.send(2)
    assert len(heard) == before * 2  # who heard the first hears the second


def test_a_signal_made_of_a_long_lived_subject_is_collected():
    bus = rac.Subject()

    class Derived:
        def __init__(self):
            self.signal = bus.map(self.use)

        def use(self, value):
            return self

    derived = Derived()
    with derived.signal.subscribe(lambda value: None):
        pass
    gone = weakref.ref(derived)
    del derived
    gc.collect()
    assert gone() is None


def test_a_kept_subscription_does_not_keep_its_view():
    view = View(lambda v: None)
    subscription = view.subject.map(view.double).subscribe(view.hear)
    gone = weakref.ref(view)
    del view
    gc.collect()
    assert gone() is None or not subscription.is_disposed
    subscription.dispose()
    del subscription
    gc.collect()
    assert gone() is None


def test_collecting_while_threads_send():
    """The answer to the collector is the same each time that it asks in a collection."""
    stop, bus = threading.Event(), rac.Subject()
    background = rac.Scheduler.background()

    def work():
        while not stop.is_set():
            view = View(WAYS["chain"])
            ticks = rac.interval(0.0005, scheduler=background).take(3)
            ticks.map(view.double).subscribe(view.hear)
            subscription = bus.deliver_on(background).map(view.double).subscribe(view.hear)
            bus.send(view)
            subscription.dispose()

    threshold = gc.get_threshold()
    gc.set_threshold(20, 2, 2)
    threads = [threading.Thread(target=work) for _ in range(3)]
    try:
        for thread in threads:
            thread.start()
        stop.wait(1)
    finally:
        gc.set_threshold(*threshold)
        stop.set()
        for thread in threads:
            thread.join()
