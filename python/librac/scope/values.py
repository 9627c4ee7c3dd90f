"""Values of events: as text for people, and whole for a replay."""

from __future__ import annotations

import ast
import struct

from .drawing import printable
from .fileformat import Raw

NIL, BOOL, INT64, DOUBLE, STRING, BYTES, _, OBJECT = range(8)
_KEPT = 84  # bytes of a text
_KINDS = {
    6: "pointer", 7: "object", 8: "tuple", 9: "error", 10: "signal", 11: "event", 12: "unit",
    13: "sequence",
}  # fmt: skip


def text_of(raw: Raw) -> str:
    """The text that begins in the event, as far as it was kept."""
    kept = struct.pack("=IQ", raw.extra, raw.bits) + raw.more
    return kept[: raw.length].decode("utf-8", "replace")


def value(raw: Raw) -> tuple[object, bool]:
    """What was sent, and whether that is all of it."""
    bits = struct.pack("=Q", raw.bits)
    if raw.type == NIL or raw.type == 12:
        return None, raw.type == NIL
    if raw.type == BOOL:
        return bool(raw.bits), True
    if raw.type == INT64:
        return struct.unpack("=q", bits)[0], True
    if raw.type == DOUBLE:
        return struct.unpack("=d", bits)[0], True
    if raw.type == OBJECT:
        return _literal(raw)
    if raw.type in (STRING, BYTES):
        kept = (struct.pack("=IQ", raw.extra, raw.bits) + raw.more)[: raw.length]
        is_whole = len(kept) == raw.length < 65_535
        return (kept if raw.type == BYTES else kept.decode("utf-8", "replace")), is_whole
    return None, False


def error_text(raw: Raw) -> str:
    """Such as "error app 5: no answer"."""
    return f"error {printable(text_of(raw))}".rstrip()


def _literal(raw: Raw) -> tuple[object, bool]:
    """Python describes objects by their repr, which is all of those that are plain."""
    try:
        return ast.literal_eval(text_of(raw)), 0 < raw.length <= _KEPT
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None, False


def text(raw: Raw) -> str:
    """In characters that a terminal can show."""
    if raw.type == NIL:
        return "nil"
    if raw.type in (BOOL, INT64):
        return str(value(raw)[0]).lower()
    if raw.type == DOUBLE:
        return f"{value(raw)[0]:.6g}"
    if raw.type == STRING:
        found, is_whole = value(raw)
        return printable(str(found)) + ("" if is_whole else "…")
    if raw.type == BYTES:
        found, is_whole = value(raw)
        return repr(found)[1:] + ("" if is_whole else "…")
    described = printable(text_of(raw)) if raw.length else ""
    return described or _KINDS.get(raw.type, "?")
