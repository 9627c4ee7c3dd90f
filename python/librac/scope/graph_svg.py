"""The graph as SVG."""

from __future__ import annotations

from . import drawing as d
from .graph import Arrow, Box, Graph
from .layout import Arrow as LaidArrow
from .layout import Box as LaidBox
from .layout import Key, lay_out

_MARGIN = 18.0
_LINE = 15.0


def draw(graph: Graph, title: str, *, has_heading: bool = True) -> str:
    boxes = {key: _size(box) for key, box in graph.boxes.items()}
    arrows = [
        (arrow, LaidArrow(arrow.source, arrow.target, _label_width(arrow)))
        for arrow in graph.arrows
    ]
    width, height = lay_out(boxes.values(), [laid for _, laid in arrows])
    body, top = [], 4.0
    if has_heading:
        text = d.escape(title)
        body = [f'<text class="title" x="{_MARGIN:g}" y="{_MARGIN + 8:g}">{text}</text>']
        top = _MARGIN + 30
    body.append(f'<g transform="translate({_MARGIN:g} {top:g})">')
    body += [_draw_arrow(arrow, laid) for arrow, laid in arrows if laid.points]
    body += [_draw_box(box, boxes[key]) for key, box in graph.boxes.items()]
    body.append("</g>")
    if graph.left_out:
        left = f"{d.count(graph.left_out, 'more box', 'more boxes')} left out"
        y = top + height + 24
        body.append(f'<text class="soft" x="{_MARGIN:g}" y="{d.number(y)}">{left}</text>')
        height += 24
    if not graph.boxes:
        body.append(f'<text class="soft" x="{_MARGIN:g}" y="{top + 16:g}">nobody listens</text>')
    wide = max(width, d.width_of(title, 14, is_bold=True), 240) + 2 * _MARGIN
    about = f"{d.count(len(graph.boxes), 'box', 'boxes')}, {d.count(len(arrows), 'arrow')}"
    return d.picture(wide, top + height + _MARGIN, title, about, body)


def _size(box: Box) -> LaidBox:
    if box.kind == "place":
        return LaidBox(box.key, d.width_of(box.title, 12) + 10, 22)
    head = d.width_of(d.shorten(box.title, 44), 13, is_bold=True)
    widths = [head + 8 + d.width_of(box.number, 11)]
    widths += [d.width_of(line, 11) for line in box.lines]
    widths += [d.width_of(mark, 12, is_bold=True) for mark in box.marks]
    return LaidBox(box.key, max(widths) + 24, 14 + _LINE * (1 + len(box.lines) + len(box.marks)))


def _label_width(arrow: Arrow) -> float:
    lost = f"{arrow.lost:,} lost" if arrow.lost else ""
    return max(d.width_of(arrow.label, 11), d.width_of(lost, 12, is_bold=True))


def _draw_box(box: Box, at: LaidBox) -> str:
    x, y = at.x, at.y
    middle = x + at.width / 2
    words = ", ".join([f"{box.title} {box.number}".strip(), *box.lines, *box.marks])
    if box.kind == "place":
        text = d.escape(box.title)
        return f'<text x="{d.number(x + 4)}" y="{d.number(y + 15)}">{text}</text>'
    shape = "bad-box" if box.marks else "over" if box.is_over else "box"
    if box.kind == "source" and shape == "box":
        shape = "source"
    name = f' id="n{box.ids[0]}"' if box.ids else ""
    parts = [
        f'<g tabindex="0" role="img"{name} aria-label="{d.escape(words)}">'
        f"<title>{d.escape(words)}</title>"
        f'<rect class="{shape}" x="{d.number(x)}" y="{d.number(y)}" rx="10" '
        f'width="{d.number(at.width)}" height="{d.number(at.height)}"/>'
    ]
    title = d.escape(d.shorten(box.title, 44))
    number = d.escape(box.number)
    parts.append(
        f'<text x="{d.number(middle)}" y="{d.number(y + 19)}" text-anchor="middle">'
        f'<tspan class="name">{title}</tspan><tspan class="soft" dx="6">{number}</tspan></text>'
    )
    line = y + 19
    for text, style in [*((t, "soft") for t in box.lines), *((t, "bad") for t in box.marks)]:
        line += _LINE
        parts.append(
            f'<text class="{style}" x="{d.number(middle)}" y="{d.number(line)}" '
            f'text-anchor="middle">{d.escape(text)}</text>'
        )
    return "".join([*parts, "</g>"])


def _draw_arrow(arrow: Arrow, laid: LaidArrow) -> str:
    style = "bad-" if arrow.lost else ""
    points = laid.points
    (x, y), (before_x, _) = points[-1], points[-2]
    back = 9 if x >= before_x else -9
    end = (x - back, y)
    path = _curve([*points[:-1], end])
    dash = ' stroke-dasharray="5 4"' if not arrow.values else ""
    head = f"M{d.number(x)} {d.number(y)}l{-back} -4.5v9z"
    parts = [
        f'<path class="{style}arrow" d="{path}" stroke-width="{d.number(arrow.width)}"{dash}/>'
        f'<path class="{style}head" d="{head}"/>'
    ]
    label_x, label_y = (points[0][0] + end[0]) / 2, (points[0][1] + end[1]) / 2
    if len(points) > 2:
        half = _label_width(arrow) / 2 + 8
        label_x, label_y = points[0][0] + (half if x > points[0][0] else -half), points[0][1]
    texts = [(arrow.label, "soft")] if arrow.label else []
    if arrow.lost:
        texts.append((f"{arrow.lost:,} lost", "bad"))
    for index, (text, css) in enumerate(texts):
        above = label_y - 6 if index == 0 else label_y + 15
        parts.append(
            f'<text class="{css}" x="{d.number(label_x)}" y="{d.number(above)}" '
            f'text-anchor="middle">{d.escape(text)}</text>'
        )
    return "".join(parts)


def _curve(points: list[tuple[float, float]]) -> str:
    """Smooth from point to point, level where it passes one."""
    n = d.number
    path = f"M{n(points[0][0])} {n(points[0][1])}"
    for (x, y), (next_x, next_y) in zip(points, points[1:]):
        if y == next_y:
            path += f"H{n(next_x)}"
        else:
            middle = (x + next_x) / 2
            path += f"C{n(middle)} {n(y)} {n(middle)} {n(next_y)} {n(next_x)} {n(next_y)}"
    return path


__all__ = ["Key", "draw"]
