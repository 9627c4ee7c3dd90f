"""Sources outside the program: files that grow."""

import os
import threading

import pytest

import librac as rac


@pytest.fixture
def background():
    return rac.Scheduler.background("sources")


def test_a_file_that_grows(tmp_path, background):
    path = tmp_path / "log"
    path.write_text("a\nb\r\nc")
    lines = rac.tail(str(path), 0, scheduler=background)
    assert list(lines.take(2).collect().wait()) == ["a", "b"]
    heard, came = [], threading.Event()
    following = rac.tail(str(path), 5, offsets=True, scheduler=background).subscribe(
        lambda line: (heard.append(line), came.set()))
    with path.open("a") as log:
        log.write("d\n")
    assert came.wait(30)
    following.dispose()
    assert heard == [("cd", 8, os.stat(path).st_ino)]


def test_a_file_that_is_rotated(tmp_path, background):
    path = tmp_path / "log"
    path.write_text("a\n")
    heard, came = [], threading.Semaphore(0)
    following = rac.tail(str(path), 0, scheduler=background).subscribe(
        lambda line: (heard.append(line), came.release()))
    assert came.acquire(timeout=30)
    path.rename(tmp_path / "log.1")
    path.write_text("b\n")
    assert came.acquire(timeout=30)
    following.dispose()
    assert heard == ["a", "b"]


def test_no_directory(background):
    with pytest.raises(FileNotFoundError):
        list(rac.tail("/nowhere/at/all", scheduler=background).collect().wait())


def test_a_child(background, tmp_path):
    events = list(rac.spawn(
        ["sh", "-c", "echo $A; cat; echo c >&2; exit 3"], input=rac.of("b\n"), output=True,
        errors=True, environment={"A": "a", "PATH": os.environ["PATH"]}, directory=tmp_path,
        scheduler=background).collect().wait())
    assert events[0].kind == "started" and events[0].value > 0
    assert [value for kind, value in events if kind == "output"] == ["a", "b"]
    assert [value for kind, value in events if kind == "errors"] == ["c"]
    assert events[-1] == rac.types.ChildEvent("ended", 3)


def test_a_child_that_is_disposed(background):
    started, numbers = threading.Event(), []
    running = rac.spawn(["sleep", "60"], scheduler=background).subscribe(
        lambda event: (numbers.append(event.value), started.set()))
    assert started.wait(30)
    running.dispose()
    with pytest.raises(ProcessLookupError):
        for _ in range(3000):
            os.kill(numbers[0], 0)
            threading.Event().wait(0.01)


def test_no_program(background):
    with pytest.raises(FileNotFoundError):
        list(rac.spawn(["/nowhere/at/all"], scheduler=background).collect().wait())
    with pytest.raises(TypeError):
        rac.spawn("ls")
    with pytest.raises(TypeError):
        rac.spawn(["ls", 5])
