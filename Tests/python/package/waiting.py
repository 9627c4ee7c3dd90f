"""Waiting inside a loop of asyncio."""

import asyncio
import time


async def until(condition):
    """Lets the loop go on until it holds; gives up after a while."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.001)
