"""What librac aims at, and whether a race reached it."""

from collections import namedtuple

from .table import best_peer, number
from .workloads import HOPS

# `value` takes a Figures and gives a number, or None when something that it needs
# was not measured.
Aim = namedtuple("Aim", "text limit unit value")


class Figures:
    """The figures of a race, by contestant, workload and name of the figure."""

    def __init__(self, results, counts):
        self.cells = {result["key"]: result["cells"] for result in results}
        self.counts = counts

    def get(self, contestant, key, figure="ns"):
        found = self.cells.get(key, {}).get(contestant, {}).get(figure)
        if found is None:
            raise KeyError(key)
        return found

    def librac(self, key, figure="ns"):
        return self.get("librac", key, figure)

    def counted(self, key):
        """Instructions an event, as they were counted last."""
        if key not in self.counts:
            raise KeyError(key)
        return self.counts[key]

    def of_cpp(self, key):
        best = best_peer(self.cells.get(key, {}), "ns", ("slot list", "sigc++", "Boost.Signals2"))
        if best is None:
            raise KeyError(key)
        return self.librac(key) / best[1]

    def after_burst(self, name):
        return self.librac(name + ":1000000") / self.librac(name + ":0")


def of_floor(text, limit, key, figure="ns"):
    def value(f):
        return f.librac(key, figure) / f.get("floor", key, figure)

    return Aim(text, limit, "× the C loop", value)


def instructions(text, limit, value):
    return Aim(text, limit, "instructions", value)


# Ratios within one race, or instructions: what a busy machine does not change.
AIMS = [
    of_floor("send to 1 subscriber", 4, "send:1"),
    Aim("send to 1 subscriber", 0.5, "× the best C++ peer", lambda f: f.of_cpp("send:1")),
    of_floor("a delivery to 1000 subscribers", 1.3, "send:1000"),
    Aim(
        "a delivery to 1000 subscribers",
        1.3,
        "× the C loop in a library",
        lambda f: f.librac("send-library:1000") / f.get("floor", "send-library:1000"),
    ),
    Aim(
        "100,000 subjects in turn",
        1.2,
        "× the slot list",
        lambda f: f.librac("subjects:100000") / f.get("slot list", "subjects:100000"),
    ),
    instructions(
        "a further map with its callback",
        27,
        lambda f: (f.counted("maps:10") - f.counted("maps:1")) / 9,
    ),
    instructions("a value of create", 62, lambda f: f.counted("create:1000")),
    instructions(
        "create + subscribe + 1 value + end", 900, lambda f: f.counted("create:1")
    ),
    instructions("subscribe + dispose", 550, lambda f: f.counted("subscribe:0")),
    Aim(
        "subscribe + dispose beside 1,000,000, to none",
        1.2,
        "×",
        lambda f: f.librac("subscribe:1000000") / f.librac("subscribe:0"),
    ),
    instructions(
        "flattenMap to create, beyond a create",
        350,
        lambda f: f.counted("flatten-map-create") - f.counted("create:1"),
    ),
    Aim(
        "an object that goes from thread to thread, the dearest step",
        40,
        "× a send",
        lambda f: max(f.librac(hop.key) for hop in HOPS) / f.librac("send:1"),
    ),
    of_floor("two threads, a send", 1.3, "two-threads"),
    Aim(
        "two threads, overlapping callbacks",
        0,
        "",
        lambda f: f.librac("two-threads", "overlaps"),
    ),
    of_floor("two senders, 1 µs each", 1.3, "senders:2"),
    of_floor("four senders, 1 µs each", 1.3, "senders:4"),
    of_floor("32 senders, 1 µs each", 1.3, "senders:32"),
    of_floor("two senders that wait, 1 µs each", 1.3, "senders-waiting:2"),
    of_floor("32 senders that wait, 1 µs each", 1.3, "senders-waiting:32"),
    of_floor("a value through deliverOn", 1.3, "deliver-on"),
    of_floor("there and back between two threads", 1.15, "ping-pong-threads", "us"),
    Aim(
        "a live subscription",
        96,
        "bytes",
        lambda f: f.librac("bytes-subscription", "bytes"),
    ),
    Aim("a subject", 160, "bytes", lambda f: f.librac("bytes-signal", "bytes")),
    Aim(
        "what a burst of 1,000,000 objects leaves behind, an object",
        1,
        "bytes",
        lambda f: f.librac("burst-left", "bytes"),
    ),
    Aim(
        "a second burst's memory",
        1.05,
        "× the first one's",
        lambda f: f.librac("burst-again", "ratio"),
    ),
    Aim(
        "merge of 10,000 after a burst",
        1.5,
        "× before",
        lambda f: f.after_burst("burst-merge"),
    ),
    Aim(
        "groupBy of 10,000 keys after a burst",
        1.5,
        "× before",
        lambda f: f.after_burst("burst-group-by"),
    ),
    of_floor("100,000 timers in a second", 1.1, "timer-fire:100000", "cpu_ms"),
    of_floor("schedule one of 1,000,000 timers", 1.3, "timer-schedule"),
    of_floor("cancel one of 1,000,000 timers", 1.3, "timer-cancel"),
]


def check(results, counts):
    """A list of {text, limit, unit, value, reached}. `counts`: librac's instructions
    by workload."""
    figures = Figures(results, counts)
    found = []
    for aim in AIMS:
        try:
            value = aim.value(figures)
        except KeyError:
            value = None
        found.append(
            {
                "text": aim.text,
                "limit": aim.limit,
                "unit": aim.unit,
                "value": value,
                "reached": None if value is None else value <= aim.limit,
            }
        )
    return found


VERDICTS = {True: "reached", False: "NOT reached", None: "not measured"}


def lines(checked):
    for aim in checked:
        value = "–" if aim["value"] is None else number(aim["value"])
        limit = "≤ {} {}".format(number(aim["limit"]), aim["unit"]).strip()
        yield aim["text"], limit, value, VERDICTS[aim["reached"]]


def as_text(checked):
    return "\n".join(
        "{:42} {:>26} {:>9}  {}".format(text, limit, value, verdict)
        for text, limit, value, verdict in lines(checked)
    )


def as_markdown(checked):
    rows = ["| aim | limit | measured | |", "|---|---|---:|---|"]
    rows += ["| {} | {} | {} | {} |".format(*line) for line in lines(checked)]
    return "\n".join(rows)
