"""The extension: values, stages, arrays, and each kind of handle."""

import array
import sys
import timeit

import pytest

import librac as rac


def heard(signal):
    """What a signal sends at once."""
    out = []
    signal.subscribe(out.append).dispose()
    return out


# ---- Values ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**70), 1.5, float("inf"),
     "text", "\ud800", "", b"bytes", (), (1, (2, "x")), [1], {"a": 1}, object()],
)
def test_values_come_back(value):
    (got,) = heard(rac.of(value))
    assert got == value and type(got) is type(value)


def test_values_that_wait_are_counted():
    slow, subject, out = rac.Scheduler.virtual(), rac.Subject(), []
    subject.deliver_on(slow).subscribe(out.append)
    for n in range(3):
        subject.send(n)
    assert rac.host.queued_values() == 3
    slow.step_all()
    assert rac.host.queued_values() == 0 and out == [0, 1, 2]


def test_objects_are_the_same_and_counted():
    value = ["mine"]
    before = sys.getrefcount(value)
    subject, out = rac.Subject(), []
    subscription = subject.map(lambda v: v).subscribe(out.append)
    for _ in range(100):
        subject.send(value)
    assert all(got is value for got in out)
    out.clear()
    subscription.dispose()
    assert sys.getrefcount(value) == before


@pytest.mark.parametrize(
    "value", [10**6, -(2**63), 2**70, 2.5, float("nan"), "text", (1, [2], 3.5), [1]]
)
def test_the_same_object_arrives_that_was_sent(value):
    out, observers = [], []
    subject, latest = rac.Subject(), rac.Property(0)
    subject.subscribe(out.append)
    subject.distinct_until_changed().take(5).merge(rac.never()).subscribe(out.append)
    latest.signal.skip(1).subscribe(out.append)
    rac.create(observers.append).subscribe(out.append)
    before = sys.getrefcount(value)
    subject.send(value)
    latest.set(value)
    observers[0].send(value)
    assert len(out) == 4 and all(got is value for got in out)
    latest.set(0)
    subject.send(0)
    out.clear()
    assert sys.getrefcount(value) == before


def test_equal_numbers_of_sends_inside_each_other_are_not_mixed_up():
    one, other = int("1000000"), int("1000000")
    outer, inner, out = rac.Subject(), rac.Subject(), []

    def pass_on(value):
        inner.send(other)

    def fail(value):
        out.append(value)
        raise ValueError("no")

    outer.subscribe(pass_on)
    outer.subscribe(out.append)
    inner.subscribe(fail)
    with pytest.raises(ValueError):
        outer.send(one)
    assert out[0] is other and out[1] is one
    inner.map(lambda v: v + 1).subscribe(out.append)
    with pytest.raises(ValueError):
        inner.send(one)
    assert out[2] is one and out[3] == one + 1


def test_a_subclass_of_int_stays_one():
    class Mine(int):
        pass

    assert type(heard(rac.of(Mine(3)))[0]) is Mine


TUPLES = [(), (1, 2), (1, (2, ([],))), tuple(range(1000)), ((float("nan"),),)]


@pytest.mark.parametrize("value", TUPLES, ids=range(len(TUPLES)))
def test_a_tuple_that_nobody_opens_travels_whole(value):
    assert rac.of(value).wait() is value
    subject, out = rac.Subject(), []
    subject.map(lambda v: v).filter(lambda v: True).take(1).subscribe(out.append)
    subject.delay(0.001).first().subscribe(out.append)
    (subject | rac.cocoa.replay()).subscribe(out.append)
    subject.start_with(value).skip(1).subscribe(out.append)
    subject.distinct_until_changed().subscribe(out.append)
    subject.send(value)
    rac.timer(0.02).wait()
    assert len(out) == 5 and all(each is value for each in out)
    assert rac.Property(value).value is value
    (pair,) = heard(rac.zip(rac.of(value), rac.of(1)))
    assert pair[0] is value
    out.clear()


def test_a_tuple_is_opened_where_it_is_looked_into():
    assert heard(rac.of((1, 2), (3, 4)).starmap(lambda a, b: a * b)) == [2, 12]
    assert heard(rac.of((True, 1), (0, True)) | rac.cocoa.and_()) == [True, False]
    assert heard(rac.of((True, 0), (0, False)) | rac.cocoa.or_()) == [True, False]
    assert heard(rac.cocoa.lift_arguments(rac.of((1, 2)), lambda a, b: a + b)) == [3]
    assert list(rac.Sequence.from_tuple((1, (2, 3)))) == [1, (2, 3)]
    assert list(rac.Sequence.of((1, 2)).starmap(lambda a, b: a + b)) == [3]


def test_a_tuple_equals_one_of_the_librarys():
    nan = float("nan")
    pair = (1, ("x", [2]))
    zipped = rac.zip(rac.of(1), rac.zip(rac.of("x"), rac.of([2])))
    for both in (zipped.start_with(pair), rac.of(pair).concat(zipped)):
        assert heard(both) == [pair, pair]
        assert heard(both.distinct_until_changed()) == [pair]
        assert heard(both.distinct()) == [pair]
        assert heard(both.group_by(lambda v: v).flat_map(lambda g: g.count())) == [2]
        assert heard(both | rac.cocoa.ignore(pair)) == []
        assert heard(both | rac.cocoa.ignore((1, ("x", [3])))) == [pair, pair]
        assert heard(both | rac.cocoa.switch({pair[0]: rac.of(0)}, rac.of(pair))) == [pair, pair]
    both = rac.zip(rac.of(1), rac.of("x")).start_with((1, "x"))
    assert heard(both | rac.cocoa.switch({(1, "x"): rac.of("found")})) == ["found", "found"]
    assert heard(rac.of((nan,), (float("nan"),)).distinct()) == [(nan,)]
    assert heard(rac.of((1,), (1.0,), (True,), (2,)).distinct_until_changed()) == [(1,), (2,)]
    assert len(heard(rac.of(([],), ([],)).distinct())) == 1
    changes, label = [], rac.Property((1, 2), distinct=True)
    label.subscribe(changes.append)
    label.bind(rac.zip(rac.of(1, 3), rac.of(2, 4)))
    assert changes == [(1, 2), (3, 4)]


def test_a_tuple_travels_as_fast_as_a_list():
    def seconds(value):
        subject = rac.Subject()
        chain = subject
        for _ in range(5):
            chain = chain.map(lambda v: v)
        with chain.subscribe(lambda v: None):
            return min(timeit.repeat(lambda: subject.send(value), number=300, repeat=7))

    some = tuple(range(1000))
    ratios = [seconds(some) / seconds(list(some)) for _ in range(5)]
    assert min(ratios) < 2, ratios  # where each is made anew for the library it is 20


def test_signals_as_values():
    assert heard(rac.of(rac.of(1, 2), rac.of(3)).flatten()) == [1, 2, 3]


def test_events():
    events = heard(rac.of(1).materialize())
    assert events == [rac.Event.next(1), rac.Event.completed()]
    assert heard(rac.of(*events).dematerialize()) == [1]
    error = ValueError("no")
    assert rac.Event.error(error).exception is error


def test_equality_is_pythons():
    assert heard(rac.of([1], [1], [2]).distinct_until_changed()) == [[1], [2]]
    assert heard(rac.of([1], [2], [1]).distinct()) == [[1], [2]]
    assert heard(rac.of(1, 1.0, True, 2).distinct_until_changed()) == [1, 2]


class Explodes:
    def __eq__(self, other):
        raise RuntimeError("eq")

    __hash__ = None

    def __repr__(self):
        raise RuntimeError("repr")


def test_what_equality_raises_comes_out_of_the_send():
    subject = rac.Subject()
    subscription = subject.distinct_until_changed().subscribe(lambda v: None)
    subject.send(Explodes())
    with pytest.raises(RuntimeError, match="eq"):
        subject.send(Explodes())
    subscription.dispose()


# ---- Operators of Python's -----------------------------------------------------------


def test_fused_stages():
    seen = []
    signal = rac.of(1, 2, 3, 4).map(lambda v: v + 1).filter(lambda v: v % 2)
    chain = signal.do_next(seen.append).scan(lambda a, b: a + b, 0).map(str)
    assert heard(chain) == ["3", "8"]
    assert seen == [3, 5]
    assert heard(chain) == ["3", "8"]  # a scan begins anew with each subscription
    assert heard(signal) == [3, 5]
    assert chain.description.endswith("map | filter | do_next | scan | map")


NAN = float("nan")
LARGE = 2**70
MANY = [
    1, 1.0, True, 2, NAN, NAN, float("nan"), -0.0, 0.0, 0, "a", "".join("a"), (1, NAN), (1, NAN),
    (1, 2), (1.0, 2), [1], [1], None, None, 0, LARGE, LARGE + 0, float(LARGE), b"a", b"a",
    frozenset((1, 2)), {1, 2}]


def test_what_is_equal_is_so_also_in_a_fused_chain():
    subject = rac.Subject()

    def same(value):
        return value

    chains = [
        subject.distinct_until_changed(),
        subject.distinct_until_changed(same),
        subject.map(same).distinct_until_changed(),
        subject.map(same).distinct_until_changed(key=same).filter(lambda v: True),
        subject.do_next(same).distinct_until_changed(comparer=lambda a, b: a == b)]
    out = [[] for _ in chains + chains]
    for each, one, other in zip(chains, out, out[len(chains):]):
        each.subscribe(one.append)
        each.take(99).subscribe(other.append)  # by the engine, and not as its last stage
    subject.send_many(MANY)
    *alike, compared = map(repr, out[:len(chains)])
    assert alike == [repr(out[0])] * len(alike) and 10 < len(out[0]) < len(MANY)
    assert list(map(repr, out[len(chains):])) == [*alike, compared]
    assert compared.count("nan") > repr(out[0]).count("nan")
    assert chains[3].description.endswith("map | distinct_until_changed | filter")


def test_a_fused_chain_compares_with_what_was_sent_last():
    pairs, out = [], []

    def close(last, new):
        pairs.append((last, new))
        return abs(last - new) < 2

    subject = rac.Subject()
    subject.map(int).distinct_until_changed(comparer=close).subscribe(out.append)
    subject.send_many("12346")
    assert out == [1, 3, 6] and pairs == [(1, 2), (1, 3), (3, 4), (3, 6)]


def test_what_comparing_raises_in_a_fused_chain_comes_out_of_the_call():
    class Odd:
        def __eq__(self, other):
            raise KeyError("eq")

    out = []
    subject = rac.Subject()
    subject.map(lambda v: v).distinct_until_changed().subscribe(out.append)
    subject.send(Odd())
    with pytest.raises(KeyError, match="eq"):
        subject.send(Odd())
    subject.send(1)
    assert len(out) == 3


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("stage", ["map", "filter", "scan", "do_next", "distinct_until_changed"])
def test_what_a_stage_raises_is_the_streams_error(stage, before):
    error = KeyError("x")

    def fails(*arguments):
        raise error

    subject = rac.Subject()
    signal = subject.map(lambda v: v) if before else subject
    arguments = (fails, 0) if stage == "scan" else (fails,)
    errors = []
    getattr(signal, stage)(*arguments).subscribe(print, errors.append)
    subject.send(1)
    assert errors == [error] and errors[0].__traceback__.tb_next is None
    assert subject.subscriber_count == 0


def test_create_and_its_cleaning_up():
    calls, kept = [], []

    def work(observer):
        kept.append(observer)
        observer.send(1)
        observer.add_disposable(lambda: calls.append("added"))
        return lambda: calls.append("returned")

    out = []
    with rac.create(work).subscribe(out.append) as subscription:
        assert out == [1] and not subscription.is_disposed
    assert sorted(calls) == ["added", "returned"] and subscription.is_disposed


def test_step():
    def twice_and_stop():
        count = 0

        def step(kind, value, send):
            nonlocal count
            count += kind == "next"
            if kind == "next":
                send(value)
                send(value * 10)
            return count == 2

        return step

    signal = (rac.of(1, 2, 3) | rac.cocoa.step(twice_and_stop))
    assert heard(signal) == heard(signal) == [1, 10, 2, 20]


def test_what_is_no_signal():
    with pytest.raises(TypeError, match=r"merge\(\): signals must be a signal, not .*int"):
        rac.merge(rac.never(), 3)
    errors = []
    rac.of(1).flat_map(lambda v: 7).subscribe(print, errors.append)
    assert isinstance(errors[0], TypeError)


# ---- Arrays -------------------------------------------------------------------------


def test_arrays():
    subject, got = rac.Subject(), []
    subject.subscribe_arrays(got.append, 3)
    subject.send_array(array.array("d", [1, 2, 3, 4]))
    subject.send(5)
    subject.send_completed()
    assert [view.tolist() for view in got] == [[1, 2, 3], [4, 5]]
    assert [memoryview(view).format for view in got] == ["d", "d"]


def test_integers_and_lists():
    subject, got, lists = rac.Subject(), [], []
    subject.subscribe_arrays(lambda view: got.append(view.tolist()), 2, dtype="q")
    subject.subscribe_lists(lists.append, 3)
    subject.send_array(array.array("q", [1, 2, 3]))
    subject.send_completed()
    assert got == [[1, 2], [3]] and lists == [[1, 2, 3]]


@pytest.mark.parametrize(
    "bad",
    [memoryview(array.array("d", [1, 2, 3, 4]))[::2], array.array("f", [1]), b"bytes",
     memoryview(bytes(16)).cast("d").cast("B").cast("d", (2, 1))],
)
def test_odd_arrays(bad):
    with pytest.raises(TypeError, match=r"Subject.send_array\(\): array must"):
        rac.Subject().send_array(bad)


def test_send_many():
    subject, out = rac.Subject(), []
    subject.subscribe(out.append)
    subject.send_many([1, 2, 3])
    subject.send_many(range(200))

    def fails():
        yield 1
        raise KeyError("generator")

    with pytest.raises(KeyError):
        subject.send_many(fails())
    assert out == [1, 2, 3, *range(200), 1]


# ---- The rest of the table ----------------------------------------------------------


def test_properties():
    a, b = rac.Property(1), rac.Property(2, distinct=True)
    total, out = rac.Property.combine_latest([a, b], lambda x, y: x + y), []
    subscription = total.signal.subscribe(out.append)
    a.value = 5
    b.set(2)
    assert out == [3, 7] and total.get() == 7
    assert heard(rac.merge(a, b)) == [5, 2]  # a property is a signal where one is wanted
    a.modify(lambda value: value * 10)
    assert a.value == 50
    subscription.dispose()


def test_sequences():
    numbers = rac.Sequence.range(0, 2, 5)
    assert list(numbers) == [0, 2, 4, 6, 8] == list(numbers)
    assert list(rac.Sequence.generate(1, lambda n: (n, n * 2) if n < 9 else None)) == [1, 2, 4, 8]
    assert numbers.fold_left(lambda a, b: a + b, 0) == 20
    assert numbers.fold_right(lambda a, rest: str(a) + rest, "") == "02468"
    assert numbers.head() == 0 and list(numbers.tail()) == [2, 4, 6, 8]
    assert rac.Sequence.empty().tail() is None
    assert list(rac.Sequence.from_text("aé")) == ["a", "é"]
    with pytest.raises(ZeroDivisionError):
        list(rac.Sequence.of(0).map(lambda n: 1 // n))


def test_virtual_time():
    clock, out = rac.Scheduler.virtual(), []
    rac.interval(1.0, scheduler=clock).take(3).map(lambda v: clock.now()).subscribe(out.append)
    clock.advance_by(2.5)
    assert len(out) == 2
    clock.step_all()
    assert len(out) == 3


def test_recursive_jobs():
    clock, left = rac.Scheduler.virtual(), [3]

    def job(again):
        left[0] -= 1
        if left[0]:
            again()

    clock.schedule_recursive(job)
    clock.step_all()
    assert left == [0]


def test_iterating_a_signal():
    background = rac.Scheduler.background()
    assert list(rac.of(1, 2, 3).deliver_on(background)) == [1, 2, 3]
    subject = rac.Subject()
    iterator = subject.iterate()
    with pytest.raises(rac.errors.TimedOut):
        iterator.next_for(0.01)
    with pytest.raises(rac.errors.WouldBlock):
        iterator.try_next()
