"""An asyncio service: searches as one types, several sources merged, one at a time.

    python3 examples-python/task_service.py

Keys come in as somebody types. A search begins when nothing has been typed for a while; it
asks two sources at once, gives up on one that is slow, and a newer text cancels it. Beside
it a status comes at intervals, and all of it arrives in one loop, in order.
"""

import asyncio

import librac as rac


async def ask_library(text: str) -> str:
    await asyncio.sleep(0.01)
    return f"library: 3 books on {text}"


async def ask_archive(text: str) -> str:
    try:
        await asyncio.sleep(60 if text == "slow" else 0.06)
    except asyncio.CancelledError:
        print(f"  (the archive's search for {text!r} was cancelled)")
        raise
    if text == "broken":
        raise ConnectionError("the archive is closed")
    return f"archive: 1 letter about {text}"


def search(text: str) -> rac.Signal[str]:
    """Both at once; a failure of one is a line, not the end."""
    archive = (
        rac.from_(ask_archive(text))
        .timeout(0.4)
        .catch(lambda error: rac.of(f"archive: {type(error).__name__}"))
    )
    return rac.from_(ask_library(text)).merge(archive).start_with(f"searching for {text!r}")


async def type_in(keys: rac.Subject[str]) -> None:
    """Somebody at the keyboard."""
    for text, pause in [
        ("r", 0.01),
        ("ra", 0.01),
        ("rac", 0.4),
        ("slow", 0.3),  # given up in the middle
        ("broken", 0.4),
        ("slow", 0.5),
    ]:
        keys.send(text)
        await asyncio.sleep(pause)
    keys.send_completed()


async def main() -> None:
    keys: rac.Subject[str] = rac.Subject()
    answers = keys.debounce(0.1).distinct_until_changed().switch_map(search)
    status = rac.interval(0.3).map(lambda n: f"status {n}: all is well").take(2)
    typing = asyncio.create_task(type_in(keys))
    async for line in answers.merge(status).values(buffer=100, overflow="error"):
        print(line)
    await typing


if __name__ == "__main__":
    asyncio.run(main())
