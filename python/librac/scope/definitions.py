"""The definitions of a recording: texts, places, modules, the command."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import spoken
from .drawing import printable

_HEAD = struct.Struct("=IHHII")
_PYTHON = re.compile(r"\.py:\d|^<\w+>:\d")
_TEXT, _PLACE, _MODULE, _PROCESS = 1, 2, 3, 4


class PlaceDefinition(NamedTuple):
    operator: int
    text: int
    addresses: tuple[int, ...]


class Module(NamedTuple):
    low: int
    high: int
    base: int
    path: str


class Definitions:
    """They are appended: what was read once stays."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self.places: dict[int, PlaceDefinition] = {}
        self.modules: list[Module] = []
        self.command: list[str] = []
        self.is_python = False  # a place is a line of Python's
        self._done = 0

    def read(self, pread: Callable[[int, int], bytes], header: Mapping[str, int]) -> None:
        used = min(header["definitions_used"], header["definitions_room"])
        if used <= self._done:
            return
        data = pread(used - self._done, header["definitions_at"] + self._done)
        at = 0
        while at + _HEAD.size <= len(data):
            size, kind, count, id, length = _HEAD.unpack_from(data, at)
            if size < _HEAD.size or at + size > len(data):
                break
            self._add(kind, count, id, length, data[at + _HEAD.size : at + size])
            at += (size + 7) // 8 * 8
        self._done += at

    def _add(self, kind: int, count: int, id: int, length: int, data: bytes) -> None:
        if kind == _TEXT:
            self._texts[id] = printable(data[:length].decode("utf-8", "replace"))
        elif kind == _PLACE and len(data) >= 8 + 8 * count:
            operator, text = struct.unpack_from("=II", data)
            addresses = struct.unpack_from(f"={count}Q", data, 8)
            self.places[id] = PlaceDefinition(operator, text, addresses)
            self.is_python = self.is_python or bool(_PYTHON.search(self.text(text)))
        elif kind == _MODULE and len(data) >= 24:
            low, high, base = struct.unpack_from("=QQQ", data)
            path = data[24 : 24 + length].decode("utf-8", "replace")
            self.modules.append(Module(low, high, base, path.rstrip("\0")))
        elif kind == _PROCESS:
            parts = data[:length].rstrip(b"\0").split(b"\0")
            self.command = [part.decode("utf-8", "replace") for part in parts]

    def file_of(self, module: Module) -> str:
        """The program itself has no name in the loader's list: it is the first argument."""
        if module.path or not self.command:
            return module.path
        return shutil.which(self.command[0]) or self.command[0]

    def text(self, id: int) -> str:
        return self._texts.get(id, "")

    def word(self, operator: str) -> str:
        """Of an operator, as the language of the program says it."""
        return spoken.word(operator) if self.is_python and operator else operator

    def operator(self, place: int) -> str:
        found = self.places.get(place)
        return self.text(found.operator).rstrip(":") if found else ""

    def module_of(self, address: int) -> Module | None:
        return next((each for each in self.modules if each.low <= address < each.high), None)
