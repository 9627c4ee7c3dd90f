"""The reference pages of the site: C's from include/rac.json, Python's from the package, Swift's from
what the compiler says of the modules. Each function writes pages and gives their order for mkdocs."""

import inspect
import json
import pathlib
import re
import subprocess

import operators_page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def write_page(pages, name, lines):
    (pages / name).parent.mkdir(exist_ok=True)
    (pages / name).write_text("\n".join(lines), encoding="utf-8")


# ---- C -----------------------------------------------------------------------------


def escaped(text):
    """Text that Markdown leaves as it is; code in backquotes is left to it."""
    parts = re.split(r"(`[^`]*`)", text)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r"([*_])", r"\\\1", parts[number].replace("<", "&lt;"))
    return "".join(parts).replace("|", "\\|")


def blocks(text, drawn=()):
    """Doc comments are Markdown but for their diagrams, which are indented already. Those that
    are drawn are pictures."""
    parts, drawn = [], iter(drawn)
    for block in text.split("\n\n"):
        picture = next(drawn, None) if block.startswith("    ") else None
        if picture:
            block = "![A marble diagram](../docs/operators/{})".format(picture)
        parts.append(block if block.startswith(("    ", "![")) else escaped(block))
    return "\n\n".join(parts)


def declaration(function):
    parameters = [
        parameter["type"] + ("" if parameter["type"].endswith("*") else " ") + parameter["name"]
        for parameter in function["parameters"]
    ]
    returns = function["returns"]["type"]
    start = returns + ("" if returns.endswith("*") else " ") + function["name"] + "("
    line = start + (", ".join(parameters) or "void") + ");"
    return line if len(line) <= 72 else start + "\n    " + ",\n    ".join(parameters) + ");"


def reference_of(function):
    drawn = operators_page.pictures(function["name"], ROOT / "docs" / "operators")
    lines = ["## " + function["name"], "", "```c", declaration(function), "```", ""]
    lines += [blocks(function["doc"], drawn), ""]
    documented = [parameter for parameter in function["parameters"] if parameter.get("doc")]
    if documented:
        lines += ["| parameter | |", "|---|---|"]
        lines += [
            "| `{}` | {} |".format(parameter["name"], escaped(" ".join(parameter["doc"].split())))
            for parameter in documented
        ]
        lines.append("")
    if function["returns"].get("doc"):
        lines += ["Returns: " + blocks(function["returns"]["doc"]), ""]
    for key, label in (("thread", "Threads"), ("rac", "ReactiveCocoa"), ("rx", "Rx")):
        if function.get(key):
            lines += ["{}: {}".format(label, escaped(function[key])), ""]
    return lines


def write_c(pages):
    data = json.loads((ROOT / "include" / "rac.json").read_text(encoding="utf-8"))
    order = []
    for chapter in data["chapters"]:
        functions = [function for function in data["functions"] if function["chapter"] == chapter["number"]]
        if not functions:
            continue
        page = "reference/{:02}.md".format(chapter["number"])
        lines = ["# " + chapter["title"], "", blocks(chapter["doc"]), ""]
        for function in functions:
            lines += reference_of(function)
        write_page(pages, page, lines)
        order.append({chapter["title"]: page})
    return order


# ---- Python ------------------------------------------------------------------------


def write_python(pages):
    """A page for each public class and module, and one for the functions."""
    import librac

    names = [name for name in sorted(librac.__all__) if inspect.getdoc(getattr(librac, name, None))]
    classes = [name for name in names if inspect.isclass(getattr(librac, name))]
    modules = [name for name in names if inspect.ismodule(getattr(librac, name))]
    functions = [name for name in names if name not in classes + modules]
    parts = [("Functions", [(name, getattr(librac, name)) for name in functions])]
    for name in modules:
        module = getattr(librac, name)
        documented = [(each, getattr(module, each)) for each in sorted(module.__all__)]
        parts.append((name, [(each, value) for each, value in documented if inspect.getdoc(value)]))
    for name in classes:
        members = inspect.getmembers(getattr(librac, name), lambda member: inspect.getdoc(member))
        parts.append((name, [(member, value) for member, value in members if not member.startswith("_")]))
    order = []
    for title, members in parts:
        lines = ["# " + title, ""]
        if title in classes + modules:
            lines += ["```text", inspect.getdoc(getattr(librac, title)), "```", ""]
        for name, value in members:
            try:
                signature = str(inspect.signature(value))
            except (TypeError, ValueError):
                signature = ""
            lines += ["## " + escaped(name), "", "```python", name + signature, "```", ""]
            lines += ["```text", inspect.getdoc(value), "```", ""]
        page = "python/{}.md".format(title)
        write_page(pages, page, lines)
        order.append({title: page})
    return order


# ---- Swift -------------------------------------------------------------------------


def symbols_of(module, build):
    """What the compiler says of the public names of a module that `swift build` has built."""
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
    folder = build / "symbols"
    folder.mkdir(exist_ok=True)
    paths = [build / "debug" / "Modules", ROOT / "include", ROOT / "Sources" / "CRACShims" / "include",
             ROOT / "Sources" / "CReactive" / "include"]
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-target", target, "-output-dir", str(folder),
         "-minimum-access-level", "public", "-skip-synthesized-members"]
        + [word for path in paths for word in ("-I", str(path))],
        check=True,
    )
    graphs = sorted(folder.glob(module + "*.symbols.json"))
    return [symbol for graph in graphs for symbol in json.loads(graph.read_text(encoding="utf-8"))["symbols"]]


def swift_entry(symbol, heading):
    declared = "".join(part["spelling"] for part in symbol["declarationFragments"])
    said = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
    # Lists inside lists take four blanks in mkdocs, and two in DocC.
    said = re.sub(r"^((?:  )+)(?=- )", lambda m: m[1] * 2, said, flags=re.M)
    # A name in two backquotes is a link of DocC's.
    said = re.sub(r"``([^`]+)``", r"`\1`", said)
    said = re.sub(r"<doc:(\w+)>", r"\1", said)
    return [heading + " " + escaped(symbol["pathComponents"][-1]), "", "```swift", declared, "```", "", said, ""]


def write_swift(pages, build):
    """A page for each public type with its members, and one for what belongs to none."""
    order = []
    for module in ("Reactive", "ReactiveTesting"):
        types = {}
        for symbol in symbols_of(module, build):
            path = symbol["pathComponents"]
            # Operators, and what the conformance to a protocol brings, say nothing of their own.
            if "docComment" in symbol:
                types.setdefault(path[0], []).append((len(path) > 1, path, symbol))
        alone = [name for name, found in types.items() if len(found) == 1 and not found[0][0]]
        for name in sorted(set(types) - set(alone)):
            found = sorted(types[name], key=lambda entry: entry[:2])
            lines = ["# " + name, ""]
            for is_member, _, symbol in found:
                entry = swift_entry(symbol, "##")
                lines += entry if is_member else entry[2:]
            page = "swift/{}.{}.md".format(module, name)
            write_page(pages, page, lines)
            order.append({name: page})
        if alone:
            lines = ["# Others of " + module, ""]
            for name in sorted(alone):
                lines += swift_entry(types[name][0][2], "##")
            write_page(pages, "swift/{}.md".format(module), lines)
            order.append({"Others of " + module: "swift/{}.md".format(module)})
    return order
