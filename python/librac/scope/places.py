"""Where in the program's source something was made: "faults.c:31 window_open()".

A host with a language of its own, such as Python, records places as text. Addresses of C code
are resolved by addr2line, for all of a module at once; without it, or without debug information,
a place is the module and the offset in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess

from .definitions import Definitions, Module

_SYSTEM = ("/lib/", "/lib64/", "/usr/lib", "/usr/libexec")


class Places:
    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._found: dict[int, str] = {}
        self._lines: dict[int, str] = {}  # by address

    def of(self, id: int) -> str:
        """The place of a definition; "" for an unknown one."""
        if id in self._found:
            return self._found[id]
        place = self._definitions.places.get(id)
        if place is None:
            return ""
        if place.text:
            text = _shorten(self._definitions.text(place.text))
        else:
            self._resolve()
            text = self._choose(place.addresses)
        self._found[id] = text
        return text

    def _choose(self, addresses: tuple[int, ...]) -> str:
        """The innermost address with a line in the program's own code, else the innermost."""
        lines = [self._lines.get(address, "") for address in addresses]
        named = [line for line in lines if line and "+0x" not in line]
        return next(iter(named or lines), "")

    def _resolve(self) -> None:
        """All addresses that are not resolved yet."""
        by_module: dict[Module, list[int]] = {}
        for place in self._definitions.places.values():
            for address in place.addresses:
                if address in self._lines:
                    continue
                module = self._definitions.module_of(address - 1)
                if module is None:
                    self._lines[address] = f"{address:#x}"
                else:
                    by_module.setdefault(module, []).append(address)
        for module, addresses in by_module.items():
            unique = sorted(set(addresses))
            named = module._replace(path=self._definitions.file_of(module))
            self._lines.update(zip(unique, _lines_in(named, unique)))


def _shorten(place: str) -> str:
    """Without the folder of the file."""
    file, colon, rest = place.rpartition(":")
    return os.path.basename(file) + colon + rest


def _lines_in(module: Module, addresses: list[int]) -> list[str]:
    name = os.path.basename(module.path)
    offsets = [address - module.base - 1 for address in addresses]
    plain = [f"{name}+{offset:#x}" for offset in offsets]
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    # The system's libraries have no lines, and one of them may be large.
    if not tool or module.path.startswith(_SYSTEM) or not os.path.exists(module.path):
        return plain
    command = [tool, "-fCse", module.path, *map(hex, offsets)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return plain
    said = done.stdout.splitlines()
    if len(said) != 2 * len(addresses):
        return plain
    return [
        _line(function, where, other)
        for function, where, other in zip(said[::2], said[1::2], plain)
    ]


def _line(function: str, where: str, plain: str) -> str:
    where = where.split(" (discriminator")[0]
    file, _, line = where.rpartition(":")
    if function == "??":
        return plain
    name = function if function.endswith(")") else f"{function}()"
    if file in ("", "??") or not line.isdigit() or line == "0":
        return f"{plain.split('+0x')[0]} {name}"
    return f"{os.path.basename(file)}:{line} {name}"
