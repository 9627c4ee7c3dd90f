"""Aims of batches, threads, timers and memory."""

from .figures import aim, of_floor
from .workloads import HOPS


def _after_burst(key, text):
    return aim(
        key,
        text,
        1.5,
        "× before",
        lambda f: f.librac(key + ":1000000") / f.librac(key + ":0"),
    )


AIMS = [
    # Beside the C loop, as nanoseconds say nothing on another day.
    of_floor("an int64 of an array to a batch (0.2 of 15.3)", 3.06, "batch:1000"),
    aim(
        "hops",
        "an object that goes from thread to thread, the dearest step",
        40,
        "× a send",
        lambda f: max(f.librac(hop.key) for hop in HOPS) / f.librac("send:1"),
    ),
    of_floor("two threads, a send", 1.3, "two-threads"),
    aim(
        "overlaps",
        "two threads, overlapping callbacks",
        0,
        "",
        lambda f: f.librac("two-threads", "overlaps"),
    ),
    of_floor("2 senders, 1 µs each", 1.3, "senders:2"),
    of_floor("4 senders, 1 µs each", 1.3, "senders:4"),
    of_floor("32 senders, 1 µs each", 1.3, "senders:32"),
    of_floor("2 senders that wait, 1 µs each", 1.3, "senders-waiting:2"),
    of_floor("4 senders that wait, 1 µs each", 1.3, "senders-waiting:4"),
    of_floor("32 senders that wait, 1 µs each", 1.3, "senders-waiting:32"),
    aim(
        "flat",
        "32 senders that wait: memory more",
        1 << 20,
        "bytes",
        lambda f: f.librac("senders-waiting:32", "bytes"),
    ),
    of_floor("a value through deliverOn", 1.3, "deliver-on"),
    of_floor(
        "there and back between two threads, on one processor", 1.15, "ping-pong-threads:1", "us"
    ),
    of_floor(
        "there and back between two threads, on two processors", 1.15, "ping-pong-threads:2", "us"
    ),
    of_floor("fork() beside 100 idle threads", 1.5, "fork:100", "us"),
    of_floor("100,000 timers in a second: processor time", 1.1, "timer-fire:100000", "cpu_ms"),
    aim(
        "switches",
        "a tick of a repeating timer: switches of threads",
        1.1,
        "",
        lambda f: f.librac("timer-repeating", "switches"),
    ),
    of_floor("schedule one of 1,000,000 timers", 1.3, "timer-schedule"),
    of_floor("cancel one of 1,000,000 timers", 1.3, "timer-cancel"),
    aim(
        "burst-left",
        "what a burst of 1,000,000 objects leaves behind, an object",
        1,
        "bytes",
        lambda f: f.librac("burst-left", "bytes"),
    ),
    aim(
        "burst-again",
        "a second burst's memory",
        1.05,
        "× the first one's",
        lambda f: f.librac("burst-again", "ratio"),
    ),
    _after_burst("burst-merge", "merge of 10,000 after a burst"),
    _after_burst("burst-group-by", "groupBy of 10,000 keys after a burst"),
]
