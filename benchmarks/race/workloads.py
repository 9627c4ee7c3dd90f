"""What is raced. Each row of the table is a workload and one of its figures."""

from collections import namedtuple

from . import sums

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


def send(subscribers):
    counted = "{:,} subscriber{}".format(subscribers, "s" if subscribers > 1 else "")
    event = "a delivery" if subscribers > 1 else "send"
    return workload("{}, {}".format(event, counted), "send", subscribers, sums.sends)


def maps(stages):
    title = "send through {} map{}".format(stages, "s" if stages > 1 else "")
    return workload(title, "maps", stages, sums.maps)


def running_sum(how, title):
    return workload("running sum by " + title, "running-sum", how, sums.summed)


def subscribe(others):
    title = "subscribe + dispose beside {:,}".format(others)
    return workload(title, "subscribe", others, sums.others)


def subscribe_maps(stages):
    title = "subscribe + dispose through {} map{}".format(stages, "s" if stages > 1 else "")
    return workload(title, "subscribe-maps", stages, lambda n, _: 0)


def schedule(timers):
    return workload(
        "schedule one of {:,} timers".format(timers),
        "timer-schedule",
        None,
        sums.count,
        events=timers,
        python_events=min(timers, 20000),
        rounds=5 if timers > 10000 else 25,
    )


def cancel(timers):
    return workload(
        "cancel one of {:,} timers".format(timers),
        "timer-cancel",
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
        rounds=3,
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


def hop(title, name, beside):
    """Objects that go from thread to thread, one after the other. Not for peers."""
    if beside:
        title += " beside a busy thread"
    return workload(title, name, int(beside), sums.sent, python_events=0)


MILLION = 1000000


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


BURSTS = [
    burst("make an object of a burst of 1,000,000", "burst-make"),
    burst("release one of them, in random order", "burst-end"),
    burst("what a burst leaves behind, an object", "burst-left", BYTES),
    burst("memory of a second burst, to the first one's", "burst-again", RATIO),
    *after_burst("send through merge of 10,000", "burst-merge"),
    *after_burst("send through groupBy of 10,000 keys", "burst-group-by"),
]

HOPS = [
    hop(title, name, beside)
    for title, name in (
        ("the first send of a second thread", "hop-send"),
        ("dispose here after a send there", "hop-dispose"),
        ("dispose on a third thread after a send on a second", "hop-dispose-third"),
        ("release a subject here after a send there", "hop-release"),
        ("dispose a create here after a send there", "hop-create"),
    )
    for beside in (False, True)
]

WORKLOADS = [
    send(1),
    send(10),
    send(1000),
    send(MILLION),
    workload(
        "a delivery, 1,000 subscribers; C loop in a library",
        "send-library",
        1000,
        sums.sends,
    ),
    workload("send from a second thread", "send-elsewhere", 1, sums.sends),
    workload(
        "send into 100,000 subjects in turn",
        "subjects",
        100000,
        sums.in_turn,
        python_events=100000,
    ),
    workload("send of a string, lent", "string", None, sums.text),
    workload("send of a string, made for it", "string-copied", None, sums.text),
    workload("send through map, filter, scan", "map-filter-scan", None, sums.scanned),
    running_sum(0, "scan"),
    running_sum(1, "a step that writes"),
    running_sum(2, "a step that sends"),
    maps(1),
    maps(10),
    workload("a value of create with 1000", "create", 1000, sums.created),
    workload("create + subscribe + 1 value + end", "create", 1, sums.created),
    workload("a value of an array of 1000, sent", "batch", 1000, sums.created),
    workload(
        "a value of create with an array of 1000", "create-batch", 1000, sums.created
    ),
    subscribe(0),
    subscribe(1000),
    subscribe(MILLION),
    subscribe_maps(1),
    subscribe_maps(10),
    workload("send through flattenMap to return", "flatten-map", None, sums.maps),
    workload("send through flattenMap to create", "flatten-map-create", None, sums.maps),
    workload(
        "the same inside another subject's delivery",
        "flatten-map-inside",
        None,
        sums.maps,
    ),
    workload(
        "send through flattenMap to a mapped return",
        "flatten-map-mapped",
        None,
        sums.maps,
    ),
    workload("send through flattenMap to empty", "flatten-map-empty", None, sums.maps),
    workload(
        "send through flattenMap to a hot signal", "flatten-map-hot", None, sums.maps
    ),
    workload("send through combineLatest of 2", "combine-latest", 2, sums.latest),
    workload(
        "send through combineLatest of 2, tuples kept",
        "combine-latest-kept",
        2,
        sums.latest,
    ),
    workload("send through zip of 2", "zip", 2, lambda n, _: sums.plain(n)),
    workload(
        "send through zip of 2, tuples kept",
        "zip-kept",
        2,
        lambda n, _: sums.plain(n),
    ),
    workload("send through merge of 10", "merge", 10, lambda n, _: sums.plain(n)),
    replay(MILLION),
    workload(
        "a value that is replayed",
        "replay-again",
        0,
        sums.remembered,
        events=MILLION,
        python_events=20000,
        rounds=9,
    ),
    workload("a send into a replay subject of 100", "replay", 100, sums.remembered),
    property_row("set a property with an observer", "property-set", 0, sums.sent),
    property_row("set one of two bound properties", "property-set", 1, sums.sent),
    property_row("read a property", "property-get", 0, sums.count),
    property_row("set a property with a derived one", "derived-map", 1, sums.maps),
    property_row("set the root of a diamond", "derived-diamonds", 1, sums.diamonds),
    property_row("set the root of 5 diamonds", "derived-diamonds", 5, sums.diamonds),
    property_row("a derived one of 1,000 side by side", "derived-wide", 1000, sums.spread),
    property_row("a derived one of 10,000 in a row", "derived-chain", 10000, sums.chained),
    property_row("set what 999 depend on, no change", "derived-cut-off", 999, sums.sent),
    workload(
        "a value through deliverOn",
        "deliver-on",
        None,
        lambda n, _: sums.plain(n),
    ),
    workload(
        "there and back between two schedulers",
        "ping-pong",
        None,
        sums.count,
        MICROSECONDS,
    ),
    workload(
        "there and back between two threads",
        "ping-pong-threads",
        None,
        sums.count,
        MICROSECONDS,
    ),
    workload(
        "two threads into one subject",
        "two-threads",
        None,
        lambda n, _: sums.plain(n),
        RACING,
        events=2000000,
        python_events=20000,
        rounds=9,
    ),
    senders(2),
    senders(4),
    senders(32),
    senders(2, "senders-waiting", " that lets 64 wait"),
    senders(32, "senders-waiting", " that lets 64 wait"),
    *HOPS,
    workload(
        "two threads, two roots and 21 derived ones",
        "derived-two-threads",
        None,
        sums.count,
        RACING,
        events=200000,
        python_events=0,
        rounds=9,
    ),
    schedule(MILLION),
    cancel(MILLION),
    fire(100000),
    fire(MILLION),
    workload(
        "a live subscription",
        "bytes-subscription",
        None,
        sums.count,
        BYTES,
        events=MILLION,
        python_events=100000,
        rounds=1,
        alone=True,
    ),
    workload(
        "a live subscription through 10 maps",
        "bytes-maps",
        10,
        sums.count,
        BYTES,
        events=MILLION,
        python_events=0,
        rounds=1,
        alone=True,
    ),
    workload(
        "a subject",
        "bytes-signal",
        None,
        sums.count,
        BYTES,
        events=MILLION,
        python_events=100000,
        rounds=1,
        alone=True,
    ),
    workload(
        "a disposable",
        "bytes-disposable",
        None,
        sums.count,
        BYTES,
        events=MILLION,
        python_events=100000,
        rounds=1,
        alone=True,
    ),
    *BURSTS,
    workload("dlopen or import", "dlopen", None, None, MILLISECONDS, alone=True),
    workload(
        "process start to first event",
        "first-event",
        None,
        None,
        MILLISECONDS,
        alone=True,
    ),
]

# For the plots: how cost grows with what it may or may not depend on.
CURVES = {
    "subscribers": [send(10**p) for p in range(7)],
    "subscribe": [subscribe(n) for n in (1, 10, 100, 1000, 10000, 100000, MILLION)],
    "stages": [maps(n) for n in (1, 2, 5, 10, 20, 50, 100)],
    "replay": [replay(10**p) for p in range(1, 7)],
    "schedule": [schedule(10**p) for p in range(1, 7)],
    "cancel": [cancel(10**p) for p in range(1, 7)],
}
