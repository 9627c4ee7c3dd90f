"""Whether a diagram of another manual than rac.h is one of a run as well."""

from diagrams import read
from staged import Stage, rac


def lines(text):
    """Without their labels. A tuple is an array in Swift, and has its value first."""
    by_label, _ = read(text)
    return [
        (line.begin, [(at, kind, sorted(text.strip("()[]"))) for at, kind, text in line.events])
        for line in by_label.values()
    ]


def are_some_of(few, all):
    """In their order; one alone shows too little."""
    rest = iter(all)
    return few == all or len(few) > 1 and not [line for line in few if line not in rest]


def differences(text, make):
    stage = Stage("", text)
    stage.play(stage.made(make(stage)))
    stage.release()
    live = rac.rac_live_objects()
    return stage.differences() + (["{} objects live on".format(live)] if live else [])


def call(stage, name, *arguments):
    """What another function gives."""
    stage.name = "rac_signal_" + name
    return stage.make(*arguments)
