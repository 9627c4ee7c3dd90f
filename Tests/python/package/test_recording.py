"""Recordings of programs in Python: where they subscribe, notes, and what is refused."""

import pathlib
import subprocess
import sys
import textwrap

import pytest

import librac as rac
from librac.scope.reader import Reader


@pytest.fixture
def recording(tmp_path):
    """The path of a recording that goes on while the test runs."""
    path = tmp_path / "recording"
    rac.host.record_start(str(path))
    yield str(path)
    rac.host.record_stop()


def read(path):
    reader = Reader(path)
    try:
        reader.refresh()
        return reader.recording
    finally:
        reader.close()


def subscribe_to(signal):
    return signal.subscribe(lambda value: None)


def line_of(function):
    return function.__code__.co_firstlineno + 1


def places(made):
    return {each.name: made.place_of(each) for each in made.subscriptions.values()}


def test_a_place_is_the_line_of_the_program(recording):
    hot = rac.Subject()
    hot.named("orders")
    with subscribe_to(hot):
        hot.send(1)
    rac.host.record_stop()
    found = places(read(recording))["orders"]
    assert "test_recording.py:{} subscribe_to".format(line_of(subscribe_to)) in found


def test_a_note_stands_in_it(recording):
    rac.host.record_note("second round")
    rac.host.record_stop()
    assert [note.text for note in read(recording).notes] == ["second round"]


def test_a_counter_stands_in_it(recording):
    lag = rac.host.Counter("redis orders: lag")
    lag.add(12)
    lag.add(-2)
    rac.host.record_stop()
    (found,) = read(recording).counters.values()
    assert (found.name, found.value) == ("redis orders: lag", 10)
    lag.set(-5)
    assert lag.value == -5
    assert ("counter", "redis orders: lag", 1, 0) in rac.host.report_live()
    with pytest.raises(ValueError):
        rac.host.Counter("")


def test_one_goes_on_already(recording):
    with pytest.raises(rac.Error):
        rac.host.record_start(recording)
    rac.host.record_stop()
    rac.host.record_stop()  # does nothing


def test_a_file_that_is_none_is_left_alone(tmp_path):
    letter = tmp_path / "letter"
    letter.write_text("no recording")
    with pytest.raises(ValueError):
        rac.host.record_start(str(letter))
    assert letter.read_text() == "no recording"


def test_the_environment_starts_one(tmp_path):
    code = """
        import librac as rac

        def main():
            hot = rac.Subject()
            hot.named("prices")
            hot.map(lambda price: price + 1).subscribe(print)
            hot.send(41)

        main()
    """
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(code))
    path = tmp_path / "recording"
    done = subprocess.run(
        [sys.executable, str(program)], env={"RAC_RECORD": str(path)}, capture_output=True,
        text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("42\n", "")
    made = read(str(path))
    assert made.is_final
    assert "program.py:7 main" in places(made)["prices"]


def test_threads_and_failures_do_no_harm(recording):
    """The locator is asked on threads without a frame of Python, and with an exception set."""
    hot = rac.Subject()
    inner = rac.Subject()
    heard = []
    chain = hot.deliver_on(rac.Scheduler.background()).flat_map(lambda _: inner)
    subscription = chain.subscribe(heard.append)
    hot.send(1)
    rac.host.settle(5)
    inner.send(2)
    with pytest.raises(ZeroDivisionError):
        rac.Subject().map(lambda _: 1 / 0).start_with(0).subscribe(lambda _: 1 / 0)
    subscription.dispose()
    rac.host.record_stop()
    assert heard == [2]
    assert read(recording).subscriptions
    assert pathlib.Path(recording).exists()
