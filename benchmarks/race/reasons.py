"""Why something is not reached, in benchmarks/reasons.md: under a heading that names
an aim or a row there is what is known of it."""

import re

from . import setup

FILE = setup.ROOT / "benchmarks" / "reasons.md"


def read(text=None):
    """heading -> text on one line; several headings may be in one line, with ; between."""
    if text is None:
        text = FILE.read_text(encoding="utf-8")
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        for key in heading.split(";"):
            found[key.strip()] = " ".join(body.split())
    return found
