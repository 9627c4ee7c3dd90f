"""Errors that nobody handled, and calls that were refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..drawing import duration
from ..recording import Recording
from .finding import Finding


def find_unhandled(recording: Recording) -> Iterator[Finding]:
    told: set[int] = set()
    for failure in recording.failures:
        if failure.subscription in told:
            continue
        told.add(failure.subscription)
        yield _unhandled(
            recording, failure.subscription, f"{failure.text}, at {duration(failure.time)}"
        )
    for each in recording.subscriptions.values():
        if each.is_unhandled and each.id not in told:
            yield _unhandled(recording, each.id, "an error")


def find_refused(recording: Recording) -> Iterator[Finding]:
    calls = Counter((each.text, each.place) for each in recording.refusals)
    for (text, place), count in calls.items():
        function, _, why = text.partition(": ")
        times = "" if count == 1 else f", {count:,} times"
        yield Finding(
            "refused",
            function,
            f"the call answered NULL{times}: {why}",
            recording.in_words(
                "Look at the argument; rac_last_error_message() says the same at run time.",
                "Look at the argument; an exception says the same at run time.",
            ),
            place,
            (),
            "call refused",
        )


def _unhandled(recording: Recording, id: int, text: str) -> Finding:
    each = recording.subscriptions.get(id)
    return Finding(
        "unhandled",
        each.label if each else "error",
        f"it failed and nobody heard: {text}",
        "Give the subscription an error callback, or handle it on the way (catch, retry).",
        recording.place_of(each) if each else "",
        (id,),
        "error unheard",
    )
