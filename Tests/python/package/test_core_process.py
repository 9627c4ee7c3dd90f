"""The process: its end amid callbacks, forks, and other interpreters."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import librac as rac

HERE = pathlib.Path(__file__).parent
# All 200 take a minute; the tests of every day take a part of them.
EXITS = int(os.environ.get("RAC_EXITS", "20"))


def python(code, **options):
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def test_a_process_settles_at_its_exit():
    code = """
        import sys
        import librac as rac

        heard = []
        rac.host.set_settle_at_exit({timeout})
        hot = rac.Subject()
        hot.deliver_on(rac.Scheduler.background()).subscribe(heard.append)
        hot.send_many(range(500))
        hot.deliver_on(rac.Scheduler.main()).subscribe(
            lambda end: print(len(heard), end, flush=True)
        )
        hot.send("end")
        sys.exit(4)
    """
    for timeout in (60, None):
        done = python(code.format(timeout=timeout))
        assert (done.returncode, done.stderr) == (4, "")
        assert done.stdout.endswith(" end\n")
    code = """
        import time
        import librac as rac

        rac.host.set_settle_at_exit(0.01)
        hot = rac.Subject()
        hot.deliver_on(rac.Scheduler.background()).subscribe(lambda _: time.sleep(0.3))
        hot.send_many((1, 2))
    """
    assert python(code).stderr.startswith("librac: the process exits before")


def test_no_process_crashes_or_hangs_that_ends_amid_callbacks():
    running, failed = [], []
    for seed in range(EXITS):
        command = [sys.executable, "-X", "faulthandler", HERE / "exiting.py", str(seed)]
        running.append((seed, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
        if len(running) < 4 and seed < EXITS - 1:
            continue
        for seed, process in running:
            text = process.communicate(timeout=60)[0]
            way = text.split("\n")[0]
            if (process.returncode, text) != (3 if way == "raises" else 0, way + "\n"):
                failed.append((seed, process.returncode, text))
        running.clear()
    assert not failed


@pytest.mark.parametrize(
    "wait", ["rac.host.main_run()", "subject.wait()", "next(iter(subject))"])
def test_interrupting_what_waits(wait):
    # What a shell runs in the background ignores the signal, and so would this.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "import librac as rac\nsubject = rac.Subject()\nprint(flush=True)\n" + wait
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", code], **pipes)
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    try:
        errors = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert errors.strip().endswith("KeyboardInterrupt"), errors


def in_child(work):
    """What `work` returns in a forked child, as text."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, repr(work()).encode())
        except BaseException as error:
            os.write(write, repr(error).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    assert os.waitpid(pid, 0)[1] == 0
    return text


def works():
    background = rac.Scheduler.background()
    return list(rac.of(1, 2).map(lambda v: v + 1).deliver_on(background).collect().wait(30))


def test_a_child_works_whose_parent_had_threads():
    assert works() == [2, 3]
    subject, out = rac.Subject(), []
    subject.subscribe(out.append)

    def work():
        try:
            subject.send(1)
        except rac.errors.Stale:
            return works()

    assert in_child(work) == "[2, 3]"
    subject.send(2)
    assert out == [2]


def test_a_child_goes_on_whose_parent_had_none():
    code = """
        import os, librac as rac
        subject, out = rac.Subject(), []
        subject.map(lambda v: v + 1).subscribe(out.append)
        if os.fork() == 0:
            subject.send(1)
            print(out, rac.of(3).deliver_on(rac.Scheduler.background()).wait(30), flush=True)
            os._exit(0)
        print(os.wait()[1], out)
    """
    result = python(code)
    assert result.stdout == "[2] 3\n0 []\n", result.stderr


def test_a_child_forked_in_a_callback_says_so():
    works()  # there are threads
    texts = []

    def fork(value):
        texts.append(in_child(lambda: rac.of(1).first().wait()))

    subject = rac.Subject()
    subscription = subject.subscribe(fork)
    subject.send(1)
    assert texts[0].startswith(("Forked", "1"))
    subscription.dispose()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    works()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(square, range(6)) == [0, 1, 4, 9, 16, 25]


def square(number):
    return rac.of(number).map(lambda v: v * v).delay(0.001).first().wait(30)


def test_a_fork_while_others_send():
    subject, stop = rac.Subject(), threading.Event()
    subject.map(lambda v: v).subscribe(lambda v: None)

    def send():
        while not stop.is_set():
            subject.send([1])

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert [in_child(works) for _ in range(10)] == ["[2, 3]"] * 10
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_second_interpreter_is_refused():
    code = """
        import sys
        import librac
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        other = interpreters.create()
        try:
            failed = interpreters.run_string(other, '''
        try:
            import librac
        except ImportError as error:
            print("refused", flush=True)
        ''')
        finally:
            interpreters.destroy(other)
        print(librac.of(1).wait())
    """
    result = python(code)
    assert result.stdout == "refused\n1\n", result.stderr


def test_close():
    code = """
        import librac as rac
        subject = rac.Subject()
        subject.subscribe(print)
        rac.host.close()
        rac.host.close()
        for call in (lambda: subject.send(1), lambda: subject.subscribe(print), rac.never):
            try:
                call()
            except rac.errors.Closed as error:
                print("closed")
        del subject
    """
    result = python(code)
    assert result.stdout == "closed\n" * 3, result.stderr
