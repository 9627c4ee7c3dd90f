"""Why a cell of the table is empty: ends of sentences about contestants."""

from .contestants import HEADERS
from .kinds import MILLION

LACKING = "without {}"
SLOTS = ("slot list", "GObject", "sigc++", "Boost.Signals2", "psygnal", "blinker") + HEADERS

# By the beginning of the workload's name.
LACKS = [
    ("map", "operators"),
    ("flatten", "operators"),
    ("combine", "operators"),
    ("zip", "operators"),
    ("merge", "signal that is a slot"),
    ("create", "cold signals"),
    ("batch", "batches"),
    ("gather", "batches"),
    ("replay", "replay"),
    ("property", "properties"),
    ("deliver", "schedulers"),
    ("ping", "schedulers"),
    ("timer", "schedulers"),
    ("bytes-disposable", "disposable but the connection itself"),
]

OTHERS = {
    ("sigc++", "two-threads"): "not thread safe",
    ("sigc++", "send-elsewhere"): "not thread safe",
    ("Boost.Signals2", "dlopen"): "headers only",
    ("ctypes", "ping-pong"): "receiving on the main scheduler only",
    ("ctypes", "timer-fire"): "would take minutes",
    ("reactivex", "timer-fire"): "would take minutes",
}


def reason(contestant, name, argument):
    """A sentence without its subject, or None if nobody knows why."""
    if name in ("send", "subscribe") and argument >= MILLION:
        return "would take minutes to make a million"
    if name == "send-library":
        return "the row with 1,000 subscribers says it"
    if contestant == "same job":
        return "which has subjects, create, subscriptions, timers and there and back alone"
    if name.startswith(("hop", "burst")):
        return "left out"
    if (contestant, name) in OTHERS:
        return OTHERS[contestant, name]
    if contestant in SLOTS:
        for beginning, lacked in LACKS:
            if name.startswith(beginning):
                return LACKING.format(lacked)
    return None
