"""A recording as HTML: what a notebook shows of it."""

from __future__ import annotations

from . import drawing, graph, graph_svg, marbles, marbles_svg, tables, text
from .findings import find
from .recording import Recording


def html(recording: Recording) -> str:
    found = find(recording)
    built = graph.build(recording, found)
    arranged = marbles.arrange(recording, found, columns=40, lanes=40)
    return (
        f"<p>{drawing.escape(text.summary(recording))}</p>{tables.findings(found)}"
        f'<div style="overflow-x:auto">{graph_svg.draw(built, "Who listens to whom")}</div>'
        f'<div style="overflow-x:auto">{marbles_svg.draw(arranged, "Marbles")}</div>'
    )
