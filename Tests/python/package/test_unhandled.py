"""Errors that nobody handles: they end nothing that waits, and go to librac.on_unhandled."""

import asyncio
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import librac as rac


class Tick(Exception):
    pass


def bad(value):
    raise Tick(value)


@pytest.fixture
def told(monkeypatch):
    """What librac.on_unhandled is told."""
    heard = []
    monkeypatch.setattr(rac, "on_unhandled", lambda *report: heard.append(report))
    yield heard
    heard.clear()


@pytest.fixture
def ticking():
    """A handler that raises at each tick of a timer, as one that another test has left."""
    with rac.interval(0.002).named("clock").subscribe(bad) as subscription:
        yield subscription


def shown(told):
    return [(type(error), error.args, chain, value) for error, chain, value in told]


def first_ticks(told):
    """One at least: a busy machine may have had no time for more."""
    expected = [(Tick, (0,), "clock", 0), (Tick, (1,), "clock", 1)]
    assert told and shown(told)[:2] == expected[: len(told)]
    assert told[0][0].__traceback__.tb_frame.f_code is bad.__code__


def test_a_note_says_where_the_subscription_was_made(told):
    """Of one function alone, of three, behind a chain of functions, and of an array's."""

    def subscribe(subject):
        return [
            subject.subscribe(bad),
            subject.subscribe(bad, bad, bad),
            subject.map(lambda value: value).filter(bool).named("kept").subscribe(bad),
            subject.map(lambda value: value).filter(bool).subscribe(bad),
            subject.subscribe_arrays(bad, count=1),
        ]

    line = subscribe.__code__.co_firstlineno
    for wanted in (False, True):
        rac.host.set_origins(wanted)
        subject = rac.Subject()
        kept = subscribe(subject)
        with pytest.raises(Tick) as first:
            subject.send(1)
        errors = [first.value, *(error for error, _, _ in told)]
        notes = [note for error in errors for note in getattr(error, "__notes__", [])]
        expected = [
            f"librac: subscribed at {__file__}:{line + at} subscribe" for at in (2, 3, 4, 5, 6)]
        assert sorted(note for note in notes if "subscribed at" in note) == expected * wanted
        with pytest.raises(KeyError) as failed:
            subject.send_error(KeyError())
        assert ("subscribed at" in str(getattr(failed.value, "__notes__", ""))) == wanted
        told.clear()
        del kept, errors, first, failed


def test_where_a_subscription_was_made_is_seen():
    def places():
        return sorted(name for kind, name, _, _ in rac.host.report_live() if kind == "subscription")

    before = places()
    line = places.__code__.co_firstlineno + 8
    for wanted in (True, False):
        rac.host.set_origins(wanted)
        subject = rac.Subject()
        made = (
            subject.subscribe(print),
            subject.map(str).subscribe(print),
            subject.map(str).subscribe(print, print, print),
            subject.subscribe_lists(print, 3),
            rac.Property(1).subscribe(str),
        )
        name = "test_where_a_subscription_was_made_is_seen"
        here = [f"{__file__}:{line + at} {name}" for at in range(1, 6)]
        shown = [f"<librac.Subscription at {place}>" for place in here]
        if wanted:
            assert [repr(each) for each in made] == shown
            assert places() == sorted(before + here[:4])  # that of the property is over
        else:
            assert not any(name in repr(each) for each in made)
        subject.send_completed()
        assert places() == before
        assert not wanted or [repr(each) for each in made] == shown
    rac.host.set_origins(True)  # as under pytest


WAITS = {
    "wait": lambda: rac.timer(0.02, "done").wait(),
    "first().wait": lambda: rac.timer(0.02, "done").first().wait(),
    "for": lambda: [value for value in rac.timer(0.05, "done")][0],
    "to_sequence": lambda: next(iter(rac.timer(0.05, "done") | rac.cocoa.to_sequence())),
    "main_run_for": lambda: rac.host.main_run_for(0.02) or "done",
    "main_drain": lambda: [time.sleep(0.005) or rac.host.main_drain() for _ in range(4)] and "done",
}


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
def test_what_waits_goes_on(told, ticking, wait):
    assert wait() == "done"
    first_ticks(told)


def test_the_main_loop_goes_on_until_it_is_stopped(told, ticking):
    stop = rac.timer(0.02).subscribe(lambda _: rac.host.main_stop())
    rac.host.main_run()
    assert stop.is_disposed
    first_ticks(told)


def test_settling_goes_on(told):
    subject = rac.Subject()
    with subject.deliver_on(rac.Scheduler.main()).subscribe(bad):
        subject.send_many([1, 2])
        rac.host.settle(20)
    assert shown(told) == [(Tick, (1,), "", 1), (Tick, (2,), "", 2)]


def test_a_loop_of_asyncio_goes_on(told):
    async def main():
        with rac.interval(0.002).named("clock").subscribe(bad):
            assert await rac.timer(0.02, "done") == "done"
            assert [value async for value in rac.timer(0.02, "done")] == ["done"]

    asyncio.run(main())
    first_ticks(told)


def test_what_is_behind_a_loop_and_a_task(told):
    async def one():
        return 1

    async def main():
        subject = rac.Subject()
        with subject.deliver_on(rac.Scheduler.for_loop()).named("there").subscribe(bad):
            subject.send(0)
            rac.from_(one()).subscribe(bad)
            rac.interval(0.001).take(1).flat_map(lambda _: [2]).subscribe(bad)
            while len(told) < 3:
                await asyncio.sleep(0.001)

    asyncio.run(main())
    assert sorted(error.args for error, _, _ in told) == [(0,), (1,), (2,)]
    assert (Tick, (0,), "there", 0) in shown(told)


def test_an_asyncio_handler_is_told_where_nothing_is_set():
    heard = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: heard.append(context))
        rac.timer(0.001).named("late").subscribe(bad)
        while not heard:
            await asyncio.sleep(0.001)

    asyncio.run(main())
    assert type(heard[0]["exception"]) is Tick
    assert heard[0]["message"] == "librac: nobody handles this error of late, at 0"
    heard.clear()


def test_threads_of_the_library(told):
    subject = rac.Subject().named("there")
    background = rac.Scheduler.background()
    threads = []

    def fails(value):
        threads.append(threading.get_ident())
        raise Tick(value)

    with subject.deliver_on(background).map(abs).subscribe(fails):
        subject.send_many([-1, -2])
        rac.host.settle(20)
    assert [(args, value) for _, args, _, value in shown(told)] == [((1,), 1), ((2,), 2)]
    assert threading.get_ident() not in threads
    # An error that nobody hears is one, too.
    told.clear()
    subject.deliver_on(background).subscribe(print)
    subject.send_error(Tick("end"))
    rac.host.settle(20)
    assert shown(told) == [(Tick, ("end",), "", None)]


def test_names_of_the_whole_chain(told):
    rac.host.set_names_enabled(True)
    try:
        keys = rac.interval(0.001).take(1).map(str)
        keys.subscribe(bad, lambda error: None)
        keys.filter(bool).take(1).subscribe(bad)
        keys.subscribe_lists(bad, 1)
        keys.do_completed(lambda: bad("end")).subscribe()
        rac.timer(0.02).wait()
    finally:
        rac.host.set_names_enabled(False)
    assert {repr(each[2:]) for each in shown(told) if each[3]} == {
        "('interval | take | map', '0')",
        "('interval | take | map', ['0'])",
        "('interval | take | map | filter | take', '0')",
    }
    assert [each for each in shown(told) if each[3] is None] == [
        (Tick, ("end",), "interval | take | map | do_completed", None)
    ]


def test_a_binding_and_its_error(told):
    label, source = rac.Property(""), rac.Subject()
    label.bind(source)
    source.send_error(Tick("bound"))
    assert [(type(error), value) for error, _, value in told] == [(Tick, None)]


@pytest.mark.parametrize("end", ["do_completed", "do_finally", "_finally_"])
def test_what_waits_raises_what_its_own_chain_does(told, ticking, end):
    def chain():
        return getattr(rac.timer(0.02), end)(lambda: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        chain().wait()
    with pytest.raises(ZeroDivisionError):
        list(chain())
    assert {kind for kind, *_ in shown(told)} == {Tick}
    told.clear()
    # And not that of another chain, whose end comes meanwhile.
    getattr(rac.timer(0.005), end)(lambda: 1 / 0).subscribe(lambda _: None)
    assert rac.timer(0.02, "done").wait() == "done"
    assert ZeroDivisionError in {kind for kind, *_ in shown(told)}


def test_what_a_call_brings_about_comes_out_of_it(told):
    subject = rac.Subject()
    with subject.subscribe(bad):
        with pytest.raises(Tick):
            subject.send(1)
    with pytest.raises(Tick):
        rac.of(1).subscribe(bad)
    clock = rac.Scheduler.virtual()
    rac.timer(1, scheduler=clock).subscribe(bad)
    with pytest.raises(Tick):
        clock.advance_by(2)
    assert not told


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_who_wants_to_end_the_program_does(told, kind):
    def stops(value):
        raise kind

    silent = rac.Subject()
    for wait in (rac.host.main_run, silent.wait, lambda: list(silent)):
        with rac.timer(0.001).subscribe(stops):
            with pytest.raises(kind):
                wait()
    assert not told


def test_the_default_and_a_hook_that_raises(monkeypatch, caplog):
    def fails(error, chain, value):
        raise LookupError("the hook")

    def play():
        subject = rac.Subject().named("keys")
        with subject.deliver_on(rac.Scheduler.main()).named("keys").subscribe(bad):
            subject.send("a")
            assert rac.timer(0.002, "done").wait() == "done"
        said = [(r.name, r.levelname, r.getMessage(), r.exc_info[0]) for r in caplog.records]
        caplog.clear()
        return said

    line = ("librac", "ERROR", "librac: nobody handles this error of keys, at 'a'", Tick)
    assert play() == [line]
    default = rac.on_unhandled
    monkeypatch.setattr(rac, "on_unhandled", fails)
    assert play() == [
        line, ("librac", "ERROR", "librac.on_unhandled raised, too", LookupError)
    ]
    rac.on_unhandled = None
    assert play() == [line]
    rac.on_unhandled = default
    assert play() == [line]


def test_a_hook_that_wants_to_end_the_program_does(monkeypatch):
    def stops(error, chain, value):
        raise SystemExit(3)

    monkeypatch.setattr(rac, "on_unhandled", stops)
    with rac.timer(0.001).subscribe(bad):
        with pytest.raises(SystemExit):
            rac.host.main_run_for(1)


def test_a_hook_is_inside_a_callback(monkeypatch):
    heard = []

    def waits(error, chain, value):
        try:
            rac.never().wait(1)
        except rac.errors.Deadlock:
            heard.append(rac.of(1).wait())

    monkeypatch.setattr(rac, "on_unhandled", waits)
    with rac.timer(0.001).subscribe(bad):
        rac.host.main_run_for(0.02)
    assert heard == [1]


def test_asking_whether_this_is_a_callback_runs_nothing():
    heard = []
    with rac.of(1).deliver_on(rac.Scheduler.main()).subscribe(heard.append):
        assert not rac.host.in_callback()
        assert heard == []
        rac.host.main_drain()
    assert heard == [1]


def python(program):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=60,
    )


def test_a_program_prints_what_nobody_handles():
    done = python("""
        import librac as rac
        rac.timer(0.001).subscribe(lambda n: 1 / n)
        rac.host.main_run_for(0.02)
        print("went on")
    """)
    assert done.stdout == "went on\n" and done.returncode == 0
    assert "librac: nobody handles this error of timer, at 0" in done.stderr
    assert "ZeroDivisionError: division by zero" in done.stderr


def test_daemon_threads_that_send_end_without_a_word():
    done = python("""
        import threading, _thread, time
        import librac as rac
        subject = rac.Subject()
        subject.map(abs).subscribe(lambda value: None)

        def send():
            while True:
                subject.send(1)

        for _ in range(3):
            threading.Thread(target=send, daemon=True).start()
        _thread.start_new_thread(send, ())
        time.sleep(0.1)
    """)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_daemon_threads_that_fail_otherwise_are_heard_of():
    done = python("""
        import atexit, threading, time
        import librac as rac
        started, fail = threading.Event(), threading.Event()

        def work():
            started.set()
            fail.wait()
            raise KeyError("mine")

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        started.wait()
        atexit.register(lambda: (fail.set(), thread.join(20)))
    """)
    assert "KeyError: 'mine'" in done.stderr and done.returncode == 0
