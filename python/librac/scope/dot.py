"""The graph for Graphviz."""

from __future__ import annotations

from .graph import Graph


def write(graph: Graph, title: str) -> str:
    names = {key: f"n{number}" for number, key in enumerate(graph.boxes)}
    lines = [
        f"digraph {_quoted(title)} {{",
        f"  rankdir=LR; label={_quoted(title)}; labelloc=t;",
        '  node [shape=box, style="rounded,filled", fillcolor="#edf2f7", fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for key, box in graph.boxes.items():
        text = "\n".join([f"{box.title} {box.number}".strip(), *box.lines, *box.marks])
        style = ""
        if box.kind == "place":
            style = ", shape=plaintext, style=solid"
        elif box.marks:
            style = ', fillcolor="#fde0e0", color="#b3141b", penwidth=2'
        elif box.is_over:
            style = ', fillcolor="#f3f3f3", color="#9a9a9a"'
        elif box.kind == "source":
            style = ', fillcolor="#fdf5d3"'
        lines.append(f"  {names[key]} [label={_quoted(text)}{style}];")
    for arrow in graph.arrows:
        if arrow.source not in names or arrow.target not in names:
            continue
        lost = f"\n{arrow.lost:,} lost" if arrow.lost else ""
        colour = ', color="#b3141b"' if arrow.lost else ""
        ends = f"{names[arrow.source]} -> {names[arrow.target]}"
        lines.append(f"  {ends} [label={_quoted(arrow.label + lost)}{colour}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'
