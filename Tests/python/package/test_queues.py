"""asyncio as equals: queues, `async with`, context variables."""

import asyncio
import contextvars
import sys
import threading

import pytest

import librac as rac


def test_a_queue_is_a_signal_and_a_signal_goes_into_one():
    async def main():
        source, target = asyncio.Queue(), asyncio.Queue(2)
        for number in range(7):
            source.put_nowait(number)
        putting = asyncio.create_task(rac.from_(source).map(str).take(6).to_queue(
            target, rac.Bound(1, "wait")))
        await asyncio.sleep(0)
        while not target.full():
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        # Two lie there, one is being put, and one waits; the source may have taken another.
        assert source.qsize() in (2, 3)
        taken = [await target.get() for _ in range(6)]
        assert taken == list("012345") and await putting is None
        assert source.qsize() == 1 and source.get_nowait() == 6
        source.task_done()
        await source.join()

        assert await rac.empty().to_queue(target) is None
        with pytest.raises(KeyError):
            await rac.throw(KeyError("x")).to_queue(target)
        subject = rac.Subject()
        waiting = asyncio.create_task(subject.to_queue(target))
        await asyncio.sleep(0)
        subject.send(1)
        assert await target.get() == 1
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert subject.subscriber_count == 0

    asyncio.run(main())


def test_subscriptions_share_a_queue_and_its_end():
    async def main():
        queue, heard = asyncio.Queue(), [[], []]
        made = [rac.from_(queue).subscribe(
            each.append, None, lambda each=each: each.append("end")) for each in heard]
        for number in range(4):
            await queue.put(number)
        await queue.join()
        assert sorted(heard[0] + heard[1]) == [0, 1, 2, 3]
        if sys.version_info >= (3, 13):
            queue.shutdown()
            for _ in range(5):
                await asyncio.sleep(0)
            assert heard[0][-1] == heard[1][-1] == "end"
        for each in made:
            await each.__aexit__(None, None, None)
        assert all(each.is_disposed for each in made)

    asyncio.run(main())


def test_async_with_disposes():
    async def main():
        subject, heard = rac.Subject(), []
        async with subject.subscribe(heard.append) as subscription:
            subject.send(1)
            assert not subscription.is_disposed
        subject.send(2)
        assert heard == [1] and subscription.is_disposed

    asyncio.run(main())


def test_what_a_value_calls_has_the_context_of_its_sender():
    asked = contextvars.ContextVar("asked", default="nobody")

    async def main():
        heard, subject = [], rac.Subject()

        async def answer(value):
            await asyncio.sleep(0)
            return value, asked.get()

        subject.map(lambda value: (value, asked.get())).flat_map(answer).subscribe(
            lambda both: heard.append((*both, asked.get())))

        async def ask(name):
            asked.set(name)
            subject.send(name)

        await asyncio.gather(ask("Ada"), ask("Ben"))
        threading.Thread(target=contextvars.Context().run, args=(subject.send, "Eve")).start()
        while len(heard) < 3:
            await asyncio.sleep(0.001)
        assert sorted(heard) == [
            (("Ada", "Ada"), "Ada", "Ada"), (("Ben", "Ben"), "Ben", "Ben"),
            (("Eve", "nobody"), "nobody", "nobody")]

    asyncio.run(main())
