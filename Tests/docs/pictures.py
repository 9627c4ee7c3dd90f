"""The picture of each operator: its diagram in rac.h, as the engine plays it.

The diagram says which lines there are; the run adds to which signals the operator was
subscribed, inner ones as well, when it disposed of them, and which event made it send.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "lib"))

import played  # noqa: E402
from marble_svg import COLOURS, Box, Event, Lane, draw  # noqa: E402
from staged import Stage, racffi  # noqa: E402


class Run:
    """A diagram that is played for some of the signals that are made of it."""

    def __init__(self, name, text, which=0):
        stage = Stage(name, text)
        made = stage.made(played.maker(name)(stage))
        self.signals = list(dict.fromkeys(made.values()))
        chosen = self.signals[which : which + 1]
        stage.play({label: signal for label, signal in made.items() if signal in chosen})
        stage.release()
        self.stage, self.labels = stage, list(made)
        self.heard = {label: stage.heard[label] for label in stage.lines if label in stage.heard}


def runs(name, text):
    """One for each signal that is made; those of a shared one are one."""
    first = Run(name, text)
    return [first] + [Run(name, text, which) for which in range(1, len(first.signals))]


def until(play):
    """How long somebody listened to a play."""
    last = play.spans[-1][1] if play.spans else play.begin
    return float("inf") if last is None else last


class Score:
    """The rows of a picture."""

    def __init__(self, name, text):
        self.name = re.sub("^rac_(signal_)?", "", name)
        self.runs = runs(name, text)
        stage = self.runs[0].stage
        self.lines = stage.lines
        self.seconds = max(
            line.events[-1][0] if line.events and line.events[-1][1] in "|#" else line.length - 1
            for line in self.lines.values()
        )
        self.over = [t for t, kind, _ in self.line("subscription") if kind == "!"]
        inner = set().union(*[run.stage.signals_of for run in self.runs])
        told = set().union(*[run.heard for run in self.runs], {"subscription"})
        self.inputs = [label for label in self.lines if label not in inner | told]
        self.colours = {}
        for label in self.inputs:
            self.name_colours(self.line(label))
        self.of_lane = {}  # the colours of inner signals, by their Play
        lanes = {label: self.input(label) for label in self.inputs}
        self.source = lanes["source"][0] if "source" in lanes else None
        self.rows = [lane for each in lanes.values() for lane in each]
        for run in self.runs:
            inner, outputs = self.inner(run), self.outputs(run)
            for lane in inner:
                lane.parent = lane.parent or self.sender(lane.begin, outputs)
            self.rows += [Box(self.title(run), inner)] + outputs

    def line(self, label):
        return self.lines[label].events if label in self.lines else []

    def name_colours(self, events):
        """A colour for each value that has none yet."""
        for _, kind, text in events:
            if kind == " " and text not in self.colours:
                self.colours[text] = COLOURS[len(self.colours) % len(COLOURS)]

    # ---- What comes in ---------------------------------------------------------

    def input(self, label):
        """A line, played once or several times: in one lane if nothing overlaps."""
        line = self.lines[label]
        plays = [
            [play for play in run.stage.plays if play.line is run.stage.lines[label]]
            for run in self.runs
        ]
        most = max(plays, key=len)
        if not most:  # a scheduler's line, and such
            return [Lane(label, line.begin, self.events(line.events))]
        lanes = []
        for index, play in enumerate(most):
            same = [each[index] for each in plays if index < len(each)]
            lane = self.lane("" if lanes else label, same)
            last = ([lanes[-1]] + lanes[-1].following)[-1] if lanes else None
            if last and last.is_over(play.begin):
                last.drop_unheard()
                lanes[-1].following.append(lane)
            else:
                lanes.append(lane)
        return lanes

    def lane(self, label, plays, colour=None):
        """Of a line that was played once in each of some runs: what one of them heard of it."""
        play = max(plays, key=until)
        heard = set().union(*[each.heard for each in plays])
        moved = play.begin - play.line.begin
        events = self.events(play.line.events, moved, heard, colour)
        return Lane(label, play.begin, events, colour, play.spans)

    def events(self, events, moved=0, heard=None, colour=None):
        """Of a lane; those that were not heard are late."""
        return [
            Event(
                time + moved,
                kind,
                text,
                colour or self.colours.get(text),
                heard is not None and index not in heard,
            )
            for index, (time, kind, text) in enumerate(events)
            if time + moved <= self.seconds
        ]

    # ---- What the operator is subscribed to ------------------------------------

    def title(self, run):
        """The operator's name, and what its label says besides."""
        label = next((each for each in run.heard if each in run.labels), "")
        words, name = label.split(" "), self.name
        if not label or re.match("result|subscriber|groups", label):
            return name
        if name.startswith(words[0]) or words[0] in set(name.split("_")) - {"with"}:
            return " ".join([name] + words[1:])
        return "{}: {}".format(name, label)

    def inner(self, run):
        """The lanes of the signals that values of the source stand for."""
        stage, lanes = run.stage, []
        for play in stage.plays:
            named = [text for text, line in stage.lines.items() if line is play.line]
            if named and named[0] not in stage.signals_of:
                continue
            text = named[0] if named else play.line.of
            self.name_colours([(0, " ", text)])
            at = [t for t, kind, each in self.line("source") if each == text and t <= play.begin]
            colour = self.colours.get(text)
            self.of_lane[play] = colour
            lane = self.lane(text if named else "", [play], colour)
            lane.parent = (self.source, at[-1]) if at else None
            lanes.append(lane)
        return lanes

    def sender(self, time, outputs):
        """The value, and its lane, of a signal that stands for no text: expand's are made of what
        it sends."""
        for lane in [self.source] + outputs:
            if any(event.time == time and event.kind == " " for event in lane.events):
                return lane, time
        return None

    # ---- What comes out --------------------------------------------------------

    def outputs(self, run):
        lanes, by_label = [], {}
        for label, line in run.heard.items():
            self.name_colours([each for each in line.events if each[2].isupper()])
            is_signal = re.match("[A-Z]$", label)
            colour = self.colours.get(label) if is_signal else None
            title = label if label not in run.labels or label.startswith("subscriber") else ""
            lane = Lane(title, line.begin, self.told(line), colour)
            if self.over and label in run.labels and not lane.end():
                lane.spans = [[line.begin, self.over[0]]]
            if is_signal:
                for each in by_label.values():
                    at = [t for t, _, text in each[1].events if text == label]
                    lane.parent = (each[0], at[0]) if at else lane.parent
            by_label[label] = lane, line
            lanes.append(lane)
        return lanes

    def told(self, line):
        """The events of a heard line. A value that came in has its colour; one that the
        operator made has the colour of what it was made of."""
        came = [
            (time, text) for label in self.inputs for time, kind, text in self.line(label)
        ]
        passed = all(
            kind != " " or any(text == each and at <= time for at, each in came)
            for time, kind, text in line.events
        )
        events = []
        for (time, kind, text), cause in zip(line.events, line.causes):
            colour = self.colours.get(text)
            play, sent = cause or (None, None)
            if play in self.of_lane and sent == text:
                colour = self.of_lane[play]
            elif sent is not None and not passed and not re.match("[A-Z]$", text):
                colour = self.colours.get(sent, colour)
            events.append(Event(time, kind, text, colour, False))
        return events


def told(rows):
    """The picture in words."""
    said = []
    for row in rows:
        if isinstance(row, Box):
            said.append("Operator {}".format(row.title))
        for lane in row.lanes if isinstance(row, Box) else [row]:
            each = []
            for event in lane.events:
                if not event.is_late:
                    what = {" ": event.text, "|": "completion", "#": "error"}[event.kind]
                    each.append("{} at {:g}".format(what, event.time))
            each += ["disposed at {:g}".format(end) for _, end in lane.spans if end is not None]
            said.append("{}: {}".format(lane.label or "then", ", ".join(each) or "nothing"))
    return "; ".join(said) + "."


def picture(name, text):
    score = Score(name, text)
    return draw(score.name, told(score.rows), score.rows, score.seconds, is_of_time(name))


def is_of_time(name):
    kinds = [each["type"] for each in racffi.FUNCTIONS[name]["parameters"]]
    return "rac_scheduler *" in kinds and "double" in kinds


def file_name(function, index):
    return re.sub("^rac_(signal_)?", "", function) + ("_{}.svg".format(index) if index > 1 else ".svg")


def pictures():
    """The SVGs by the names of their files: that of the operator, and _2 for its second."""
    return {
        file_name(name, index): picture(name, text)
        for name, texts in played.texts().items()
        if name.startswith(("rac_signal_", "rac_lift"))
        for index, text in enumerate(texts, 1)
    }
