"""What a workload is, and the kinds of them that come more than once."""

from collections import namedtuple

from . import sums

MILLION = 1000000

# `name` and `argument` are what contestants know it by. `events`: always so many,
# else as many as fill the time of a round; Python gets by with `python_events`,
# and with 0 of them does not take part.
# `alone`: each run in a process of its own.
Workload = namedtuple(
    "Workload",
    "key title name argument expected figures events python_events rounds alone",
)

# A figure of an outcome, in what it is shown.
Figure = namedtuple("Figure", "key title unit")

NS = (Figure("ns", "", "ns"),)
MICROSECONDS = (Figure("us", "", "µs"),)
MILLISECONDS = (Figure("ms", "", "ms"),)
BYTES = (Figure("bytes", "", "bytes"),)
RATIO = (Figure("ratio", "", "×"),)
RACING = (
    Figure("ns", "ns a send", "ns"),
    Figure("overlaps", "callbacks that overlapped", ""),
)
FIRING = (
    Figure("cpu_ms", "processor time", "ms"),
    Figure("late_median_ms", "median lateness", "ms"),
    Figure("late_p99_ms", "lateness of all but 1 %", "ms"),
    Figure("late_ms", "worst lateness", "ms"),
)
TICKING = (
    Figure("switches", "switches of threads a tick", "×"),
    Figure("us", "processor time a tick", "µs"),
)
SENDING = (
    Figure("ns", "ns a send", "ns"),
    Figure("bytes", "bytes more", "bytes"),
)


def workload(
    title,
    name,
    argument,
    expected,
    figures=NS,
    events=None,
    python_events=None,
    rounds=99,
    alone=False,
):
    key = "{}:{}".format(name, argument) if argument is not None else name
    return Workload(
        key,
        title,
        name,
        argument or 0,
        lambda n: expected(n, argument or 0),
        figures,
        events,
        python_events,
        rounds,
        alone,
    )


def small_enough(others):
    """Python's contestants would take minutes to make a million of them."""
    return 0 if others >= MILLION else None


def send(subscribers):
    counted = "{:,} subscriber{}".format(subscribers, "s" if subscribers > 1 else "")
    event = "a delivery" if subscribers > 1 else "send"
    title = "{}, {}".format(event, counted)
    return workload(
        title, "send", subscribers, sums.sends, python_events=small_enough(subscribers)
    )


def maps(stages):
    title = "send through {} map{}".format(stages, "s" if stages > 1 else "")
    return workload(title, "maps", stages, sums.maps)


def running_sum(how, title):
    return workload("running sum by " + title, "running-sum", how, sums.summed)


def subscribe(others):
    title = "subscribe + dispose beside {:,}".format(others)
    return workload(
        title, "subscribe", others, sums.others, python_events=small_enough(others)
    )


def subscribe_maps(stages):
    title = "subscribe + dispose through {} map{}".format(stages, "s" if stages > 1 else "")
    return workload(title, "subscribe-maps", stages, lambda n, _: 0)


def schedule(timers):
    return of_one_timer("schedule", timers)


def cancel(timers):
    return of_one_timer("cancel", timers)


def of_one_timer(verb, timers):
    return workload(
        "{} one of {:,} timers".format(verb, timers),
        "timer-" + verb,
        None,
        sums.count,
        events=timers,
        python_events=min(timers, 20000),
        rounds=5 if timers > 10000 else 25,
    )


def fire(timers):
    return workload(
        "{:,} timers that fire in {}".format(
            timers, "a second" if timers <= 100000 else "four seconds"
        ),
        "timer-fire",
        timers,
        sums.count,
        FIRING,
        events=timers,
        python_events=timers if timers <= 100000 else 0,
        rounds=5 if timers <= 100000 else 3,
    )


def senders(count, name="senders", how=""):
    return workload(
        "{} threads into one subject{}, 1 µs each".format(count, how),
        name,
        count,
        lambda n, _: sums.plain(n),
        SENDING,
        events=100000,
        python_events=0,
        rounds=9,
    )


def rally(processors):
    """Where the threads run is given: left to the system, it decides about the figure.
    All take the same number of ways, so that those of the beginning, where both sides
    have to be woken, weigh the same."""
    return workload(
        "there and back between two threads, on {}".format(
            "one processor" if processors == 1 else "two processors"
        ),
        "ping-pong-threads",
        processors,
        sums.count,
        MICROSECONDS,
        events=20000,
        python_events=2000,
    )


def replay(length):
    return workload(
        "a send into a replay subject",
        "replay",
        0,
        sums.remembered,
        events=length,
        python_events=min(length, 20000),
        rounds=9 if length > 10000 else 25,
    )


def property_row(title, name, argument, expected):
    """Not for Python: ctypes' cost of a call is in the other rows."""
    return workload(title, name, argument, expected, python_events=0)


def alone(title, name):
    """What flattenMap is held against: the same signal, without it."""
    return workload("subscribe to " + title, name, None, sums.sent, python_events=0)


def hop(title, name, beside):
    """Objects that go from thread to thread, one after the other. Not for peers."""
    if beside:
        title += " beside a busy thread"
    return workload(title, name, int(beside), sums.sent, python_events=0)


def fork(threads):
    """What the parent takes; each child ends at once."""
    title = "fork() beside {} idle threads that have called it".format(threads)
    return workload(
        title, "fork", threads, sums.count, MICROSECONDS, events=100, python_events=0, rounds=21
    )


def burst(title, name, figures=NS):
    """The burst itself: many objects made, and released in random order."""
    return workload(title, name, None, sums.count, figures, MILLION, 0, 1, True)


def after_burst(title, name):
    """In a process in which a burst was, and in one in which there was none."""
    return [
        workload(
            title + (" after a burst of {:,}".format(many) if many else ""),
            name,
            many,
            sums.sent,
            python_events=0,
            alone=True,
        )
        for many in (0, MILLION)
    ]
