"""librac: streams of values over time, after ReactiveCocoa."""

from ._librac import *  # noqa: F401, F403
from . import _librac  # noqa: F401
