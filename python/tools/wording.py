"""The comments of rac.h as docstrings: Python's names for what they name, no ownership,
which Python sees to, and lines that a terminal holds."""

import re
import textwrap

import names
import texts

WIDTH = 72

# Of diagrams, whose columns they leave: RAC's throttle is Rx's debounce.
LABELS = {
    "rac_signal_throttle": {"throttle ": "debounce "},
    "rac_signal_throttle_passing_test": {"throttle ": "debounce "},
    "rac_signal_throttle_first": {"throttle_first 5": "throttle 5      "},
}

# Words of comments, as Python has them.
WORDS = {
    "NULL": "None",
    "RAC_BOUND_WAIT": '"wait"',
    "RAC_BOUND_REFUSE": '"refuse"',
    "RAC_BOUND_ERROR": '"error"',
    "RAC_BOUND_LATEST": '"latest"',
    "RAC_SIGNAL_TIMED_OUT": "TimedOut",
    "RAC_ERANGE": "OverflowError",
    "RAC_EKIND": "TypeError",
    "RAC_EINVAL": "ValueError",
    "rac_value_equal()": "==",
    "rac_set_log()": "set_log()",
    "rac_subscribe_batches()": "subscribe_lists()",
    "`*out`": "what it returns",
    "2^30": "2**30",
    "subscriber it is lent": "observer it is given",
}

# The text on C's arguments. Ownership comes first, and goes.
OWNERSHIP = (
    r"borrowed array of borrowed \w+|may be NULL (with|when) `?count`? (is )?0"
    r"|NULL is allowed with count 0|the (signal|sequence) (retains (it|them)|has a copy)"
    r"|(which )?the sequence (copies the array, and texts and bytes that are views"
    r"|retains( it)?)|the array as well|copied, not checked|retained by the subscription"
    r"|borrowed|retained|not kept|its result is transferred"
    r"|(?<=, )lent|(?<=, )(owned|transferred), (?=to `\*out`)|(?<=, )an owned value, "
)
PHRASES = [
    (r"writes a signal, (transferred, )?to `\*out`",
     "returns a signal, or what from_() makes one of"),
    (r"writes its answer to `\*out`", "returns a truth value"),
    (r"writes an owned value to `\*out`", "returns a value"),
    (r"writes to `\*out` whether", "returns whether"),
    (r"writes ([^;.]*?),? to `\*out`", r"returns \1"),
    (r"left alone, or 0, they are equal", "0 when they are equal"),
    (r"With a failing status", "When it raises"),
    (r"a failing status", "an exception"),
    (r"([Aa]) failure\b", r"\1n exception"),
    (r"its failure\b", "an exception"),
    (r"sends through the subscriber it is lent; retain it to send later",
     "sends through the observer it is given, which it may keep"),
    (r"NULL says yes", "None says yes"),
    (r"\bnil\b", "None"),
    (r"\bSIZE_MAX\b", "2**64 - 1"),
    (r"\bINFINITY\b", "None"),
]
# By how the extension reads them: what is None there.
KINDS = {
    "TIMEOUT": [(r"negative waits", "None waits")],
    "COUNT_OR_FOR_EVER": [(r"\b0 (is|means|for)\b", r"None \1")],
    "COUNT_OR_ALL": [(r"\b(SIZE_MAX for|RAC_REPLAY_UNLIMITED keeps)\b", "None for")],
    "TRUTH": [(r"RAC_DESCRIPTOR_LENT or RAC_DESCRIPTOR_OWNED, as", "as"),
              (r"RAC_DESCRIPTOR_LENT|RAC_PROPERTY_PLAIN", "False"),
              (r"RAC_DESCRIPTOR_OWNED|RAC_PROPERTY_DISTINCT", "True")],
}


class Stale(Exception):
    """texts.py replaces what rac.h no longer says."""


def in_python(text):
    """A comment of rac.h with Python's names for the functions it names."""

    def named(found):
        c = found.group(1)
        known = names.RENAMED.get(c) or names.PARTS.get(c, (None, None))[1]
        if c in names.COCOA:
            known = "cocoa." + names.COCOA[c]
        return (known or re.sub(r"^rac_(signal|sequence)_|^rac_", "", c)) + "()"

    for word, python in WORDS.items():
        text = re.sub(r"(?<!\w)" + re.escape(word) + r"(?!\w)", lambda _: python, text)
    return re.sub(r"\b(rac_[a-z0-9_]+)\(\)", named, text)


def comment(call):
    """What the function does."""
    function, text = call.c, call.function["doc"]
    parts = list(texts.PARTS.get(function, ()))
    if call.variant:
        parts += names.VARIANTS[function][call.variant][1]
    for part, python in parts:
        if part not in text:
            raise Stale("texts.py: {} does not say: {}".format(function, part))
        text = text.replace(part, python)
    return in_python(text)


def argument(function, parameter, said):
    """What an argument is, or nothing where its name says it."""
    own = texts.ARGUMENTS.get((function, parameter.c))
    if own is not None:
        return own
    # The parts that have a bound are called for it.
    no_bound = "" if parameter.default is None else "None: without a bound."
    text = re.sub(r"NULL, and RAC_BOUND_NONE: without a bound\.", no_bound, said or "")
    text = text.replace(" RAC_BOUND_NONE: any number waits.", "")
    text = re.sub(OWNERSHIP, "", text)
    for pattern, python in KINDS.get(parameter.kind, []) + PHRASES:
        text = re.sub(pattern, python, text)
    # The rests of sentences and clauses of which something went.
    text = re.sub(r"(^|[.;:]\s)[\s,;.]+", r"\1", in_python(text))
    text = re.sub(r"[\s,;]*([,;.])", r"\1", text).strip()
    text = re.sub(r";$", ".", text)
    return "" if text == "." else text


def docstring(call):
    """All of it: `call` has the C function and Python's parameters."""
    of_c = {c["name"]: c.get("doc") for c in call.function["parameters"]}
    said = comment(call)
    for word, other in LABELS.get(call.c, {}).items():
        said = said.replace("    " + word, "    " + other)
    parts = [_filled(each) for each in said.split("\n\n")]
    arguments = []
    for parameter in call.python:
        text = argument(call.c, parameter, of_c[parameter.c])
        if text:
            star = "*" if call.variadic else ""
            arguments.append(_filled("{}{}: {}".format(star, parameter.name, text), "    "))
    if arguments:
        parts.append("\n".join(arguments))
    for known, word in (("rac", "ReactiveCocoa"), ("rx", "Rx")):
        said = call.function.get(known, "")
        if said and "rac_" not in said:  # which would look like a function of C
            parts.append(_filled("{}: {}".format(word, said), "    "))
    return "\n\n".join(parts)


def _filled(paragraph, hanging=""):
    """Diagrams stay as they are."""
    if paragraph.startswith(" "):
        return paragraph
    return textwrap.fill(paragraph, WIDTH, subsequent_indent=hanging,
                         break_long_words=False, break_on_hyphens=False)
