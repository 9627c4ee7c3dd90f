"""The extension: what is raised, and arguments that are refused."""


import pytest

import librac as rac


# ---- Errors -------------------------------------------------------------------------


def test_what_a_handler_raises_comes_out_of_the_send():
    subject, out = rac.Subject(), []

    def fails(value):
        raise KeyboardInterrupt

    one, two = subject.subscribe(fails), subject.subscribe(out.append)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            subject.send(1)
    assert out == [1, 1]  # the others heard it, and the subscription goes on
    one.dispose(), two.dispose()


@pytest.mark.parametrize("make", [list, tuple, iter])
def test_send_many_stops_at_the_first_that_raises(make):
    subject, heard, beside = rac.Subject(), [], []

    def fails_at_three(value):
        heard.append(value)
        if value == 3:
            raise KeyError(value)

    subject.subscribe(fails_at_three)
    subject.subscribe(beside.append)
    with pytest.raises(KeyError):
        subject.send_many(make(range(5000)))
    assert heard == beside == [0, 1, 2, 3]
    assert subject.send_many(make([4, 5])) is None and heard[-2:] == [4, 5]

    def create(observer):
        with pytest.raises(KeyError):
            observer.send_many(make(range(5000)))

    heard.clear()
    rac.create(create).subscribe(fails_at_three)
    assert heard == [0, 1, 2, 3]


def test_an_error_that_nobody_handles():
    subject, error = rac.Subject(), ValueError("no")
    subject.subscribe(print)
    with pytest.raises(ValueError) as raised:
        subject.send_error(error)
    assert raised.value is error
    with pytest.raises(ValueError):
        rac.throw(error).subscribe(print)
    with pytest.raises(TypeError, match="send_error"):
        subject.send_error("no exception")


def test_keyboard_interrupt_in_a_stage_is_not_swallowed():
    subject, errors = rac.Subject(), []

    def interrupted(value):
        raise KeyboardInterrupt

    subject.map(interrupted).subscribe(print, errors.append)
    with pytest.raises(KeyboardInterrupt):
        subject.send(1)
    assert [type(error) for error in errors] == [KeyboardInterrupt]


def test_several_that_raise(monkeypatch):
    told = []
    monkeypatch.setattr(rac, "on_unhandled", lambda error, *_: told.append(error))
    subject = rac.Subject()

    def fails_with(error):
        def fail(value):
            raise error

        return fail

    first, second = ValueError(1), ValueError(2)
    both = [subject.subscribe(fails_with(error)) for error in (first, second)]
    with pytest.raises(ValueError) as raised:
        subject.send(1)
    assert raised.value is first and told == [second]
    told.clear()
    for each in both:
        each.dispose()
    # They hold this frame, by f_back of a frame that CPython 3.11 does not look into.
    del first, second, raised, subject, both, each


def test_errors_of_the_engine():
    with pytest.raises(rac.errors.TimedOut) as raised:
        rac.never().timeout(0.01).first().wait()
    assert isinstance(raised.value, TimeoutError) and raised.value.domain == "rac.signal"
    with pytest.raises(rac.errors.Empty):
        rac.empty().first().wait()
    with pytest.raises(rac.errors.TimedOut, match="Signal.wait"):
        rac.never().first().wait(timeout=0.01)


# ---- Bad input ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda s: s.map(3), TypeError, r"Signal.map\(\): transform must be callable"),
        (lambda s: s.subscribe(3), TypeError, r"on_next must be callable"),
        (lambda s: s.take("x"), TypeError, r"Signal.take\(\): count must be an int"),
        (lambda s: s.take(-1), ValueError, r"Signal.take\(\): count must be"),
        (lambda s: s.take(2**70), ValueError, r"Signal.take\(\): count must be"),
        (lambda s: s.take(), TypeError, r"Signal.take\(\) missing .*count"),
        (lambda s: s.take(1, 2), TypeError, r"Signal.take\(\) takes 1 positional"),
        (lambda s: s.take(n=1), TypeError, r"unexpected keyword argument 'n'"),
        (lambda s: s.delay(float("nan")), ValueError, r"Signal.delay\(\): seconds"),
        (lambda s: s.delay("x"), TypeError, r"Signal.delay\(\): seconds"),
        (lambda s: s.delay(-1), ValueError, r"Signal.delay\(\)"),
        (lambda s: s.delay(1, scheduler=3), TypeError, r"a librac.Scheduler"),
        (lambda s: s.retry(0), ValueError, r"1 or more, or None"),
        (lambda s: rac.Bound(0, "latest"), ValueError, r"Bound"),
        (lambda s: rac.Bound(1, "newest"), ValueError, r"one of drop_oldest, .*refuse"),
        (lambda s: s.deliver_on(None), TypeError, r"deliver_on\(\): scheduler"),
        (lambda s: rac.Signal(), TypeError, r"cannot create"),
        (lambda s: (s | rac.cocoa.switch([])), TypeError, r"cases must be a dict"),
        (lambda s: rac.Sequence.range(2**63, 1, 1), OverflowError, r"beyond 64 bits"),
    ],
)
def test_bad_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call(rac.never())


def test_wrong_arity_is_the_streams_error():
    errors = []
    rac.of(1).map(lambda: 0).subscribe(print, errors.append)
    assert isinstance(errors[0], TypeError)


async def asynchronous(value=None):
    return value


def test_coroutine_functions_where_nobody_awaits():
    subject, errors = rac.Subject(), []
    with subject.subscribe(asynchronous):
        with pytest.raises(TypeError, match="asynchronous.*must not be a coroutine function"):
            subject.send(1)
    for chain in (subject.filter(asynchronous), subject.map(abs).do_next(asynchronous)):
        chain.subscribe(print, errors.append)
    subject.take_while(asynchronous).subscribe(print, errors.append)
    subject.send(1)
    assert [type(error) for error in errors] == [TypeError] * 3


def test_a_subclass_that_forgets_its_base():
    class Forgets(rac.Subject):
        def __init__(self):
            pass

    with pytest.raises(RuntimeError, match="__init__"):
        Forgets().send(1)


def test_a_subclass_with_arguments_of_its_own():
    class Named(rac.Subject):
        def __init__(self, name):
            super().__init__()
            self.title = name

    subject, out = Named("x"), []
    subject.subscribe(out.append)
    subject.send(1)
    assert out == [1] and subject.title == "x" and "Named" in repr(subject)
    with pytest.raises(RuntimeError, match="already"):
        rac.Subject.__init__(subject)


def test_a_source_goes_on_where_a_handler_raises(monkeypatch):
    told, heard = [], []
    monkeypatch.setattr(rac, "on_unhandled", lambda error, *_: told.append(error.args))

    def bad(value):
        heard.append(value)
        raise KeyError(value)

    for source in [(1, 2), [1, 2], iter([1, 2]), range(1, 3)]:
        with pytest.raises(KeyError) as raised:
            rac.from_(source).subscribe(bad, heard.append, lambda: heard.append("done"))
        assert raised.value.args == (1,)
    assert heard == [1, 2, "done"] * 4
    assert told == [(2,)] * 4


def test_what_is_raised_behind_the_end_is_not_lost():
    def late(observer):
        observer.send_completed()
        raise KeyError("late")

    with pytest.raises(KeyError, match="late"):
        rac.create(late).subscribe(print)


def test_what_is_made_while_something_raises_goes_with_it():
    def bad():
        raise KeyError

    for make in (
        lambda one: rac.cocoa.lift([one, rac.of(1)], print),
        lambda one: rac.cocoa.lift_arguments(one, print),
    ):
        with pytest.raises(KeyError):
            make((rac.never() | rac.cocoa.initially(bad)))
