"""What a signal is called and made of, in the words of this package."""

from __future__ import annotations

import re
from typing import Any

from ._librac import Signal

# The engine speaks of operators as ReactiveCocoa does: "[[keys] -flattenMap:] -take:". Most
# names differ in their spelling alone.
_WORDS = {
    "aggregate_with_start": "reduce",
    "aggregate_with_start_factory": "reduce_with_factory",
    "and": "and_",
    "behavior_subject": "BehaviorSubject",
    "combine_previous_with_start": "combine_previous",
    "create_signal": "create",
    "deliver_on_main_thread": "deliver_on",
    "error": "throw",
    "finally": "finally_",
    "flatten_map": "flat_map",
    "idle_timeout": "timeout",
    "if": "if_",
    "max_with": "max",
    "min_with": "min",
    "not": "not_",
    "or": "or_",
    "property": "Property",
    "reduce_each": "starmap",
    "replay_subject": "ReplaySubject",
    "return": "just",
    "scan_with_start": "scan",
    "skip_until_block": "skip_until_predicate",
    "skip_while_block": "skip_while",
    "subject": "Subject",
    "take_until_block": "take_until_predicate",
    "take_while_block": "take_while",
    "throttle": "debounce",
    "timeout": "complete_within",
    "try": "try_",
}
_SELECTOR = re.compile(r"\]? [-+]([A-Za-z_]+)[A-Za-z_:]*")

_description = vars(Signal)["description"]


def _word(found: re.Match[str]) -> str:
    name = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), found[1])
    return " | " + _WORDS.get(name, name)


def description(self: Signal[Any]) -> str:
    """Its name, and the operators that it is made of: see set_names_enabled()."""
    return in_python(_description.__get__(self))


def in_python(said: str) -> str:
    """A description of the engine's."""
    if "-" not in said and "+" not in said:
        return said
    return _SELECTOR.sub(_word, " " + said.lstrip("[")).removeprefix(" | ").lstrip()


def translate() -> None:
    setattr(Signal, "description", property(description))
