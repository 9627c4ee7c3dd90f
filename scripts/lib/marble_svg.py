"""Draws marble diagrams as SVG: lanes, and the boxes of operators between them.

    svg = draw("map", "What it shows, in words", [lane, Box("map x 2", []), lane])

The text is the same each time, the picture follows the light or dark of its viewer, and
the values of one moment stand on top of each other. It knows nothing of the engine.
"""

from typing import NamedTuple
from xml.sax.saxutils import escape

RADIUS = 11  # of a marble
UNIT = 24  # a second, at least
PILED = 24  # from one value of a moment to the next
ROW = 36
TITLE = 26  # a box without lanes in it
EDGE = 12

# Of the same lightness each: white letters on them can be read, and they on white and on black.
COLOURS = "#2f6fbd #b45309 #2e7d32 #8e44ad #0f766e #be185d #6b6f00 #4f46e5 #8b5a2b".split()
PLAIN = "#64707d"
STYLE = (
    "svg{{--i:#1f2328;--m:#59636e;--l:#9aa4af;--b:#eef3f9;--e:#c3d0de;--g:#fff;--x:#cf222e}}"
    "@media(prefers-color-scheme:dark){{svg{{--i:#e6edf3;--m:#9da7b3;--l:#626c77;--b:#182230;"
    "--e:#35455a;--g:#0d1117;--x:#ff6b63}}}}"
    "text{{font:12px system-ui,-apple-system,Segoe UI,Roboto,sans-serif;fill:var(--m)}}"
    "path{{fill:none;stroke:var(--l);stroke-width:1.5}}"
    ".t{{font:600 13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--i);"
    "text-anchor:middle;stroke:var(--b);stroke-width:5px;paint-order:stroke}}"
    ".r{{font-size:10px;text-anchor:middle}}"
    ".v text{{font-weight:600;fill:#fff;text-anchor:middle}}"
    ".o{{fill:var(--b);stroke:var(--e)}}"
    ".e{{stroke:var(--i);stroke-width:2.5}}"
    ".k{{stroke:var(--i)}}"
    ".x{{stroke:var(--x);stroke-width:3}}"
    ".d{{stroke-dasharray:2 3}}"
    ".u{{opacity:.4}}"
    "{colours}"
)


class Event(NamedTuple):
    """A value, of the kind " ", or an end, "|" or "#"; `is_late` if nobody heard it any more."""

    time: float
    kind: str
    text: str
    colour: str
    is_late: bool


class Lane:
    """A signal as it was subscribed to. `spans` are the [begin, end] of the subscriptions; an
    end is a disposal, None that there was none. `parent` is the Lane and the time of the
    value that stands for this signal."""

    def __init__(self, label, begin, events, colour=None, spans=None, parent=None):
        self.label, self.begin, self.events, self.colour = label, begin, events, colour
        self.spans = [[begin, None]] if spans is None else spans
        self.parent = parent
        self.is_followed = False
        self.following = []  # lanes in the same row: the signal subscribed to again
        self.y = self.top = 0  # the top is that of its box, if another one is above that

    def moments(self):
        """(time, its events), in order."""
        found = {}
        for event in self.events:
            found.setdefault(event.time, []).append(event)
        return sorted(found.items())

    def end(self):
        """When it ended, or None."""
        return next((event.time for event in self.events if event.kind != " "), None)

    def is_over(self, time):
        """Whether nobody listens any more."""
        over = self.spans[-1][1] if self.spans else self.begin
        over = self.end() if over is None else over
        return over is not None and over <= time

    def drop_unheard(self):
        """Another lane follows in its row."""
        self.events = [event for event in self.events if not event.is_late]
        self.is_followed = True

    def height(self):
        """A pile needs more than a row."""
        most = max([sum(event.kind != "|" for event in events) for _, events in self.moments()] or [1])
        return max(ROW, most * PILED + ROW - PILED)


class Box:
    """An operator, and the inner signals that it is subscribed to."""

    def __init__(self, title, lanes):
        self.title, self.lanes = title, lanes


# ---- The places ----------------------------------------------------------------


def width_of(text):
    """Of a marble: a disc, or longer for a longer text."""
    return max(2 * RADIUS, len(text) * 6.6 + 11)


def number(value):
    """A place in as few characters as it needs."""
    return "{:.1f}".format(value).rstrip("0").rstrip(".") if value % 1 else str(int(value))


def unit_of(lanes):
    """So many pixels a second that neighbours do not touch."""
    unit = UNIT
    for lane in lanes:
        moments = [
            (time, max(width_of(event.text) for event in events))
            for time, events in lane.moments()
        ]
        for (a, a_wide), (b, b_wide) in zip(moments, moments[1:]):
            unit = max(unit, ((a_wide + b_wide) / 2 + 3) / (b - a))
    return round(unit)


class Places:
    def __init__(self, rows, seconds):
        self.lanes = [row for row in rows if isinstance(row, Lane)]
        boxes = [row for row in rows if isinstance(row, Box)]
        self.lanes += [lane for box in boxes for lane in box.lanes]
        parts = [part for lane in self.lanes for part in [lane] + lane.following]
        self.unit = unit_of(parts)
        gutter = max([len(lane.label) for lane in self.lanes] + [len("source")]) * 6.8
        first = [e.text for part in parts for e in part.events if e.time == 0]
        self.lead = round(max([14] + [width_of(text) / 2 + 2 for text in first]))
        self.left = round(EDGE + gutter + 10) + self.lead
        title = max([len(box.title) for box in boxes] or [0]) * 8 + 24
        self.right = max(self.x(seconds) + 20, self.left - self.lead + title)
        self.wide = self.right + EDGE

    def x(self, time):
        return self.left + time * self.unit


# ---- The drawing ---------------------------------------------------------------


class Drawing:
    def __init__(self, places):
        self.places, self.below, self.above, self.used = places, [], [], []

    def colour(self, colour):
        """The class of a colour."""
        colour = colour or PLAIN
        if colour not in self.used:
            self.used.append(colour)
        return "c{}".format(self.used.index(colour))

    def path(self, kind, data, faded=False):
        kind += " u" if faded else ""
        self.above.append('<path{} d="{}"/>'.format(' class="{}"'.format(kind) if kind else "", data))

    def lane(self, lane):
        x, y = self.places.x, number(lane.y)
        if lane.label:
            self.above.append(
                '<text x="{}" y="{}">{}</text>'.format(EDGE, number(lane.y + 4), escape(lane.label))
            )
        if lane.parent:
            self.connect(lane)
        own = "s" + self.colour(lane.colour)[1:] if lane.colour else ""
        begin, end = x(lane.begin) - (self.places.lead if lane.begin == 0 else 0), lane.end()
        stop = self.places.right if end is None else x(end)
        if end is None and lane.is_followed:
            stop = x(lane.spans[-1][1])
        solid = [(x(a) if a else begin, stop if b is None else x(b)) for a, b in lane.spans]
        if solid != [(begin, stop)]:
            self.path((own + " d").strip(), "M{} {}H{}".format(number(begin), y, number(stop)), True)
        for a, b in solid:
            self.path(own, "M{} {}H{}".format(number(a), y, number(b)))
            if a > x(0):
                self.path(own, "M{} {}v10".format(number(a), number(lane.y - 5)))
        if end is None and not lane.is_followed:
            arrow = "M{} {}l6 4l-6 4".format(number(stop - 6), number(lane.y - 4))
            self.path(own, arrow, not solid or solid[-1][1] < stop)
        for part in lane.following:
            part.y = lane.y
            self.lane(part)
        for time, events in lane.moments():
            self.moment(x(time), lane.y, events)
        for _, time in lane.spans:
            if time is not None:
                self.cut(lane, time)

    def cut(self, lane, time):
        """A disposal; beside what comes at the same time, on the side on which it is later."""
        at_once = dict(lane.moments()).get(time, [])
        half = max([width_of(event.text) / 2 + 4 for event in at_once] or [0])
        after = not (at_once and at_once[0].is_late)
        x = self.places.x(time) + (half if after else -half) - 4
        self.path("k", "M{} {}l5 -12m-1 12l5 -12".format(number(x), number(lane.y + 6)))

    def connect(self, lane):
        """From the value that stands for a signal to the signal; it may wait."""
        x = self.places.x
        parent, time = lane.parent
        data = "M{} {}V{}".format(number(x(time)), number(max(parent.y, lane.top)), number(lane.y))
        if lane.begin > time:
            data += "H" + number(x(lane.begin))
        kind = "d s" + self.colour(lane.colour)[1:] if lane.colour else "d"
        self.below.append('<path class="{}" d="{}"/>'.format(kind, data))

    def moment(self, x, y, events):
        shown = [event for event in events if event.kind != "|"]
        piled = max(len(shown) - 1, 0) * PILED / 2
        if len(shown) < len(events):
            half = RADIUS + 5 + piled
            bar = "M{} {}v{}".format(number(x), number(y - half), number(2 * half))
            self.path("e", bar, events[-1].is_late)
        for index, event in enumerate(shown):
            place = y - piled + index * PILED
            if event.kind == "#":
                cross = "M{} {}l14 14m0 -14l-14 14".format(number(x - 7), number(place - 7))
                self.path("x", cross, event.is_late)
            else:
                self.marble(x, place, event)

    def marble(self, x, y, event):
        wide = width_of(event.text)
        if wide == 2 * RADIUS:
            shape = '<circle cx="{}" cy="{}" r="{}"/>'.format(number(x), number(y), RADIUS)
        else:
            shape = '<rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>'.format(
                number(x - wide / 2), number(y - RADIUS), number(wide), 2 * RADIUS, RADIUS
            )
        self.above.append(
            '<g class="v {}{}">{}<text x="{}" y="{}">{}</text></g>'.format(
                self.colour(event.colour),
                " u" if event.is_late else "",
                shape,
                number(x),
                number(y + 4),
                escape(event.text),
            )
        )

    def ruler(self, y, seconds):
        x = [number(self.places.x(second)) for second in range(int(seconds) + 1)]
        ticks = "".join("M{} {}v{}".format(each, number(y), 3 if i % 5 else 6) for i, each in enumerate(x))
        self.path("", ticks)
        for second in range(0, len(x), 5):
            text = '<text class="r" x="{}" y="{}">{} s</text>'
            self.above.append(text.format(x[second], number(y + 17), second))

    def box(self, box, y, height):
        left, right = self.places.left - self.places.lead, self.places.right
        self.below.append(
            '<rect class="o" x="{}" y="{}" width="{}" height="{}" rx="5"/>'.format(
                number(left), number(y), number(right - left), number(height)
            )
        )
        title = '<text class="t" x="{}" y="{}">{}</text>'
        place = number((left + right) / 2), number(y + 17.5)
        self.above.append(title.format(*place, escape(box.title)))


def draw(name, description, rows, seconds, has_ruler=False):
    """The SVG of rows, Lanes and Boxes, from top to bottom, perhaps with the seconds below."""
    places = Places(rows, seconds)
    drawing, y, boxes = Drawing(places), EDGE, 0
    for row in rows:
        if isinstance(row, Lane):
            row.y = y + row.height() / 2
            y += row.height()
        else:
            row.y, inside = y + 4, TITLE
            for lane in row.lanes:
                lane.top = row.y if boxes else 0
                lane.y = row.y + inside + lane.height() / 2
                inside += lane.height()
            row.height = inside + (4 if row.lanes else 0)
            y += row.height + 8
            boxes += 1
    for row in rows:
        if isinstance(row, Box):
            drawing.box(row, row.y, row.height)
    for lane in places.lanes:
        drawing.lane(lane)
    if has_ruler:
        drawing.ruler(y + 4, seconds)
        y += 22
    wide, high = number(places.wide), number(y + EDGE)
    colours = "".join(
        ".c{0}{{fill:{1}}}.s{0}{{stroke:{1}}}".format(index, colour)
        for index, colour in enumerate(drawing.used)
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'role="img" aria-labelledby="n w"><title id="n">{2}</title><desc id="w">{3}</desc>'
    ).format(wide, high, escape(name), escape(description))
    return "\n".join(
        [head, "<style>{}</style>".format(STYLE.format(colours=colours))]
        + ['<rect width="100%" height="100%" rx="6" style="fill:var(--g)"/>']
        + drawing.below + drawing.above + ["</svg>", ""]
    )
