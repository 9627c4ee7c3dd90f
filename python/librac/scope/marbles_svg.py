"""Marbles as SVG."""

from __future__ import annotations

from . import drawing as d
from .marbles import Lane, Marbles
from .recording import COMPLETED, DISPOSED, DROP, ERROR, NEXT, SUBSCRIBE, Event

_ROW = 28.0
_TOP = 66.0
_MOST_TEXT = 14


def draw(marbles: Marbles, title: str) -> str:
    names = [d.shorten(_name(lane), 40) for lane in marbles.lanes]
    left = 24.0 + max(
        (d.width_of(n, 12, is_bold=True) + 14 * min(lane.indent, 8)
         for n, lane in zip(names, marbles.lanes)), default=80.0,
    )  # fmt: skip
    marks = max(
        (d.width_of(", ".join(each.marks), 12, is_bold=True) for each in marbles.lanes),
        default=0.0,
    )
    left += marks + 26
    places = _columns(marbles, left)
    right = places[-1] if places else left + 60
    height = _TOP + _ROW * len(marbles.lanes) + 14
    body = [f'<text class="title" x="16" y="24">{d.escape(title)}</text>']
    body += _draw_grid(marbles, places, left, height)
    for index, (lane, name) in enumerate(zip(marbles.lanes, names)):
        body.append(_draw_lane(lane, name, _TOP + _ROW * index, left, places))
    notes = []
    if marbles.left_out_columns:
        notes.append(f"{d.count(marbles.left_out_columns, 'earlier column')} not shown")
    if marbles.left_out_lanes:
        notes.append(f"{d.count(marbles.left_out_lanes, 'more lane')} not shown")
    if notes:
        height += 18
        text = "; ".join(notes)
        body.append(f'<text class="soft" x="16" y="{d.number(height - 12)}">{text}</text>')
    about = f"{d.count(len(marbles.lanes), 'lane')}, {d.count(len(marbles.times), 'column')}"
    return d.picture(max(right + 30, 320), height, title, about, body)


def _name(lane: Lane) -> str:
    return f"#{lane.subscription.id} {lane.subscription.title}"


def _columns(marbles: Marbles, left: float) -> list[float]:
    """Where each column begins, and where the last one ends."""
    widths = [30.0] * len(marbles.times)
    for lane in marbles.lanes:
        for column, events in lane.cells.items():
            wide = sum(_width(event) for event in events) + 8
            widths[column] = max(widths[column], wide)
    places, x = [left], left
    for width in widths:
        x += width
        places.append(x)
    return places


def _width(event: Event) -> float:
    if event.kind == NEXT:
        return max(22.0, d.width_of(d.shorten(event.text, _MOST_TEXT), 11) + 14)
    if event.kind == DROP:
        return max(26.0, d.width_of(_lost(event), 10, is_bold=True) + 8)
    return 12.0


def _lost(event: Event) -> str:
    return d.shorten(event.text, 6) if event.text not in ("", "nil") else "lost"


def _draw_grid(marbles: Marbles, places: list[float], left: float, height: float) -> list[str]:
    found = [
        f'<text class="soft" x="{d.number(left - 10)}" y="46" text-anchor="end">'
        "ms, not to scale</text>"
    ]
    shown = ""
    for x, end, time in zip(places, places[1:], marbles.times):
        found.append(f'<path class="grid" d="M{d.number(x)} 54V{d.number(height - 8)}"/>')
        text = f"{time / 1e6:,.0f}" if time >= 1e7 else f"{time / 1e6:.3g}"
        if text != shown:
            middle = d.number((x + end) / 2)
            found.append(
                f'<text class="soft" x="{middle}" y="46" text-anchor="middle">{text}</text>'
            )
        shown = text
    return found


def _draw_lane(lane: Lane, name: str, y: float, left: float, places: list[float]) -> str:
    each = lane.subscription
    label = f"{name}{', ' + ', '.join(lane.marks) if lane.marks else ''}, {each.values} values"
    weight = "name" if lane.indent == 0 else ""
    x = 16 + 14 * min(lane.indent, 8)
    parts = [
        f'<g tabindex="0" role="img" aria-label="{d.escape(label)}">'
        f"<title>{d.escape(label)}</title>"
        f'<text class="{weight}" x="{d.number(x)}" y="{d.number(y + 4)}" style="font-size:12px">'
        f"{d.escape(name)}</text>"
    ]
    if lane.marks:
        parts.append(
            f'<text class="bad" x="{d.number(left - 14)}" y="{d.number(y + 4)}" '
            f'text-anchor="end">{d.escape(", ".join(lane.marks))}</text>'
        )
    drawn, begin, end = _draw_events(lane, y, places)
    if lane.begins_before:
        begin = left
    if begin is not None and len(places) > 1:
        stop = end if end is not None else places[-1] + 10
        head = "" if end is not None else "m-6 -5l6 5l-6 5"
        parts.append(
            f'<path class="lane" d="M{d.number(begin)} {d.number(y)}H{d.number(stop)}{head}"/>'
        )
    return "".join([*parts, *drawn, "</g>"])


def _draw_events(
    lane: Lane, y: float, places: list[float]
) -> tuple[list[str], float | None, float | None]:
    """What is drawn on the lane, and where it begins and ends if it does here."""
    drawn: list[str] = []
    begin = end = None
    for column, events in sorted(lane.cells.items()):
        wide = sum(_width(event) for event in events)
        x = places[column] + (places[column + 1] - places[column] - wide) / 2
        for event in events:
            middle = x + _width(event) / 2
            if event.kind == SUBSCRIBE:
                begin = middle if begin is None else begin
            elif event.kind in (COMPLETED, ERROR, DISPOSED):
                end = middle
            if begin is None:
                begin = middle if lane.begins_before else x
            drawn.append(_draw_event(event, middle, y))
            x += _width(event)
    return drawn, begin, end


def _draw_event(event: Event, x: float, y: float) -> str:
    at, level = d.number(x), d.number(y)
    when = f"at {event.time / 1e6:.3f} ms"
    if event.kind == SUBSCRIBE:
        return f'<path class="begin" d="M{d.number(x - 4)} {d.number(y - 5)}l8 5l-8 5z"/>'
    if event.kind == COMPLETED:
        title = f"<title>completed {when}</title>"
        return f'<path class="end" d="M{at} {d.number(y - 9)}v18">{title}</path>'
    if event.kind == ERROR:
        title = f"<title>{d.escape(event.text)} {when}</title>"
        cross = f"M{d.number(x - 6)} {d.number(y - 6)}l12 12m0 -12l-12 12"
        return f'<path class="cross" d="{cross}">{title}</path>'
    if event.kind == DISPOSED:
        title = f"<title>disposed {when}</title>"
        cross = f"M{d.number(x - 4)} {d.number(y - 4)}l8 8m0 -8l-8 8"
        return f'<path class="stop" d="{cross}">{title}</path>'
    text = d.escape(d.shorten(event.text, _MOST_TEXT))
    whole = d.escape(f"{event.text} {when}")
    wide = _width(event) - 2
    if event.kind == DROP:
        return (
            f"<g><title>dropped: {whole}</title>"
            f'<rect class="lost" x="{d.number(x - wide / 2)}" y="{d.number(y - 9)}" '
            f'width="{d.number(wide)}" height="18" rx="3"/>'
            f'<text class="bad" x="{at}" y="{d.number(y + 4)}" text-anchor="middle" '
            f'style="font-size:10px;text-decoration:line-through">{d.escape(_lost(event))}'
            "</text></g>"
        )
    return (
        f"<g><title>{whole}</title>"
        f'<rect x="{d.number(x - wide / 2)}" y="{d.number(y - 10)}" width="{d.number(wide)}" '
        f'height="20" rx="10" fill="{d.colour_of(event.text)}"/>'
        f'<text class="value" x="{at}" y="{d.number(float(level) + 4)}" text-anchor="middle">{text}'
        "</text></g>"
    )
