"""The extension: threads, and what is let go of."""

import gc
import sys
import threading
import time
import weakref

import librac as rac


def heard(signal):
    """What a signal sends at once."""
    out = []
    signal.subscribe(out.append).dispose()
    return out


# ---- What is let go of ----------------------------------------------------------------


def test_weak_references_and_generic_forms():
    subject = rac.Subject()
    reference = weakref.ref(subject)
    assert reference() is subject
    del subject
    gc.collect()
    assert reference() is None
    assert str(rac.Signal[int]) == "librac.Signal[int]"


def test_callbacks_are_dropped():
    def function(value):
        return value

    before = sys.getrefcount(function)
    subject = rac.Subject()
    chain = subject.map(function).filter(function).flat_map(rac.of)
    subscription = chain.subscribe(function, function, function)
    assert sys.getrefcount(function) > before
    subscription.dispose()
    del subscription, chain, subject
    assert sys.getrefcount(function) == before


def test_sends_from_a_finaliser():
    out, subject = [], rac.Subject()

    class Last:
        def __del__(self):
            subject.send("gone")

    subscription = subject.subscribe(out.append)
    other = rac.ReplaySubject()
    other.send(Last())
    del other
    assert out == ["gone"]
    subscription.dispose()


# ---- Threads ------------------------------------------------------------------------


def test_a_thread_subscribes_at_once():
    out = []
    thread = threading.Thread(target=lambda: out.extend(heard(rac.of(1, 2).delay(0))))
    direct = threading.Thread(target=lambda: out.extend(heard(rac.of(3))))
    thread.start(), thread.join()
    direct.start(), direct.join()
    assert 3 in out


def test_callbacks_on_background_schedulers():
    main, threads = threading.get_ident(), []
    background = rac.Scheduler.background("work")
    signal = rac.of(*range(50)).deliver_on(background)
    got = list(signal.do_next(lambda v: threads.append(threading.get_ident())).collect().wait(30))
    assert got == list(range(50)) and main not in threads


def test_what_is_raised_on_a_background_scheduler(monkeypatch):
    told, done = [], threading.Event()

    def hook(error, chain, value):
        told.append(error)
        done.set()

    monkeypatch.setattr(rac, "on_unhandled", hook)
    error = ValueError("there")

    def fails(value):
        raise error

    subject = rac.Subject()
    subscription = subject.deliver_on(rac.Scheduler.background()).subscribe(fails)
    subject.send(1)
    assert done.wait(30) and told == [error]
    subscription.dispose()
    told.clear()
    error.__traceback__ = None


def test_blocking_in_a_callback_is_refused():
    subject, raised = rac.Subject(), []

    def waits(value):
        try:
            rac.never().first().wait(1)
        except rac.errors.Deadlock as error:
            raised.append(error)

    subject.subscribe(waits)
    subject.send(1)
    assert len(raised) == 1
    raised.clear()


def test_sends_from_many_threads():
    subject, out = rac.Subject(), []
    subscription = subject.map(lambda v: v).subscribe(out.append)

    def send():
        for i in range(500):
            subject.send(i)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rac.host.settle(30)
    assert sorted(out) == sorted(list(range(500)) * 4)
    subscription.dispose()


def test_a_bound_that_subjects_share_costs_about_what_one_does():
    """In processor time, of which a busy machine takes none: 20 took up to 20 times as much."""

    def spent(count):
        bound = rac.Bound(16, "wait")
        subjects, heard = [rac.Subject(bound) for _ in range(count)], []
        merged = rac.merge(*subjects)
        threads = [
            threading.Thread(target=subjects[n % count].send_many, args=(range(2000),))
            for n in range(4)
        ]
        begin = time.process_time()
        with merged.subscribe(heard.append):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rac.host.settle(60)
        assert len(heard) == 8000
        return time.process_time() - begin

    ratios = [spent(20) / spent(1) for _ in range(3)]
    assert min(ratios) < 4, ratios
