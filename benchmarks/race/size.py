"""How long librac.so is, how long without the operators that RAC 2.5 did not have, and what each
of them adds.

The engine's assembly, which the build makes, is assembled once more with each table of a class and
each text in a section of its own, so that the linker can leave them out, as functions are anyway:
librac.so is linked with fewer names to export, and what nobody reaches is not in it.
"""

import bisect
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from . import setup
from .table import number

sys.path.insert(0, str(setup.ROOT / "scripts" / "lib"))
from later_operators import later_operators  # noqa: E402

# Sections of several data, with what a section of one is declared with.
DATA = (
    (r"\.data$", '.data.{},"aw",@progbits'),
    (r"\.section\s+\.data\.rel\.ro,", '.data.rel.ro.{},"aw",@progbits'),
    (r"\.section\s+\.rodata,", '.rodata.{},"a",@progbits'),
    (r"\.section\s+\.rodata\.str1\.", '.rodata.str1.{},"aMS",@progbits,1'),
)
# A linked library's parts that are in no file, and those by which debuggers walk the stack, which
# are no part of what is limited.
NOT_IN_FILE = (".bss", ".tbss")
UNWIND = (".eh_frame", ".eh_frame_hdr")
# What the loader is told of an address that a table holds: an Elf64_Rela.
RELOCATION = 24
# What the split library may be longer or shorter than the one that it stands for, of its size:
# files have whole pages, and the linker finds more of what is there twice.
TOLERANCE = 0.01


def _command(target):
    """How the build makes one of its files."""
    commands = setup.quietly(["ninja", "-C", str(setup.BUILD), "-t", "commands", target])
    return commands.splitlines()[-1]


def replaced(command, changes):
    """The words of the longest command of those that ninja runs together, some of them other ones."""
    commands = [[]]
    for word in shlex.split(command):
        if word == "&&":
            commands.append([])
        else:
            commands[-1].append(word)
    return [changes.get(word, word) for word in max(commands, key=len)]


def split(assembly):
    """The same with each datum in a section of its own."""
    declared, count = None, 0
    for line in assembly:
        text = line.strip()
        if text.startswith(".section") or text in (".data", ".text", ".bss"):
            declared = next((d for pattern, d in DATA if re.match(pattern, text)), None)
            if declared is None:
                yield line
        else:
            yield line
        ends = text.startswith((".size", ".section")) or text == ".data"
        if declared and ends:
            count += 1
            yield "\t.section\t" + declared.format(count) + "\n"


class _Linker:
    """Links the engine with some names to export."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.library = (setup.BUILD / "librac.so").resolve().name
        parts = self.folder / "split.s"
        self.engine = str(self.folder / "engine.o")
        with open(setup.BUILD / "engine.s", encoding="utf-8") as whole:
            with open(parts, "w", encoding="utf-8") as out:
                out.writelines(split(whole))
        clang = Path(replaced(_command("engine.o"), {})[0]).with_name("clang")
        setup.quietly([clang, "-c", parts, "-o", self.engine])

    def link(self, absent=()):
        """The path of librac.so without these functions."""
        names = (setup.ROOT / "cmake" / "librac.map").read_text(encoding="utf-8")
        for name in absent:
            names = names.replace("    {};\n".format(name), "")
        (self.folder / "librac.map").write_text(names, encoding="utf-8")
        out = self.folder / "librac.so"
        script = "-Wl,--version-script="
        changes = {"engine.o": self.engine, self.library: str(out)}
        linking = replaced(_command(self.library), changes)
        linking = [
            script + str(self.folder / "librac.map") if word.startswith(script) else word
            for word in linking
        ]
        setup.quietly(linking, cwd=setup.BUILD)
        return out


def stripped(library):
    """How long the file is that programs get, without its unwind tables."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "librac.so"
        setup.quietly(["strip", "-o", str(out), str(library)])
        return out.stat().st_size - sum(_sections(out, UNWIND).values())


def _sections(library, names=None):
    """Their sizes: of these, or of all that are loaded."""
    listing = setup.quietly(["size", "-A", "-d", str(library)])
    rows = re.findall(r"^(\.\S+)\s+(\d+)\s+[1-9]\d*$", listing, re.M)
    return {name: int(size) for name, size in rows if names is None or name in names}


def _in_sections(library):
    """Nearly the same to the byte: files are filled up to whole pages."""
    without = NOT_IN_FILE + UNWIND
    return sum(size for name, size in _sections(library).items() if name not in without)


def parts(symbols, relocations):
    """How long each function and datum is, with what the loader is told of the addresses in it: of
    what `nm -nS` and `readelf -rW` say."""
    rows = []
    for line in symbols.splitlines():
        row = line.split()
        # What two names stand for is counted once, and what is in no file not at all.
        if len(row) == 4 and row[2] not in "bB":
            start, length = int(row[0], 16), int(row[1], 16)
            if not rows or rows[-1][0] < start:
                rows.append((start, length, row[3]))
    starts = [start for start, _, _ in rows]
    found = Counter()
    for _, length, name in rows:
        found[name] += length
    for place in re.findall(r"^([0-9a-f]{16}) ", relocations, re.M):
        start, length, name = rows[bisect.bisect_right(starts, int(place, 16)) - 1]
        if 0 <= int(place, 16) - start < length:
            found[name] += RELOCATION
    return found


def divided(alone, needed):
    """What each operator costs, of what it adds to an engine without the others: what several need,
    it pays for with them in equal parts."""
    users = Counter(part for own in needed.values() for part in own)
    return {
        name: round(cost - sum(size - size / users[part] for part, size in needed[name].items()))
        for name, cost in alone.items()
    }


def _parts_of(library):
    symbols = setup.quietly(["nm", "-nS", "--defined-only", str(library)])
    return parts(symbols, setup.quietly(["readelf", "-rW", str(library)]))


def run():
    """What the part has found."""
    operators = later_operators()
    whole = stripped((setup.BUILD / "librac.so").resolve())
    with tempfile.TemporaryDirectory() as folder:
        linker = _Linker(folder)
        split_whole = stripped(linker.link())
        if abs(split_whole - whole) > TOLERANCE * whole:
            raise setup.Missing("split it has {} bytes, not {}".format(split_whole, whole))
        engine = linker.link(operators)
        found = {"whole": whole, "engine": stripped(engine)}
        before, there = _in_sections(engine), _parts_of(engine)
        alone, needed = {}, {}
        for name in operators:
            library = linker.link([other for other in operators if other != name])
            alone[name] = _in_sections(library) - before
            own = _parts_of(library).items()
            needed[name] = {part: size for part, size in own if part not in there}
        found["operators"] = divided(alone, needed)
    return found


def as_text(found):
    dearest = sorted(found["operators"].items(), key=lambda row: -row[1])[:5]
    lines = [
        "librac.so, stripped:                  {:>9} bytes".format(number(found["whole"])),
        "without the operators RAC did not have: {:>7} bytes".format(number(found["engine"])),
        "the dearest of these:",
    ]
    lines += ["  {:36}  {:>9} bytes".format(name, number(cost)) for name, cost in dearest]
    return "\n".join(lines) + "\n"
