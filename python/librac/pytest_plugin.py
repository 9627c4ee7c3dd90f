"""For pytest, which finds it by itself: the fixture `marbles` (see librac.marbles);
`--rac-record`, which shows below a test that failed what librac did in it; and `--rac-left`,
which says what happens where a test leaves something subscribed. A test leaves the switches of
librac.host as it found them. Exceptions of handlers say where the program subscribed."""

from __future__ import annotations

import contextlib
import functools
import gc
import pathlib
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .marbles import Marbles
    from .scope import Recording

_PACKAGE = str(pathlib.Path(__file__).parent)
_RECORDED = pytest.StashKey[contextlib.ExitStack]()
_RECORDING = pytest.StashKey["Recording"]()
_HAS_ORIGINS = pytest.StashKey[bool]()


@pytest.fixture
def marbles() -> Marbles:
    """Marble diagrams on virtual time: marbles.hot("a-b|"), .cold(…), .expect(signal,
    diagram)."""
    from .marbles import Marbles

    return Marbles()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("librac").addoption(
        "--rac-record",
        action="store_true",
        help="below a test that failed: its marbles, and what librac.scope finds in it",
    )
    parser.getgroup("librac").addoption(
        "--rac-left",
        choices=("warn", "fail", "dispose", "keep"),
        default="warn",
        help="what a test left subscribed is disposed, and a warning has the places (the default); "
        "the test fails, with the places; it is disposed; it is left alone",
    )


class _Left:
    """What a test subscribes to, and where."""

    def __init__(self) -> None:
        self.made: list[tuple[Any, str]] = []

    def __enter__(self) -> _Left:
        from ._librac import Signal

        plain: Any = Signal.subscribe
        self.plain = plain

        @functools.wraps(plain)
        def subscribe(*arguments: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            subscription = plain(*arguments, **named)
            self.made.append((subscription, _place()))
            return subscription

        setattr(Signal, "subscribe", subscribe)
        return self

    def __exit__(self, *_: object) -> None:
        from ._librac import Signal

        setattr(Signal, "subscribe", self.plain)

    def dispose(self) -> list[str]:
        """Where the subscriptions were made that have not ended: not with the test's own objects
        either, which may be garbage."""
        made, self.made = self.made, []
        left = _alive(made)
        if left:
            gc.collect()
            left = _alive(left)
        for each, _ in left:
            each.dispose()
        return [place for _, place in left]


def _alive(made: list[tuple[Any, str]]) -> list[tuple[Any, str]]:
    return [(each, place) for each, place in made if not each.is_disposed]


def _place() -> str:
    """The line that subscribed, which is none of this package."""
    frame: Any = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


@contextlib.contextmanager
def _switches_as_before() -> Generator[None, None, None]:
    before = None
    if "librac" in sys.modules:
        from .switches import state

        before = state()
    try:
        yield
    finally:
        if "librac" in sys.modules:  # the test may have imported it
            from .switches import AT_FIRST

            (before or AT_FIRST).restore()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fixtures may keep what they subscribed to and switched; a test may not."""
    with _switches_as_before():
        return (yield from _called(item))


def _called(item: pytest.Item) -> Generator[None, None, None]:
    wanted = item.config.getoption("--rac-left")
    if wanted == "keep" or "librac" not in sys.modules:
        return (yield)
    left = _Left()
    try:
        with left:
            result = yield
    finally:
        places = left.dispose()
    told = "left subscribed:\n  " + "\n  ".join(places)
    if wanted == "fail" and places:
        pytest.fail(told, pytrace=False)
    elif wanted == "warn" and places:
        item.warn(pytest.PytestWarning(f"librac: {told}"))
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begins before the fixtures: what they subscribe to is seen, too."""
    if "librac" in sys.modules and _HAS_ORIGINS not in item.config.stash:
        from .host import set_origins

        item.config.stash[_HAS_ORIGINS] = True
        set_origins(True)
    if item.config.getoption("--rac-record"):
        from .scope import record

        stack = item.stash[_RECORDED] = contextlib.ExitStack()
        item.stash[_RECORDING] = stack.enter_context(record())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    stack = item.stash.get(_RECORDED, None)
    if stack and call.when == "call":
        stack.close()
        recording = item.stash[_RECORDING]
        if report.failed and recording.subscriptions:
            report.sections.append(("librac", recording.text()))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """A test whose setup failed was not called."""
    stack = item.stash.get(_RECORDED, None)
    if stack:
        stack.close()
