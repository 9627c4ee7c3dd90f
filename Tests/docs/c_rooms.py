"""Who includes whom, and who uses what whom defines, among the C files of a folder.

Two graphs are made of it. That of files: a file leads to each that it includes, and a
source to each other one that defines a function or variable that it uses. That of layers:
a header and the sources that define what it declares are one, and lead to what any of
them leads to. So a header that declares something from above makes a circle, as a call
upwards does. A *face* is no layer: a header for callers from outside, of several layers.
"""

import os
import re

ASIDE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", flags=re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', flags=re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", flags=re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|_Alignas\(\d+\)|extern\s+\"\"")
# Not a member of a structure.
NAME = re.compile(r"(?<![.\w])(?<!->)[A-Za-z_]\w*")
TYPE = re.compile(r"\s*(?:static\s+)?(?:typedef\b|(?:struct|union|enum)\b(?:\s+\w+)?\s*\{)")
FUNCTION = re.compile(r"[\w\s*]*?\b([A-Za-z_]\w*)\s*\((?!\s*\*).*\)\s*[{;]$", flags=re.S)
VARIABLE = re.compile(r"[\w\s*]+?\b(\w+)\s*(?:\[[^]]*\]\s*)*(?:=.*)?[;{]$", flags=re.S)


def statements(code):
    """What stands outside of braces, each with what its braces hold."""
    depth, start, head = 0, 0, None
    for match in re.finditer(r"[{};]", code):
        sign, end = match.group(), match.end()
        if sign == "{":
            if depth == 0 and head is None:
                head = end
            depth += 1
        elif sign == "}":
            depth -= 1
            # A function ends here, anything else at the next semicolon.
            if depth == 0 and re.search(r"\)\s*\{$", code[start:head]):
                yield code[start:head], code[head:end]
                start, head = end, None
        elif depth == 0:
            cut = head or end
            yield code[start:cut], code[cut:end]
            start, head = end, None


INCLUDES = "includes it"


class File:
    def __init__(self, path, text):
        code = ASIDE.sub(lambda m: '""' if m.group()[0] in "\"'" else " ", text)
        self.included = [os.path.basename(name) for name in INCLUDE.findall(text)]
        self.defined, self.declared, self.used = set(), set(), set()
        private = set()
        macros = " ".join(re.sub(r"^\s*#\s*\w+\s+\w+", "", d) for d in DIRECTIVE.findall(code) if "define" in d)
        self.used |= set(NAME.findall(macros))
        for head, body in statements(DIRECTIVE.sub(" ", code)):
            head = ATTRIBUTE.sub(" ", head).strip()
            if TYPE.match(head):
                continue
            self.used |= set(NAME.findall(body))
            is_function = FUNCTION.match(head) is not None
            if head.startswith("extern") and not is_function:
                names = re.findall(r"(\w+)\)?\s*(?:\[[^]]*\]\s*|\([^)]*\)\s*)*(?=[,;])", head)
                self.declared |= set(names)
                continue
            named = FUNCTION.match(head) or VARIABLE.match(head)
            if named is None:
                continue
            name, is_static = named.group(1), re.search(r"\bstatic\b", head)
            if "=" in head:
                self.used |= set(NAME.findall(head.split("=", 1)[1]))
            if is_function and head.endswith(";"):
                if not is_static:
                    self.declared.add(name)
            elif not is_static or path.endswith(".h"):
                self.defined.add(name)
            else:
                private.add(name)
        self.used -= private


def circles(graph):
    """The sets of nodes that lead to each other, each in order of names."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            circle = []
            while not circle or circle[-1] != node:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


class Rooms:
    def __init__(self, root, face=None):
        self.files = {}
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        self.files[name] = File(name, file.read())
        self.home = {}
        for name, file in self.files.items():
            for symbol in file.defined:
                self.home[symbol] = name if symbol not in self.home else None
        self.layer_of = {name: name for name in self.files}
        self.headers = [name for name in self.files if name.endswith(".h") and name != face]
        for name in self.headers:
            for other in {self.home.get(it) for it in self.files[name].declared} - {None, name}:
                self.join(name, other)

    def declared_twice(self):
        """A second header would make one layer of two."""
        declared = [symbol for name in self.headers for symbol in self.files[name].declared]
        named = [symbol for symbol in declared if self.home.get(symbol)]
        return sorted({symbol for symbol in named if named.count(symbol) > 1})

    def join(self, one, other):
        old, new = self.layer_of[one], self.layer_of[other]
        for name, layer in self.layer_of.items():
            if layer == old:
                self.layer_of[name] = new

    def arrows(self):
        """From a file to another, and why."""
        for name, file in self.files.items():
            for other in file.included:
                if other in self.files:
                    yield name, other, INCLUDES
            for symbol in sorted(file.used - file.defined):
                other = self.home.get(symbol)
                if other not in (None, name):
                    yield name, other, symbol

    def of_files(self):
        graph = {name: set() for name in self.files}
        for name, other, why in self.arrows():
            # What a header's inline functions use is for the layers.
            if name.endswith(".c") or why == INCLUDES:
                graph[name].add(other)
        return graph

    def of_layers(self):
        members = {}
        for name, layer in self.layer_of.items():
            members.setdefault(layer, []).append(name)
        title = {layer: " ".join(sorted(names)) for layer, names in members.items()}
        graph = {name: set() for name in title.values()}
        for name, other, _ in self.arrows():
            one, two = title[self.layer_of[name]], title[self.layer_of[other]]
            if one != two:
                graph[one].add(two)
        return graph
