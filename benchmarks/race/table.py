"""The results as a table, for a terminal or for Markdown."""

from . import gaps
from .contestants import PYTHON_SIGNALS

HEADINGS = {"floor": "C loop", "same job": "same job in C"}
DASH = "–"
# Peers, by what librac is held against: its C interface, or librac from Python.
NATIVE = ("slot list", "GObject", "sigc++", "Boost.Signals2")
PYTHON = ("reactivex",) + PYTHON_SIGNALS


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


def ratio(a, b):
    return number(a / b) if b else DASH


def rows(results, names):
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
                row.append(number(cells[name][key]) if name in cells else DASH)
            mine = cells.get("librac", {}).get(key)
            floor = cells.get("floor", {}).get(key)
            best = best_peer(cells, key, peers)
            python = [cells.get("ctypes", {}).get(key)]
            python.append((best_peer(cells, key, in_python) or (None, None))[1])
            if not unit:  # a count: there is nothing to divide
                mine, python = None, [None]
            row.append(ratio(mine, floor) if mine is not None and floor else DASH)
            row.append(ratio(mine, best[1]) if mine is not None and best else DASH)
            row.append(ratio(*python) if None not in python else DASH)
            yield row


def behind(results, names):
    """Sentences about where librac is slower, or larger, than the best peer, and
    librac from Python than the best of Python's own."""
    peers = [n for n in names if n in NATIVE]
    in_python = [n for n in names if n in PYTHON]
    for result in results:
        cells = result["cells"]
        for key, title, unit in result["figures"]:
            what = ": ".join(filter(None, [result["title"], title]))
            for mine, others in (("librac", peers), ("ctypes", in_python)):
                best = best_peer(cells, key, others)
                if mine in cells and best and cells[mine][key] > best[1]:
                    have = number(cells[mine][key]), best[0], number(best[1]), unit
                    yield "{}: {} {}, {} {} {}".format(what, mine, *have)


def as_text(results, names):
    lines = [list(row) for row in rows(results, names)]
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    printed = []
    for row in lines:
        cells = [row[0].ljust(widths[0]), row[1].ljust(widths[1])]
        cells += [cell.rjust(width) for cell, width in zip(row[2:], widths[2:])]
        printed.append("  ".join(cells).rstrip())
    return "\n".join(printed)


def as_markdown(results, names):
    lines = [list(row) for row in rows(results, names)]
    rule = ["---", "---"] + ["---:"] * (len(lines[0]) - 2)
    table = [lines[0], rule] + lines[1:]
    return "\n".join("| " + " | ".join(row) + " |" for row in table)


def empty_cells(results, names):
    """Sentences that say why cells are empty."""
    found = {}
    for result in results:
        for name in names:
            if name not in result["cells"]:
                reason = gaps.reason(name, result["workload"])
                if reason:
                    who, titles = found.setdefault(reason, ({}, {}))
                    who[name] = titles[result["title"]] = True
    for reason, (who, titles) in found.items():
        yield "{} {}: {}.".format(", ".join(who), reason, "; ".join(titles))
