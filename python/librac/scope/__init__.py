"""rac-scope: what a program does with librac, in sentences and pictures.

    python3 -m librac.scope ./program arguments
    python3 -m librac.scope file.rac

Of Python code: `read(path)` gives a Recording, which a notebook shows, `find(recording)` the
findings; `with record() as recording:` records a block. Nothing here but `record` needs the
extension; docs/Recording.md has the format of the file.
"""

from __future__ import annotations

from .findings import Finding, find
from .reader import Reader, read
from .recorded import record
from .recording import Recording

__all__ = ["Finding", "Reader", "Recording", "find", "read", "record"]
