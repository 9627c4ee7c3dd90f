"""librac.scope on what the library records: blocks, tests that failed, notebooks."""

import os
import pathlib
import socket
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import librac as rac
from librac import scope

pytest_plugins = ["pytester"]


def test_a_block_is_recorded():
    keys = rac.Subject().named("keys")
    with scope.record() as recording:
        keys.take(2).subscribe()
        keys.send_many([1, 2, 3])
    assert recording.state == "stopped"
    source = next(each for each in recording.subscriptions.values() if each.name == "keys")
    below = recording.subscriptions[source.below]
    assert [source.values, source.is_over, below.is_over] == [2, True, True]
    assert below.place.startswith("test_scope.py:") and "test_a_block" in below.place
    texts = [e.text for e in recording.events if e.kind == "next" and e.subscription == source.id]
    assert texts == ["1", "2"]
    assert scope.find(recording) == []


def test_operators_have_the_names_of_python():
    with scope.record() as recording:
        keys = rac.Subject().named("keys")
        keys.debounce(0.1).do_next(print).switch_map(lambda key: rac.of(key)).subscribe()
    said = {each.word for each in recording.subscriptions.values()}
    assert said == {"switch_map", "map", "do_next", "debounce", "Subject"}
    text = recording.text()
    assert "debounce" in text and "keys (Subject)" in text and "throttle" not in text
    assert "throttle" in {each.operator for each in recording.subscriptions.values()}


def test_values_are_short_texts():
    class Own:
        def __repr__(self):
            raise AssertionError("no code of the program runs for a recording")

    sent = ["word", ("a", 1), b"bytes", "x" * 73, [1] * 1000, Own(), None, 1.5, 2**70]
    with scope.record() as recording:
        things = rac.Subject().named("things")
        things.subscribe()
        things.send_many(sent)
    texts = [event.text for event in recording.events if event.kind == "next"]
    assert texts[:3] == ["'word'", "('a', 1)", "b'bytes'"]
    assert texts[3].startswith("'xxx") and texts[3].endswith("…")
    assert texts[4:] == ["<list>", "<Own>", "nil", "1.5", "<int>"]
    whole = [send.value for send in recording.sends if send.is_whole]
    assert whole == ["word", ("a", 1), b"bytes", None, 1.5]


def test_a_cold_signal_that_works_twice_is_found_and_two_are_not():
    def ask(observer):
        observer.send(1)
        observer.send_completed()

    request, other = rac.create(ask), rac.create(ask)
    for second, kinds in (request, ["twice"]), (other, []):
        with scope.record() as recording:
            rac.zip(request.map(str), second.map(repr)).subscribe()
        assert [each.kind for each in scope.find(recording)] == kinds


def test_a_file_stays_where_a_path_is_given(tmp_path):
    path = tmp_path / "a.rac"
    with scope.record(str(path)):
        rac.of(1).subscribe()
    assert scope.read(str(path)).subscriptions


def test_one_recording_at_a_time():
    with scope.record():
        with pytest.raises(rac.Error):
            with scope.record():
                pass
    with scope.record() as recording:
        rac.of(1).subscribe()
    assert recording.subscriptions


def test_a_notebook_shows_findings_and_pictures():
    with scope.record() as recording:
        rac.of(1).map(lambda x: x).named("once").subscribe()
    html = recording._repr_html_()
    assert html.count("<svg") == 2 and "once" in html


TEST = """
import librac as rac

def test_fails():
    numbers = rac.Subject().named("numbers")
    heard = []
    numbers.take(5).subscribe(heard.append)
    numbers.send_many([1, 2])
    assert heard == [1]

def test_passes():
    rac.of(1).subscribe()

def test_without_librac_fails():
    assert False
"""


@pytest.mark.parametrize("options", [[], ["--rac-record"]])
def test_marbles_stand_below_a_test_that_failed(pytester, options):
    pytester.makepyfile(TEST)
    # pytest finds the plugin of a package that is installed.
    plugin = [] if entry_points(group="pytest11", name="librac") else ["librac.pytest_plugin"]
    done = pytester.runpytest_subprocess(*options, *(f"-p{name}" for name in plugin))
    done.assert_outcomes(passed=1, failed=2)
    said = done.stdout.str()
    assert said.count("- librac -") == len(options)
    assert ("numbers" in said.partition("- librac -")[2]) == bool(options)


def test_the_command_runs_a_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import librac as rac\nrac.of(1, 2).named('pair').subscribe(print)\nraise SystemExit(3)\n"
    )
    command = [sys.executable, "-m", "librac.scope", "--text", sys.executable, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert done.stdout.startswith("1\n2\nprogram.py, process ")
    assert "Nothing found." in done.stdout and "pair" in done.stdout


EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples-python"


def recorded(tmp_path, *command):
    path = tmp_path / "program.rac"
    environment = dict(os.environ, RAC_RECORD=str(path))
    subprocess.run(
        [sys.executable, *command], env=environment, check=True, timeout=120, capture_output=True
    )
    return scope.find(scope.read(str(path)))


@pytest.mark.parametrize(
    "fault, kind, words",
    [
        ("label", "twice", "price: it is cold and was subscribed to 2 times"),
        ("backlog", "backlog", "to worker: up to "),
        ("drops", "dropped", "orders → to clerk: "),
        ("error", "unhandled", "it failed and nobody heard"),
    ],
)
def test_each_fault_of_the_example_is_found(tmp_path, fault, kind, words):
    found = recorded(tmp_path, str(EXAMPLES / "faults.py"), fault)
    told = next(each for each in found if each.kind == kind)
    assert words in told.sentence.replace("deliver_on #2", "to clerk"), told
    assert told.place.startswith("faults.py:") and told.place.endswith(fault)


# A busy machine takes long for all of them, which is no fault of theirs.
TIMES = {"long call", "late", "backlog"}


@pytest.mark.parametrize("name", ["form", "task_service", "sensor"])
def test_no_finder_speaks_on_an_example(tmp_path, name):
    found = recorded(tmp_path, str(EXAMPLES / f"{name}.py"))
    assert [each.sentence for each in found if each.kind not in TIMES] == []


def test_no_finder_speaks_on_a_server(tmp_path):
    path = tmp_path / "server.rac"
    server = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "broadcast.py"), "127.0.0.1:0"],
        env=dict(os.environ, RAC_RECORD=str(path)), stdout=subprocess.PIPE, text=True,
    )
    host, port = server.stdout.readline().strip().split(":")
    clients = [socket.create_connection((host, int(port)), 60) for _ in range(3)]
    heard = [client.makefile("r") for client in clients]
    for number, client in enumerate(clients):
        # The others may not have been let in yet.
        for _ in range(2):
            client.sendall(f"line {number}\n".encode())
            assert heard[number].readline()
    for client, file in zip(clients, heard):
        file.close()
        client.close()
    server.terminate()
    server.communicate(timeout=60)
    found = scope.find(scope.read(str(path)))
    assert [each.sentence for each in found if each.kind not in TIMES] == []
