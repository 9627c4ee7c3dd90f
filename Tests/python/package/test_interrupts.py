"""What interrupts: Ctrl-C and what else a handler of a POSIX signal raises."""

import asyncio
import os
import signal
import threading
import time

import pytest

import librac as rac


def fails(*_):
    raise KeyError("mine")


@pytest.fixture
def ctrl_c():
    """Sends SIGINT to this process in a moment, by the clock of the system."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    alarm = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.05)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGALRM, alarm)


def stepping(step):
    """Lets the time pass of a clock that has a native timer, which no Python hears of."""
    clock = rac.Scheduler.virtual()
    with rac.interval(1, scheduler=clock).subscribe():
        step(clock)


def arming_again(scheduler, run, finish):
    """A job that asks for itself again before the handler of a signal may raise there."""
    is_over = False

    def again():
        if not is_over:
            scheduler.schedule(again)

    again()
    try:
        run(scheduler)
    finally:
        is_over = True
        finish(scheduler)


def blocked(wait):
    """Waits for a worker that does not come to its end before."""
    begun, release = threading.Event(), threading.Event()

    def hold(_):
        begun.set()
        release.wait(60)

    with rac.interval(0.001, scheduler=rac.Scheduler.background()).subscribe(hold) as subscription:
        try:
            begun.wait(60)
            wait(subscription)
        finally:
            release.set()


async def reads(make):
    async for _ in make:
        pass


def fed_back():
    shared = rac.defer(lambda: shared).merge(rac.of(1)).share()
    shared.subscribe(lambda _: None)


def in_a_circle():
    one, other = rac.Subject(), rac.Subject()
    one.subscribe_to(other)
    other.subscribe_to(one)
    one.send(1)


ENDLESS = {
    "wait": lambda: rac.Subject().wait(),
    "wait with a default": lambda: rac.Subject().wait(default=None),
    "for": lambda: list(rac.interval(0.01)),
    "step_n": lambda: stepping(lambda clock: clock.step_n(2**62)),
    "step_all": lambda: stepping(lambda clock: clock.step_all()),
    "advance_by": lambda: stepping(lambda clock: clock.advance_by(1e9)),
    "advance_to": lambda: stepping(lambda clock: clock.advance_to(1e9)),
    "no time passes": lambda: arming_again(
        rac.Scheduler.virtual(), lambda clock: clock.advance_by(1), lambda clock: clock.step()),
    "repeat": lambda: rac.of(1).repeat().subscribe(),
    "repeat into Python": lambda: rac.of(1).repeat().subscribe(lambda _: None),
    "repeat().wait": lambda: rac.of(1).repeat().wait(),
    "retry": lambda: rac.of(1).map(lambda _: 1 / 0).retry().subscribe(),
    "expand": lambda: rac.of(1).expand(rac.of).subscribe(),
    "recursive": lambda: rac.Scheduler.immediate().schedule_recursive(lambda again: again()),
    "main_drain": lambda: arming_again(
        rac.Scheduler.main(), lambda _: rac.host.main_drain(2**62), lambda _: rac.host.main_drain()),
    "dispose_and_wait": lambda: blocked(lambda subscription: subscription.dispose_and_wait(60)),
    "settle": lambda: blocked(lambda _: rac.host.settle(60)),
    "immediate": lambda: rac.Scheduler.immediate().schedule_after(1e308, print),
    "an iterable": lambda: list(rac.from_(iter(int, 1)).collect().wait()),
    "async for": lambda: asyncio.run(reads(rac.interval(0.001))),
    "fed back": lambda: fed_back(),
    "subjects in a circle": lambda: in_a_circle(),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c_ends_what_never_ends(name, ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        ENDLESS[name]()


INTERRUPTED = {
    "subscribe": lambda s, f: s.subscribe(f),
    "map": lambda s, f: s.map(f).subscribe(print),
    "catch": lambda s, f: s.map(f).catch(lambda e: rac.of(1)).subscribe(),
    "retry": lambda s, f: s.map(f).retry(3).subscribe(),
    "flat_map": lambda s, f: s.flat_map(f).subscribe(),
    "do_finally": lambda s, f: s.do_finally(f).take(1).subscribe(),
}


@pytest.mark.parametrize("name", INTERRUPTED)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_callback_comes_out_of_send(name, kind):
    def interrupted(*_):
        raise kind

    subject = rac.Subject()
    with INTERRUPTED[name](subject, interrupted):
        with pytest.raises(kind):
            subject.send(1)


def test_an_interrupt_goes_before_what_else_was_raised(monkeypatch):
    told, subject = [], rac.Subject()
    monkeypatch.setattr(rac, "on_unhandled", lambda error, *_: told.append(type(error)))

    def interrupted(_):
        raise KeyboardInterrupt

    with subject.subscribe(fails), subject.subscribe(interrupted), subject.subscribe(fails):
        with pytest.raises(KeyboardInterrupt):
            subject.send(1)
    assert told == [KeyError, KeyError]


def test_what_else_a_handler_of_a_signal_raises_ends_what_never_ends(ctrl_c):
    def handle(*_):
        raise LookupError("enough")

    signal.signal(signal.SIGALRM, handle)
    with pytest.raises(LookupError, match="enough"):
        ctrl_c()
        rac.of(1).repeat().retry().subscribe()
    with pytest.raises(LookupError, match="enough"):
        ctrl_c()
        stepping(lambda clock: clock.advance_by(1e9))


@pytest.mark.parametrize("endless", [
    lambda: rac.of(1).repeat().ignore_values().subscribe(),
    lambda: stepping(lambda clock: clock.advance_by(1e9)),
])
def test_other_threads_run_beside_what_never_ends(ctrl_c, endless):
    ticks, begun, over = [], threading.Event(), threading.Event()

    def tick():
        begun.wait()
        while not over.wait(0.001):
            ticks.append(1)
            if len(ticks) == 20:
                os.kill(os.getpid(), signal.SIGALRM)

    thread = threading.Thread(target=tick)
    thread.start()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 30)  # much longer than they take on any machine
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        endless()
    ticked = len(ticks)
    over.set()
    thread.join()
    assert ticked >= 20


def test_what_a_handler_raised_stays_so_when_a_call_inside_raises_too(ctrl_c):
    again = []

    def handle(*_):
        again.append(signal.setitimer(signal.ITIMER_REAL, 10))
        raise LookupError("enough")

    def go_on(_):
        with pytest.raises(KeyError):
            rac.of(1).subscribe(fails)
        return rac.of(2).repeat()

    signal.signal(signal.SIGALRM, handle)
    with pytest.raises(LookupError, match="enough"):
        ctrl_c()
        rac.of(1).repeat().catch(go_on).subscribe()
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert len(again) == 1  # nobody had to ask twice
