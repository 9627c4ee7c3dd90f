"""Reads include/rac_types.h: handles, structures, enumerations, callbacks, constants.

The header is written by hand, in one manner: a declaration has its comment above it, a
member above it or behind it. What stands there in another manner is refused, so that
nothing is left out of what is made of it.
"""

import re

from swift_abi import Fault

# In bytes, where a pointer has eight: nothing else is supported.
SIZES = {
    "bool": 1,
    "char": 1,
    "int8_t": 1,
    "uint8_t": 1,
    "int16_t": 2,
    "uint16_t": 2,
    "int": 4,
    "int32_t": 4,
    "uint32_t": 4,
    "int64_t": 8,
    "uint64_t": 8,
    "double": 8,
    "size_t": 8,
    "ptrdiff_t": 8,
}
COMMENT = r"(?:/\*(?P<doc>(?:(?!\*/).)*)\*/\s*)?"
DECLARATIONS = {
    "handle": r"typedef struct (?P<name>rac_\w+) (?P=name);",
    "scalar": r"typedef (?P<type>\w+) (?P<name>rac_\w+);",
    "callback": r"RAC_CALLBACK\((?P<type>\w+), (?P<name>rac_\w+_fn),\s*\((?P<inside>[^;]*)\)\);",
    "struct": r"typedef struct (?P<name>rac_\w+) \{(?P<inside>.*?)\n\} (?P=name);",
    "enum": r"enum RAC_NAMED\((?P<name>rac_\w+)\) \{(?P<inside>.*?)\};",
    "constant": r"#define (?P<name>RAC_\w+) (?P<inside>-?\d+|\"[^\"\n]*\"|SIZE_MAX"
    r"|\(\(rac_\w+ \*\)0x[0-9a-f]+\))\n",
}
# What the preprocessor has, functions with a body, and what makes a header one.
REST = r"""
    \#(?:[^\n]*\\\n)*[^\n]*\n | \s+ | extern\ "C"\ \{ | \}
    | static\ inline\ [^{]*\{.*?\n\}
"""


def words(comment):
    """The text of a comment, in one line for each paragraph."""
    text = re.sub(r"^[ \t]*\*?[ \t]?", "", comment or "", flags=re.M).strip()
    # A ruler is the heading of a section.
    text = re.sub(r"^---- .*? -{3,}$\n?", "", text, flags=re.M)
    return "\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text)).strip()


def declarator(text):
    """Type and name of "const rac_value *elements"."""
    match = re.fullmatch(r"(.*?)(\w+)", " ".join(text.split()))
    return match.group(1).strip(), match.group(2)


def parameters(inside):
    return [
        dict(zip(("type", "name"), declarator(piece)))
        for piece in inside.split(",")
        if piece.strip() != "void"
    ]


MEMBER = re.compile(
    r"""\s*(?:/\*(?P<above>(?:(?!\*/).)*)\*/\s*)?
        (?P<text>(?:[^,;/()]|\([^()]*\))+?)\s*(?:[,;]|(?=/\*|$))
        (?:[ \t]*/\*(?P<behind>(?:(?!\*/).)*)\*/)?""",
    flags=re.S | re.X,
)


def members(inside):
    """Pieces that end with "," or ";", each with the comment above or behind it."""
    found, position, inside = [], 0, inside.rstrip()
    while position < len(inside):
        match = MEMBER.match(inside, position)
        if match is None:
            return None
        text = " ".join(match.group("text").split())
        found.append((text, words(match.group("above") or match.group("behind"))))
        position = match.end()
    return found


def enumerators(inside):
    found = []
    for text, doc in members(inside) or [("", "")]:
        match = re.fullmatch(r"(RAC_\w+) = (-?\d+)", text)
        if not match:
            return None
        found.append({"name": match.group(1), "value": int(match.group(2)), "doc": doc})
    return found


def fields(inside):
    found = []
    for text, doc in members(inside) or [("", "")]:
        pointer = re.fullmatch(r"(\w+) \(\*(\w+)\)\((.*)\) RAC_SENDABLE", text)
        if pointer:
            result, name, inner = pointer.groups()
            found.append({"name": name, "function": {
                "parameters": parameters(inner), "returns": result}, "doc": doc})
            continue
        match = re.fullmatch(r"(.*?)(\w+)", text)
        if not match:
            return None
        found.append({"name": match.group(2), "type": match.group(1).strip(), "doc": doc})
    return found


def supers(doc):
    """The kinds that a handle may also be used as, by the comment of its type."""
    said = re.match(r"Is an? (\w+), too(?:, and an? (\w+))?", doc)
    return [kind for kind in said.groups() if kind] if said else []


INLINE = re.compile(
    r"(?:/\*(?P<doc>(?:(?!\*/).)*)\*/\s*)?static inline (?P<type>\w+(?: \*)?)\s*"
    r"(?P<name>rac_\w+)\((?P<inside>[^)]*)\) \{\n(?P<body>.*?)\n\}",
    flags=re.S,
)


def inlines(text):
    """The functions that a header has with their bodies, which a binding that compiles no C
    writes anew. Those of RAC_AUTO are C's alone."""
    return [
        {
            "name": found["name"],
            "parameters": parameters(found["inside"]),
            "returns": {"type": found["type"]},
            "doc": words(found["doc"]),
            "body": " ".join(found["body"].split()),
        }
        for found in INLINE.finditer(text)
        if not found["name"].startswith("rac_auto_")
    ]


class Types:
    """What the header declares; each a list of dictionaries, in its order."""

    def __init__(self, path, name):
        self.handles, self.scalars, self.callbacks = [], [], []
        self.structs, self.enums, self.constants = [], [], []
        self.file = name
        text = path.read_text(encoding="utf-8")
        self.inlines = inlines(text)
        choice = re.compile(
            "|".join(
                "(?P<{0}>{1})".format(kind, COMMENT.replace("doc", kind + "_doc"))
                + self.numbered(kind, pattern)
                for kind, pattern in DECLARATIONS.items()
            ),
            flags=re.S,
        )
        rest = re.compile(r"/\*(?:(?!\*/).)*\*/|" + REST, flags=re.S | re.X)
        position = 0
        while position < len(text):
            match = choice.match(text, position) or rest.match(text, position)
            line = text.count("\n", 0, position) + 1
            if match is None:
                raise Fault(name, line, "cannot read: " + text[position:].split("\n")[0])
            if match.re is choice:
                kind = next(k for k in DECLARATIONS if match.group(k + "_name"))
                self.add(kind, match, line)
            position = match.end()
        self.lay_out()

    @staticmethod
    def numbered(kind, pattern):
        """The pattern with names of groups that are its own."""
        for group in ("name", "type", "inside"):
            pattern = pattern.replace("P<{}>".format(group), "P<{}_{}>".format(kind, group))
        return pattern.replace("(?P=name)", "(?P={}_name)".format(kind))

    def add(self, kind, match, line):
        groups = match.groupdict()
        name, doc = groups[kind + "_name"], words(groups[kind + "_doc"])
        inside = groups.get(kind + "_inside")
        if kind == "handle":
            self.handles.append({"name": name[len("rac_") :], "type": name, "is": supers(doc)})
        elif kind == "scalar":
            self.scalars.append({"name": name, "type": groups["scalar_type"], "doc": doc})
        elif kind == "callback":
            self.callbacks.append({"name": name, "parameters": parameters(inside),
                "returns": groups["callback_type"], "doc": doc})
        elif kind == "struct":
            self.structs.append({"name": name, "fields": fields(inside), "doc": doc})
        elif kind == "enum":
            self.enums.append({"name": name, "type": "int32_t", "members": enumerators(inside),
                "doc": doc})
        elif not name.endswith(("_INIT", "_H")):
            self.constants.append(self.constant(name, inside, doc))
        for key in ("fields", "members"):
            for each in (self.structs, self.enums):
                if each and each[-1].get(key, 0) is None:
                    raise Fault(self.file, line, "cannot read what is in " + name)

    @staticmethod
    def constant(name, text, doc):
        if text == "SIZE_MAX":
            return {"name": name, "type": "size_t", "value": 2**64 - 1, "doc": doc}
        if text.startswith('"'):
            return {"name": name, "type": "const char *", "value": text[1:-1], "doc": doc}
        handle = re.fullmatch(r"\(\((rac_\w+ \*)\)(0x[0-9a-f]+)\)", text)
        if handle:
            return {"name": name, "type": handle.group(1), "value": int(handle.group(2), 16),
                "doc": doc}
        return {"name": name, "type": "int", "value": int(text), "doc": doc}

    def names(self):
        """Of the types, structures and callbacks that a signature may name."""
        listed = self.scalars + self.structs + self.callbacks
        return {each["name"] for each in listed}

    def lay_out(self):
        """Where each field lies, as the ABI of 64-bit systems has it."""
        sizes = dict(SIZES)
        alignments = dict(SIZES)
        for scalar in self.scalars:
            sizes[scalar["name"]] = alignments[scalar["name"]] = sizes[scalar["type"]]
        for struct in self.structs:
            offset = widest = 0
            for field in struct["fields"]:
                kind = field.get("type", "*")
                pointer = kind.endswith("*") or kind.endswith("_fn")
                size = 8 if pointer else sizes[kind]
                alignment = 8 if pointer else alignments[kind]
                offset = -(-offset // alignment) * alignment
                field["offset"] = offset
                offset += size
                widest = max(widest, alignment)
            struct["size"] = -(-offset // widest) * widest
            sizes[struct["name"]], alignments[struct["name"]] = struct["size"], widest
