"""Subjects, subscriptions, chains and exceptions, as a program writes them."""

import math
import threading
import traceback
import weakref

import pytest

import librac as rac
from librac import ops


def heard(signal):
    """A list that gets what a signal sends: values, "|", and the error."""
    events = []
    signal.subscribe(events.append, events.append, lambda: events.append("|"))
    return events


def test_a_subject_sends_to_its_subscribers():
    s = rac.Subject()
    events = heard(s.map(lambda n: n + 1).filter(lambda n: n % 2).scan(lambda a, b: a + b, 0))
    for n in range(5):
        s.send(n)
    s.send_completed()
    assert events == [1, 4, 9, "|"]


def test_pipe_and_bar_are_the_methods():
    s = rac.Subject()
    chain = [ops.map(str), ops.take(2)]
    a, b, c = heard(s | chain[0] | chain[1]), heard(s.pipe(*chain)), heard(s.map(str).take(2))
    s.send_many([1, 2, 3])
    assert a == b == c == ["1", "2", "|"]
    assert repr(ops.take(2)) == "ops.take(2)"


def test_bar_refuses_what_is_no_function():
    with pytest.raises(TypeError):
        rac.of(1) | 3
    with pytest.raises(TypeError):
        rac.of(1) | rac.of(2)


def test_operators_as_functions_take_what_from_takes():
    assert heard(ops.map(str)([1, 2])) == ["1", "2", "|"]


def test_the_same_object_arrives():
    class Thing:
        pass

    thing, s = Thing(), rac.Subject()
    events = heard(s.distinct_until_changed())
    s.send(thing)
    assert events[0] is thing
    for value in ["text", b"bytes", 2**70, -(2**63), 2**63, "\ud800", {"a": 1}, (1, (2, "x")), True, None]:
        s.send(value)
        assert events[-1] == value and type(events[-1]) is type(value)
    s.send(math.nan)
    assert math.isnan(events[-1])


def test_exceptions_in_a_chain_are_the_error_with_its_traceback():
    def explode(value):
        raise KeyError(value)

    s = rac.Subject()
    events = heard(s.map(explode))
    s.send(3)
    (error,) = events
    assert isinstance(error, KeyError) and error.args == (3,)
    assert "explode" in "".join(traceback.format_tb(error.__traceback__))


def test_what_a_handler_raises_comes_out_of_send_and_the_subscription_goes_on():
    s, seen = rac.Subject(), []

    def handle(value):
        seen.append(value)
        if value == 2:
            raise LookupError("two")

    s.subscribe(handle)
    s.send(1)
    with pytest.raises(LookupError, match="two"):
        s.send(2)
    s.send(3)
    assert seen == [1, 2, 3]


def test_an_error_that_nobody_handles_comes_out_of_send():
    s = rac.Subject()
    s.subscribe(print)
    with pytest.raises(ZeroDivisionError):
        s.send_error(ZeroDivisionError("no"))


def test_with_disposes():
    s, seen = rac.Subject(), []
    with s.subscribe(seen.append) as subscription:
        s.send(1)
    s.send(2)
    assert seen == [1] and subscription.is_disposed


def test_subscribe_weak_goes_with_its_object():
    class View:
        def __init__(self, s, seen):
            self.seen = seen
            s.subscribe_weak(self.hear)

        def hear(self, value):
            self.seen.append(value)

    s, seen = rac.Subject(), []
    view = View(s, seen)
    s.send(1)
    gone = weakref.ref(view)
    del view
    assert gone() is None
    s.send(2)
    assert seen == [1]


def test_from_takes_what_can_be_gone_through():
    assert heard(rac.from_([1, 2])) == [1, 2, "|"]
    assert heard(rac.from_(range(3))) == [0, 1, 2, "|"]
    assert heard(rac.from_({1})) == [1, "|"]
    assert heard(rac.from_((1, 2))) == [1, 2, "|"]
    assert heard(rac.from_(n * n for n in (1, 2))) == [1, 4, "|"]
    assert heard(rac.from_(rac.Property(3)))[:1] == [3]
    s = rac.of(1)
    assert rac.from_(s) is s


def test_an_iterable_is_gone_through_anew_and_no_further_than_wanted():
    numbers = []

    def endless():
        while True:
            numbers.append(len(numbers))
            yield numbers[-1]

    class Each:
        def __iter__(self):
            return endless()

    s = rac.from_(Each()).take(3)
    assert heard(s) == [0, 1, 2, "|"]
    assert len(numbers) == 3
    assert heard(s) == [3, 4, 5, "|"]


def test_a_generator_that_raises_is_an_error():
    def broken():
        yield 1
        raise OSError("gone")

    first, error = heard(rac.from_(broken()))
    assert first == 1 and isinstance(error, OSError)


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("text", "a str is one value here"),
        (b"data", "a bytes is one value here"),
        ({"a": 1}, "a dict is one value here"),
        (3, "no signal can be made of 3"),
        (len, "is a function: defer"),
    ],
)
def test_from_says_what_it_cannot_take(wrong, message):
    with pytest.raises(TypeError, match="from_.*" + message):
        rac.from_(wrong)


def test_timer_and_range():
    clock = rac.Scheduler.virtual()
    events = heard(rac.timer(2, "x", scheduler=clock))
    clock.advance_by(1)
    assert events == []
    clock.advance_by(1)
    assert events == ["x", "|"]
    assert heard(rac.range(1, 4)) == [1, 2, 3, "|"]


def test_wait_gives_the_last_value():
    assert rac.of(1, 2, 3).wait() == 3
    assert rac.of(1, 2, 3).first().wait(timeout=30) == 1
    assert list(rac.of(1, 2).collect().wait()) == [1, 2]
    assert rac.interval(0.002).take(3).wait(timeout=30) == 2
    with pytest.raises(rac.errors.Empty):
        rac.empty().wait()
    with pytest.raises(TimeoutError):
        rac.never().wait(timeout=0.01)
    with pytest.raises(ZeroDivisionError):
        rac.of(1).map(lambda n: n / 0).wait()


def test_a_loop_goes_through_a_signal():
    assert [n for n in rac.interval(0.002).take(3)] == [0, 1, 2]
    assert list(rac.of("a", "b")) == ["a", "b"]
    seen = []
    with pytest.raises(KeyError):
        for value in rac.of(1).concat(rac.throw(KeyError("x"))):
            seen.append(value)
    assert seen == [1]


def test_a_loop_reads_what_other_threads_send():
    s = rac.Subject()

    def send():
        for n in range(100):
            s.send(n)
        s.send_completed()

    iterator = iter(s)
    thread = threading.Thread(target=send)
    thread.start()
    assert list(iterator) == list(range(100))
    thread.join()


def test_the_main_scheduler_runs_while_one_waits():
    ran, s = [], rac.Subject()

    def run():
        ran.append(1)
        s.send(2)

    rac.Scheduler.main().schedule_after(0.01, run)
    assert s.first().wait(timeout=30) == 2
    assert ran == [1]


def test_all_that_is_said_to_be_there_is_there():
    for name in rac.__all__:
        assert getattr(rac, name) is not None
    assert rac.__version__.count(".") == 2
    for name in ops.__all__:
        assert callable(getattr(rac.Signal, name))


def test_a_signal_in_place_of_a_list_is_refused():
    s = rac.Subject()  # going through it would wait for ever
    for call in (
        lambda: s.send_many(rac.Subject()),
        lambda: rac.cocoa.lift(s, max),
    ):
        with pytest.raises(TypeError, match="must be"):
            call()


def test_values_that_were_refused_go_quietly(monkeypatch):
    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    with pytest.raises(ValueError):
        rac.of(1).values(overflow="x")
    with pytest.raises(TypeError):
        rac.types.Values()
    assert unraisable == []


def test_least_and_greatest_by_a_key_or_a_comparer():
    words = rac.of("ccc", "b", "a", "ddd")
    asked = []

    def length(word):
        asked.append(word)
        return len(word)

    assert heard(words.min(key=length)) == ["b", "|"]
    assert asked == ["ccc", "b", "a", "ddd"]
    assert heard(words.max(key=len)) == ["ccc", "|"]
    assert heard(words | ops.min(comparer=lambda a, b: (a > b) - (a < b))) == ["a", "|"]
    assert heard(rac.of(2, 2.25, 1).max(comparer=lambda a, b: a - b)) == [2.25, "|"]
    assert heard(rac.empty().min(key=len)) == ["|"]


def test_a_key_or_a_comparer_that_is_none():
    for arguments in ({"key": 3}, {"comparer": 3}, {"key": len, "comparer": max}):
        for method in (rac.Signal.min, rac.Signal.max):
            with pytest.raises(TypeError, match=r"^Signal.(min|max)\(\): (a key or|(key|comparer) must be)"):
                method(rac.of(1), **arguments)
    (error,) = heard(rac.of(1, 2).min(comparer=lambda a, b: "less"))
    assert type(error) is TypeError
    (error,) = heard(rac.of(1, 2).max(key=lambda n: 1 // (n - 2)))
    assert type(error) is ZeroDivisionError


def test_names_are_those_of_python():
    rac.host.set_names_enabled(True)
    try:
        keys = rac.Subject().named("keys")
        for signal, said in [
            (keys, "<librac.Subject keys>"),
            (keys.map(str).take(2), "<librac.Signal keys | map | take>"),
            (keys.map(str).filter(bool).take(2).map(len), "<librac.Signal keys | map | filter | take | map>"),
            (rac.merge(keys, keys).debounce(1).timeout(2), "<librac.Signal merge | debounce | timeout>"),
            (rac.of(1).flat_map(str).reduce(max, 0), "<librac.Signal of | flat_map | reduce>"),
            (rac.never().named("a - [b]").skip_while(bool), "<librac.Signal a - [b] | skip_while>"),
        ]:
            assert repr(signal) == said
    finally:
        rac.host.set_names_enabled(False)
