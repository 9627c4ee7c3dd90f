"""The operators that RAC 2.5 did not have, as CHANGELOG.md lists them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def later_operators():
    """Their C functions, in the order in which they were added."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    listed = re.search(r"that RAC 2\.5\s+did not have:([^.]*)\.", changes).group(1)
    return re.findall(r"`(rac_signal_\w+)`", listed)
