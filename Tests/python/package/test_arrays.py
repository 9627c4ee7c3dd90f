"""Arrays in and arrays out, with numpy and without."""

import array
import subprocess
import sys

import pytest

import librac as rac

numpy = pytest.importorskip("numpy")


def arrays_of(signal, **how):
    seen = []
    signal.subscribe_arrays(seen.append, **how)
    return seen


def test_in_and_out():
    s = rac.Subject()
    seen = arrays_of(s, count=4)
    s.send_array(numpy.arange(10, dtype=numpy.float64))
    s.send_completed()
    assert [each.tolist() for each in seen] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert all(isinstance(each, numpy.ndarray) and each.dtype == numpy.float64 for each in seen)


def test_native_operators_between():
    s = rac.Subject()
    seen = arrays_of(s.rolling_mean(3).skip(2), count=100)
    data = numpy.random.default_rng(1).normal(size=50)
    s.send_array(data)
    s.send_completed()
    expected = numpy.convolve(data, numpy.ones(3) / 3, "valid")
    assert numpy.allclose(seen[0], expected)


def test_integers():
    s = rac.Subject()
    for dtype in ["int64", numpy.int64, numpy.dtype("int64"), int]:
        seen = arrays_of(s, count=2, dtype=dtype)
        s.send_array(numpy.array([1, 2]))
        assert seen[0].tolist() == [1, 2] and seen[0].dtype == numpy.int64


def test_numbers_go_through_side_by_side_as_one_by_one():
    numbers = numpy.repeat(numpy.random.default_rng(7).integers(0, 4, 500), 2).astype(float)
    numbers[numbers == 3] = numpy.nan

    def chain(signal):
        return arrays_of((signal.distinct_until_changed().skip(3) | rac.cocoa.ignore(2.0)).take(90), count=7)

    whole, single = rac.Subject(), rac.Subject()
    at_once, by_and_by = chain(whole), chain(single)
    for part in numpy.split(numbers, [1, 8, 200, 201]):
        whole.send_array(part)
        for number in part:
            single.send(float(number))
    assert len(at_once) == 13 and sum(map(len, at_once)) == 90
    assert all(numpy.array_equal(a, b, equal_nan=True) for a, b in zip(at_once, by_and_by))
    assert list(map(len, at_once)) == list(map(len, by_and_by))


def test_what_is_kept_stays():
    s = rac.Subject()
    seen = arrays_of(s, count=1000)
    for n in range(5):
        s.send_array(numpy.full(1000, float(n)))
    assert [each.mean() for each in seen] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "wrong",
    [
        numpy.arange(10.0)[::2],
        numpy.arange(10, dtype=numpy.float32),
        numpy.arange(10, dtype=">f8"),
        numpy.zeros((2, 2)),
        numpy.array(["a"]),
        numpy.array([object()]),
        numpy.arange(4, dtype=numpy.uint64),
        "text",
        [1.0],
    ],
    ids=str,
)
def test_arrays_of_another_kind_are_refused(wrong):
    s = rac.Subject()
    with pytest.raises(TypeError, match="send_array"):
        s.send_array(wrong)


def test_arrays_that_are_not_numpys():
    s = rac.Subject()
    seen = []
    s.subscribe(seen.append)
    s.send_array(array.array("d", [1.5, 2.5]))
    s.send_array(memoryview(array.array("q", [1, 2])))
    assert seen == [1.5, 2.5, 1, 2]


def test_what_makes_an_array_of_itself_is_sent():
    class Column:
        def __init__(self, numbers):
            self.numbers = numbers

        def __array__(self, dtype=None, copy=None):
            if self.numbers is None:
                raise KeyError("no numbers")
            return self.numbers

    s, seen = rac.Subject(), []
    s.subscribe(seen.append)
    s.send_array(Column(array.array("d", [1.5, 2.5])))
    assert seen == [1.5, 2.5]
    with pytest.raises(KeyError):
        s.send_array(Column(None))
    for wrong in (Column(3), Column(array.array("f", [1])), Column):
        with pytest.raises(TypeError, match="send_array"):
            s.send_array(wrong)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_are_sent(library):
    made = pytest.importorskip(library)
    make = made.array if library == "pyarrow" else made.Series
    s, seen = rac.Subject(), []
    s.subscribe(seen.append)
    s.send_array(make([1.5, 2.5]))
    s.send_array(make([1, 2]))
    assert seen == [1.5, 2.5, 1, 2]


def test_numpy_values_are_objects():
    s, seen = rac.Subject(), []
    s.subscribe(seen.append)
    value = numpy.arange(3)
    s.send(value)
    assert seen[0] is value


def test_wrong_arguments():
    with pytest.raises(ValueError, match="dtype is float64 or int64"):
        rac.of(1.0).subscribe_arrays(print, dtype="float32")
    with pytest.raises(TypeError, match="on_array"):
        rac.of(1.0).subscribe_arrays(3)


def test_a_value_that_is_no_number_is_an_error():
    errors = []
    rac.of(1.0, "a").subscribe_arrays(lambda a: None, on_error=errors.append)
    assert len(errors) == 1 and isinstance(errors[0], Exception)


def test_without_numpy():
    program = """
import sys; sys.modules["numpy"] = None
import array, librac
s = librac.Subject(); seen = []
s.subscribe_arrays(lambda a: seen.append((type(a).__name__, a.tolist())), count=2)
s.send_array(array.array("d", [1, 2])); assert seen == [("memoryview", [1.0, 2.0])], seen
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_arrays_are_compared_as_arrays():
    numpy = pytest.importorskip("numpy")
    one, same, other = numpy.array([1, 2]), numpy.array([1, 2]), numpy.array([1, 3])
    longer, wide = numpy.array([1, 2, 3]), numpy.array([[1, 2]])
    sent = []
    rac.of(one, same, other, other, longer, wide, wide.copy(), 0, one).distinct_until_changed().subscribe(
        sent.append)
    assert [id(each) for each in sent[:4]] == [id(one), id(other), id(longer), id(wide)]
    assert len(sent) == 6
    by_key = rac.of((1, one), (2, same), (3, other)).distinct_until_changed(key=lambda pair: pair[1])
    assert [number for number, _ in by_key.collect().wait()] == [1, 3]


def test_what_cannot_be_compared_ends_the_stream_as_before():
    class Odd:
        def __eq__(self, other):
            raise KeyError("no")

        __hash__ = None

    errors = []
    with pytest.raises(KeyError):
        rac.of(Odd(), Odd()).distinct_until_changed().subscribe(print, errors.append)
        raise errors[0]
