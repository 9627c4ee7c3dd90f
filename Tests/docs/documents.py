"""The fenced blocks of a Markdown file."""

import os
import re

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```(\w*)[ ]*\n(.*?)^```[ ]*$", flags=re.M | re.S)


class Block:
    """Code and, if an "Output:" block follows, what it prints."""

    def __init__(self, path, line, language, code):
        self.path, self.line = path, line
        self.language, self.code = language, code
        self.output = None

    def __str__(self):
        return "{}:{}".format(os.path.relpath(self.path, TREE), self.line)


def read(*parts):
    with open(os.path.join(TREE, *parts), encoding="utf-8") as file:
        return file.read()


def pages():
    """README.md and all of docs."""
    folder = os.path.join(TREE, "docs")
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    return [os.path.join(TREE, "README.md")] + [
        os.path.join(folder, name) for name in names
    ]


def tree():
    """Every file's path, from the top; builds and what is hidden aside."""
    for folder, folders, names in os.walk(TREE):
        folders[:] = [name for name in folders if name != "build" and name[0] != "."]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), TREE)


def documents():
    """README.md, docs, and every other page in the tree."""
    return [path for path in sorted(tree()) if path.endswith(".md")]


def blocks(path):
    text = read(path)
    found, end = [], 0
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        between = text[end : match.start()].strip()
        if not match.group(1) and between == "Output:" and found:
            found[-1].output = match.group(2)
        else:
            found.append(Block(path, line, *match.groups()))
        end = match.end()
    return found
