"""What librac aims at, and whether a race reached it."""

from collections import namedtuple

from .table import best_peer, number
from .workloads import HOPS

# `value` takes a Figures and gives a number, or None when something that it needs
# was not measured.
Aim = namedtuple("Aim", "text limit unit value")


class Figures:
    """The figures of a race, by contestant, workload and name of the figure."""

    def __init__(self, results):
        self.cells = {result["key"]: result["cells"] for result in results}

    def get(self, contestant, key, figure="ns"):
        found = self.cells.get(key, {}).get(contestant, {}).get(figure)
        if found is None:
            raise KeyError(key)
        return found

    def librac(self, key, figure="ns"):
        return self.get("librac", key, figure)

    def of_floor(self, key):
        return self.librac(key) / self.get("floor", key)

    def of_best_cpp(self, key):
        best = best_peer(self.cells.get(key, {}), "ns", ("sigc++", "Boost.Signals2"))
        if best is None:
            raise KeyError(key)
        return self.librac(key) / best[1]

    def after_burst(self, name):
        return self.librac(name + ":1000000") / self.librac(name + ":0")

    def stage(self, contestant):
        """One further stage, from chains of 1 and of 10."""
        ten, one = (self.get(contestant, key) for key in ("maps:10", "maps:1"))
        return (ten - one) / 9


AIMS = [
    Aim("send to 1 subscriber", 4, "× the C loop", lambda f: f.of_floor("send:1")),
    Aim(
        "send to 1 subscriber",
        0.5,
        "× the best C++ peer",
        lambda f: f.of_best_cpp("send:1"),
    ),
    Aim(
        "a delivery to 1000 subscribers",
        1.3,
        "× the C loop",
        lambda f: f.of_floor("send:1000"),
    ),
    Aim(
        "a delivery to 1000 subscribers",
        1.3,
        "× the C loop in a library",
        lambda f: f.of_floor("send-library:1000"),
    ),
    Aim(
        "a further stage, beyond its C callback",
        3,
        "ns",
        lambda f: f.stage("librac") - f.stage("floor"),
    ),
    Aim(
        "a value of create with 1000",
        2,
        "× the C loop",
        lambda f: f.of_floor("create:1000"),
    ),
    Aim("create + subscribe + 1 value + end", 50, "ns", lambda f: f.librac("create:1")),
    Aim("subscribe + dispose", 80, "ns", lambda f: f.librac("subscribe:0")),
    Aim(
        "subscribe + dispose beside 1,000,000",
        80,
        "ns",
        lambda f: f.librac("subscribe:1000000"),
    ),
    Aim(
        "subscribe + dispose beside 1000, to none",
        1.2,
        "×",
        lambda f: f.librac("subscribe:1000") / f.librac("subscribe:0"),
    ),
    Aim("flattenMap to return", 100, "ns", lambda f: f.librac("flatten-map")),
    Aim("combineLatest of 2", 25, "ns", lambda f: f.librac("combine-latest:2")),
    Aim("zip of 2", 25, "ns", lambda f: f.librac("zip:2")),
    Aim("a replay send", 20, "ns", lambda f: f.librac("replay:0")),
    Aim("a bounded replay send", 20, "ns", lambda f: f.librac("replay:100")),
    Aim(
        "an object that goes from thread to thread, the dearest step",
        40,
        "× a send",
        lambda f: max(f.librac(hop.key) for hop in HOPS) / f.librac("send:1"),
    ),
    Aim("two threads, a send", 60, "ns", lambda f: f.librac("two-threads")),
    Aim(
        "two threads, overlapping callbacks",
        0,
        "",
        lambda f: f.librac("two-threads", "overlaps"),
    ),
    Aim("a value through deliverOn", 60, "ns", lambda f: f.librac("deliver-on")),
    Aim(
        "there and back between two schedulers",
        5,
        "µs",
        lambda f: f.librac("ping-pong", "us"),
    ),
    Aim(
        "there and back between two threads",
        5,
        "µs",
        lambda f: f.librac("ping-pong-threads", "us"),
    ),
    Aim(
        "a live subscription",
        96,
        "bytes",
        lambda f: f.librac("bytes-subscription", "bytes"),
    ),
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
    Aim(
        "100,000 timers in a second",
        110,
        "ms of processor time",
        lambda f: f.librac("timer-fire:100000", "cpu_ms"),
    ),
    Aim(
        "100,000 timers in a second",
        1,
        "ms worst lateness",
        lambda f: f.librac("timer-fire:100000", "late_ms"),
    ),
    Aim(
        "schedule one of 1,000,000 timers",
        200,
        "ns",
        lambda f: f.librac("timer-schedule"),
    ),
    Aim(
        "cancel one of 1,000,000 timers", 200, "ns", lambda f: f.librac("timer-cancel")
    ),
    Aim("dlopen", 2, "ms", lambda f: f.librac("dlopen", "ms")),
]


def check(results):
    """A list of {text, limit, unit, value, reached}."""
    figures = Figures(results)
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
