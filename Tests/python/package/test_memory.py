"""References are given back."""

import gc
import sys

import pytest

import librac as rac


def test_references_are_given_back():
    class Thing:
        pass

    thing = Thing()
    before = sys.getrefcount(thing)
    for _ in range(50):
        s = rac.Subject()
        s.map(lambda t: (t, t)).distinct().pairwise().subscribe(lambda t: None)
        s.send_many([thing, 1, thing])
        rac.BehaviorSubject(thing)
        list(rac.of(thing).collect().wait())
        rac.Property(thing).value = thing
    del s
    gc.collect()
    assert sys.getrefcount(thing) == before


def test_what_is_asked_during_a_call_alone_is_not_kept():
    def asked(*_):
        return True

    def raises(*_):
        raise KeyError

    numbers = rac.Sequence.of(1, 2)
    before = sys.getrefcount(asked), sys.getrefcount(raises)
    for _ in range(10):
        assert numbers.any(asked) and numbers.all(asked) and numbers.first_passing(asked)
        assert numbers.fold_left(asked, 0) and numbers.fold_right(asked, 0)
        for read in (numbers.any, numbers.all, numbers.first_passing):
            with pytest.raises(KeyError):
                read(raises)
    gc.collect()
    assert (sys.getrefcount(asked), sys.getrefcount(raises)) == before


@pytest.mark.parametrize("kind", [iter, list])
def test_what_is_sent_lives_until_it_has_been(kind):
    class Thing:
        alive = 0

        def __init__(self, number):
            self.number = number
            Thing.alive += 1

        def __del__(self):
            Thing.alive -= 1

    def first_to_hear(_):  # not given the object; lets go of all where it can
        alive.append(Thing.alive)
        if kind is list:
            things.clear()

    s, alive, numbers = rac.Subject(), [], []
    (s | rac.cocoa.map_replace(0)).subscribe(first_to_hear)
    things = kind(Thing(n) for n in range(64))
    s.send_many(things)
    assert alive == [64 if kind is list else 1] * 64
    s.map(lambda thing: thing.number).subscribe(numbers.append)
    things = kind(Thing(n) for n in range(64))
    s.send_many(things)
    assert numbers == list(range(64))
    assert Thing.alive == 0
