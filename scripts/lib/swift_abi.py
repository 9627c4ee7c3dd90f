"""Reads the C functions out of Sources/RAC: every one that is @c."""

import re

HANDLES = {
    "CSignal": "rac_signal *",
    "CSubject": "rac_subject *",
    "CSubscriber": "rac_subscriber *",
    "CDisposable": "rac_disposable *",
    "CScheduler": "rac_scheduler *",
    "CConnection": "rac_connection *",
    "CRecursion": "rac_recursion *",
    "CCommand": "rac_command *",
    "CSequence": "rac_sequence *",
    "CSequenceIterator": "rac_sequence_iterator *",
    "CProperty": "rac_property *",
    "CChannel": "rac_channel *",
    "CBound": "rac_bound *",
    "CCounter": "rac_counter *",
    "CContext": "void *",
    "CHandle": "void *",
    "CString": "const char *",
    "CBuffer": "char *",
    "UnsafeRawPointer": "const void *",
    "UnsafeMutableRawPointer": "void *",
}
SCALARS = {
    "Bool": "bool",
    "Int8": "int8_t",
    "Int16": "int16_t",
    "Int32": "int32_t",
    "Int64": "int64_t",
    "UInt8": "uint8_t",
    "UInt16": "uint16_t",
    "UInt32": "uint32_t",
    "UInt64": "uint64_t",
    "Int": "ptrdiff_t",
    "UInt": "size_t",
    "CSize": "size_t",
    "CInt": "int",
    "CChar": "char",
    "Double": "double",
    "Void": "void",
    "()": "void",
}
KEYWORDS = frozenset(
    """
    alignas alignof and asm auto bitand bitor bool break case catch char class
    compl const constexpr continue decltype default delete do double else enum
    explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not nullptr operator or private protected
    public register restrict return short signed sizeof static struct switch
    template this throw true try typedef typeid typename union unsigned using
    virtual void volatile while xor
    """.split()
)


class Fault(Exception):
    """What is wrong, and where."""

    def __init__(self, path, line, message):
        super().__init__("{}:{}: {}".format(path, line, message))


class Parameter:
    def __init__(self, name, ctype):
        self.name = name
        self.ctype = ctype

    def declaration(self):
        space = "" if self.ctype.endswith("*") else " "
        return self.ctype + space + self.name


class Function:
    """Without parameters where it is not public, and so not exported."""

    def __init__(self, name, parameters, result, comment, path, line, from_swift=True):
        self.from_swift = from_swift
        self.name = name
        self.parameters = parameters
        self.result = result
        self.comment = comment
        self.path = path
        self.line = line


def c_type(swift, typedefs):
    """The C type of a Swift type, or None."""
    swift = swift.strip().rstrip("?!").strip()
    pointer = re.fullmatch(
        r"(?:UnsafePointer|CList|(UnsafeMutablePointer|COut))<(.*)>", swift, flags=re.S
    )
    if pointer:
        inner = c_type(pointer.group(2), typedefs)
        if inner is None or inner == "void":
            return None
        if pointer.group(1):
            return inner + ("*" if inner.endswith("*") else " *")
        if inner.endswith("*"):
            return inner + "const *"
        return "const " + inner + " *"
    if swift in typedefs:
        return swift
    return HANDLES.get(swift) or SCALARS.get(swift)


def closing(text, start):
    """The index of the parenthesis that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return -1


def split_parameters(text):
    """Splits at the commas that are outside brackets."""
    depth, current, out = 0, "", []
    for character in text:
        depth += {"(": 1, "<": 1, "[": 1, ")": -1, ">": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            out.append(current)
            current = ""
        else:
            current += character
    return [piece for piece in out + [current] if piece.strip()]


def parse_parameters(text, typedefs, path, line):
    parameters = []
    for piece in split_parameters(text):
        match = re.fullmatch(r"\s*(?:\w+\s+)?`?(\w+)`?\s*:\s*(.+?)\s*", piece, flags=re.S)
        if not match:
            raise Fault(path, line, "cannot read the parameter " + piece.strip())
        name, swift = match.groups()
        ctype = c_type(swift, typedefs)
        if ctype is None or ctype == "void":
            raise Fault(path, line, "no C type known for {}: {}".format(name, swift))
        if name in KEYWORDS:
            raise Fault(path, line, "{} is a keyword in C or C++".format(name))
        parameters.append(Parameter(name, ctype))
    return parameters


def comment_above(lines, index):
    """The text of the /// lines that end just above line `index`."""
    out = []
    while index > 0:
        index -= 1
        stripped = lines[index].strip()
        if stripped.startswith("///"):
            text = stripped[3:]
            out.append(text[1:] if text.startswith(" ") else text)
        elif not stripped.startswith("@"):
            break
    return out[::-1]


def parse_functions(path, name, typedefs):
    """Every @c function of one file, in its order."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    head = re.compile(r"\s*(public\s+)?func\s+(\w+)\s*\(")
    for match in re.finditer(r"^[ \t]*@c(?:\((\w+)\))?(?=\s)", text, flags=re.M):
        line = text.count("\n", 0, match.start()) + 1
        found = head.match(text, match.end())
        if not found:
            raise Fault(name, line, "no func follows @c")
        symbol = match.group(1) or found.group(2)
        if not found.group(1):
            # What the C shims call. It has no place in the header.
            yield Function(symbol, None, None, None, name, line)
            continue
        if not symbol.startswith("rac_"):
            raise Fault(name, line, symbol + " does not start with rac_")
        end = closing(text, found.end() - 1)
        parameters = parse_parameters(text[found.end() : end], typedefs, name, line)
        arrow = re.compile(r"\s*->\s*([^{\n]+?)\s*\{").match(text, end + 1)
        swift_result = arrow.group(1) if arrow else "Void"
        result = c_type(swift_result, typedefs)
        if result is None:
            raise Fault(name, line, "no C type known for the result " + swift_result)
        comment = comment_above(lines, line - 1)
        from_swift = not lines[line - 2].startswith("@available(swift, obsoleted")
        yield Function(symbol, parameters, result, comment, name, line, from_swift)


def read_functions(folder, typedefs):
    """All functions by their names."""
    functions = {}
    for path in sorted(folder.rglob("*.swift")):
        name = "Sources/RAC/" + path.relative_to(folder).as_posix()
        for function in parse_functions(path, name, typedefs):
            known = functions.setdefault(function.name, function)
            if known is not function:
                raise Fault(name, function.line, "{} is defined again; first at {}:{}".format(
                    function.name, known.path, known.line))
    if not functions:
        raise Fault("Sources/RAC", 0, "no @c function found")
    return functions
