"""await, async for, tasks and futures."""

import asyncio
import concurrent.futures
import gc
import subprocess
import sys
import threading
import time
import traceback

import pytest

import librac as rac
from waiting import until


def test_await_is_the_last_value(run):
    async def main():
        assert await rac.of(1, 2, 3) == 3
        assert await rac.of(1, 2, 3).first() == 1
        assert await rac.interval(0.001).take(3) == 2
        assert await rac.of(1).deliver_on(rac.Scheduler.background()) == 1
        with pytest.raises(rac.errors.Empty):
            await rac.empty()

    run(main())


def test_the_same_exception_arrives_with_its_traceback(run):
    def explode(value):
        raise KeyError(value)

    async def main():
        for scheduler in [rac.Scheduler.immediate(), rac.Scheduler.background()]:
            with pytest.raises(KeyError) as caught:
                await rac.of(3).deliver_on(scheduler).map(explode)
            assert "explode" in "".join(traceback.format_tb(caught.value.__traceback__))

    run(main())


def test_time_passes_in_the_loop(run):
    async def main():
        s, seen = rac.Subject(), []
        s.debounce(0.01).subscribe(seen.append)
        s.send_many([1, 2])
        await until(lambda: seen)
        assert seen == [2]

    run(main())
    run(main())  # in another loop


def test_what_was_subscribed_to_before_the_loop(run):
    s, seen = rac.Subject(), []
    s.debounce(0.01).subscribe(seen.append)

    async def main():
        attached = rac.host.attach()
        s.send_many([1, 2])
        await until(lambda: seen)
        assert seen == [2]
        attached.dispose()

    run(main())


def test_async_for(run):
    async def main():
        assert [n async for n in rac.of(1, 2, 3)] == [1, 2, 3]
        assert [n async for n in rac.interval(0.001).take(3)] == [0, 1, 2]
        with pytest.raises(KeyError):
            async for _ in rac.throw(KeyError()):
                pass

    run(main())


def test_leaving_the_loop_disposes(run):
    async def main():
        s = rac.Subject()
        asyncio.get_running_loop().call_soon(s.send_many, [1, 2, 3])
        async for _ in s:
            assert s.subscriber_count == 1
            break
        await asyncio.sleep(0)
        assert s.subscriber_count == 0
        async with s.values() as values:
            assert s.subscriber_count == 1
            s.send(4)
            assert await anext(values) == 4
        assert s.subscriber_count == 0

    run(main())


def test_cancelling_the_task_disposes(run):
    async def main():
        s = rac.Subject()

        async def read():
            async for _ in s.values():
                pass

        async def wait():
            await s

        for work in (read, wait):
            task = asyncio.create_task(work())
            await asyncio.sleep(0)
            assert s.subscriber_count == 1
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert s.subscriber_count == 0

    run(main())


def test_a_task_that_is_cancelled_inside_a_callback(run):
    async def main():
        s = rac.Subject()

        async def wait():
            return await s.first()

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        s.subscribe(lambda value: task.cancel())
        s.send(1)
        # The value was there before: either may come, and nothing breaks.
        results = await asyncio.gather(task, return_exceptions=True)
        assert results == [1] or isinstance(results[0], asyncio.CancelledError)
        task = asyncio.create_task(wait())
        rac.interval(0.001).take(1).subscribe(lambda value: task.cancel())
        with pytest.raises(asyncio.CancelledError):
            await task
        assert s.subscriber_count == 1

    run(main())


def test_timeouts_of_asyncio(run):
    async def main():
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await rac.never()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(rac.never().values()), 0.01)

    run(main())


@pytest.mark.parametrize(
    "overflow, read",
    [
        ("drop_oldest", [8, 9]),
        ("drop_newest", [0, 1]),
        ("latest", [9]),
    ],
)
def test_overflow(run, overflow, read):
    async def main():
        s = rac.Subject()
        values = s.values(buffer=2, overflow=overflow)
        async with values:
            s.send_many(range(10))
            s.send_completed()
            assert [n async for n in values] == read
            assert values.dropped == 10 - len(read)

    run(main())


def test_overflow_that_is_an_error(run):
    async def main():
        s, read = rac.Subject(), []
        async with s.values(buffer=2, overflow="error") as values:
            s.send_many(range(10))
            with pytest.raises(rac.errors.Overflow):
                async for n in values:
                    read.append(n)
        assert read == [0, 1]

    run(main())


def test_a_sender_on_another_thread_waits(run):
    async def main():
        s, sent, read = rac.Subject(), [], []

        def send():
            for n in range(50):
                s.send(n)
                sent.append(n)
            s.send_completed()

        async with s.values(buffer=3, overflow="wait") as values:
            thread = threading.Thread(target=send)
            thread.start()
            async for n in values:
                assert len(sent) <= len(read) + 5
                read.append(n)
        thread.join()
        assert read == list(range(50))

    run(main())


def test_a_sender_that_waits_is_let_go_when_the_reader_leaves(run):
    async def main():
        s = rac.Subject()
        thread = threading.Thread(target=lambda: s.send_many(range(100)))
        async with s.values(buffer=2, overflow="wait") as values:
            thread.start()
            assert await anext(values) == 0
        await asyncio.to_thread(thread.join, 30)
        assert not thread.is_alive()

    run(main())


def test_a_process_ends_though_a_sender_waits():
    program = """
import asyncio, atexit, time
# Begun before librac's own, so it ends after that.
atexit.register(lambda: print(len(values._buffer.room._waiters), flush=True))
import librac as rac

async def main():
    global values
    numbers = rac.interval(0.0001, scheduler=rac.Scheduler.background())
    values = numbers.values(buffer=1, overflow="wait")
    print(await anext(values), flush=True)
    time.sleep(0.05)  # the sender is in its callback, and waits

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n0\n", "")


def test_a_sender_in_the_loop_itself_is_told(run):
    async def main():
        s = rac.Subject()
        async with s.values(buffer=1, overflow="wait"):
            s.send(1)
            with pytest.raises(rac.errors.Deadlock, match="no room"):
                s.send(2)

    run(main())


def test_wrong_arguments_of_values():
    with pytest.raises(ValueError, match="overflow is one of"):
        rac.of(1).values(overflow="sometimes")
    with pytest.raises(ValueError, match="buffer is 1 or more"):
        rac.of(1).values(buffer=0)


def test_two_readers_are_refused(run):
    async def main():
        values = rac.never().values()
        task = asyncio.create_task(values.__anext__())
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="two tasks"):
            await anext(values)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(main())


def test_several_loops_one_after_the_other_and_at_once(run):
    async def main():
        return await rac.interval(0.001).take(2)

    for _ in range(3):
        assert run(main()) == 1
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        work = [pool.submit(run, main()) for _ in range(3)]
        assert run(main()) == 1
        assert [each.result(30) for each in work] == [1, 1, 1]


def test_a_scheduler_of_a_loop(run):
    async def main():
        me, seen = threading.get_ident(), []
        s = rac.Subject()
        s.deliver_on(rac.Scheduler.for_loop()).subscribe(
            lambda n: seen.append((n, threading.get_ident() == me))
        )
        await asyncio.to_thread(s.send_many, [1, 2])
        await until(lambda: len(seen) == 2)
        assert seen == [(1, True), (2, True)]

    run(main())


# What would wait for a signal, and could go on waiting for ever: the loop is the one that
# runs its timers and its tasks.
WAITING = {
    "wait": lambda s: s.wait(),
    "for": lambda s: [v for v in s],
    "iterate": lambda s: s.iterate(),
    "wait for no value": lambda s: s.wait(default=None),
    "marble": lambda s: s.marble(1),
    "main_run": lambda s: rac.host.main_run(),
    "to_sequence, for": lambda s: list(s | rac.cocoa.to_sequence()),
    "to_sequence, head": lambda s: (s | rac.cocoa.to_sequence()).head(),
    "to_sequence, tail": lambda s: (s | rac.cocoa.to_sequence()).tail(),
    "to_sequence, to_tuple": lambda s: (s | rac.cocoa.to_sequence()).map(str).to_tuple(),
    "to_sequence, fold_left": lambda s: (s | rac.cocoa.to_sequence()).fold_left(max, 0),
    "to_sequence, next_for": lambda s: iter(s | rac.cocoa.to_sequence()).next_for(20),
}


@pytest.mark.parametrize("name", WAITING)
def test_waiting_in_a_coroutine_is_refused(run, name):
    async def main():
        with pytest.raises(rac.errors.Deadlock, match="an asyncio loop is running"):
            WAITING[name](rac.interval(0.001).take(2))

    run(main())


def test_in_a_coroutine_what_is_there_is_read(run):
    async def main():
        values = rac.of(1, 2) | rac.cocoa.to_sequence()
        assert list(values) == [1, 2] and values.head() == 1
        assert values.to_tuple() == (1, 2)
        assert rac.Sequence.of(1, 2).fold_left(lambda a, b: a + b, 0) == 3

    run(main())
    assert list(rac.interval(0.001).take(2) | rac.cocoa.to_sequence()) == [0, 1]
    assert list(rac.interval(0.001).take(2)) == [0, 1]


def test_in_a_thread_beside_the_loop_one_waits(run):
    async def main():
        ticks = rac.interval(0.001, scheduler=rac.Scheduler.background()).take(2)
        assert await asyncio.to_thread(list, ticks) == [0, 1]
        assert await asyncio.to_thread((ticks | rac.cocoa.to_sequence()).to_tuple) == (0, 1)

    run(main())


def test_a_handler_that_raises_is_told_to_the_loop(run):
    async def main():
        told = []
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: told.append(context.get("exception"))
        )
        rac.timer(0.001).subscribe(lambda n: 1 / 0)
        await until(lambda: told)
        assert [type(each) for each in told] == [ZeroDivisionError]

    run(main())


def test_nothing_is_left_of_what_was_cancelled(run):
    async def main():
        s = rac.Subject()
        tasks = []
        for _ in range(10):
            async def read():
                async for _ in s:
                    pass

            tasks.append(asyncio.create_task(read()))
        await asyncio.sleep(0)
        assert s.subscriber_count == 10
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert s.subscriber_count == 0

    run(main())
    gc.collect()


def test_tasks_that_end_with_their_loop_are_no_errors(run):
    told, kept = [], []

    async def for_ever(value):
        await asyncio.sleep(100)

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda loop, what: told.append(what))
        kept.append(rac.of(1).flat_map(for_ever).subscribe())
        kept.append(rac.from_(for_ever(2)).subscribe(print, told.append))
        await asyncio.sleep(0.01)

    run(main())
    assert [type(what) for what in told] == [asyncio.CancelledError], "who asks is told"


def test_a_handler_that_raises_keeps_its_subscription(run):
    async def one():
        return 1

    async def two():
        yield 1
        yield 2

    def bad(value):
        raise KeyError(value)

    async def main(make, raised):
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: heard.append(context["exception"].args))
        made, ended = make(), asyncio.Event()
        made.subscribe(bad, heard.append, ended.set)
        await asyncio.wait_for(ended.wait(), 20)
        await asyncio.sleep(0)
        assert sorted(heard) == raised

    for make, raised in [
        (lambda: rac.from_(one()), [(1,)]), (lambda: rac.from_(two()), [(1,), (2,)]),
        (lambda: rac.of(1, 2).flat_map(lambda v: one()), [(1,), (1,)]),
    ]:
        heard = []
        run(main(make, raised))


def test_a_handler_of_an_end_that_raises_is_heard_of(run):
    async def none():
        return
        yield

    async def main():
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: heard.set_result(type(context["exception"])))
        heard = asyncio.get_running_loop().create_future()
        rac.from_(none()).subscribe(None, None, lambda: 1 / 0)
        assert await asyncio.wait_for(heard, 20) is ZeroDivisionError

    run(main())


def test_the_loop_is_woken_once_for_each_sleep_of_the_reader():
    """Not once for each value, which took nine tenths of the time."""

    async def main():
        subject, heard = rac.Subject(), []
        loop = asyncio.get_running_loop()
        woken, threadsafe = [], loop.call_soon_threadsafe

        def counted(*arguments, **named):
            woken.append(arguments)
            return threadsafe(*arguments, **named)

        async def read():
            async for value in subject:
                heard.append(value)

        reader = asyncio.create_task(read())
        await until(lambda: subject.subscriber_count == 1)
        await asyncio.sleep(0)
        loop.call_soon_threadsafe = counted
        sender = threading.Thread(target=lambda: [subject.send(n) for n in range(500)])
        sender.start()
        sender.join()  # the loop stands still meanwhile
        del loop.call_soon_threadsafe
        assert len(woken) == 1
        subject.send_completed()
        await reader
        assert heard == list(range(500))

    asyncio.run(main())
