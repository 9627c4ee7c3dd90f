"""What does not fit: an exception of the fitting class that says where and what."""

import array
import gc
import signal
import threading
import weakref

import pytest

import librac as rac


async def coroutine(*_):
    return 1


def fails(*_):
    raise KeyError("mine")


class Rude:
    """Compares, hashes and describes itself by raising."""

    def __eq__(self, other):
        raise KeyError("eq")

    def __hash__(self):
        raise KeyError("hash")

    def __repr__(self):
        raise KeyError("repr")


# ---- Functions ---------------------------------------------------------------------------

AWAITING = {
    "map": lambda s: s.map(coroutine),
    "map in a chain": lambda s: s.map(coroutine).filter(bool),
    "filter": lambda s: s.filter(coroutine),
    "scan": lambda s: s.scan(coroutine, 0),
    "reduce": lambda s: s.reduce(coroutine, 0),
    "do_next": lambda s: s.do_next(coroutine),
    "take_while": lambda s: s.take_while(coroutine),
    "distinct": lambda s: s.distinct(coroutine),
    "starmap": lambda s: s.pairwise().starmap(coroutine),
    "create": lambda s: rac.create(coroutine),
    "start_lazily": lambda s: rac.cocoa.start_lazily(coroutine, scheduler=rac.Scheduler.immediate()),
}


@pytest.mark.parametrize("name", AWAITING)
@pytest.mark.filterwarnings("error")
def test_a_coroutine_function_is_refused_where_nobody_awaits(name):
    with pytest.raises(TypeError, match=r"coroutine\b.*coroutine function.*flat_map"):
        list(AWAITING[name](rac.of(1, 2)).collect().wait(5))


def test_a_predicate_must_not_give_what_is_awaited():
    with pytest.raises(TypeError, match="must return whether, and not something to await"):
        list(rac.of(1).filter(lambda n: rac.of(False)).collect().wait(5))
    assert list(rac.of(0, 1, [], [2]).filter(lambda v: v).collect().wait(5)) == [1, [2]]


@pytest.mark.parametrize("name", ["flat_map", "concat_map", "switch_map", "exhaust_map"])
def test_a_function_must_return_a_signal(name):
    def three(value):
        return 3

    with pytest.raises(TypeError, match=r"three .* must return a signal.*'int'.*of\(x\)"):
        list(getattr(rac.of(1), name)(three).collect().wait(5))
    with pytest.raises(TypeError, match="three .* must return a signal"):
        list(rac.throw(KeyError()).catch(three).collect().wait(5))


def test_what_a_property_calls_raises_out_of_what_caused_it():
    one = rac.Property(1)
    for make in (
        lambda: one.map(fails),
        lambda: one.modify(fails),
        lambda: rac.Property.combine_latest([one, one], fails),
        lambda: rac.Property.adapter(fails, print),
        lambda: rac.Property.adapter(lambda: 1, fails).set(2),
    ):
        with pytest.raises(KeyError, match="mine"):
            make()
    derived = one.map(lambda n: 6 // n)
    with pytest.raises(ZeroDivisionError) as raised:
        one.value = 0
    raised.value.__traceback__ = None  # the property keeps the error, and this has its frame
    assert derived.value == 6


def test_what_a_sequence_calls_raises_out_of_what_asked():
    numbers = rac.Sequence.of(0, 1, 2)
    for ask in (
        lambda: numbers.any(fails),
        lambda: numbers.all(fails),
        lambda: numbers.map(fails).is_empty(),
        lambda: list(numbers.map(fails)),
    ):
        with pytest.raises(KeyError, match="mine"):
            ask()
    with pytest.raises(rac.Error, match="Sequence.is_equal"):
        numbers.is_equal(numbers.map(lambda n: n // (1 - n)))


def test_generators_that_raise_or_never_end():
    closed = []

    def raises():
        yield 1
        raise KeyError("mine")

    def never_ends():
        try:
            while True:
                yield 1
        finally:
            closed.append(1)

    subject, heard = rac.Subject(), []
    subject.subscribe(heard.append)
    with pytest.raises(KeyError, match="mine"):
        list(rac.from_(raises()).collect().wait())
    with pytest.raises(KeyError, match="mine"):
        subject.send_many(raises())
    with pytest.raises(TypeError, match=r"send_many\(\): values must be an iterable"):
        subject.send_many(3)
    assert list(rac.from_(never_ends()).take(2).collect().wait()) == [1, 1]
    assert list(rac.of(1).flat_map(lambda v: never_ends()).take(2).collect().wait()) == [1, 1]
    elsewhere = rac.from_(never_ends()).subscribe_on(rac.Scheduler.background())
    with pytest.raises(rac.errors.TimedOut):
        (elsewhere | rac.cocoa.complete_within(0.01)).count().wait(60)
    assert heard == [1] and closed == [1, 1]


# ---- Values ------------------------------------------------------------------------------


def test_tuples_that_share_their_halves_are_not_taken_apart():
    shared = ()
    for _ in range(200):
        shared = (shared, shared)
    heard = []
    subject = rac.Subject()
    subject.subscribe(heard.append)
    subject.send(shared)
    inner, other = heard[0], shared
    while isinstance(inner, tuple) and inner is not other:
        inner, other = inner[0], other[0]
    assert inner is other, "below some depth it is the same tuple"

    subject, depth = rac.Subject(), []
    rac.zip(subject, subject).subscribe(heard.append)
    subject.send(1)
    for _ in range(100):  # what was heard, sent once more
        subject.send(heard.pop())
    assert rac.of((1, (2, (3,)))).starmap(lambda a, b: (a, b)).wait() == (1, (2, (3,)))


def test_tuples_that_the_engine_nests():
    """Halves that are shared are made once, and too many inside each other are refused."""
    subject, heard = rac.Subject(), []
    subject.take(60).pairwise().subscribe_to(subject)
    subject.subscribe(heard.append)
    subject.send_many([0, 1])
    last, depth = heard[-1], 0
    assert len(heard) > 50
    while isinstance(last, tuple):
        last, depth = last[1], depth + 1
    assert depth > 20

    for wrap in [lambda s: rac.zip(s, rac.range(0, 20_000)),
                 lambda s: s.materialize().take(20_000)]:
        subject, kept = rac.Subject(), rac.ReplaySubject(1)
        wrap(subject).subscribe_to(subject)
        subject.subscribe_to(kept)
        subject.send(0)
        with pytest.raises(rac.errors.TooDeep, match="4096"):
            kept.first().wait()
        del kept


def test_deep_tuples():
    deep = ()
    for _ in range(100_000):
        deep = (deep, 1)
    assert rac.of(deep).wait()[1] == 1


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**200])
def test_ints_beyond_64_bits_arrive(number):
    assert rac.of(number).wait() == number
    assert rac.of(number, 1).sum().wait() == number + 1
    with pytest.raises(ValueError, match=r"take\(\): count"):
        rac.of(1).take(2 * abs(number))


def test_surrogates_and_nuls():
    assert rac.of("\ud800").map(lambda s: s + "!").wait() == "\ud800!"
    with pytest.raises(ValueError, match="\ud800"):
        rac.throw(ValueError("\ud800")).wait()
    with pytest.raises(ValueError, match=r"from_text\(\): text has a surrogate"):
        rac.Sequence.from_text("a\ud800")
    with pytest.raises(ValueError, match=r"background\(\): name must not have a NUL"):
        rac.Scheduler.background("a\0b")
    with pytest.raises(ValueError, match=r"named\(\): name must not have a NUL"):
        rac.never().named("a\0b")


def test_nan():
    nan = float("nan")
    with pytest.raises(ValueError, match=r"delay\(\): seconds must not be NaN"):
        rac.of(1).delay(nan)
    assert len(list(rac.of(nan, nan).distinct().collect().wait())) == 1  # as a set of one object


def test_arrays_that_do_not_fit():
    subject = rac.Subject()
    for bad in (b"abc", array.array("f", [1]), array.array("i", [1]), [1], 3, None):
        with pytest.raises((TypeError, ValueError), match="Subject.send_array"):
            subject.send_array(bad)


def test_numpy_arrays_of_odd_shapes_and_types():
    np = pytest.importorskip("numpy")
    subject, heard = rac.Subject(), []
    subject.subscribe(heard.append)
    numbers = np.arange(12.0)
    read_only = numbers[:2].copy()
    read_only.flags.writeable = False
    for fine in (numbers[:3], numbers[:0], read_only, np.arange(3)):
        subject.send_array(fine)
    assert heard == [0, 1, 2, 0, 1, 0, 1, 2]
    misaligned = np.frombuffer(b"x" * 25, dtype="u1")[1:].view("f8")
    refused = (
        numbers[::2], numbers[::-1], numbers.reshape(3, 4).T, np.asfortranarray(numbers.reshape(3, 4)),
        numbers.astype(">f8"), numbers.astype(">i8"), numbers.astype("f4"), numbers.astype("i4"),
        numbers.astype("u8"), numbers.astype(bool), numbers.astype(complex), numbers.astype("O"),
        numbers.astype("M8[s]"), numbers.astype("U4"), np.zeros(2, dtype=[("a", "f8")]),
        np.array(1.0), np.float64(1), np.broadcast_to(np.float64(1), 5),
    )
    for bad in refused:
        with pytest.raises((TypeError, ValueError), match="Subject.send_array"):
            subject.send_array(bad)
    assert len(heard) == 8
    try:
        subject.send_array(misaligned)
    except (TypeError, ValueError):
        pass


# ---- Objects that raise ------------------------------------------------------------------


def test_rude_objects_on_many_threads():
    subject, errors = rac.Subject(), []
    chains = [
        subject.distinct_until_changed(),
        subject.distinct(),
        subject.map(lambda v: (v, v)).distinct_until_changed(),
        subject.group_by(lambda v: v).flatten(),
        subject.buffer(3),
        subject.scan(lambda a, b: b, None).pairwise(),
    ]
    kept = [chain.subscribe(lambda v: None, errors.append) for chain in chains]

    def send():
        for _ in range(100):
            try:
                subject.send(Rude())
            except KeyError:
                pass

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in kept:
        each.dispose()
    assert {type(error) for error in errors} <= {KeyError}


def test_finalisers_that_send():
    subject, heard = rac.Subject(), []
    subscription = subject.map(lambda v: v).subscribe(lambda v: heard.append(v if v == 1 else 0))

    class Sends:
        def __del__(self):
            subject.send(1)
            rac.of(1).subscribe(lambda v: None)

    kept = weakref.ref(Sends(), lambda _: subject.send(1))
    subject.send(Sends())
    replay = rac.ReplaySubject(1)
    replay.send(Sends())
    replay.send(Sends())
    del replay
    rac.Property(Sends()).value = Sends()
    cycle = Sends()
    cycle.me = cycle
    del cycle
    gc.collect()
    subscription.dispose()
    assert kept() is None
    assert heard.count(1) == 8


def test_step_n_steps_as_often_as_it_says():
    clock, heard = rac.Scheduler.virtual(), []
    clock.step_n(2**63)
    assert clock.next_deadline() == -1
    with rac.interval(1, scheduler=clock).subscribe(heard.append):
        assert clock.next_deadline() == 1
        clock.step_n(200)
        assert heard == list(range(200))
        rac.of(1).delay(0.5, scheduler=clock).subscribe(fails)
        with pytest.raises(KeyError):
            clock.step_n(200)  # goes on behind what raised
    assert heard == list(range(398))  # a value and an end are the other two steps


def test_a_pipe_of_what_is_no_function_says_so():
    with pytest.raises(TypeError, match=r"Signal.pipe\(\): operators must be callable, not"):
        rac.of(1).pipe(rac.ops.map(str), None)


# ---- After the end -----------------------------------------------------------------------


def test_waiting_says_who_waits():
    with pytest.raises(TimeoutError, match=r"Signal.wait\(\): nothing came within 0.01 s"):
        rac.never().delay(1).wait(timeout=0.01)
    with pytest.raises(rac.errors.Empty, match=r"Signal.wait\(\): .* without a value"):
        rac.empty().wait()
    assert rac.of(1, 2, 3).wait() == 3
    assert rac.empty().wait(default=7) == 7 and rac.of(1).wait(1, default=None) == 1


def test_a_chain_without_names_has_a_plain_repr():
    assert repr(rac.Subject().map(str).filter(bool)) == "<librac.Signal map | filter>"


@pytest.mark.parametrize("call, argument", [
    (rac.host.attach, "loop"), (rac.Scheduler.for_loop, "loop"),
    (rac.host.attach_tkinter, "widget"), (rac.Scheduler.for_tkinter, "widget"),
])
def test_what_is_no_loop_of_a_host(call, argument):
    with pytest.raises(TypeError, match=rf"\w+\(\): {argument} must be .*, not 3"):
        call(3)
