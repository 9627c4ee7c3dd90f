"""Tests of search.py: marbles for what happens when, hypothesis for what holds always.

    pytest examples-python/test_search.py

Time is virtual: a character of a diagram is a second, and nothing waits.
"""

from hypothesis import given, settings
from hypothesis import strategies as st
from search import found

import librac as rac
from librac.marbles import Marbles
from librac.strategies import Stream, streams


def test_a_newer_text_cancels_the_search(marbles: Marbles) -> None:
    texts = marbles.hot("a--b----c----|")
    search = marbles.turns(marbles.cold("----x|"), marbles.cold("-y|"), marbles.cold("-z|"))
    results = found(texts, lambda text: search, 2, marbles.clock)
    marbles.expect(results, "------y----z-|")


def test_a_failure_ends_nothing(marbles: Marbles) -> None:
    texts = marbles.hot("a--b--|")

    def search(text: str) -> rac.Signal[str]:
        return rac.throw(OSError("closed")) if text == "a" else rac.of("B")

    said = {"f": "failed: closed", "b": "B"}
    marbles.expect(found(texts, search, 1, marbles.clock), "-f--b-|", values=said)


@settings(max_examples=50, deadline=None, database=None)
@given(streams(st.sampled_from(["", " ", "a", " a", "b"]), ends="|"))
def test_no_search_is_made_twice_in_a_row_and_none_for_nothing(stream: Stream) -> None:
    clock, texts = stream.play()
    searched: list[str] = []

    def search(text: str) -> rac.Signal[str]:
        searched.append(text)
        return rac.of(text)

    shown: list[str] = []
    found(texts, search, 1, clock).subscribe(shown.append)
    clock.step_all()
    assert all(text == text.strip() != "" for text in searched)
    assert all(one != other for one, other in zip(shown, shown[1:]))
    assert shown[-1:] == [stream.values[-1].strip()] if stream.values else shown == []
