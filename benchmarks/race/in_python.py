"""The Python package beside its peers: benchmarks/python/race.py, with reactivex as it
is today and with its last version 4."""

import json
import os
import subprocess

from . import setup
from .table import DASH, aligned, markdown, number

SCRIPT = setup.ROOT / "benchmarks" / "python" / "race.py"
PACKAGE = setup.BUILD / "python"
# What races once more beside the older reactivex.
BESIDE_OLDER = "librac,reactivex"


def run(python, options):
    """{"newest": …, "older": …}, each as race.py writes it; None without a package."""
    if python is None or not setup.has_headers(python):
        return None
    found = {"newest": _race(python, options, [], None)}
    if setup.OLDER.exists():
        found["older"] = _race(python, options, ["--only", BESIDE_OLDER], setup.OLDER)
    else:
        setup.say("skipped: {}".format(setup.OLDER_PACKAGE))
    return found


def _race(python, options, words, before):
    folders = [str(folder) for folder in (before, PACKAGE) if folder]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(folders))
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    if options.quick:
        words = words + ["--rounds", "3", "--seconds", "0.002"]
    done = subprocess.run(
        [str(python), str(SCRIPT), "--json"] + words,
        env=environment,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        check=False,
    )
    if done.returncode != 0:
        raise setup.Missing("{} ended with {}".format(SCRIPT.name, done.returncode))
    return json.loads(done.stdout)


def _rows(found):
    newest, older = found["newest"], found.get("older")
    names = list(newest["versions"])
    heading = ["ns"] + [
        " ".join(filter(None, [name, newest["versions"][name]])) for name in names
    ]
    heading += ["reactivex / librac"]
    if older:
        heading.append("reactivex {} / librac".format(older["versions"]["reactivex"]))
    yield heading
    for key, times in newest["results"].items():
        row = [newest["titles"][key]]
        row += [number(times[name]) if name in times else DASH for name in names]
        row.append(_faster(times))
        if older:
            row.append(_faster(older["results"].get(key, {})))
        yield row


def _faster(times):
    if "reactivex" not in times or "librac" not in times:
        return DASH
    return number(times["reactivex"] / times["librac"])


def behind(found):
    """(row, text) where another one is quicker, but for Python itself."""
    newest = found["newest"]
    for key, times in newest["results"].items():
        ours = times.get("librac")
        others = {n: t for n, t in times.items() if n not in ("librac", "bare Python", "partial")}
        if ours is None or not others:
            continue
        best = min(others, key=others.get)
        if others[best] < ours:
            told = newest["titles"][key]
            text = "{}: librac {}, {} {} ns".format(told, number(ours), best, number(others[best]))
            yield "python " + key, text, ours / others[best]


def as_text(found):
    return "\n".join(aligned(list(_rows(found)))) + "\n"


def as_markdown(found):
    return "\n".join(markdown(list(_rows(found))))
