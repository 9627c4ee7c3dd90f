"""Turns Swift doc comments into C block comments that Doxygen reads."""

import re
import textwrap

from swift_abi import Fault

FIELD = re.compile(r"-\s*(Parameter\s+`?(\w+)`?|Parameters|Returns|Return|Note)\s*:\s*(.*)")
# How a doc comment ends: [Any thread ...] [RAC: ...] [Rx: ...] Since: N
SINCE = re.compile(r"\s*\bSince:\s*([\d.]*\d)\.?\s*$", flags=re.S)
RX = re.compile(r"(?:^|\s+)Rx:\s*(\S.*?)\.?\s*$", flags=re.S)
RAC = re.compile(r"(?:^|\s+)RAC:\s*(\S.*?)\.?\s*$", flags=re.S)
THREAD = re.compile(r"(?:^|(?<=[.;])\s+)((?:Any|Main|Loop) thread\b.*)$", flags=re.S)


def fill(lines, width):
    """Refills paragraphs and list items; keeps indented and fenced lines."""
    out, paragraph, fenced = [], [], False

    def flush():
        if paragraph:
            text = " ".join(part.strip() for part in paragraph)
            hang = re.match(r"([-*]|\d+\.)\s+", text)
            indent = " " * (len(hang.group(0)) if hang else 0)
            out.extend(wrap(text, width, "", indent))
            del paragraph[:]

    for line in lines:
        if line.strip().startswith("```"):
            flush()
            out.append("@endcode" if fenced else "@code{.c}")
            fenced = not fenced
        elif fenced or (line.startswith("    ") and not paragraph):
            out.append(line.rstrip())
        elif not line.strip():
            flush()
            if out and out[-1] != "":
                out.append("")
        else:
            if re.match(r"\s*([-*]|\d+\.)\s+", line):
                flush()
            paragraph.append(line)
    flush()
    while out and out[-1] == "":
        out.pop()
    return out


def wrap(text, width, first, rest):
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def star(lines):
    return [(" * " + line).rstrip() for line in lines]


class Parts:
    """A doc comment taken apart; each part is a list of lines."""

    def __init__(self):
        self.body = []
        self.parameters = []
        self.returns = []
        self.notes = []
        self.thread = self.rac = self.rx = self.since = None

    def cut(self, pattern):
        """Takes what `pattern` finds off the end of the comment."""
        chunks = [self.body, self.returns] + self.notes
        for chunk in chunks + [lines for _, lines in self.parameters]:
            found = pattern.search("\n".join(chunk))
            if found:
                chunk[:] = "\n".join(chunk)[: found.start()].split("\n")
                return " ".join(found.group(1).split())
        return None


def take_apart(function):
    parts = Parts()
    target, in_list = parts.body, False
    for line in function.comment:
        if "```" not in line:
            line = line.replace("``", "`")
        field = FIELD.match(line.strip())
        item = re.match(r"\s+-\s*`?(\w+)`?\s*:\s*(.*)", line) if in_list else None
        if field:
            kind, name, rest = field.groups()
            in_list = kind == "Parameters"
            target = [rest]
            if name:
                parts.parameters.append((name, target))
            elif kind.startswith("Return"):
                parts.returns = target
            elif kind == "Note":
                parts.notes.append(target)
        elif item:
            target = [item.group(2)]
            parts.parameters.append((item.group(1), target))
        elif re.match(r"(RAC|Since):", line.strip()) and target is not parts.body:
            # A foot on lines of its own belongs to the whole.
            target, in_list = parts.body, False
            target += ["", line.strip()]
        elif line.strip():
            target.append(line)
        elif not in_list:
            target = parts.body
            target.append("")
    parts.since = parts.cut(SINCE)
    parts.rx = parts.cut(RX)
    parts.rac = parts.cut(RAC)
    parts.thread = parts.cut(THREAD)
    return parts


def check(function, parts):
    where = (function.path, function.line)
    text = "\n".join(function.comment)
    if not "".join(parts.body).strip():
        raise Fault(*where, function.name + " has no doc comment")
    if parts.since is None:
        raise Fault(*where, function.name + ": the doc comment misses Since:")
    if "*/" in text or "/*" in text:
        raise Fault(*where, function.name + ": /* or */ inside a doc comment")
    known = [parameter.name for parameter in function.parameters]
    for name, _ in parts.parameters:
        if name not in known:
            raise Fault(*where, "{} documents {}, which is no parameter of it".format(
                function.name, name))


def translate(function, width):
    """The block comment of one function."""
    parts = take_apart(function)
    check(function, parts)
    room = width - 3
    out = fill(parts.body, room)
    fields = []
    longest = max([len(name) for name, _ in parts.parameters] or [0])
    indent = " " * (len("@param ") + min(longest, 12) + 1)
    for name, lines in parts.parameters:
        first = ("@param " + name).ljust(len(indent) - 1) + " "
        text = " ".join(line.strip() for line in lines)
        fields += wrap(text, room, first, indent) or [first.rstrip()]
    text = " ".join(line.strip() for line in parts.returns).strip()
    if text:
        fields += wrap(text, room, "@return ", " " * len("@return "))
    for note in parts.notes:
        text = " ".join(line.strip() for line in note)
        fields += wrap(text, room, "@note ", " " * len("@note "))
    if fields:
        out += [""] + fields
    out.append("")
    if parts.thread:
        out += wrap(parts.thread, room, "", "")
    if parts.rac:
        out += wrap(parts.rac, room, "RAC: ", "     ")
    if parts.rx:
        out += wrap(parts.rx, room, "Rx: ", "    ")
    out.append("@since " + parts.since)
    return "\n".join(["/**"] + star(out) + [" */"])
