"""Producers that wait for room below: room(), send_async(), and async iterators."""

import asyncio
import threading

import pytest

import librac as rac
from waiting import until

PLACES = 8
MANY = 1000


def place(policy="wait"):
    """A bound, and a scheduler whose clock the test moves: nothing behind it runs before."""
    bound = rac.Bound(PLACES, policy)
    if policy == "wait":
        bound.set_timeout(5)  # of a send that does wait, and blocks the loop
    return bound, rac.Scheduler.virtual()


async def taken(slow, is_done):
    """Lets the slow one take some values from time to time, until it is done."""

    def step():
        slow.step_n(3)
        return is_done()

    await until(step)
    assert is_done()


def producer(count, sent):
    """A create() of a task that sends as many numbers, with room for each."""

    def subscribe(observer):
        async def produce():
            for n in range(count):
                await observer.room()
                sent.append(n)
                observer.send(n)
            await observer.room()
            observer.send_completed()

        task = asyncio.get_running_loop().create_task(produce())
        return task.cancel

    return rac.create(subscribe)


@pytest.mark.parametrize("policy", ["wait", "refuse"])
def test_a_producer_is_as_fast_as_its_consumer(run, policy):
    async def main():
        bound, slow = place(policy)
        sent, heard, ends, waiting = [], [], [], []
        producer(MANY, sent).deliver_on(slow, bound).subscribe(
            lambda n: (heard.append(n), waiting.append(len(sent) - n)),
            on_completed=lambda: ends.append(1),
        )
        await until(lambda: len(sent) == PLACES)
        await asyncio.sleep(0.02)
        assert len(sent) == PLACES and heard == []
        await taken(slow, lambda: ends)
        assert heard == list(range(MANY))
        assert bound.highest == PLACES and max(waiting) <= PLACES + 1

    run(main())


def test_signals_wait_for_a_place_in_concat_map(run):
    async def main():
        bound = rac.Bound(PLACES, "wait")
        sent, heard, ends = [], [], []
        gates = [rac.Subject() for _ in range(40)]
        producer(40, sent).flat_map(lambda n: gates[n], 1, bound).subscribe(
            heard.append, on_completed=lambda: ends.append(1)
        )
        for n, gate in enumerate(gates):
            await asyncio.sleep(0)
            assert len(sent) <= n + PLACES + 1  # one runs
            gate.send(n)
            gate.send_completed()
            await until(lambda n=n: len(sent) > n + 1 or n == 39)
        await until(lambda: ends)
        assert heard == list(range(40)) and bound.highest == PLACES

    run(main())


def test_without_a_place_there_is_always_room(run):
    async def main():
        sent, heard = [], []
        producer(100, sent).subscribe(heard.append)
        await asyncio.sleep(0)
        assert heard == list(range(100))  # without going through the loop

    run(main())


def fill(bound, slow):
    """The observer of a create() with no room left, its subscription, and what it heard."""
    observers, heard = [], []
    subscription = (
        rac.create(observers.append).deliver_on(slow, bound)
        .subscribe(heard.append, lambda error: None)
    )
    observer = observers.pop()
    for n in range(PLACES):
        observer.send(n)
    return observer, subscription, heard


def test_a_disposal_ends_the_wait(run):
    async def main():
        bound, slow = place()
        observer, subscription, heard = fill(bound, slow)
        task = asyncio.ensure_future(observer.room())
        await asyncio.sleep(0.01)
        assert not task.done()
        subscription.dispose()
        await asyncio.wait_for(task, 10)
        assert not observer.is_active
        await asyncio.wait_for(observer.room(), 10)  # sending goes nowhere
        observer.send(1)
        assert heard == []

    run(main())


def test_a_wait_that_is_cancelled_leaves_nothing(run):
    async def main():
        bound, slow = place()
        observer, subscription, _ = fill(bound, slow)

        async def wait_in_vain():
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(observer.room(), 0.001)

        await wait_in_vain()
        before = rac.host.live_objects()
        for _ in range(30):
            await wait_in_vain()
        # The observer's list has a place for a few that are over, of two objects each.
        assert rac.host.live_objects() <= before + 16
        subscription.dispose()

    run(main())


def test_a_disposal_on_another_thread_ends_the_wait(run):
    async def main():
        bound, slow = place()
        observer, subscription, _ = fill(bound, slow)
        task = asyncio.ensure_future(observer.room())
        await asyncio.sleep(0.01)
        await asyncio.to_thread(subscription.dispose)
        await asyncio.wait_for(task, 10)

    run(main())


@pytest.mark.parametrize(
    "end",
    [
        lambda sender: sender.send_completed(),
        lambda sender: sender.send_error(ValueError("no more")),
    ],
)
def test_the_end_ends_the_wait(run, end):
    async def main():
        bound, slow = place()
        observer, subscription, heard = fill(bound, slow)
        shared = rac.Bound(PLACES, "wait")
        subject, ends = rac.Subject(shared), []
        subject.deliver_on(slow, shared).subscribe(
            heard.append, lambda _: ends.append(1), lambda: ends.append(1)
        )
        for n in range(PLACES):
            subject.send(n)
        for sender in observer, subject:
            task = asyncio.ensure_future(sender.room())
            await asyncio.sleep(0.01)
            assert not task.done()
            end(sender)
            await asyncio.wait_for(task, 10)
        await taken(slow, lambda: ends)
        subscription.dispose()

    run(main())


def test_two_tasks_share_the_room(run):
    async def main():
        bound, slow = place("refuse")
        subject, heard = rac.Subject(bound), []
        subject.deliver_on(slow, bound).subscribe(heard.append)

        async def produce(first):
            for n in range(first, MANY, 2):
                await subject.room()
                subject.send(n)  # would raise WouldBlock

        tasks = asyncio.gather(produce(0), produce(1))
        await taken(slow, lambda: len(heard) == MANY)
        await tasks
        assert sorted(heard) == list(range(MANY))
        assert bound.highest == PLACES
        assert [n for n in heard if n % 2 == 0] == list(range(0, MANY, 2))

    run(main())


@pytest.mark.parametrize("policy", ["wait", "refuse"])
def test_send_async(run, policy):
    async def main():
        bound, slow = place(policy)
        subject, heard, sent = rac.Subject(bound), [], []
        subject.deliver_on(slow, bound).subscribe(heard.append)

        async def produce():
            for n in range(MANY):
                await subject.send_async(n)
                sent.append(n)

        task = asyncio.ensure_future(produce())
        await until(lambda: len(sent) == PLACES)
        await asyncio.sleep(0.02)
        assert len(sent) == PLACES
        await taken(slow, lambda: len(heard) == MANY)
        await task
        assert heard == sent == list(range(MANY))
        assert bound.highest == PLACES

    run(main())


class Contested(rac.Subject):
    """Another thread sends between room() and the send, as often as there are rivals."""

    rivals = 3

    async def room(self):
        await super().room()
        if self.rivals > 0:
            self.rivals -= 1
            rival = threading.Thread(target=self.send, args=("theirs",))
            rival.start()
            rival.join()


def test_another_thread_takes_the_place(run):
    async def main():
        bound, slow = rac.Bound(1, "refuse"), rac.Scheduler.virtual()
        subject, heard = Contested(bound), []
        subject.deliver_on(slow, bound).subscribe(heard.append)
        task = asyncio.ensure_future(subject.send_async("ours"))
        await taken(slow, lambda: "ours" in heard)
        await task
        assert heard == ["theirs", "theirs", "theirs", "ours"]

    run(main())


def test_the_exception_of_a_handler_comes_out_of_send_async_once(run):
    async def main():
        subject, heard = rac.Subject(), []

        def hear(value):
            heard.append(value)
            raise rac.errors.WouldBlock("of the handler")

        subject.subscribe(hear)
        with pytest.raises(rac.errors.WouldBlock, match="of the handler"):
            await asyncio.wait_for(subject.send_async(1), 10)
        assert heard == [1]
        subject.send_completed()

    run(main())


def test_a_task_that_waits_can_be_cancelled(run):
    async def main():
        bound, slow = place("refuse")
        subject, heard = rac.Subject(bound), []
        subject.deliver_on(slow, bound).subscribe(heard.append)
        subject.send_many(range(PLACES))
        first = asyncio.ensure_future(subject.send_async("first"))
        second = asyncio.ensure_future(subject.send_async("second"))
        await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await subject.room()
        await taken(slow, lambda: "second" in heard)
        await second
        assert heard == [*range(PLACES), "second"]

    run(main())


def test_a_loop_that_ends_while_a_task_waits(run):
    bound, slow = place()
    subject, heard = rac.Subject(bound), []
    subject.deliver_on(slow, bound).subscribe(heard.append)
    subject.send_many(range(PLACES))

    async def main():
        asyncio.ensure_future(subject.send_async(1))
        await asyncio.sleep(0.01)

    run(main())
    slow.step_all()  # wakes nobody
    assert heard == list(range(PLACES))


@pytest.mark.parametrize("is_loop", [True, False])
def test_a_full_place_holds_an_async_iterator(run, is_loop):
    bound, slow = place()
    asked, heard, ends, closed = [], [], [], []

    async def numbers():
        try:
            for n in range(MANY):
                asked.append(n)
                yield n
        finally:
            closed.append(1)

    def begin():
        rac.from_(numbers()).deliver_on(slow, bound).subscribe(
            heard.append, on_completed=lambda: ends.append(1)
        )

    async def main():
        if is_loop:
            begin()
        await until(lambda: len(asked) > PLACES)
        await asyncio.sleep(0.02)
        assert len(asked) == PLACES + 1 and heard == []
        await taken(slow, lambda: ends)
        assert heard == list(range(MANY)) and closed == [1]
        assert bound.highest == PLACES

    if not is_loop:
        begin()  # in the library's own loop
    run(main())


def test_an_async_iterator_that_is_held_is_closed_on_disposal(run):
    async def main():
        bound, slow = place()
        asked, closed = [], []

        async def numbers():
            try:
                for n in range(MANY):
                    asked.append(n)
                    yield n
            finally:
                closed.append(1)

        subscription = rac.from_(numbers()).deliver_on(slow, bound).subscribe()
        await until(lambda: len(asked) > PLACES)
        await asyncio.sleep(0.01)
        subscription.dispose()
        await until(lambda: closed)
        assert len(asked) == PLACES + 1

    run(main())


def test_an_async_iterator_below_a_take_ends(run):
    async def main():
        bound = rac.Bound(PLACES, "wait")

        async def numbers():
            n = 0
            while True:
                yield n
                n += 1

        signal = rac.from_(numbers()).deliver_on(rac.Scheduler.background(), bound)
        assert await signal.take(100).collect() == tuple(range(100))

    run(main())


@pytest.fixture
def worker():
    return rac.Scheduler.background()


def test_an_iterable_is_pulled_as_there_is_room(worker):
    bound, slow = place()
    pulled, heard, ends = [], [], []

    def numbers():
        for n in range(MANY):
            pulled.append(n)
            yield n

    rac.from_(numbers(), worker).deliver_on(slow, bound).subscribe(
        heard.append, on_completed=lambda: ends.append(1)
    )

    async def main():
        await until(lambda: len(pulled) == PLACES)
        await asyncio.sleep(0.02)
        assert len(pulled) == PLACES and heard == []
        await taken(slow, lambda: ends)

    asyncio.run(main())
    assert heard == list(range(MANY)) and bound.highest == PLACES


def test_each_subscriber_pulls_an_iterable_from_its_beginning(worker):
    signal = rac.from_([1, 2, 3], scheduler=worker)
    assert [signal.collect().wait() for _ in range(2)] == [(1, 2, 3)] * 2


def test_what_is_pulled_is_not_kept(worker):
    before, most = rac.host.live_objects(), []
    signal = rac.from_(range(10 * MANY), worker)
    signal.subscribe(lambda _: most.append(rac.host.live_objects()))
    signal.wait()
    assert max(most) < before + MANY


def test_the_error_of_an_iterable_that_is_pulled(worker):
    def numbers():
        yield 1
        raise KeyError("no more")

    heard = []
    with pytest.raises(KeyError, match="no more"):
        rac.from_(numbers(), worker).do_next(heard.append).wait()
    assert heard == [1]


def test_an_iterator_that_is_held_is_let_go_on_disposal(run, worker):
    async def main():
        bound, slow = place()
        pulled, closed = [], []

        def numbers():
            try:
                for n in range(MANY):
                    pulled.append(n)
                    yield n
            finally:
                closed.append(1)

        subscription = rac.from_(numbers(), worker).deliver_on(slow, bound).subscribe()
        await until(lambda: len(pulled) == PLACES)
        subscription.dispose()
        del subscription
        slow.step_all()
        await until(lambda: closed)

    run(main())


@pytest.mark.parametrize("source", ["text", {1: 2}, 1, rac.of(1)])
def test_what_cannot_be_pulled(source, worker):
    with pytest.raises(TypeError, match="must be an iterable"):
        rac.from_(source, worker)


def test_room_is_waited_for_in_a_loop():
    bound = rac.Bound(1, "refuse")
    subject, slow = rac.Subject(bound), rac.Scheduler.virtual()
    subject.deliver_on(slow, bound).subscribe()
    with pytest.raises(StopIteration):
        subject.room().send(None)  # there is room
    subject.send(1)
    with pytest.raises(RuntimeError, match="no running event loop"):
        subject.room().send(None)
    with pytest.raises(TypeError, match="action must be callable"):
        subject._hold(1)
