"""Reads the list of chapters: which function stands where in the header."""

import re

from swift_abi import Fault


class Chapter:
    def __init__(self, part, number, title, line):
        self.part = part
        self.number = number
        self.title = title
        self.line = line
        self.prose = []
        self.functions = []


def read_chapters(path, name, functions):
    """The chapters of the list at `path`, with their functions, each in one place."""
    chapters, places = [], {}
    part = None
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.fullmatch(r"(#+)\s+(.+?)\s*", line)
        entry = re.fullmatch(r" {4}(\S.*?)\s*", line)
        if heading and len(heading.group(1)) == 1:
            part = heading.group(2)
        elif heading:
            if part is None:
                raise Fault(name, number, "a chapter before the first part")
            chapters.append(Chapter(part, len(chapters) + 1, heading.group(2), number))
        elif entry:
            if not chapters:
                raise Fault(name, number, "a function before the first chapter")
            symbol = entry.group(1)
            if symbol in places:
                raise Fault(name, number, "{} stands here twice; first in line {}".format(
                    symbol, places[symbol]))
            if symbol not in functions:
                raise Fault(name, number, "no function is called " + symbol)
            function = functions[symbol]
            if function.parameters is None:
                raise Fault(function.path, function.line,
                    symbol + " is not public: it would not be exported")
            places[symbol] = number
            chapters[-1].functions.append(function)
        elif chapters and not chapters[-1].functions:
            chapters[-1].prose.append(line)
        elif chapters and line.strip():
            raise Fault(name, number, "prose behind the functions of a chapter")
    check(chapters, places, name, functions)
    return chapters


def check(chapters, places, name, functions):
    titles = set()
    for chapter in chapters:
        if not chapter.functions:
            raise Fault(name, chapter.line, "a chapter without functions: " + chapter.title)
        if chapter.title in titles:
            raise Fault(name, chapter.line, "two chapters are called " + chapter.title)
        titles.add(chapter.title)
        while chapter.prose and not chapter.prose[0].strip():
            del chapter.prose[0]
    for symbol, function in functions.items():
        if symbol not in places and function.parameters is not None:
            raise Fault(function.path, function.line,
                "{} has no place in {}".format(symbol, name))
