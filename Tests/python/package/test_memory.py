"""References are given back, and a million things that go wrong leave nothing."""

import gc
import os
import random
import sys
import threading

import pytest

import librac as rac

STEPS = int(os.environ.get("RAC_STEPS", "20000"))


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
        rac.of(thing).to_list()
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
        assert numbers.fold_left(0, asked) and numbers.fold_right(0, asked)
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
    s.map_replace(0).subscribe(first_to_hear)
    things = kind(Thing(n) for n in range(64))
    s.send_many(things)
    assert alive == [64 if kind is list else 1] * 64
    s.map(lambda thing: thing.number).subscribe(numbers.append)
    things = kind(Thing(n) for n in range(64))
    s.send_many(things)
    assert numbers == list(range(64))
    assert Thing.alive == 0


class Rude:
    """Raises where it is asked something."""

    def __init__(self, dice):
        self.dice = dice

    def complain(self):
        if self.dice.random() < 0.3:
            raise ValueError("rude")

    def __eq__(self, other):
        self.complain()
        return self is other

    def __hash__(self):
        self.complain()
        return id(self) >> 4

    def __repr__(self):
        self.complain()
        return "Rude()"

    def __bool__(self):
        self.complain()
        return True

    def __del__(self):
        if self.dice.random() < 0.01:
            raise ValueError("rude at the end")


def operators(dice):
    """One operator or another, with callbacks that may raise."""

    def sometimes(result):
        def callback(*arguments):
            if dice.random() < 0.02:
                raise KeyError("callback")
            return result(*arguments)

        return callback

    return [
        lambda s: s.map(sometimes(lambda v: v)),
        lambda s: s.map(sometimes(lambda v: Rude(dice))),
        lambda s: s.filter(sometimes(lambda v: dice.random() < 0.9)),
        lambda s: s.distinct_until_changed(),
        lambda s: s.distinct(),
        lambda s: s.distinct_by(sometimes(lambda v: v)),
        lambda s: s.scan(0, sometimes(lambda a, b: b)),
        lambda s: s.pairwise(),
        lambda s: s.take(dice.randrange(9)),
        lambda s: s.take_last(2),
        lambda s: s.merge(rac.of(1, Rude(dice))),
        lambda s: s.combine_latest(rac.of(Rude(dice))),
        lambda s: s.flat_map(sometimes(lambda v: rac.of(v, Rude(dice)))),
        lambda s: s.flat_map(sometimes(lambda v: [v])),
        lambda s: s.flat_map(sometimes(lambda v: 3)),
        lambda s: s.group_by(sometimes(lambda v: v)).flatten(),
        lambda s: s.ignore(Rude(dice)),
        lambda s: s.catch(sometimes(lambda e: rac.of(Rude(dice)))),
        lambda s: s.retry(1),
        lambda s: s.buffer_with_count(2, 1),
        lambda s: s.materialize(),
        lambda s: s.sum(),
        lambda s: s.do_next(sometimes(lambda v: repr(v))),
        lambda s: s.share(),
    ]


def play(dice, steps):
    """Random operations; how many exceptions came out of calls."""
    raised = 0
    makers = operators(dice)
    subjects = [rac.Subject() for _ in range(4)]
    subscriptions = []
    for _ in range(steps):
        try:
            choice = dice.random()
            if choice < 0.15:
                s = dice.choice(subjects)
                for _ in range(dice.randrange(5)):
                    s = dice.choice(makers)(s)
                on_error = (lambda e: None) if dice.random() < 0.8 else None
                subscriptions.append(s.subscribe(lambda v: repr(v), on_error))
            elif choice < 0.8:
                value = dice.choice([1, "text", None, (1, Rude(dice)), Rude(dice), 2**80])
                dice.choice(subjects).send(value)
            elif choice < 0.9 and subscriptions:
                subscriptions.pop(dice.randrange(len(subscriptions))).dispose()
            elif choice < 0.95:
                subjects[dice.randrange(4)] = rac.Subject()
            elif choice < 0.97:
                dice.choice(subjects).send_error(KeyError("sent"))
            else:
                repr(dice.choice(subjects).map(len))
        except (ValueError, KeyError, TypeError, rac.Error):
            raised += 1
    for subscription in subscriptions:
        subscription.dispose()
    return raised


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_random_operations_with_rude_objects(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    seed = int(os.environ.get("RAC_SEED", random.randrange(2**31)))
    print("RAC_SEED =", seed)
    assert play(random.Random(seed), STEPS) > 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_random_operations_on_three_threads(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    failures = []

    def run(seed):
        try:
            play(random.Random(seed), STEPS // 8)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(random.randrange(2**31),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
