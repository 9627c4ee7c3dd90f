"""Groups of exceptions: those of asyncio's task groups, and what comes out of one send."""

import asyncio

import pytest

import librac as rac


async def read(signal):
    async for _ in signal:
        pass


async def wait(signal):
    await signal


async def fail(error):
    raise error


def kinds(group):
    assert type(group) is ExceptionGroup
    return {type(error) for error in group.exceptions}


@pytest.mark.parametrize("hear", [wait, read])
def test_a_task_group_has_the_errors_of_its_signals(run, hear):
    """All that fail at once, and tasks that go on are cancelled: they leave their signals."""

    async def main():
        one, two, other, queue = rac.Subject(), rac.Subject(), rac.Subject(), asyncio.Queue()
        with pytest.raises(ExceptionGroup) as raised:
            async with asyncio.TaskGroup() as group:
                for signal in (one, two, other):
                    group.create_task(hear(signal))
                group.create_task(two.to_queue(queue))
                while not (one.subscriber_count and two.subscriber_count == 2):
                    await asyncio.sleep(0)
                two.send_error(ValueError("two"))
                one.send_error(KeyError("one"))
        assert kinds(raised.value) == {KeyError, ValueError}
        assert other.subscriber_count == 0

    run(main())


def test_what_a_handler_raises_is_one_of_a_task_group(run):
    async def main():
        subject, other = rac.Subject(), rac.Subject()

        async def send(value):
            subject.send(value)

        with subject.subscribe(lambda value: 1 / value), pytest.raises(ExceptionGroup) as raised:
            async with asyncio.TaskGroup() as group:
                group.create_task(read(other))
                group.create_task(send(0))
        assert kinds(raised.value) == {ZeroDivisionError}
        assert other.subscriber_count == 0

    run(main())


def test_a_group_is_an_error_like_any_other(run):
    """It arrives whole, and `except*` takes it apart."""

    async def several(value):
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(KeyError(value)))
            group.create_task(fail(ValueError(value)))

    async def main():
        heard, taken = [], []
        await rac.of(1).flat_map(several).catch(
            lambda error: heard.append(kinds(error)) or rac.of(None))
        assert heard == [{KeyError, ValueError}]
        try:
            await rac.of(2).flat_map(several)
        except* KeyError as found:
            taken += found.exceptions
        except* ValueError as found:
            taken += found.exceptions
        assert [(type(error), error.args) for error in taken] == [(KeyError, (2,)), (ValueError, (2,))]

    run(main())


def test_a_bystander_that_raises_makes_no_group(monkeypatch):
    """Of one send the first exception comes out as itself, whoever else raises."""
    told, mine = [], []
    monkeypatch.setattr(rac, "on_unhandled", lambda error, chain, value: told.append(
        (type(error), chain, value)))
    subject = rac.Subject()
    with subject.subscribe(lambda value: {}[value]):
        for bystanders in range(3):
            more = [subject.named("log").subscribe(lambda value: 1 / 0) for _ in range(bystanders)]
            try:
                subject.send("a")
            except KeyError as error:
                mine.append(error.args)
            assert told == [(ZeroDivisionError, "log", "a")] * bystanders
            told.clear()
            for each in more:
                each.dispose()
    assert mine == [("a",)] * 3
