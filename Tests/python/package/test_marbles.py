"""librac.marbles, the plugin of pytest, and diagrams of what was recorded."""

import subprocess
import sys
import xml.dom.minidom

import pytest

import librac as rac
from librac import marbles as marbles_module

pytest_plugins = ["pytester"]


def test_the_example_of_the_manual(marbles):
    marbles.expect(marbles.hot("ab---c--|").debounce(2), "---b---c|")


def test_groups_values_errors_and_zero(marbles):
    marbles.expect(marbles.hot("(ab)-c|"), "(ab)-c|")
    marbles.expect(marbles.hot("-x-y|", {"x": [1], "y": 2.5}), "-x-2|", {"x": [1], "2": 2.5})
    marbles.expect(marbles.hot("ab^cd|"), "-cd|")
    marbles.expect(marbles.hot("-#3"), "-#3")
    marbles.expect(marbles.hot("-#", error=KeyError(1)), "-#", error=KeyError)
    marbles.expect(marbles.hot("a b | "), "ab|")


def test_hot_is_shared_and_cold_is_not(marbles):
    hot, cold = marbles.hot("1-2-3|"), marbles.cold("1-2-3|")
    marbles.expect(hot.delay_subscription(1.5), "--2-3|")
    marbles.expect(cold.delay_subscription(2), "--1-2-3|")
    marbles.expect(hot.merge(hot), "(11)", subscription="^!")


def test_turns(marbles):
    turns = marbles.turns(marbles.cold("-1#"), marbles.cold("-2--|"))
    marbles.expect(turns.retry(), "-1-2--|")
    marbles.expect(turns, "-2--|")
    with pytest.raises(TypeError):
        marbles.turns()


def test_subscriptions(marbles):
    marbles.expect(marbles.hot("-1-2-3-4|"), "---2-3", subscription="--^---!")
    marbles.expect(marbles.cold("-1-2-3|"), "---1-2", subscription="--^----!")


def test_hot_plays_again_for_each_expectation(marbles):
    source = marbles.hot("1-2|")
    for _ in range(3):
        marbles.expect(source, "1-2|")


@pytest.mark.parametrize(
    "heard, expected, difference",
    [
        ("-1-2|", "-1-3|", "3 at 3 expected, 2 at 3 came"),
        ("-1-2|", "-1--2|", "2 at 4 expected, 2 at 3 came"),
        ("-1-2|", "-1-2-", "nothing more expected, | at 4 came"),
        ("-1", "-1|", "| at 2 expected, nothing more came"),
        ("-1#", "-1|", "| at 2 expected, MarbleError('#') at 2 came"),
        ("-1#2", "-1#3", "#3 at 2 expected, MarbleError('#2') at 2 came"),
    ],
)
def test_a_difference_is_told(marbles, heard, expected, difference):
    with pytest.raises(AssertionError) as caught:
        marbles.expect(marbles.hot(heard), expected)
    text = str(caught.value)
    assert f"first difference: {difference}" in text
    assert f"expected  {expected}\n" in text and f"heard     {heard}" in text


@pytest.mark.parametrize(
    "diagram, message",
    [
        ("-(1-2)", "time inside a group"),
        ("((1))", "a group in a group"),
        ("-1)", "no group is open"),
        ("-(12", "a group without its"),
        ("-1|2", "an event after the end"),
        ("^-^", "a second"),
        ("-%-", "this stands for nothing here"),
        ("-!", "this stands for nothing here"),
    ],
)
def test_a_diagram_that_is_wrong_shows_where(marbles, diagram, message):
    with pytest.raises(ValueError, match=message) as caught:
        marbles.hot(diagram)
    assert str(caught.value).endswith("^")


def test_units(marbles):
    tenths = marbles_module.Marbles(unit=0.1)
    tenths.expect(tenths.hot("ab---c--|").debounce(0.2), "---b---c|")
    assert tenths.diagram(rac.interval(0.2).take(2)) == "--0-(1|)"


def test_the_plugin_is_found(pytester):
    pytester.makepyfile(
        """
        def test_right(marbles):
            marbles.expect(marbles.hot("ab---c--|").debounce(2), "---b---c|")

        def test_wrong(marbles):
            marbles.expect(marbles.hot("ab-|"), "aa-|")
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*first difference: 'a' at 1 expected, 'b' at 1 came*"])


# ---- What was recorded -----------------------------------------------------------------


def test_a_diagram_of_virtual_time():
    clock = rac.Scheduler.virtual()
    s = rac.interval(1, scheduler=clock).take(3).named("ticks")
    diagram = s.marble(6, scheduler=clock, width=12)
    assert str(diagram) == "--0-1-2|\n0        6 s"
    assert "ticks" in repr(diagram)
    assert [event.kind for event in diagram.events] == ["next"] * 3 + ["completed"]


def test_a_diagram_of_real_time():
    diagram = rac.interval(0.01).take(2).marble(30)
    assert diagram.is_over and len(diagram.events) == 3
    assert len(rac.never().marble(0.02).events) == 0


def test_a_drawing():
    class Rude:
        def __repr__(self):
            raise KeyError

    s = rac.of(1, "<&>\0\ud800", Rude(), "a long text indeed").concat(rac.throw(KeyError("<x>")))
    diagram = s.named("<name> & more").marble(0.1)
    xml.dom.minidom.parseString(diagram._repr_svg_())
    assert diagram._repr_html_() == diagram._repr_svg_()
    assert str(diagram).startswith("1<&>") and "#" in str(diagram)
    assert "&lt;name&gt;" in s.named("<name>")._repr_html_()


def test_repr_says_what_it_is_made_of():
    rac.host.set_names_enabled(True)
    try:
        s = rac.Subject().named("keys").map(len).take(3)
        text = repr(s)
        assert "librac.Signal" in text and "take" in text and "keys" in text
        assert "keys" in s._repr_html_() and "take" in s._repr_html_()
    finally:
        rac.host.set_names_enabled(False)


def test_wrong_arguments_of_marble():
    for wrong in [0, -1, float("nan"), float("inf")]:
        with pytest.raises(ValueError, match="seconds"):
            rac.never().marble(wrong)


LEAVES = """
import pytest
import librac as rac

subject = rac.Subject()

@pytest.fixture
def keeps():
    return subject.subscribe(lambda value: None)

def test_leaves():
    subject.subscribe(print)  # the line

def test_has_nothing_of_the_one_before():
    assert subject.subscriber_count == 0

def test_a_fixture_may_keep(keeps):
    rac.of(1).subscribe()
    with subject.subscribe():
        pass
    assert subject.subscriber_count == 1

def test_what_has_gone_is_not_left():
    rac.Subject().subscribe(print)
    cycle = [rac.Subject()]
    cycle[0].subscribe(lambda value: cycle)

def test_says_where():
    with pytest.raises(ZeroDivisionError) as raised:
        rac.of(1).subscribe(lambda value: 1 / 0)  # the other line
    print(*raised.value.__notes__)
"""


@pytest.mark.parametrize("how, failed, told", [
    ("warn", 0, True), ("fail", 1, True), ("dispose", 0, False), ("keep", 2, False)])
def test_what_a_test_leaves_subscribed(tmp_path, how, failed, told):
    path = tmp_path / "test_leaves.py"
    path.write_text(LEAVES)
    command = [sys.executable, "-m", "pytest", "-qs", "-p", "no:cacheprovider"]
    chosen = [] if how == "warn" else [f"--rac-left={how}"]  # the default
    said = subprocess.run(
        [*command, *chosen, path], capture_output=True, text=True, cwd=tmp_path).stdout
    lines = LEAVES.splitlines()
    line = lines.index("    subject.subscribe(print)  # the line") + 1
    assert ("left subscribed" in said) == told, said
    assert (f"{path}:{line}" in said) == told, said
    gone = lines.index("    rac.Subject().subscribe(print)") + 1
    assert f"{path}:{gone}" not in said and f"{5 - failed} passed" in said
    other = next(n for n, text in enumerate(lines, 1) if text.endswith("# the other line"))
    assert f"librac: subscribed at {path}:{other} test_says_where" in said


SWITCHES = """
import time

import pytest

heard = []

def test_switches(tmp_path):
    import librac as rac

    rac.host.set_log(heard.append)
    rac.host.set_trace(lambda *event: heard.append(event))
    rac.host.set_names_enabled(True)
    rac.host.set_settle_at_exit(timeout=0.01)
    rac.host.record_start(str(tmp_path / "recording"))
    rac.on_unhandled = heard.append
    signal = rac.Subject().take(3)
    rac.of(signal).log().subscribe()
    assert "Subject" in repr(signal) and {str, tuple} == set(map(type, heard))

def test_finds_them_off(tmp_path):
    import librac as rac

    heard.clear()
    rac.of(1).log().subscribe()
    assert heard == [] and rac.on_unhandled is rac.log_unhandled
    assert "Subject" not in repr(rac.Subject().take(3))
    rac.host.record_start(str(tmp_path / "recording"))
    rac.host.record_stop()
    rac.host.set_origins(False)

@pytest.fixture(scope="module")
def names():
    import librac as rac

    rac.host.set_names_enabled(True)
    yield rac

def test_origins_are_on(names):
    assert f"{__file__}:" in repr(names.Subject().subscribe())
    names.host.set_names_enabled(False)

def test_a_fixture_may_switch(names):
    assert "Subject" in repr(names.Subject().take(3))
    slow = names.Subject()
    slow.deliver_on(names.Scheduler.background()).subscribe(lambda _: time.sleep(0.1))
    slow.send_many((1, 2))
"""


def test_what_a_test_switches_is_as_before_for_the_next(tmp_path):
    path = tmp_path / "test_switches.py"
    path.write_text(SWITCHES)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rac-left=keep"]
    done = subprocess.run([*command, path], capture_output=True, text=True, cwd=tmp_path)
    assert "4 passed" in done.stdout, done.stdout
    assert "the process exits before" not in done.stderr
