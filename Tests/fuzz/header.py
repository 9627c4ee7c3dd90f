"""Reads the functions and the callbacks out of rac.h and rac_types.h."""

import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(
    r"/\*\*((?:(?!\*/).)*)\*/\s*RAC_API\s+(?:RAC_NO\w+\s+)*([^;(]*?)(rac_\w+)\(([^;]*)\);", re.S
)
CALLBACK = re.compile(r"RAC_CALLBACK\((\w+), (rac_\w+),\s*\(([^;]*)\)\);", re.S)
HANDLE = re.compile(r"typedef\s+struct\s+(rac_\w+)\s+\1;")


class Parameter:
    """`type` without spaces around its stars, such as "const rac_value*"."""

    def __init__(self, text):
        text = " ".join(text.split())
        match = re.match(r"(.*?)\s*(\w+)$", text)
        self.name = match.group(2)
        self.type = re.sub(r"\s*\*\s*", "*", match.group(1)).replace("*const*", "*const *")
        self.declaration = text


class Function:
    def __init__(self, name, result, parameters, comment=""):
        self.name = name
        self.result = re.sub(r"\s*\*\s*", "*", result.strip())
        self.parameters = parameters
        self.comment = comment

    @property
    def returned(self):
        """What the comment says that it returns, in one line."""
        match = re.search(r"@return (.*?)(?=\n@|\n\n|\Z)", self.comment, re.S)
        return " ".join(match.group(1).split()) if match else ""


def split(text):
    text = " ".join(text.split())
    return [] if text in ("", "void") else [Parameter(part) for part in text.split(",")]


def functions(text):
    out = []
    for comment, result, name, parameters in FUNCTION.findall(text):
        comment = re.sub(r"\n \* ?", "\n", comment)
        out.append(Function(name, result, split(parameters), comment))
    return out


def callbacks(text):
    text = COMMENT.sub("", text)
    return [Function(name, result, split(parts)) for result, name, parts in CALLBACK.findall(text)]


def handles(text):
    """The kinds of handles: "signal", "subject", …"""
    return [name[len("rac_") :] for name in HANDLE.findall(COMMENT.sub("", text))]
