"""Records a part of a Python program: for notebooks, tests, and whoever wants to see one thing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from .reader import Reader
from .recording import Recording


@contextlib.contextmanager
def record(path: str | None = None) -> Iterator[Recording]:
    """Records what is subscribed to inside of the block:

        with librac.scope.record() as recording:
            librac.of(1, 2).map(str).subscribe()
        print(recording.text())

    The recording is whole when the block has ended. With a path the file stays.
    """
    from .._librac import record_start, record_stop

    with contextlib.ExitStack() as stack:
        if path is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="librac-"))
            path = os.path.join(folder, "recording.rac")
        record_start(path)
        reader = None
        try:
            reader = stack.enter_context(contextlib.closing(Reader(path)))
            yield reader.recording
        finally:
            record_stop()
            if reader:
                reader.refresh()
