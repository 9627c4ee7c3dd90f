"""The fixture `marbles` for pytest, which finds it by itself: see librac.marbles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .marbles import Marbles


@pytest.fixture
def marbles() -> Marbles:
    """Marble diagrams on virtual time: marbles.hot("a-b|"), .cold(…), .expect(signal,
    diagram)."""
    from .marbles import Marbles

    return Marbles()
