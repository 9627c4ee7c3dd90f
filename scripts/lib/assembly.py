"""Turns swiftc's assembly of the engine into text that GNU as and clang 14 accept.

    assembly.py PROCESSOR INPUT OUTPUT

swiftc writes for its own assembler: labels that are sentences in quotes, names that begin with a
dollar sign, sections for its linker. The debug information goes, since it names the folders of
the machine that compiled; the unwind tables stay, since they come of .cfi_ lines.
"""

import re
import sys

# Sections that only LLVM's linker, Swift's linker or a debugger reads.
DROPPED = re.compile(r'\.section\s+"?\.(debug_|swift1_autolink_entries|linker-options|swift_modhash)')
SECTION = re.compile(r"\s+\.(section|text|data|bss)\b")
LINE_TABLE = re.compile(r"\s+\.(loc|file|cfi_sections|addrsig|ident)\b")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]+')
DOLLAR_NAME = re.compile(r"(?<![\w$.])\$(?=[es]\d|s[A-Z])")
LOCAL_LABEL = re.compile(r"\.L(?:tmp|func_begin|func_end|_?debug\w*)\d*\b")
TEXT = re.compile(r"\s+\.(ascii|asciz|string|section)\b")
COMMENT = {"x86_64": "#", "aarch64": "//", "riscv64": "#"}


def without_comment(line, mark):
    """The line without the comment at its end; texts in quotes may hold the mark."""
    kept = []
    for token in TOKEN.findall(line):
        if token[0] != '"' and mark in token:
            kept.append(token[: token.index(mark)])
            break
        kept.append(token)
    return "".join(kept).rstrip()


def translated(lines, processor):
    mark = COMMENT[processor]
    names = {}

    def plain(match):
        return names.setdefault(match.group(), f".Ltext{len(names)}")

    dropping = False
    for line in lines:
        if SECTION.match(line):
            dropping = bool(DROPPED.search(line))
        if dropping or LINE_TABLE.match(line):
            continue
        line = without_comment(line.rstrip("\n"), mark)
        if not line.strip() or line.lstrip().startswith(".attribute"):
            continue
        if not TEXT.match(line):
            line = re.sub(r'"(?:[^"\\]|\\.)*"', plain, line)
        if not re.match(r"\s+\.(ascii|asciz|string)\b", line):
            line = DOLLAR_NAME.sub("_$", line)
            line = re.sub(r"(\.(?:text|rodata|data|bss)\.)\$(?=[es])", r"\1_$", line)
        yield line


def without_unused_labels(lines):
    used = set()
    for line in lines:
        for label in LOCAL_LABEL.findall(line):
            if not line.startswith(label + ":"):
                used.add(label)
    for line in lines:
        label = LOCAL_LABEL.match(line)
        if label and line == label.group() + ":" and label.group() not in used:
            continue
        yield line


def main(processor, source, target):
    with open(source, encoding="utf-8", errors="surrogateescape") as file:
        lines = list(translated(file, processor))
    with open(target, "w", encoding="utf-8", errors="surrogateescape") as file:
        if processor == "riscv64":
            # Without it GNU as looks again at every jump: 40 seconds instead of one.
            file.write("\t.option norelax\n")
        for line in without_unused_labels(lines):
            file.write(line + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
