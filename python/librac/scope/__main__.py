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

if not __package__:
    # Run as a folder, `python3 …/librac/scope`: no extension has to be there for a file.
    import importlib.util

    _folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != _folder]
    _spec = importlib.util.spec_from_file_location(
        "librac_scope", os.path.join(_folder, "__init__.py"), submodule_search_locations=[_folder]
    )
    assert _spec and _spec.loader
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["librac_scope"] = _module
    _spec.loader.exec_module(_module)
    __package__ = "librac_scope"

from . import dot, graph, graph_svg, marbles, marbles_svg, perfetto, program, text  # noqa: E402
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
    except (NotARecording, OSError) as error:
        print(f"rac-scope: {error}", file=sys.stderr)
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
    parser.add_argument("--perfetto", metavar="FILE", help="a trace for ui.perfetto.dev")
    parser.add_argument("--only", metavar="WORDS", default="", help="chains with these words")
    parser.add_argument("--columns", type=int, default=60, help="of marbles; 60")
    parser.add_argument("--record", metavar="FILE", help="keep the recording of the program")
    parser.add_argument(
        "what", nargs=argparse.REMAINDER, metavar="FILE | PROGRAM …", help="what to show"
    )
    return parser


def _is_recording(path: str) -> bool:
    """Whether it is a file of data; a program is run."""
    try:
        with open(path, "rb") as file:
            return file.read(6) == b"librac"
    except OSError:
        return path.endswith(".rac")


def _run(given: argparse.Namespace) -> int:
    if not given.what:
        _parser().print_usage(sys.stderr)
        return 2
    with program.file_for(given.record) as path:
        child = program.start(given.what, path)
        program.pass_on(child)
        status = program.exit_status(program.wait(child))
        files = program.files_of(path)
        if not files:
            print(
                "rac-scope: the program did not load librac, or it cannot record", file=sys.stderr
            )
            return status or 2
        for each in files:
            _show(each, given)
    return status


def _show(path: str, given: argparse.Namespace) -> int:
    present(read(path), given)
    return 0


def present(recording: Recording, given: argparse.Namespace) -> None:
    """All that was asked for; the findings if nothing was."""
    found = find(recording)
    wrote = False
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
    if given.text or not wrote:
        width = max(40, min(160, shutil.get_terminal_size((100, 24)).columns))
        print(text.summary(recording))
        print(text.findings(found, width))
        if given.text:
            arranged = marbles.arrange(recording, found, columns=given.columns, words=given.only)
            print(text.marbles(arranged, width))


def _write(path: str, content: str) -> None:
    if path == "-":
        sys.stdout.write(content)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


if __name__ == "__main__":
    sys.exit(main())
