"""What happens outside the program: files that grow."""

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
    assert lines.take(2).to_list() == ["a", "b"]
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
        rac.tail("/nowhere/at/all", scheduler=background).to_list()
