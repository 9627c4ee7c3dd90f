"""Coroutines, futures and async iterables as signals."""

import asyncio
import concurrent.futures
import gc
import threading

import pytest

import librac as rac
from waiting import until


def test_a_coroutine_runs_once_for_all(run):
    async def main():
        calls = []

        async def fetch():
            calls.append(1)
            await asyncio.sleep(0.001)
            return "text"

        s = rac.from_(fetch())
        assert calls == []
        assert await asyncio.gather(*(one(s) for _ in range(3))) == ["text"] * 3
        assert calls == [1]
        assert await s == "text"

    async def one(s):
        return await s

    run(main())


def test_a_coroutine_that_nobody_waits_for_is_cancelled(run):
    async def main():
        ended = asyncio.Event()

        async def work():
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()

        subscription = rac.from_(work()).subscribe()
        await asyncio.sleep(0)
        subscription.dispose()
        await asyncio.wait_for(ended.wait(), 30)

    run(main())


def test_what_a_coroutine_raises_arrives(run):
    async def main():
        async def work():
            raise KeyError("x")

        with pytest.raises(KeyError):
            await rac.from_(work())

    run(main())


def test_futures(run):
    async def main():
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.001, future.set_result, 3)
        assert await rac.from_(future) == 3
        assert await rac.from_(future) == 3
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            assert await rac.from_(pool.submit(lambda: 4)) == 4

    run(main())


def test_async_iterables(run):
    async def main():
        closed = []

        async def count():
            try:
                for n in range(100):
                    yield n
                    await asyncio.sleep(0)
            finally:
                closed.append(True)

        assert await rac.from_(count()).take(3).collect() == (0, 1, 2)
        await until(lambda: closed)
        assert closed == [True]

    run(main())


def test_flat_map_takes_async_functions(run):
    async def main():
        async def double(n):
            await asyncio.sleep(0.001)
            return n * 2

        assert await rac.of(1, 2, 3).flat_map(double).collect() == (2, 4, 6)
        s, seen = rac.Subject(), []
        s.switch_map(double).subscribe(seen.append)
        s.send_many([1, 2, 3])
        await until(lambda: seen)
        assert seen == [6]

    run(main())


def test_coroutines_without_a_loop_run_in_one_of_the_librarys():
    async def work():
        await asyncio.sleep(0.001)
        return threading.current_thread().name

    assert rac.from_(work()).wait(timeout=30) == "librac-asyncio"


def test_async_functions_whose_turn_does_not_come(run, recwarn):
    begun = []

    async def work(n):
        begun.append(n)
        await asyncio.sleep(0)
        raise OSError(n)

    async def main():
        with pytest.raises(OSError):
            await rac.range(5).flat_map(work, max_concurrent=1).collect()

    run(main())
    gc.collect()
    assert begun == [0] and not list(recwarn)


def test_a_coroutine_that_is_forgotten_is_warned_of():
    async def work():
        pass

    with pytest.warns(RuntimeWarning, match="never awaited"):
        rac.from_(work())
        gc.collect()
