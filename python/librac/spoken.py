"""The engine's names of operators in the words of this package."""

from __future__ import annotations

import re

# The engine speaks as ReactiveCocoa does. Most names differ in their spelling alone.
_WORDS = {
    "aggregate_with_start": "reduce",
    "aggregate_with_start_factory": "cocoa.reduce_with_factory",
    "and": "cocoa.and_",
    "audit_until": "audit",
    "behavior_subject": "BehaviorSubject",
    "bind": "cocoa.bind",
    "buffer_with_count": "buffer",
    "buffer_with_time": "buffer",
    "catch_to": "catch",
    "combine_latest_delay_error": "combine_latest",
    "combine_previous_with_start": "cocoa.combine_previous",
    "concat_delay_error": "concat",
    "create_signal": "create",
    "deliver_on_main_thread": "deliver_on",
    "delay_subscription_until": "delay_subscription",
    "distinct_until_changed_by": "distinct_until_changed",
    "error": "throw",
    "finally": "cocoa.finally_",
    "flatten_map": "flat_map",
    "idle_timeout": "timeout",
    "if": "cocoa.if_",
    "ignore": "cocoa.ignore",
    "initially": "cocoa.initially",
    "lift": "cocoa.lift",
    "map_replace": "cocoa.map_replace",
    "max_with": "max",
    "merge_delay_error": "merge",
    "min_with": "min",
    "not": "cocoa.not_",
    "or": "cocoa.or_",
    "property": "Property",
    "reduce_each": "starmap",
    "replay": "cocoa.replay",
    "replay_last": "cocoa.replay_last",
    "replay_lazily": "cocoa.replay_lazily",
    "replay_subject": "ReplaySubject",
    "return": "of",
    "scan_with_start": "scan",
    "scan_without_start": "scan",
    "skip_until_block": "cocoa.skip_until_predicate",
    "skip_while_block": "skip_while",
    "step": "cocoa.step",
    "subject": "Subject",
    "switch": "cocoa.switch",
    "take_until_block": "cocoa.take_until_predicate",
    "take_until_inclusive": "take_while",
    "take_until_replacement": "cocoa.take_until_replacement",
    "take_while_block": "take_while",
    "then": "cocoa.then",
    "throttle": "debounce",
    "throttle_first": "throttle",
    "timeout": "cocoa.complete_within",
    "try": "do_next",  # cocoa.try_() is the same one, and rare
    "window_toggle": "window",
    "window_with_count": "window",
    "window_with_time": "window",
}
_SELECTOR = re.compile(r"\]? [-+]([A-Za-z_]+)[A-Za-z_:]*")


def word(operator: str) -> str:
    """Of one operator: flatMap is flat_map."""
    name = operator.removeprefix("rac_signal_").split(":")[0]
    name = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)
    return _WORDS.get(name, name)


def in_python(said: str) -> str:
    """Of a description: "[[keys] -flattenMap:] -take:"."""
    if "-" not in said and "+" not in said:
        return said
    made = _SELECTOR.sub(lambda found: " | " + word(found[1]), " " + said.lstrip("["))
    return made.removeprefix(" | ").lstrip()
