"""For pytest, which finds it by itself: the fixture `marbles` (see librac.marbles), and
`--rac-record`, which shows below a test that failed what librac did in it."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .marbles import Marbles
    from .scope import Recording

_RECORDED = pytest.StashKey[contextlib.ExitStack]()
_RECORDING = pytest.StashKey["Recording"]()


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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begins before the fixtures: what they subscribe to is seen, too."""
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
