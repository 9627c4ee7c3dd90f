"""The marble diagrams in the comments of rac.h, read and drawn. docs/Testing.md
describes the notation.

A Line has times, kinds and texts, and nothing of how it is written: a picture
can be drawn from it as well. staged.py has the engine play them.
"""

import re

# A diagram, and behind it what its letters stand for, or a remark.
LINE = re.compile(r"([-0-9A-Za-z|#()^!]+)(?: {3,}(\w: .+|\(.*\)))?$")
LEGEND = re.compile(r"(\w): (.+?)(?:, (?=\w: )|$)")


class Wrong(Exception):
    """A diagram that does not keep to the notation."""


class Line:
    """A signal in a diagram: when somebody subscribes to it, what is sent at
    which time."""

    def __init__(self, label, begin, events, length=0):
        self.label, self.begin, self.events, self.length = label, begin, events, length
        self.causes = []  # if it was heard: what was being sent at each event
        self.of = ""  # if it is made for a value: that

    def __eq__(self, other):
        return (self.begin, self.events) == (other.begin, other.events)


# ---- Reading -------------------------------------------------------------------


def diagrams(comment):
    """The diagrams of a comment: texts, each of lines that stand below each
    other."""
    for paragraph in re.split(r"\n\s*\n", comment):
        lines = paragraph.split("\n")
        if all(line.startswith("    ") for line in lines):
            yield "\n".join(line[4:] for line in lines)


def parts(line, column):
    """(label, begin, diagram, note) if the diagrams begin at that column, or
    None."""
    label, rest = line[:column], line[column:]
    if not label.strip() or label[-1] != " ":
        return None
    begin = len(rest) - len(rest.lstrip(" "))
    rest = rest[begin:]
    found = LINE.match(rest)
    return found and (label.strip(), begin, found.group(1), found.group(2) or "")


def read(text):
    """The lines of a diagram, by their labels, and the texts that its letters
    stand for."""
    lines = text.split("\n")
    for column in range(1, max(map(len, lines))):
        found = [parts(line, column) for line in lines]
        if all(found) and any(begin == 0 for _, begin, _, _ in found):
            break
    else:
        raise Wrong("no column where all lines begin:\n" + text)
    legend = {}
    for _, _, _, note in found:
        if not note.startswith("("):
            legend.update(LEGEND.findall(note))
    by_label = {label: events(label, begin, drawn, legend) for label, begin, drawn, _ in found}
    if len(by_label) != len(found):
        raise Wrong("two lines of one name:\n" + text)
    return by_label, legend


def events(label, begin, diagram, legend):
    """The Line of a diagram: (time, kind, text), the kind a value's, "|" or
    "#"; "^" and "!" are kinds as well."""
    heard, now, group = [], begin, None
    for sign in diagram:
        if sign in "()":
            if (sign == "(") != (group is None):
                raise Wrong("a group in a group, or none: " + diagram)
            group = now if sign == "(" else None
        elif sign == "-":
            if group is not None:
                raise Wrong("time in a group: " + diagram)
        else:
            kind = sign if sign in "|#^!" else " "
            text = legend.get(sign, sign) if kind == " " else ""
            heard.append((now if group is None else group, kind, text))
        now += 1
    if group is not None:
        raise Wrong("an open group: " + diagram)
    return Line(label, begin, heard, now)


# ---- Drawing -------------------------------------------------------------------


def draw(line, legend=None):
    """A line as text, from its beginning; the list of its events where it
    cannot be drawn."""
    letters = {text: letter for letter, text in (legend or {}).items()}
    drawn, now = "", line.begin
    for time in sorted({time for time, _, _ in line.events}):
        signs = [
            letters.get(text, text) if kind == " " else kind
            for at, kind, text in line.events
            if at == time
        ]
        if time != int(time) or time < now or any(len(sign) != 1 for sign in signs):
            return " ".join("{}@{:g}".format(text or kind, at) for at, kind, text in line.events)
        drawn += "-" * (int(time) - now)
        drawn += signs[0] if len(signs) == 1 else "({})".format("".join(signs))
        now = line.begin + len(drawn)
    if not line.events or line.events[-1][1] == " ":
        drawn += "-" * (line.length - now)
    return " " * line.begin + drawn
