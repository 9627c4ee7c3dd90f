"""The results as a table, for a terminal or for Markdown."""

from collections import namedtuple

from . import gaps
from .contestants import HEADERS, PYTHON_SIGNALS, STREAMS

HEADINGS = {"floor": "C loop", "same job": "same job in C"}
DASH = "–"
# Peers, by what librac is held against: its C interface, or librac from Python.
NATIVE = ("slot list", "GObject", "sigc++", "Boost.Signals2") + HEADERS + STREAMS
PYTHON = ("reactivex",) + PYTHON_SIGNALS

# Where librac is behind: `row` names the workload and who, for the reason.
Behind = namedtuple("Behind", "row text ratio")


def number(value):
    """Three digits that mean something."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6:
        return "{:.3g}M".format(value / 1e6)
    if abs(value) >= 100:
        return "{:,.0f}".format(value)
    return "{:.1f}".format(value) if abs(value) >= 10 else "{:.2f}".format(value)


def best_peer(cells, key, names):
    """The lowest figure among the peers: (name, figure) or None."""
    have = [(cells[n][key], n) for n in names if n in cells and key in cells[n]]
    if not have:
        return None
    figure, name = min(have)
    return name, figure


def ratio(mine, other, mark):
    """`mark`: more than one is what the reader looks for."""
    if mine is None or not other:
        return DASH
    text = number(mine / other)
    return "**{}**".format(text) if mark and mine > other else text


def rows(results, names, mark=False):
    """Lists of text: a row for each figure of each workload, and the heading."""
    peers = [n for n in names if n in NATIVE]
    in_python = [n for n in names if n in PYTHON]
    heading = ["", "unit"] + [HEADINGS.get(n, n) for n in names]
    heading += ["librac / C loop", "librac / best peer", "ctypes / best in Python"]
    yield heading
    for result in results:
        cells = result["cells"]
        for key, title, unit in result["figures"]:
            row = [": ".join(filter(None, [result["title"], title])), unit]
            for name in names:
                figure = cells.get(name, {}).get(key)
                row.append(DASH if figure is None else number(figure))
            # A count: there is nothing to divide.
            mine, ctypes = (
                cells.get(name, {}).get(key) if unit else None for name in ("librac", "ctypes")
            )
            for ours, other in (
                (mine, cells.get("floor", {}).get(key)),
                (mine, (best_peer(cells, key, peers) or (None, None))[1]),
                (ctypes, (best_peer(cells, key, in_python) or (None, None))[1]),
            ):
                row.append(ratio(ours, other, mark))
            yield row


def behind(results, names):
    """Where librac is slower, or larger, than the best peer, and librac from Python
    than the best of Python's own."""
    peers = [n for n in names if n in NATIVE]
    in_python = [n for n in names if n in PYTHON]
    for result in results:
        cells = result["cells"]
        for key, title, unit in result["figures"]:
            what = ": ".join(filter(None, [result["title"], title]))
            for who, others in (("librac", peers), ("ctypes", in_python)):
                mine, best = cells.get(who, {}).get(key), best_peer(cells, key, others)
                if mine is None or not best or mine <= best[1]:
                    continue
                have = number(mine), best[0], number(best[1]), unit
                text = "{}: {} {}, {} {} {}".format(what, who, *have).rstrip()
                row = "ctypes" if who == "ctypes" else result["key"]
                yield Behind(row, text, mine / best[1] if best[1] else float("inf"))


def aligned(lines):
    """Lines for a terminal: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    for row in lines:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        yield "  ".join(cells).rstrip()


def markdown(lines):
    rule = ["---"] + ["---:"] * (len(lines[0]) - 1)
    for row in [lines[0], rule] + lines[1:]:
        yield "| " + " | ".join(row) + " |"


def as_text(results, names):
    return "\n".join(aligned(list(rows(results, names))))


def as_markdown(results, names):
    return "\n".join(markdown(list(rows(results, names, True))))


def empty_cells(results, names):
    """Sentences that say why cells are empty."""
    found = {}
    for result in results:
        for name in names:
            if name not in result["cells"]:
                reason = gaps.reason(name, result["workload"], result["argument"])
                if reason:
                    who, titles = found.setdefault(reason, ({}, {}))
                    who[name] = titles[result["title"]] = True
    for reason, (who, titles) in found.items():
        yield "{} {}: {}.".format(", ".join(who), reason, "; ".join(titles))
