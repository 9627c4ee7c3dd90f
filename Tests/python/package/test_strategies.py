"""librac.strategies: hypothesis' streams, and laws of operators that hold for all of them."""

import pytest

pytest.importorskip("hypothesis")

from hypothesis import find, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from librac import strategies  # noqa: E402


def played(stream, build):
    clock, signal = stream.play()
    heard = []
    build(signal, clock).subscribe(
        lambda value: heard.append((round(clock.now()), value)),
        lambda error: heard.append((round(clock.now()), "#")),
        lambda: heard.append((round(clock.now()), "|")))
    clock.step_all()
    return heard


few = settings(max_examples=40, deadline=None, database=None)


@few
@given(strategies.streams())
def test_a_stream_is_played_as_it_says(stream):
    expected = list(stream.events) + ([stream.end] if stream.end else [])
    assert played(stream, lambda signal, clock: signal) == expected


@few
@given(strategies.streams(), st.integers(1, 5))
def test_delay_moves_values_and_the_completion(stream, seconds):
    heard = played(stream, lambda signal, clock: signal.delay(seconds, scheduler=clock))
    if stream.end and stream.end[1] == "#":
        return  # an error comes at once
    expected = list(stream.events) + ([stream.end] if stream.end else [])
    assert heard == [(time + seconds, value) for time, value in expected]


@few
@given(strategies.streams(ends="|"))
def test_the_parts_of_a_stream_merged_are_the_stream(stream):
    assert played(stream, lambda s, clock: s.filter(lambda v: v % 2).merge(
        s.filter(lambda v: v % 2 == 0))) == played(stream, lambda s, clock: s)


def test_a_stream_is_made_short_and_shown_as_a_diagram():
    shortest = find(
        strategies.streams(), lambda stream: len(stream.values) > 1 and stream.end is not None,
        settings=settings(database=None))
    assert repr(shortest) == "Stream((00|), values=[0, 0])"
