"""A program for a package that has just been installed: is all of it there?"""

import asyncio
import importlib.metadata

import librac

assert list(librac.of(1, 2, 3).map(lambda number: number * 2).filter(lambda number: number > 2)) == [4, 6]


async def count() -> int:
    total = 0
    async for number in librac.of(1, 2, 3):
        total += number
    return total


assert asyncio.run(count()) == 6
assert librac.interval(0.01).take(2).map(str).wait() is not None
assert importlib.metadata.version("librac")
print("librac", importlib.metadata.version("librac"), "works")
