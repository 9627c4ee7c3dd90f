"""Signals in programs of trio, and of anyio over trio and over asyncio."""

import threading

import pytest

import librac as rac

anyio = pytest.importorskip("anyio")
pytest.importorskip("trio")


@pytest.fixture(params=["trio", "asyncio"])
def run(request):
    return lambda main: anyio.run(main, backend=request.param)


async def until(condition):
    with anyio.fail_after(20):
        while not condition():
            await anyio.sleep(0.001)


def sent_on_a_thread(subject, values):
    def send():
        for value in values:
            subject.send(value)
        subject.send_completed()

    threading.Thread(target=send).start()


def test_await_is_the_last_value(run):
    async def main():
        assert await rac.of(1, 2, 3) == 3
        assert await rac.interval(0.001).take(3).collect() == (0, 1, 2)
        assert await rac.of(1).deliver_on(rac.Scheduler.background()) == 1
        with pytest.raises(rac.errors.Empty):
            await rac.empty()
        error = KeyError("the same")
        with pytest.raises(KeyError) as raised:
            await rac.throw(error)
        assert raised.value is error
        del error, raised

    run(main)
    run(main)  # anew


def test_values_of_another_thread(run):
    async def main():
        for values in (lambda signal: signal, lambda signal: signal.values(2, "wait")):
            subject, heard = rac.Subject(), []
            async with anyio.create_task_group() as group:

                async def read():
                    async for value in values(subject):
                        heard.append(value)

                group.start_soon(read)
                await until(lambda: subject.subscriber_count)
                sent_on_a_thread(subject, range(100))
            assert heard == list(range(100)) and subject.subscriber_count == 0

    run(main)


def test_cancelling_disposes(run):
    async def main():
        subject = rac.Subject()

        async def read():
            async for _ in subject:
                pass

        async def wait():
            await subject

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(wait)
            await until(lambda: subject.subscriber_count == 2)
            group.cancel_scope.cancel()
        assert subject.subscriber_count == 0
        with anyio.move_on_after(0.001) as scope:
            await rac.never()
        assert scope.cancelled_caught

    run(main)


def test_a_task_group_has_the_errors_of_its_signals(run):
    async def main():
        one, two, other = rac.Subject(), rac.Subject(), rac.Subject()

        async def wait(signal):
            await signal

        with pytest.raises(ExceptionGroup) as raised:
            async with anyio.create_task_group() as group:
                for signal in (one, two, other):
                    group.start_soon(wait, signal)
                await until(lambda: one.subscriber_count and two.subscriber_count)
                one.send_error(KeyError("one"))
                two.send_error(ValueError("two"))
        assert {type(error) for error in raised.value.exceptions} == {KeyError, ValueError}
        assert other.subscriber_count == 0
        del raised

    run(main)


def test_a_sender_waits_for_room(run):
    async def main():
        bound = rac.Bound(2, "refuse")
        subject, heard, sent = rac.Subject(bound), [], []
        behind = subject.deliver_on(rac.Scheduler.for_loop(), bound)
        with behind.subscribe(heard.append):

            async def send(name):
                for n in range(10):
                    await subject.send_async((name, n))
                    sent.append(n)
                    assert len(sent) - len(heard) <= 4

            async with anyio.create_task_group() as group:
                group.start_soon(send, "a")
                group.start_soon(send, "b")
            await until(lambda: len(heard) == 20)
        assert sorted(heard) == [(name, n) for name in "ab" for n in range(10)]

    run(main)


def test_the_main_scheduler_runs_while_it_is_attached(run):
    async def main():
        heard, me = [], threading.get_ident()
        for _ in range(2):
            attached = rac.host.attach()
            rac.timer(0.001).subscribe(lambda value: heard.append(threading.get_ident()))
            await until(lambda: heard)
            attached.dispose()
            assert heard == [me]
            heard.clear()
        rac.timer(0.001).subscribe(heard.append)
        await anyio.sleep(0.02)
        assert heard == []
        rac.host.attach()
        await until(lambda: heard)

    run(main)


def test_what_comes_after_the_run_is_of_no_use(run):
    subject, kept = rac.Subject(), []

    async def main():
        kept.append(subject.values())
        kept[0].__aiter__()
        kept.append(subject.deliver_on(rac.Scheduler.for_loop()).subscribe(print))

    run(main)
    subject.send(1)
    kept[1].dispose()
    kept.clear()


def test_outside_of_both_it_is_said():
    with pytest.raises(RuntimeError, match="no running event loop"):
        rac.of(1).__await__().send(None)
