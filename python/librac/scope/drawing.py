"""What all pictures share: colours for light and dark, the width of text, safe text."""

from __future__ import annotations

import zlib
from xml.sax.saxutils import escape as _escape

#: Colours of values: white text on them is legible.
COLOURS = ["#3f6fa8", "#b8600b", "#3f8a3a", "#a04f93", "#2a8682", "#8a6248", "#b0444f", "#6a6f22"]

STYLE = """
svg.rac{--ink:#1b1f24;--soft:#5c6670;--line:#7a8fa6;--paper:#ffffff;--box:#edf2f7;--edge:#7a95b0;
--source:#fdf5d3;--source-edge:#b8922a;--gone:#f3f3f3;--gone-edge:#9a9a9a;--bad:#b3141b;
--bad-box:#fde0e0;--grid:#e6e9ec;font-family:Helvetica,Arial,"Liberation Sans",sans-serif}
@media (prefers-color-scheme:dark){svg.rac{--ink:#e6eaee;--soft:#9aa6b2;--line:#7f93a8;
--paper:#15191e;--box:#222d39;--edge:#5f7d9c;--source:#3a3313;--source-edge:#b8922a;
--gone:#24272b;--gone-edge:#676d73;--bad:#ff7b7b;--bad-box:#451d20;--grid:#2a3037}}
svg.rac .paper{fill:var(--paper)}
svg.rac text{fill:var(--ink);font-size:12px}
svg.rac .soft{fill:var(--soft);font-size:11px}
svg.rac .title{font-weight:bold;font-size:14px}
svg.rac .name{font-weight:bold;font-size:13px}
svg.rac .bad{fill:var(--bad);font-weight:bold;font-size:12px}
svg.rac .box{fill:var(--box);stroke:var(--edge);stroke-width:1.2}
svg.rac .source{fill:var(--source);stroke:var(--source-edge);stroke-width:1.2}
svg.rac .over{fill:var(--gone);stroke:var(--gone-edge);stroke-width:1.2}
svg.rac .bad-box{fill:var(--bad-box);stroke:var(--bad);stroke-width:2.4}
svg.rac .arrow{stroke:var(--line);fill:none}
svg.rac .head{fill:var(--line);stroke:none}
svg.rac .bad-arrow{stroke:var(--bad);fill:none}
svg.rac .bad-head{fill:var(--bad);stroke:none}
svg.rac .grid{stroke:var(--grid);stroke-width:1}
svg.rac .lane{stroke:var(--line);stroke-width:1.2;fill:none}
svg.rac .end{stroke:var(--ink);stroke-width:3}
svg.rac .cross{stroke:var(--bad);stroke-width:3;fill:none}
svg.rac .stop{stroke:var(--soft);stroke-width:1.6;fill:none}
svg.rac .begin{fill:var(--soft)}
svg.rac .link{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3;fill:none}
svg.rac .lost{fill:var(--paper);stroke:var(--bad);stroke-width:1.6;stroke-dasharray:3 2}
svg.rac .value{fill:#fff;font-size:11px}
svg.rac [tabindex]:focus{outline:3px solid #2b7de9;outline-offset:2px}
""".strip().replace("\n", "")

_NARROW = set("ijl.,:;'|!()[]{}ftrI1 /\\\"-")
_WIDE = set("mwMWQO@%&—…")


def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """About how wide a text is: rather too wide than too narrow."""
    em = 0.0
    for character in text:
        if character in _NARROW:
            em += 0.36
        elif character in _WIDE:
            em += 0.9
        elif ord(character) > 0x2E7F:
            em += 1.05
        elif character.isupper():
            em += 0.72
        else:
            em += 0.57
    return em * size * (1.07 if is_bold else 1.0)


def colour_of(text: str) -> str:
    """Always the same for the same value."""
    return COLOURS[zlib.crc32(text.encode("utf-8", "replace")) % len(COLOURS)]


def printable(text: str) -> str:
    """The text on one line, with nothing that XML or a terminal takes amiss."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def escape(text: str) -> str:
    """For text and for attributes in double quotes."""
    return _escape(printable(text), {'"': "&quot;"})


def number(value: float) -> str:
    """A coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def duration(nanoseconds: float) -> str:
    """In a unit that leaves few digits."""
    if nanoseconds < 1_000:
        return f"{nanoseconds:.0f} ns"
    if nanoseconds < 1_000_000:
        return f"{nanoseconds / 1e3:.3g} µs"
    if nanoseconds < 999_500_000:
        return f"{nanoseconds / 1e6:.3g} ms"
    return f"{nanoseconds / 1e9:,.1f} s" if nanoseconds >= 1e10 else f"{nanoseconds / 1e9:.3g} s"


def per_second(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def count(amount: int, one: str, many: str = "") -> str:
    """ "1 value", "2 values"."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def picture(
    width: float,
    height: float,
    title: str,
    description: str,
    body: list[str],
    *,
    x: float = 0.0,
    y: float = 0.0,
) -> str:
    """A whole SVG, readable by light and dark and by a screen reader. `x`, `y` is where its
    upper left corner is in the coordinates of the body."""
    w, h, left, top = map(number, (width, height, x, y))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rac" role="img" width="{w}" '
        f'height="{h}" viewBox="{left} {top} {w} {h}">\n<title>{escape(title)}</title>\n'
        f"<desc>{escape(description)}</desc>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" x="{left}" y="{top}" width="{w}" height="{h}"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )
