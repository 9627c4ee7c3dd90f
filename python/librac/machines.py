"""What librac.redis and librac.mqtt have in common."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias

Seconds: TypeAlias = float | timedelta
