"""The functions of what is collected: where the engine calls one because a handle goes, it
finds all as it was, and nothing of it has been taken apart."""

import gc
import weakref

import pytest

import librac as rac


def of_property(called):
    made = rac.Property(1)
    made.signal.map(lambda n: called and n).subscribe(lambda n: called, None, called)
    return made


def of_derived(called):
    made = rac.Property(1)
    derived = made.map(lambda n: called and n)
    derived.signal.do_completed(called).subscribe(print)
    return made, derived


def of_smallest(called):
    made = rac.Property(1)
    made.signal.min(key=lambda n: -n).subscribe(lambda n: called())
    return made


def of_create(called):
    kept = []

    def subscribe(observer):
        kept.append(observer)
        return called

    return kept, rac.create(subscribe).subscribe(lambda n: called, called, called)


def of_scoped(called):
    return rac.cocoa.ScopedDisposable(rac.Disposable(called))


def of_finally(called):
    made = rac.Subject()
    made.merge(rac.Subject()).do_finally(called).subscribe(lambda n: called)
    return made


def of_using(called):
    made = rac.Subject()
    rac.using(lambda: 1, lambda a: made, called).subscribe(lambda n: called)
    return made


def of_command(called):
    made = rac.Command(called, enabled=rac.Property(True))
    made.errors.subscribe(lambda error: called, None, called)
    made.executing.subscribe(lambda now: called, None, called)
    made.enabled.map(bool).subscribe(lambda now: called, None, called)
    return made


CALLED = {
    "property": (of_property, 1),
    "derived": (of_derived, 1),
    "smallest": (of_smallest, 1),
    "create": (of_create, 1),
    "scoped": (of_scoped, 1),
    "finally": (of_finally, 1),
    "using": (of_using, 1),
    "command": (of_command, 3),
}


@pytest.mark.parametrize("make, times", CALLED.values(), ids=CALLED)
@pytest.mark.parametrize("way", ["cell", "function"])
def test_called_whole(make, times, way, monkeypatch):
    """Both ways were seen to fail: a cell that was empty, and a function without globals,
    which is a segmentation fault."""
    unraised, calls = [], []
    monkeypatch.setattr(rac, "on_unhandled", lambda error, *_: unraised.append(str(error)))

    class Holder:
        pass

    def fill():
        holder = Holder()

        def called(*_):
            calls.append(len([holder.made]))

        holder.made = make(called)
        if way == "function":
            called.made = holder.made
        return weakref.ref(holder)

    gc.collect()
    gone = fill()
    for _ in range(3):
        gc.collect()
        rac.host.main_drain()
    assert gone() is None
    assert (unraised, calls) == ([], [1] * times)


def test_a_finaliser_may_still_use_what_it_has():
    heard = []

    class Holder:
        def __init__(self):
            self.property, self.subject = rac.Property(1), rac.Subject()
            self.property.signal.subscribe(lambda n: (self, heard.append(n)), None, self.end)
            self.subject.do_finally(self.end).subscribe(lambda n: (self, heard.append(n)))

        def end(self):
            heard.append("end")

        def __del__(self):
            self.property.value = 2
            self.subject.send(3)

    Holder()
    gc.collect()
    assert heard == [1, 2, 3, "end", "end"]
    gc.collect()
