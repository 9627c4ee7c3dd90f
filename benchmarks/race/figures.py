"""Figures of what was measured, for aims to be held against."""

from collections import namedtuple

from .table import NATIVE, best_peer

CPP = tuple(name for name in NATIVE if name != "GObject")

# `key` is what the reason is found by when it is not reached. `value` takes a Figures
# and gives a number, or KeyError when something that it needs was not measured.
Aim = namedtuple("Aim", "key text limit unit value at_least")


def aim(key, text, limit, unit, value, at_least=False):
    return Aim(key, text, limit, unit, value, at_least)


def of_floor(text, limit, key, figure="ns"):
    def value(f):
        return f.librac(key, figure) / f.get("floor", key, figure)

    name = "floor " + key + ("" if figure in ("ns", "us") else " " + figure)
    return aim(name, text, limit, "× the C loop", value)


def beside(key, text, limit, unit, ours, other):
    """One workload of librac's beside another one."""
    return aim(key, text, limit, unit, lambda f: f.librac(ours) / f.librac(other))


def sized(key, text, limit, value):
    """`value` is of what the part `size` has found."""
    return aim(key, text, limit, "bytes", lambda f: value(f.size))


def counted(key, text, limit, value):
    return aim(key, text, limit, "instructions", value)


class Figures:
    """By part, workload, contestant and name of the figure."""

    def __init__(self, parts):
        found = {name: part.found for name, part in parts.items()}
        results = found.get("race", {}).get("results", [])
        self.cells = {result["key"]: result["cells"] for result in results}
        counts = found.get("instructions", {})
        self.counts = {key: each.get("librac") for key, each in counts.items()}
        self.python = found.get("python", {})
        self.swift = found.get("swift", {})
        self.size = found.get("size", {})

    def get(self, contestant, key, figure="ns"):
        found = self.cells.get(key, {}).get(contestant, {}).get(figure)
        if found is None:
            raise KeyError(key)
        return found

    def librac(self, key, figure="ns"):
        return self.get("librac", key, figure)

    def counted(self, key):
        """Instructions an event."""
        if self.counts.get(key) is None:
            raise KeyError(key)
        return self.counts[key]

    def of_cpp(self, key):
        best = best_peer(self.cells.get(key, {}), "ns", CPP)
        if best is None:
            raise KeyError(key)
        return self.librac(key) / best[1]

    def in_python(self, key, other, run="newest"):
        """How many times as long as the package another one takes there."""
        times = self.python[run]["results"][key]
        return times[other] / times["librac"]

    def in_swift(self, linked, name, count=None):
        """Reactive in multiples of the C names; `count`: of those of another row."""
        rows = {row["name"]: row for row in self.swift[linked]}
        return rows[name]["face"] / rows[count or name]["names"]
