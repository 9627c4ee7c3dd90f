"""Marbles as SVG."""

from __future__ import annotations

from . import drawing as d
from .marbles import Lane, Marbles
from .recording import COMPLETED, DISPOSED, DROP, ERROR, NEXT, SUBSCRIBE, Event

_ROW = 28.0
_TOP = 66.0
_MOST_TEXT = 14


def draw(marbles: Marbles, title: str) -> str:
    """One picture of all."""
    names, lanes, left, right, height, about = _draw_parts(marbles)
    heading = f'<text class="title" x="16" y="24">{d.escape(title)}</text>'
    return d.picture(max(right, 320), height, title, about, [heading, *names, *lanes])


def draw_apart(marbles: Marbles, title: str) -> tuple[str, str]:
    """The names, and beside them the lanes, which can be scrolled."""
    names, lanes, left, right, height, about = _draw_parts(marbles)
    top = 30.0
    return (
        d.picture(left, height - top, f"{title}: names", about, names, y=top),
        d.picture(max(60, right - left), height - top, title, about, lanes, x=left, y=top),
    )


def _draw_parts(
    marbles: Marbles,
) -> tuple[list[str], list[str], float, float, float, str]:
    """Names, lanes; where the lanes begin and end, how high it is, and all that in words."""
    titles = [d.shorten(_name(lane), 40) for lane in marbles.lanes]
    wide = [
        d.width_of(title, 12, is_bold=True) + 14 * min(lane.indent, 8)
        for title, lane in zip(titles, marbles.lanes)
    ]
    marks = [d.width_of(", ".join(lane.marks), 12, is_bold=True) for lane in marbles.lanes]
    left = 50.0 + max(wide, default=80.0) + max(marks, default=0.0)
    places = _columns(marbles, left)
    height = _TOP + _ROW * len(marbles.lanes) + 14
    names = [
        f'<text class="soft" x="{d.number(left - 10)}" y="46" text-anchor="end">'
        "ms, not to scale</text>"
    ]
    lanes = _draw_grid(marbles, places, height)
    for index, (lane, title) in enumerate(zip(marbles.lanes, titles)):
        names.append(_draw_name(lane, title, _TOP + _ROW * index, left))
        lanes.append(_draw_lane(lane, _TOP + _ROW * index, left, places))
    lanes[:0] = _draw_links(marbles, places)
    notes = []
    if marbles.left_out_columns:
        notes.append(f"{d.count(marbles.left_out_columns, 'earlier column')} not shown")
    if marbles.left_out_lanes:
        notes.append(f"{d.count(marbles.left_out_lanes, 'more lane')} not shown")
    for note in notes:
        height += 16
        names.append(f'<text class="soft" x="16" y="{d.number(height - 14)}">{note}</text>')
    about = f"{d.count(len(marbles.lanes), 'lane')}, {d.count(len(marbles.times), 'column')}"
    return names, lanes, left, places[-1] + 30, height, about


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


def _draw_grid(marbles: Marbles, places: list[float], height: float) -> list[str]:
    found = []
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


def _draw_name(lane: Lane, name: str, y: float, left: float) -> str:
    each = lane.subscription
    label = ", ".join([_name(lane), *lane.marks, d.count(each.values, "value")])
    weight = "name" if lane.indent == 0 else ""
    x = 16 + 14 * min(lane.indent, 8)
    marks = ""
    if lane.marks:
        marks = (
            f'<text class="bad" x="{d.number(left - 14)}" y="{d.number(y + 4)}" '
            f'text-anchor="end">{d.escape(", ".join(lane.marks))}</text>'
        )
    return (
        f'<g tabindex="0" role="img" id="l{each.id}" aria-label="{d.escape(label)}">'
        f"<title>{d.escape(label)}</title>"
        f'<text class="{weight}" x="{d.number(x)}" y="{d.number(y + 4)}" style="font-size:12px">'
        f"{d.escape(name)}</text>{marks}</g>"
    )


def _draw_lane(lane: Lane, y: float, left: float, places: list[float]) -> str:
    drawn, begin, end = _draw_events(lane, y, places)
    if lane.begins_before:
        begin = left
    line = ""
    if begin is not None and len(places) > 1:
        stop = end if end is not None else places[-1] + 10
        head = "" if end is not None else "m-6 -5l6 5l-6 5"
        line = f'<path class="lane" d="M{d.number(begin)} {d.number(y)}H{d.number(stop)}{head}"/>'
    return f"<g>{line}{''.join(drawn)}</g>"


def _draw_links(marbles: Marbles, places: list[float]) -> list[str]:
    """From the value that made a subscription, such as an inner one, to where that begins."""
    rows = {lane.subscription.id: row for row, lane in enumerate(marbles.lanes)}
    causes_of = {
        event.subscription: event.cause
        for lane in marbles.lanes
        for events in lane.cells.values()
        for event in events
        if event.kind == SUBSCRIBE
    }
    found = []
    for row, lane in enumerate(marbles.lanes):
        # One for a chain: to its lowest subscription.
        if causes_of.get(lane.subscription.below) == causes_of.get(lane.subscription.id):
            continue
        for column, events in lane.cells.items():
            for event in events:
                above = rows.get(event.cause)
                if event.kind != SUBSCRIBE or above is None:
                    continue
                cells = marbles.lanes[above].cells
                causes = [c for c in cells if c <= column]
                if not causes:
                    continue
                x = places[max(causes)] + (places[max(causes) + 1] - places[max(causes)]) / 2
                end = places[column] + 8
                y, low = _TOP + _ROW * above, _TOP + _ROW * row
                path = f"M{d.number(x)} {d.number(y)}L{d.number(end)} {d.number(low)}"
                found.append(f'<path class="link" d="{path}"/>')
    return found


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
