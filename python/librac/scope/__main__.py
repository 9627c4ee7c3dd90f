"""rac-scope: shows a program that uses librac while it runs, or afterwards.

    rac-scope ./program arguments      runs it, then prints what was found
    rac-scope file.rac                 the same of a file that RAC_RECORD=file.rac made
    rac-scope --page ./program         a live page in the browser
    rac-scope --graph g.svg file.rac   who listens to whom
    rac-scope --marbles m.svg file.rac what happened

The program is not changed. To look into one that already runs, start it with
RAC_RECORD=file.rac, and with RAC_RECORD_IDLE=1 if it is to be watched only when somebody looks.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable

if not __package__:
    # Run as a folder, `python3 …/librac/scope`: no extension has to be there for a file.
    import types

    _folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != _folder]
    _alone = sys.modules["librac_alone"] = types.ModuleType("librac_alone")
    _alone.__path__ = [os.path.dirname(_folder)]
    __package__ = "librac_alone.scope"

from . import dot, graph, graph_svg, marbles, marbles_svg, page, perfetto, program, text  # noqa: E402
from .fileformat import NotARecording  # noqa: E402
from .findings import find  # noqa: E402
from .reader import read  # noqa: E402
from .recording import Recording  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        if given.what and _is_recording(given.what[0]):
            # A file takes no arguments: what stands behind it are more options.
            path = given.what[0]
            given = _parser().parse_args(given.what[1:], given)
            if given.what:
                _parser().error(f"{given.what[0]}: one recording at a time")
            return _show(path, given)
        return _run(given)
    except BrokenPipeError:
        # Whoever read has enough; nothing is left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return 2
    except NotARecording as error:
        say(str(error))
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rac-scope",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--text", action="store_true", help="findings and marbles as text")
    parser.add_argument("--graph", metavar="SVG", help="who listens to whom, as a picture")
    parser.add_argument("--marbles", metavar="SVG", help="what happened, as a picture")
    parser.add_argument("--dot", metavar="FILE", help="the graph for Graphviz; - for stdout")
    parser.add_argument("--page", action="store_true", help="a live page on localhost")
    port = _number(0, 65535)
    parser.add_argument("--port", type=port, default=0, help="of the page; any free one")
    parser.add_argument(
        "--at-exit", action="store_true", help="of a file: wait until its program has ended"
    )
    parser.add_argument("--perfetto", metavar="FILE", help="a trace for ui.perfetto.dev")
    parser.add_argument("--only", metavar="WORDS", default="", help="chains with these words")
    columns = _number(1, 100_000)
    parser.add_argument("--columns", type=columns, default=60, help="of marbles; 60")
    parser.add_argument("--record", metavar="FILE", help="keep the recording of the program")
    parser.add_argument(
        "what", nargs=argparse.REMAINDER, metavar="FILE | PROGRAM …", help="what to show"
    )
    return parser


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        found = int(text)
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least} to {most}")
        return found

    return number


def _is_recording(path: str) -> bool:
    """Whether it is a file of data; a program is run. One that is named as a recording and has
    something else in it is refused as a recording."""
    if path.endswith(".rac"):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(6) == b"librac"
    except OSError:
        return False


def _run(given: argparse.Namespace) -> int:
    if not given.what:
        _parser().print_usage(sys.stderr)
        return 2
    with program.file_for(given.record) as path:
        child = program.start(given.what, path)
        program.pass_on(child)
        # For a program that runs for long: what is known by now.
        program.on_user_signal(lambda: _dump(path, given))
        if given.page:
            _serve(path, given, lambda: False)
        status = program.exit_status(program.wait(child))
        files = program.files_of(path)
        if not files:
            say("the program did not load librac, or it cannot record")
            return status or 2
        for each in files:
            present(read(each), given)
    return status


def _show(path: str, given: argparse.Namespace) -> int:
    if given.page:
        _serve(path, given, lambda: False)
        return 0
    while given.at_exit and read(path).state == "running":
        time.sleep(0.2)
    present(read(path), given)
    return 0


def _serve(path: str, given: argparse.Namespace, is_enough: Callable[[], bool]) -> None:
    try:
        page.serve(path, given.port, is_enough, lambda address: say(f"{address} (ctrl-C ends)"))
    except KeyboardInterrupt:
        pass


def _dump(path: str, given: argparse.Namespace) -> None:
    try:
        print(text.report(read(path), find(read(path)), _width(), columns=given.columns))
    except (OSError, NotARecording) as error:
        say(str(error))


def say(what: str) -> None:
    print(f"rac-scope: {what}", file=sys.stderr, flush=True)


def _width() -> int:
    return max(40, min(160, shutil.get_terminal_size((100, 24)).columns))


def present(recording: Recording, given: argparse.Namespace) -> None:
    """All that was asked for; the findings if nothing was."""
    found = find(recording)
    wrote = False
    if given.only and not marbles.arrange(recording, found, words=given.only).lanes:
        say(f"no subscription has {given.only!r} in its name, place or number")
    if given.graph or given.dot:
        built = graph.build(recording, found, words=given.only)
        if given.graph:
            _write(given.graph, graph_svg.draw(built, recording.title))
        if given.dot:
            _write(given.dot, dot.write(built, recording.title))
        wrote = True
    if given.marbles:
        arranged = marbles.arrange(recording, found, columns=given.columns, words=given.only)
        _write(given.marbles, marbles_svg.draw(arranged, recording.title))
        wrote = True
    if given.perfetto:
        with open(given.perfetto, "wb") as file:
            file.write(perfetto.write(recording))
        wrote = True
    if given.text:
        print(text.report(recording, found, _width(), columns=given.columns, words=given.only))
    elif not wrote:
        print(text.summary(recording))
        counted = text.counters(recording, _width(), given.only)
        print("\n".join([text.findings(found, _width()), *counted]), flush=True)


def _write(path: str, content: str) -> None:
    if path == "-":
        sys.stdout.write(content)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


if __name__ == "__main__":
    sys.exit(main())
