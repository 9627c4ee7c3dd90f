"""Numbers of whatever class, order, and what is said of errors."""

import datetime
import enum
import math
import statistics
from decimal import Decimal
from fractions import Fraction

import pytest

import librac as rac

try:
    import numpy as np
except ImportError:
    np = None


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 5


NUMBERS = {
    "int": [3, 1, 2],
    "float": [0.5, 1.5, -2.0],
    "both": [2**60, 0.25, 7],
    "bool": [True, False, True],
    "int beyond 64 bits": [2**63, 1, -(2**70)],
    "sum beyond 64 bits": [2**62] * 4,
    "IntEnum": [Size.LARGE, Size.SMALL],
    "Decimal": [Decimal("1.1"), Decimal("2.2"), 3],
    "Fraction": [Fraction(1, 3), 1, Fraction(1, 6)],
    "an int before Fractions": [1, 2, Fraction(1, 2)],
}
if np is not None:
    NUMBERS["np.float64"] = [np.float64(1.5), np.float64(-2.5), 1]
    NUMBERS["np.float32"] = [np.float32(1.5), np.float32(2.5)]
    NUMBERS["np.int64"] = [np.int64(4), 2, np.int64(-1)]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_what_python_takes_them_for(name):
    values = NUMBERS[name]
    signal = rac.from_(values)
    assert signal.sum().wait() == sum(values)
    assert float(signal.average().wait()) == pytest.approx(statistics.fmean(values))
    assert signal.min().wait() is min(values) or signal.min().wait() == min(values)
    assert signal.max().wait() is max(values) or signal.max().wait() == max(values)
    assert signal.rolling_mean(2).wait() == float(sum(values[-2:])) / 2
    assert signal.rolling_min(9).wait() == float(min(values))
    assert signal.rolling_max(9).wait() == float(max(values))
    assert signal.rolling_max(seconds=60).wait() == float(max(values))
    assert signal.rolling_min(seconds=60).wait() == float(min(values))
    assert signal.rolling_mean(seconds=60).wait() == pytest.approx(
        float(sum(values)) / len(values)
    )
    variance = float(statistics.variance(float(v) for v in values))
    for rolled in (signal.rolling_variance(9), signal.rolling_variance(None, 60)):
        assert rolled.wait() == pytest.approx(variance)


@pytest.mark.skipif(np is None, reason="needs numpy")
def test_arrays_are_added_as_python_adds_them():
    arrays = rac.of(np.array([1, 2]), np.array([3, 5]))
    assert arrays.sum().wait().tolist() == [4, 7]
    assert arrays.average().wait().tolist() == [2, 3.5]


def test_the_kind_is_pythons():
    assert type(rac.of(Decimal(1), 2).sum().wait()) is Decimal
    assert type(rac.of(Decimal(1), 2).average().wait()) is Decimal
    assert rac.of(Fraction(1, 3), 1).average().wait() == Fraction(2, 3)
    assert type(rac.of(Size.LARGE).sum().wait()) is int
    assert rac.of(Size.LARGE, Size.SMALL).min().wait() is Size.SMALL
    assert rac.empty().sum().wait() == 0
    assert list(rac.empty().average().collect().wait()) == []
    assert rac.of(1e16, 1.0, -1e16).sum().wait() == 1.0
    assert math.isnan(rac.of(1.0, math.nan, 0.5).min().wait())
    assert math.isnan(rac.of(math.nan, 2.0).max().wait())
    assert rac.of(2**53, 2.0**53 + 2, 2**53 + 1).max().wait() == 2.0**53 + 2


@pytest.mark.parametrize(
    "values",
    [
        ["b", "a", "c"],
        [datetime.date(2024, 2, 1), datetime.date(2023, 5, 5)],
        [(1, "b"), (1, "a"), (0, "z")],
        [Decimal("0.3"), 0.1, Fraction(1, 5)],
    ],
)
def test_what_has_an_order(values):
    assert rac.from_(values).min().wait() == min(values)
    assert rac.from_(values).max().wait() == max(values)


def test_what_has_none():
    for signal in (
        rac.of(1, "a").min(),
        rac.of({}, {}).max(),
        rac.of(1, "a").sum(),
        rac.of("a").average(),
        rac.of("1").rolling_mean(2),
        rac.of(1j).rolling_max(2),
    ):
        with pytest.raises(TypeError):
            signal.wait()


# ---- Notes ---------------------------------------------------------------------------


def notes_of(signal):
    with pytest.raises(Exception) as raised:
        signal.wait()
    return raised.value.__notes__


def bad(*values):
    raise ValueError("bad")


@pytest.mark.parametrize(
    "name, chain",
    {
        "map": lambda s: s.map(bad),
        "filter": lambda s: s.filter(bad),
        "scan": lambda s: s.scan(bad, 0),
        "do_next": lambda s: s.do_next(bad),
        "flat_map": lambda s: s.flat_map(bad),
        "switch_map": lambda s: s.switch_map(bad),
        "take_while": lambda s: s.take_while(bad),
        "group_by": lambda s: s.group_by(bad),
        "distinct": lambda s: s.distinct(bad),
        "try_": lambda s: (s | rac.cocoa.try_(bad)),
        "step": lambda s: (s | rac.cocoa.step(lambda: bad)),
        "bind": lambda s: (s | rac.cocoa.bind(bad)),
        "sum": lambda s: (s | rac.cocoa.map_replace("x")).sum(),
        "rolling_min": lambda s: (s | rac.cocoa.map_replace("x")).rolling_min(3),
    }.items(),
)
def test_an_error_carries_the_operator_and_the_value(name, chain):
    (note,) = notes_of(chain(rac.of(7)))
    value = "'x'" if name in ("sum", "rolling_min") else "7"
    assert note.startswith(f"librac: in {name}()") and note.endswith(f"at {value}")


@pytest.mark.parametrize(
    "name, chain, value",
    [
        ("flatten", lambda s: s.flatten(), 7),
        ("switch_to_latest", lambda s: s.switch_to_latest(), 7),
        ("starmap", lambda s: s.starmap(bad), 7),
        ("not_", lambda s: (s | rac.cocoa.map_replace("x") | rac.cocoa.not_()), "x"),
        ("and_", lambda s: (s | rac.cocoa.and_()), 7),
        ("or_", lambda s: (s | rac.cocoa.or_()), 7),
        # One that remembers its error could hold itself: no tuple, signal or sequence is kept.
        ("and_", lambda s: (s | rac.cocoa.map_replace(("x",)) | rac.cocoa.and_()), None),
        ("if_", lambda s: s | rac.cocoa.map_replace("x") | rac.cocoa.if_(rac.of(1), rac.of(2)), "x"),
        ("pausable", lambda s: rac.never().pausable((s | rac.cocoa.map_replace("x")), 1), "x"),
        ("dematerialize", lambda s: s.dematerialize(), 7),
        ("switch", lambda s: (s | rac.cocoa.switch({1: rac.of(1)})), 7),
        ("element_at", lambda s: s.element_at(3), None),
        ("timeout", lambda s: rac.never().timeout(0.001), None),
        ("complete_within", lambda s: (rac.never() | rac.cocoa.complete_within(0.001)), None),
    ],
)
def test_an_error_of_the_librarys_own_carries_them_too(name, chain, value):
    signal = chain(rac.of(7))
    for each in (signal, signal.map(str).deliver_on(rac.Scheduler.background())):
        with pytest.raises(rac.errors.StreamError) as raised:
            each.wait(20)
        note = f"librac: in {name}()" + ("" if value is None else f", at {value!r}")
        assert raised.value.__notes__ == [note]
        assert raised.value.domain in ("rac", "rac.signal") and raised.value.message


def test_all_who_hear_such_an_error_hear_the_same_one():
    rac.host.set_names_enabled(True)
    try:
        source, errors = rac.Subject().named("source"), []
        flat = source.flatten()
        assert flat.description == "source | flatten"
        shared = flat.share()
        for _ in range(2):
            shared.subscribe(print, errors.append)
        source.send(ValueError("a value, and no error of this signal"))
    finally:
        rac.host.set_names_enabled(False)
    assert errors[0] is errors[1] and type(errors[0]) is rac.errors.StreamError
    assert errors[0].__notes__ == [
        "librac: in flatten(), of source, at "
        "ValueError('a value, and no error of this signal')"
    ]


def test_what_came_through_an_operator_is_not_its_own():
    inner = rac.Subject(rac.Bound(1, "error"))
    errors = []
    with inner.timeout(20).subscribe(lambda value: inner.send_many([value] * 3), errors.append):
        inner.send(1)
    assert [type(error) for error in errors] == [rac.errors.Overflow]
    assert not hasattr(errors[0], "__notes__")


async def asynchronous(value):
    raise KeyError(value)


async def generator(value):
    yield value
    raise KeyError(value)


@pytest.mark.parametrize("function", [asynchronous, generator])
@pytest.mark.parametrize("name", ["flat_map", "concat_map", "switch_map"])
def test_what_an_asynchronous_function_raises(name, function):
    signal = getattr(rac.of(5), name)(function)
    with pytest.raises(KeyError) as raised:
        signal.wait(20)
    assert raised.value.__notes__ == [f"librac: in {name}(), at 5"]


@pytest.mark.parametrize(
    "name, make, at",
    [
        ("defer", lambda: rac.defer(bad), ""),
        ("from_callable", lambda: rac.from_callable(bad), ""),
        ("using", lambda: rac.using(bad, rac.of, print), ""),
        ("create", lambda: rac.create(lambda observer: bad()), ""),
        ("starmap", lambda: rac.combine_latest(*[rac.of(1)] * 2).starmap(bad), (1, 1)),
        ("starmap", lambda: rac.zip(rac.of(1), rac.of("x")).starmap(bad), (1, "x")),
        ("starmap", lambda: rac.of((1, 2)).starmap(bad), (1, 2)),
        ("lift", lambda: rac.cocoa.lift([rac.of(1)], bad), (1,)),
        ("lift_arguments", lambda: rac.cocoa.lift_arguments(rac.of((1, 2)), bad), (1, 2)),
        ("catch", lambda: rac.throw(KeyError("x")).catch(bad), KeyError("x")),
        ("min", lambda: rac.of(5, 6).min(comparer=bad), 6),
    ],
)
def test_functions_of_what_makes_signals(name, make, at):
    notes = notes_of(make())
    assert notes == [f"librac: in {name}()" + (f", at {at!r}" if at else "")]


def test_functions_of_sequences_properties_and_commands():
    with pytest.raises(ValueError) as raised:
        list(rac.Sequence.of(1, 2).map(bad))
    assert raised.value.__notes__ == ["librac: in map(), at 1"]
    with pytest.raises(ValueError) as raised:
        list(rac.Sequence.generate(3, bad))
    assert raised.value.__notes__ == ["librac: in generate(), at 3"]
    number = rac.Property(0)

    def refuses_one(value):
        return value if value != 1 else bad()

    derived = number.map(refuses_one)
    with pytest.raises(ValueError) as raised:
        number.value = 1
    assert raised.value.__notes__ == ["librac: in map(), at 1"]
    assert derived.value == 0
    command, errors = rac.Command(bad), []
    command.errors.subscribe(errors.append)
    with pytest.raises(ValueError) as raised:
        command.execute(4).wait(20)
    assert raised.value.__notes__ == ["librac: in Command(), at 4"]
    errors.clear()


def test_an_error_carries_the_chain():
    keys = rac.Subject().named("keys")
    errors = []
    for chain in (
        keys.map(str).filter(bool).map(bad),  # ends in a function
        keys.map(str).filter(bool).map(bad).take(1),
        keys.flat_map(bad),
    ):
        chain.subscribe(print, errors.append)
    keys.send("a")
    assert [each.__notes__ for each in errors] == [
        ["librac: in map(), of keys | map | filter, at 'a'"],
        ["librac: in map(), of keys | map | filter, at 'a'"],
        ["librac: in flat_map(), of keys, at 'a'"],
    ]


def test_one_error_over_and_over_has_few_notes():
    error = ValueError("the same")

    def fail(value):
        raise error

    numbers = iter(range(100))
    with pytest.raises(ValueError):
        rac.defer(lambda: rac.of(next(numbers))).map(fail).retry(50).wait()
    assert 1 <= len(error.__notes__) <= 8 and len(set(error.__notes__)) == len(error.__notes__)
    error.__traceback__ = None


class Handles:
    def error(self, error):
        return rac.of("error alone")

    def both(self, error, value):
        return rac.of((type(error).__name__, value))


@pytest.mark.parametrize(
    "chain, expected",
    {
        "map": (lambda s: s.map(lambda v: 1 // v), ("ZeroDivisionError", 0)),
        "flat_map": (lambda s: s.flat_map(lambda v: 1 // v), ("ZeroDivisionError", 0)),
        "scan": (lambda s: s.scan(lambda a, b: a // b, 8), ("ZeroDivisionError", 0)),
        "a tuple": (
            lambda s: s.map(lambda v: (v, 1)).map(lambda v: v[2]), ("IndexError", (0, 1))),
        "two operators": (
            lambda s: s.map(lambda v: 1 // v).catch(
                lambda error: rac.of(7)).map(lambda v: v.nothing), ("AttributeError", 7)),
    }.values(),
)
def test_catch_is_told_the_value(chain, expected):
    assert chain(rac.of(0)).catch(Handles().both).wait() == expected
    assert chain(rac.of(0)).catch(lambda error, value: rac.of(value)).wait() == expected[1]
    assert chain(rac.of(0)).catch(Handles().error).wait() == "error alone"


def test_catch_of_an_error_without_a_value_is_told_none():
    told = []
    for failing in (rac.throw(KeyError("x")), rac.never().timeout(0.001)):
        failing.catch(lambda error, value: told.append(value)).wait(default=None)
    assert told == [None, None]
    one = rac.of(1).map(lambda v: v.nothing).catch(lambda error, more=3: rac.of(more)).wait()
    assert one == 3  # a default is its own
