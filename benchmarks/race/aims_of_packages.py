"""Aims of the Python package beside its peers, and of the Swift package beside the C
names."""

from .figures import aim

# How many times as fast as reactivex: a row of benchmarks/python/workloads.py.
TIMES = (
    ("send", "an int to one function", 8),
    ("stages", "map, filter, scan in Python", 5),
    ("thousand", "a delivery to one of 1,000 functions", 1.8),
    ("life", "create, subscribe, send, dispose", 15),
    ("flat_map", "flat_map to just", 100),
    ("native", "distinct, take, merge", 30),
    ("combine_latest", "combine_latest of two", 10),
    ("numbers", "numbers in arrays through distinct, skip, take", 100),
)
# Which reactivex, and what the unit and the key of the aim are.
NEWEST = ("newest", "× as fast as reactivex", "python ")
OLDER = ("older", "× as fast as reactivex 4", "python 4 ")


def _faster(key, text, limit, which):
    run, unit, prefix = which
    return aim(
        prefix + key,
        text,
        limit,
        unit,
        lambda f: f.in_python(key, "reactivex", run),
        at_least=True,
    )


def _send(key, other, limit, unit):
    """A send beside that of somebody else."""
    return aim(
        "python send to " + key,
        "an int to one function",
        limit,
        unit,
        lambda f: 1 / f.in_python("send", other),
    )


PYTHON = [
    _send("bare", "bare Python", 1.6, "× a bare call"),
    _send("psygnal", "psygnal", 1, "× psygnal's emit_fast"),
    _send("eventkit", "eventkit", 1, "× eventkit's emit"),
    *(_faster(*row, NEWEST) for row in TIMES),
    *(_faster(*row, OLDER) for row in TIMES),
]

# The most that Reactive may take over librac.so; 1.4 with the engine linked in.
FACE = (
    ("send", 1.15),
    ("map-filter-scan", 1.25),
    ("create+subscribe+dispose", 1.2),
    ("flatMap", 1.25),
    ("combineLatest", 1.2),
)
STATIC = 1.4
TYPES = (
    ("a struct of 24 bytes", 7),
    ("an instance of a class", 6),
    ("a String, map, filter", 25),
)
ASYNC = (
    ("values() / AsyncStream", 1.1, "× a bare AsyncStream"),
    ("actor / a Task each", 0.1, "× a Task for each value"),
)


def _of_names(linked, name, limit, unit="× the C names", of=None):
    told = {"shared": "{}", "static": "{}, linked in"}[linked].format(name)
    return aim(
        "swift {} {}".format(linked, name),
        told,
        limit,
        unit,
        lambda f: f.in_swift(linked, name, of),
    )


SWIFT = [
    *(_of_names("shared", name, limit) for name, limit in FACE),
    *(_of_names("static", name, STATIC) for name, _ in FACE),
    *(_of_names("shared", name, limit, "× a send in C", "send") for name, limit in TYPES),
    *(_of_names("shared", *row) for row in ASYNC),
]
