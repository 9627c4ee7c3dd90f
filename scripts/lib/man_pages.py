"""Manual pages of section 3, one for each function, in mdoc, made from include/rac.json.

    man_pages.py DESCRIPTION FOLDER DATE

DATE is that of the release, as mdoc wants it: "November 27, 2026".
"""

import json
import pathlib
import re
import sys


def escaped(text):
    """Text for a line of mdoc: no macro at its start, no escape in it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def paragraphs(text):
    """Prose filled by the formatter; what is indented, such as a diagram, as it stands."""
    for block in re.split(r"\n\n", text):
        if block.startswith("    "):
            yield ".Bd -literal -offset indent"
            for line in block.splitlines():
                yield escaped(line[4:])
            yield ".Ed"
        elif block.strip():
            yield ".Pp"
            for sentence in re.split(r"(?<=[.:;]) +(?=[A-Z])", " ".join(block.split())):
                yield escaped(sentence)


def quoted(text):
    return '"' + text + '"'


def section(title, lines):
    return [".Sh " + title] + list(lines)


def prose(text):
    """Paragraphs without the break before the first."""
    lines = list(paragraphs(text))
    return lines[1:] if lines[:1] == [".Pp"] else lines


def first_sentence(text):
    sentence = re.match(r"(?s)(.*?\.)(?=\s|$)", text.split("\n\n")[0])
    return " ".join((sentence.group(1) if sentence else text).split()).rstrip(".")


def parameter_lines(parameters):
    yield ".Bl -tag -width Ds"
    for parameter in parameters:
        yield ".It Fa " + parameter["name"]
        yield from prose(parameter.get("doc", ""))
    yield ".El"


def error_lines(function, meanings):
    yield ".Bl -tag -width Ds"
    for status in function["statuses"]:
        yield ".It Dv " + status
        yield from prose(meanings.get(status, ""))
    yield ".El"


def page(function, book):
    chapter = book["chapters"][function["chapter"]]
    lines = [
        ".Dd " + book["date"],
        ".Dt " + function["name"].upper() + " 3",
        ".Os librac " + book["version"],
    ]
    lines += section("NAME", [".Nm " + function["name"], ".Nd " + escaped(first_sentence(function["doc"]))])
    lines += section("LIBRARY", ["librac (rac, \\-lrac)"])
    lines += section("SYNOPSIS", [".In rac.h", ".Ft " + quoted(function["returns"]["type"])])
    lines.append(".Fo " + function["name"])
    for parameter in function["parameters"]:
        between = "" if parameter["type"].endswith("*") else " "
        lines.append(".Fa " + quoted(parameter["type"] + between + parameter["name"]))
    if not function["parameters"]:
        lines.append(".Fa void")
    lines.append(".Fc")
    lines += section("DESCRIPTION", prose(function["doc"]))
    if any(parameter.get("doc") for parameter in function["parameters"]):
        lines.append(".Pp")
        lines.append("The arguments are as follows:")
        lines += parameter_lines(function["parameters"])
    if function.get("thread"):
        lines += [".Pp", *prose("Threads: " + function["thread"])]
    if function.get("blocks"):
        lines += [".Pp", "It may block."]
    if function["returns"].get("doc"):
        lines += section("RETURN VALUES", prose(function["returns"]["doc"]))
    if function.get("statuses"):
        lines += section("ERRORS", error_lines(function, book["meanings"]))
        lines += [".Pp", ".Fn rac_last_error_message", "says more about the latest failure of the thread."]
    same = [other for other in book["by_chapter"][function["chapter"]] if other != function["name"]]
    near = sorted(same)[:12]
    if near:
        lines += section("SEE ALSO", [".Xr {} 3 {}".format(name, "," if name != near[-1] else "") for name in near])
        lines = [line.rstrip() for line in lines]
    names = []
    if function.get("rac"):
        names.append("ReactiveCocoa 2.5 calls it " + escaped(function["rac"]) + ".")
    if function.get("rx"):
        names.append("ReactiveX calls it " + escaped(function["rx"]) + ".")
    names.append("It came with librac " + function["since"] + ".")
    lines += section("HISTORY", ["Chapter: " + escaped(chapter["title"]) + "."] + names)
    return "\n".join(lines) + "\n"


def main(description, folder, date):
    data = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
    by_chapter = {}
    for function in data["functions"]:
        by_chapter.setdefault(function["chapter"], []).append(function["name"])
    book = {
        "version": data["version"],
        "date": date,
        "chapters": {chapter["number"]: chapter for chapter in data["chapters"]},
        "meanings": {
            member["name"]: member["doc"] for enum in data["enums"] for member in enum["members"]
        },
        "by_chapter": by_chapter,
    }
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for function in data["functions"]:
        text = page(function, book)
        (target / (function["name"] + ".3")).write_text(text, encoding="utf-8")
    print("{} pages in {}".format(len(data["functions"]), folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
