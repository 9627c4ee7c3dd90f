"""Marble diagrams of what a signal sends: as text, and as SVG in a notebook."""

from __future__ import annotations

import time
import zlib
from typing import Any, NamedTuple
from html import escape

from . import _librac, loops
from ._librac import Signal

__all__ = ["Diagram"]

_COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f", "#edc948"]


class Recorded(NamedTuple):
    """An event of a diagram."""

    seconds: float
    kind: str  # "next", "error" or "completed"
    value: Any


class Diagram:
    """What a signal sent, and when: str() is a marble diagram, a notebook shows a
    drawing, `events` has all of it."""

    def __init__(self, name: str, seconds: float, events: list[Recorded], width: int) -> None:
        self.name, self.seconds, self.events, self.width = name, seconds, events, width

    def __str__(self) -> str:
        line: list[str] = []
        for event in self.events:
            # Late rather than on top of each other.
            place = round(event.seconds / self.seconds * self.width) if self.seconds else 0
            line += "-" * (place - len(line))
            line += _mark(event)
        if not self.is_over:
            line += "-" * (self.width - len(line))
        scale = f"{self.seconds:g} s"
        ruler = "0" + scale.rjust(max(self.width, len(line)) - 1)
        return "".join(line) + "\n" + ruler

    @property
    def is_over(self) -> bool:
        """Whether the signal ended."""
        return bool(self.events) and self.events[-1].kind != "next"

    def __repr__(self) -> str:
        return f"{self.name}\n{self}" if self.name else str(self)

    def _repr_svg_(self) -> str:
        wide, high, edge = 640, 84, 24
        length = wide - 2 * edge
        drawn = []
        for event in self.events:
            x = edge + length * (min(event.seconds / self.seconds, 1) if self.seconds else 0)
            drawn.append(_draw(event, x, 46))
        text = escape(_short(self.name, 90))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
            f'viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">'
            f'<text x="{edge}" y="16" fill="#666">{text}</text>'
            f'<path d="M{edge} 46H{wide - 8}m-7 -5l8 5l-8 5" stroke="#888" fill="none"/>'
            f'<text x="{edge}" y="80" fill="#888" font-size="10">0</text>'
            f'<text x="{wide - edge}" y="80" fill="#888" font-size="10" '
            f'text-anchor="end">{self.seconds:g} s</text>'
            + "".join(drawn)
            + "</svg>"
        )

    def _repr_html_(self) -> str:
        return self._repr_svg_()


def _mark(event: Recorded) -> str:
    if event.kind == "completed":
        return "|"
    return "#" if event.kind == "error" else _short(_text(event.value), 12)


def _draw(event: Recorded, x: float, y: float) -> str:
    if event.kind == "completed":
        return f'<path d="M{x:.1f} {y - 14}v28" stroke="#333" stroke-width="2"/>'
    full = f"{_text(event.value)} at {event.seconds:.3g} s"
    title = f"<title>{escape(_short(full, 200))}</title>"
    if event.kind == "error":
        cross = f"M{x - 8:.1f} {y - 8}l16 16m0 -16l-16 16"
        return f'<g>{title}<path d="{cross}" stroke="#c00" stroke-width="3"/></g>'
    label = _text(event.value)
    colour = _COLOURS[zlib.crc32(label.encode("utf-8", "replace")) % len(_COLOURS)]
    return (
        f'<g>{title}<circle cx="{x:.1f}" cy="{y}" r="14" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + 4}" fill="#fff" text-anchor="middle" '
        f'font-size="{12 if len(label) < 4 else 9}">{escape(_short(label, 5))}</text></g>'
    )


def _text(value: Any) -> str:
    """repr(), and a text as it is; one that fails shows that."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception as error:
        text = f"<{type(error).__name__}>"
    # No line of its own, and nothing that XML refuses.
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def marble(
    self: Signal[Any], seconds: float = 1.0, *, scheduler: Any = None, width: int = 60
) -> Diagram:
    """Subscribes for some time, and gives a marble diagram of what came: text in a
    terminal, a drawing in a notebook. It is over earlier when the signal ends. With a
    virtual scheduler nobody waits: its time goes on by so much.
    """
    if not seconds > 0 or seconds == float("inf"):
        raise ValueError(f"marble(): seconds is a number above 0, not {seconds!r}")
    clock = time.monotonic if scheduler is None else scheduler.now
    events: list[Recorded] = []
    begin = clock()

    def note(kind: str, value: Any = None) -> None:
        events.append(Recorded(clock() - begin, kind, value))

    diagram = Diagram(self.description, seconds, events, width)
    with self.subscribe(
        lambda value: note("next", value),
        lambda error: note("error", error),
        lambda: note("completed"),
    ):
        if scheduler is not None:
            scheduler.advance_by(seconds)
        else:
            loops.refuse_to_wait("Signal.marble", "async for value in signal")
            _pass(seconds, diagram)
    return diagram


def _pass(seconds: float, diagram: Diagram) -> None:
    end = time.monotonic() + seconds
    while not diagram.is_over and (left := end - time.monotonic()) > 0:
        slice = min(left, 0.05)
        if _librac.is_main_thread():
            _librac.main_run_for(slice)
        else:
            time.sleep(slice)


def html(self: Signal[Any]) -> str:
    """What a notebook shows: the name, and the operators it is made of."""
    kind = type(self).__name__
    return f"<code>{kind}</code> <tt>{escape(self.description)}</tt>"
