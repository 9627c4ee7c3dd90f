"""Commands: sync and async, enabled and not, errors."""

import asyncio
import time

import pytest

import librac as rac
from waiting import until


def values_of(signal):
    seen = []
    signal.subscribe(seen.append)
    return seen


def run_main():
    """All that the main scheduler has to do."""
    while rac.host.main_drain():
        pass


def test_a_command_of_a_function():
    double = rac.Command(lambda n: n * 2)
    executing = values_of(double.executing)
    result = double.execute(4)
    assert result.wait(timeout=30) == 8
    run_main()
    assert executing == [False, True, False]
    assert double(5).wait(timeout=30) == 10


def test_a_command_of_a_function_without_an_argument():
    assert rac.Command(lambda: 3).execute().wait(timeout=30) == 3
    assert rac.Command(list).execute("ab").wait(timeout=30) == ["a", "b"]


def test_a_command_of_a_signal():
    assert list(rac.Command(lambda n: rac.of(n, n + 1)).execute(1).collect().wait(timeout=30)) == [1, 2]


def test_enabled():
    valid = rac.Property(False)
    save = rac.Command(lambda: 1, enabled=valid)
    enabled = values_of(save.enabled)
    assert not save.is_enabled
    with pytest.raises(rac.errors.CommandNotEnabled):
        save.execute().wait(timeout=30)
    valid.value = True
    run_main()
    assert save.is_enabled and enabled == [False, True]
    assert save.execute().wait(timeout=30) == 1


def test_what_fails_is_told():
    def fail(n):
        raise KeyError(n)

    command = rac.Command(fail)
    errors = values_of(command.errors.map(lambda error: error.args))
    with pytest.raises(KeyError):
        command.execute(3).wait(timeout=30)
    run_main()
    assert errors == [(3,)]


def test_one_execution_at_a_time_unless_said_otherwise():
    work = rac.Subject()
    command = rac.Command(lambda: work)
    command.execute().subscribe(None, lambda error: None)
    run_main()
    assert command.is_executing
    with pytest.raises(rac.errors.CommandNotEnabled):
        command.execute().wait(timeout=30)
    command.allows_concurrent_execution = True
    run_main()
    command.execute().subscribe()
    run_main()
    assert work.subscriber_count == 2
    work.send_completed()
    run_main()
    assert not command.is_executing


def test_a_command_of_an_async_function():
    async def main():
        async def load(name):
            await asyncio.sleep(0.001)
            if name == "bad":
                raise FileNotFoundError(name)
            return name.upper()

        command = rac.Command(load)
        executing = values_of(command.executing)
        assert await command.execute("a") == "A"
        await until(lambda: len(executing) == 3)
        assert executing == [False, True, False]
        with pytest.raises(FileNotFoundError):
            await command.execute("bad")
        await until(lambda: len(executing) == 5)
        assert executing[3:] == [True, False]

    asyncio.run(main())


def test_executing_needs_no_await():
    async def main():
        done = []
        command = rac.Command(done.append)
        command("x")
        await until(lambda: done)
        assert done == ["x"]

    asyncio.run(main())


def test_wrong_arguments():
    with pytest.raises(TypeError, match="callable"):
        rac.Command(3)
    with pytest.raises(TypeError, match="more arguments than the input"):
        rac.Command(lambda a, b: a)
    with pytest.raises(TypeError):
        rac.Command(lambda: 1, enabled=3)
