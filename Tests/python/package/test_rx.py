"""librac.rx: reactivex's names over librac's engine. Where a copy of reactivex's own tests is
given, by --reactivex DIR, they run over it, too."""

import datetime
import importlib
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

from librac import rx
from librac.rx import operators as ops
from librac.rx.disposable import Disposable, MultipleAssignmentDisposable, ScheduledDisposable
from librac.rx.subject import AsyncSubject, BehaviorSubject, ReplaySubject, Subject
from librac.rx.testing import ReactiveTest, TestScheduler
from librac.rx.testing.marbles import marbles_testing

HERE = pathlib.Path(__file__).resolve().parent
PRETENDING = HERE.parent / "reactivex"
on_next, on_completed, on_error = (
    ReactiveTest.on_next, ReactiveTest.on_completed, ReactiveTest.on_error)


def values(observable):
    return observable.pipe(ops.to_list()).run()


OPERATORS = {
    "map_indexed": (lambda: ops.map_indexed(lambda v, i: v * i), [0, 2, 6, 12]),
    "filter_indexed": (lambda: ops.filter_indexed(lambda v, i: i % 2), [2, 4]),
    "scan with a seed": (lambda: ops.scan(lambda a, b: a + b, 10), [11, 13, 16, 20]),
    "reduce": (lambda: ops.reduce(lambda a, b: a + b), [10]),
    "skip_last": (lambda: ops.skip_last(2), [1, 2]),
    "take_last_buffer": (lambda: ops.take_last_buffer(2), [[3, 4]]),
    "take_while inclusive": (lambda: ops.take_while(lambda v: v < 2, inclusive=True), [1, 2]),
    "slice": (lambda: ops.slice(1, 3), [2, 3]),
    "first": (lambda: ops.first(lambda v: v > 2), [3]),
    "last_or_default": (lambda: ops.last_or_default(7, lambda v: v > 9), [7]),
    "single": (lambda: ops.single(lambda v: v == 2), [2]),
    "element_at_or_default": (lambda: ops.element_at_or_default(9, 0), [0]),
    "find_index": (lambda: ops.find_index(lambda v, i, source: v == 3), [2]),
    "contains": (lambda: ops.contains(3), [True]),
    "is_empty": (lambda: ops.is_empty(), [False]),
    "sequence_equal": (lambda: ops.sequence_equal(rx.of(1, 2, 3, 4)), [True]),
    "to_dict": (lambda: ops.to_dict(lambda v: v % 2, lambda v: -v), [{1: -3, 0: -4}]),
    "to_set": (lambda: ops.to_set(), [{1, 2, 3, 4}]),
    "min_by": (lambda: ops.min_by(lambda v: v % 2), [[2, 4]]),
    "max": (lambda: ops.max(), [4]),
    "average": (lambda: ops.average(), [2.5]),
    "flat_map": (lambda: ops.flat_map(lambda v: rx.of(v, v)), [1, 1, 2, 2, 3, 3, 4, 4]),
    "merge max_concurrent": (
        lambda: rx.compose(ops.map(rx.just), ops.merge(max_concurrent=1)), [1, 2, 3, 4]),
    "start_with": (lambda: ops.start_with(8, 9), [8, 9, 1, 2, 3, 4]),
    "zip_with_iterable": (lambda: ops.zip_with_iterable("ab"), [(1, "a"), (2, "b")]),
    "with_latest_from": (lambda: ops.with_latest_from(rx.of("x"), rx.of("y")), [
        (n, "x", "y") for n in (1, 2, 3, 4)]),
    "repeat": (lambda: ops.repeat(2), [1, 2, 3, 4] * 2),
    "pairwise": (lambda: ops.pairwise(), [(1, 2), (2, 3), (3, 4)]),
    "buffer_with_count": (lambda: ops.buffer_with_count(3), [[1, 2, 3], [4]]),
    "group_by": (
        lambda: rx.compose(
            ops.group_by(lambda v: v % 2),
            ops.flat_map(lambda group: group.pipe(ops.map(lambda v: (group.key, v))))),
        [(1, 1), (0, 2), (1, 3), (0, 4)]),
    "materialize": (lambda: rx.compose(ops.materialize(), ops.dematerialize()), [1, 2, 3, 4]),
    "distinct_until_changed": (
        lambda: ops.distinct_until_changed(comparer=lambda a, b: a // 2 == b // 2), [1, 2, 4]),
    "while_do": (lambda: ops.while_do(lambda _: False), []),
    "share": (lambda: rx.compose(ops.share(), ops.map(str)), ["1", "2", "3", "4"]),
    "publish with a mapper": (
        lambda: ops.publish(lambda shared: shared.pipe(ops.zip(shared))), [(n, n) for n in (1, 2, 3, 4)]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    operator, expected = OPERATORS[name]
    assert values(rx.of(1, 2, 3, 4).pipe(operator())) == expected


def test_partition_and_fork_join():
    odd, even = rx.of(1, 2, 3, 4).pipe(ops.partition(lambda v: v % 2))
    assert values(odd) == [1, 3] and values(even) == [2, 4]
    assert values(rx.fork_join(rx.of(1, 2), rx.of("a", "b"))) == [(2, "b")]
    assert values(rx.fork_join(rx.of(1, 2), rx.empty())) == []


def test_the_scheduler_of_the_subscription_is_that_of_the_operators():
    scheduler = TestScheduler()
    source = scheduler.create_hot_observable(
        on_next(210, 1), on_next(230, 2), on_next(240, 3), on_completed(400))
    heard = scheduler.start(lambda: source.pipe(ops.debounce(15), ops.delay(
        datetime.timedelta(seconds=5))))
    assert heard.messages == [on_next(230, 1), on_next(260, 3), on_completed(405)]
    assert source.subscriptions == [ReactiveTest.subscribe(200, 400)]


def test_the_functions_that_take_times():
    scheduler = TestScheduler()
    source = scheduler.create_hot_observable(
        on_next(210, 1), on_next(220, 2), on_next(230, 3), on_completed(250))
    for operator, expected in (
        (ops.take_with_time(25), [on_next(210, 1), on_next(220, 2), on_completed(225)]),
    ):
        assert scheduler.start(lambda: source.pipe(operator)).messages == expected


LETTERS = "a", "b", "c"


def of_times(scheduler, *times):
    return scheduler.create_hot_observable(
        *(on_next(time, letter) for time, letter in zip(times, LETTERS)), on_completed(300))


def seconds(count):
    return lambda *_: rx.timer(count)


def joined(group):
    """Windows, groups and such as (their number, a value); "end" where one ends."""
    return group.pipe(ops.map_indexed(lambda window, number: window.pipe(
        ops.map(lambda value: (number, value)), ops.concat(rx.just((number, "end"))))),
        ops.merge_all())


TIMED = {
    # Sources that send a, b, c at the times of the first column; an operator; what is heard.
    "join": ((210, 230, 250), lambda source, other: source.pipe(
        ops.join(other, seconds(15), seconds(5))),
        [(220, ("a", "d")), (250, ("c", "e")), (252, ("c", "f"))], 300),
    "group_join": ((210, 230, 250), lambda source, other: joined(source.pipe(
        ops.group_join(other, seconds(15), seconds(5)), ops.map(lambda pair: pair[1]))),
        [(220, (0, "d")), (225, (0, "end")), (245, (1, "end")), (250, (2, "e")),
         (252, (2, "f")), (265, (2, "end"))], 300),
    "group_by_until": ((210, 215, 230), lambda source, _: joined(source.pipe(
        ops.group_by_until(lambda _: 0, str.upper, seconds(10)))),
        [(210, (0, "A")), (215, (0, "B")), (220, (0, "end")), (230, (1, "C")),
         (240, (1, "end"))], 300),
    "window_with_time_or_count": ((210, 215, 230), lambda source, _: joined(source.pipe(
        ops.window_with_time_or_count(40, 2))),
        [(210, (0, "a")), (215, (0, "b")), (215, (0, "end")), (230, (1, "c")),
         (255, (1, "end")), (295, (2, "end")), (300, (3, "end"))], 300),
    "window_with_time overlapping": ((210, 230, 250), lambda source, _: source.pipe(
        ops.buffer_with_time(50, 25), ops.take(3)),
        [(250, ["a", "b", "c"]), (275, ["b", "c"]), (300, [])], 300),
    "timeout_with_mapper": ((210, 220, 250), lambda source, _: source.pipe(
        ops.timeout_with_mapper(rx.timer(50), seconds(15), rx.just("late"))),
        [(210, "a"), (220, "b"), (235, "late")], 235),
    "to_marbles": ((210, 220, 240), lambda source, _: source.pipe(ops.to_marbles(10)),
        [(300, "-a-b--c------|")], 300),
    "generate_with_relative_time": ((), lambda *_: rx.generate_with_relative_time(
        1, lambda n: n < 4, lambda n: n + 1, lambda n: 10 * n),
        [(210, 1), (230, 2), (260, 3)], 260),
}


@pytest.mark.parametrize("name", TIMED)
def test_operators_of_time(name):
    times, make, expected, end = TIMED[name]
    scheduler = TestScheduler()
    source = of_times(scheduler, *times)
    other = scheduler.create_hot_observable(on_next(220, "d"), on_next(246, "e"), on_next(252, "f"))
    heard = scheduler.start(lambda: make(source, other))
    assert heard.messages == [*(on_next(*each) for each in expected), on_completed(end)]


def test_all_that_is_open_ends_with_an_error():
    scheduler, ends = TestScheduler(), []
    failing = scheduler.create_hot_observable(on_next(210, "a"), on_error(220, KeyError("x")))
    failing.pipe(ops.group_by_until(str, None, seconds(50))).subscribe(
        lambda group: group.subscribe(on_error=lambda error: ends.append((group.key, error.args))),
        lambda error: ends.append(error.args), scheduler=scheduler)
    scheduler.start()
    assert ends == [("a", ("x",)), ("x",)]


def test_a_window_that_is_heard_keeps_its_source_when_nobody_hears_the_operator():
    source, windows, heard = Subject(), [], []
    outer = source.pipe(ops.window_with_time_or_count(100, 3)).subscribe(windows.append)
    inner = windows[0].subscribe(heard.append, on_completed=lambda: heard.append("end"))
    outer.dispose()
    source.on_next(1)
    assert heard == [1] and source.observers == 1
    inner.dispose()
    assert source.observers == 0


def test_errors_are_heard_with_the_source():
    failing = rx.concat(rx.of(1), rx.throw(KeyError("x")))
    caught = failing.pipe(ops.catch(lambda error, source: rx.of(repr(error), source is not None)))
    assert values(caught) == [1, "KeyError('x')", True]
    assert values(rx.catch(rx.throw(KeyError()), rx.of(2))) == [2]
    with pytest.raises(rx.SequenceContainsNoElementsError):
        rx.empty().run()
    with pytest.raises(rx.SequenceContainsNoElementsError):
        rx.empty().pipe(ops.first()).run()


def test_subjects():
    heard = []
    subject = Subject()
    subject.subscribe(heard.append, heard.append, lambda: heard.append("end"))
    subject.on_next(1)
    subject.on_completed()
    subject.on_next(2)
    subject.subscribe(on_completed=lambda: heard.append("late end"))
    assert heard == [1, "end", "late end"]
    now, before, last = BehaviorSubject(0), ReplaySubject(2), AsyncSubject()
    for each in (now, before, last):
        for number in (1, 2, 3):
            each.on_next(number)
    heard = []
    now.subscribe(heard.append)
    before.subscribe(heard.append)
    last.subscribe(heard.append)
    assert heard == [3, 2, 3] and now.value == 3
    last.on_completed()
    assert heard == [3, 2, 3, 3]


def test_a_subject_of_a_window_forgets_what_is_old():
    scheduler = TestScheduler()
    subject = ReplaySubject(3, datetime.timedelta(seconds=100), scheduler)
    played = scheduler.create_hot_observable(
        *(on_next(time, time) for time in (110, 220, 270, 340, 410, 420, 430, 440)),
        on_error(500, KeyError("x")))
    observers = [scheduler.create_observer() for _ in range(4)]
    scheduler.schedule_absolute(200, lambda *_: played.subscribe(subject))
    for time, observer in zip((300, 445, 560, 700), observers):
        scheduler.schedule_absolute(
            time, lambda *_, observer=observer: subject.subscribe(observer))
    scheduler.start()
    error = on_error(500, KeyError("x"))
    assert observers[0].messages == [
        on_next(300, 220), on_next(300, 270),
        *(on_next(time, time) for time in (340, 410, 420, 430, 440)), error]
    assert observers[1].messages == [on_next(445, each) for each in (420, 430, 440)] + [error]
    assert observers[2].messages == [on_error(560, KeyError("x"))]
    assert observers[3].messages == [on_error(700, KeyError("x"))]
    shared = played.pipe(ops.replay(window=100, scheduler=scheduler))
    assert shared.subject.observers == 0


@pytest.mark.parametrize("made", [
    Subject, lambda: BehaviorSubject(0), ReplaySubject, lambda: ReplaySubject(window=9),
    AsyncSubject])
def test_a_disposed_subject_raises(made):
    subject, heard = made(), []
    subject.subscribe(heard.append, heard.append, lambda: heard.append("end"))
    before = list(heard)
    subject.dispose()
    for use in (lambda: subject.on_next(1), lambda: subject.on_error(KeyError()),
                subject.on_completed, lambda: subject.subscribe(print)):
        with pytest.raises(rx.DisposedException):
            use()
    assert heard == before


def test_observables_of_marbles():
    lookup, error = {"a": 10, 2: "two"}, KeyError("x")
    scheduler = TestScheduler()
    cold = rx.from_marbles("-a-(2,c,1.5)--#", 10, lookup=lookup, error=error)
    hot = rx.hot("-a-b-- |", timespan=50, duetime=100, scheduler=scheduler)
    assert scheduler.start(lambda: cold).messages == [
        on_next(210, 10), on_next(230, "two"), on_next(230, "c"), on_next(230, 1.5),
        on_error(340, error)]
    assert scheduler.start(lambda: hot, 101, 102, 1000).messages == []  # it has ended
    heard = TestScheduler()
    hot = rx.hot("-a-b-- |", timespan=50, duetime=100, scheduler=heard)
    assert heard.start(lambda: hot).messages == [on_next(250, "b"), on_completed(400)]
    assert values(rx.cold("-1-2|", 0.001)) == [1, 2]
    for wrong in ("a,b", "|a", "(a", "a)"):
        with pytest.raises(ValueError, match="symbol|group"):
            rx.from_marbles(wrong)


def test_marbles_for_tests():
    with marbles_testing(timespan=10) as (start, cold, hot, exp):
        source = hot("-a--a-b-|")
        expected = exp("-x----y-|", {"x": "a", "y": "b"})
        assert start(source.pipe(ops.distinct())) == expected
        with pytest.warns(UserWarning, match="one time"):
            cold("-a")
    with pytest.warns(UserWarning, match="outside"):
        hot("--")


def test_zip_latest_pairs_the_latest():
    scheduler = TestScheduler()
    played = [
        scheduler.create_hot_observable(
            *(on_next(time, time) for time in times), on_completed(end))
        for times, end in (((210, 230, 240, 330), 400), ((220, 260, 280, 340), 350))]
    assert scheduler.start(lambda: rx.zip_latest(*played)).messages == [
        on_next(220, (210, 220)), on_next(260, (240, 260)), on_next(330, (330, 280)),
        on_completed(350 + 50)]
    with pytest.raises(ValueError):
        rx.zip_latest()


def test_what_holds_disposables():
    gone = []
    one, two, three = (Disposable(lambda n=n: gone.append(n)) for n in (1, 2, 3))
    held = MultipleAssignmentDisposable()
    held.disposable = one
    held.disposable = two
    assert gone == []
    held.dispose()
    held.disposable = three
    assert gone == [2, 3]
    scheduler = TestScheduler()
    ScheduledDisposable(scheduler, one).dispose()
    assert gone == [2, 3]
    scheduler.start()
    assert gone == [2, 3, 1]


def test_a_value_through_functions():
    assert rx.pipe(rx.of(1, 2), ops.map(str), values) == ["1", "2"]
    assert values(rx.compose(ops.map(str), ops.take(1))(rx.of(1, 2))) == ["1"]
    grouped = rx.of(1, 2, 3).pipe(ops.group_by(lambda n: n % 2), ops.to_list()).run()
    assert [(type(group), group.key) for group in grouped] == [
        (rx.GroupedObservable, 1), (rx.GroupedObservable, 0)]
    nested = rx.of(rx.of(1, 2), rx.of(3)).pipe(ops.concat_all())
    assert values(nested) == [1, 2, 3]
    event = rx.notification.OnNext(3)
    assert values(event.to_observable()) == [3] and event.equals(rx.notification.OnNext(3))


def test_observers_and_fluent_methods():
    class Heard:
        def __init__(self):
            self.events = []

        def on_next(self, value):
            self.events.append(value)

        def on_error(self, error):
            self.events.append(error)

        def on_completed(self):
            self.events.append("end")

    heard = Heard()
    rx.of(1, 2).map(lambda v: v + 1).filter(lambda v: v > 2).subscribe(heard)
    assert heard.events == [3, "end"]
    with pytest.raises(AttributeError):
        rx.of(1).nothing


def test_a_created_observable_disposes_what_its_function_returned():
    gone, kept = [], []

    def subscribe(observer, scheduler=None):
        kept.append(observer)
        return lambda: gone.append(True)

    subscription = rx.create(subscribe).subscribe(lambda value: None)
    assert not gone
    subscription.dispose()
    assert gone == [True]


# ---- reactivex's own tests -----------------------------------------------------------------

# They ask for what librac.rx has not, or would not end: docs/ComingFromReactivex.md.
NOT_RUN = {
    "test_generate.py", "test_repeat.py", "test_retry.py", "test_concurrentfuture.py",
    "test_toiterable.py", "test_observer.py", "test_priorityqueue.py"}
FOLDERS = "test_observable", "test_subject", "test_disposables", "test_testing", "test_core"
FEWEST = 1284


@pytest.fixture
def reactivex(request):
    folder = request.config.getoption("--reactivex")
    if folder is None:
        pytest.skip("reactivex is not here: --reactivex DIR has its repository")
    return pathlib.Path(folder)


def test_those_of_reactivex(reactivex):
    files = [path for each in FOLDERS for path in sorted(reactivex.glob(f"tests/{each}/test_*.py"))]
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:librac",
        "-c", os.devnull, "--rootdir", str(reactivex), "-p", "conftest",
        "--import-mode=importlib", "--continue-on-collection-errors", "--tb=no",
        *(str(path) for path in files if path.name not in NOT_RUN)]
    environment = {**os.environ, "PYTHONPATH": str(PRETENDING)}
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=280, env=environment).stdout
    passed = int(re.findall(r"(\d+) passed", said)[-1])
    assert passed >= FEWEST, said[-2000:]


# Names of arguments that are positional there, or of its insides.
OTHER_ARGUMENTS = {"pipe", "GroupedObservable", "Subject", "Notification"}
NOT_THERE = {"CatchScheduler", "ScheduledItem", "__version__", "alias", "typing"}


def arguments(function):
    return [
        (each.name if each.kind is each.POSITIONAL_OR_KEYWORD else "", each.kind)
        for each in inspect.signature(function).parameters.values()]


def test_names_and_arguments_are_those_of_reactivex(reactivex, monkeypatch):
    monkeypatch.syspath_prepend(str(reactivex))
    for place in ("", ".operators", ".subject", ".scheduler", ".disposable"):
        theirs = importlib.import_module("reactivex" + place)
        ours = importlib.import_module("librac.rx" + place)
        public = set(getattr(theirs, "__all__", ())) - NOT_THERE
        assert public <= set(dir(ours)), place
        for name in sorted(public - OTHER_ARGUMENTS):
            one, other = getattr(theirs, name), getattr(ours, name)
            if inspect.isfunction(one) and one.__module__.startswith("reactivex"):
                assert arguments(one) == arguments(other), f"{place}.{name}"
