"""Search as one types, in a window of tkinter.

    python3 examples-python/search.py             a window to type in
    python3 examples-python/search.py --typed     types by itself, and ends

A search begins when nothing has been typed for a while. A newer text cancels it, and what fails
is shown and ends nothing. found() is all of that without a window: test_search.py tests it.
"""

import sys
import tkinter
from collections.abc import Callable

import librac as rac

BOOKS = ["Erewhon", "Middlemarch", "Moby Dick", "Moll Flanders", "Mrs Dalloway", "Ulysses"]


def look_up(text: str) -> rac.Signal[str]:
    """It takes a while, as a library's server would."""
    titles = [title for title in BOOKS if text.lower() in title.lower()]
    return rac.timer(0.05).map(lambda _: ", ".join(titles) or "nothing")


def found(
    texts: rac.Signal[str],
    search: Callable[[str], rac.Signal[str]],
    pause: float = 0.2,
    scheduler: rac.Scheduler | None = None,
) -> rac.Signal[str]:
    """What is found for the text that was typed last; nothing for an empty one."""

    def safely(text: str) -> rac.Signal[str]:
        if not text:
            return rac.of("")
        return search(text).catch(lambda error: rac.of(f"failed: {error}"))

    wanted = texts.map(str.strip).debounce(pause, scheduler=scheduler).distinct_until_changed()
    return wanted.switch_map(safely)


def main(is_typed: bool) -> None:
    root = tkinter.Tk()
    root.title("librac")
    scheduler = rac.Scheduler.for_tkinter(root)
    entry, result = tkinter.StringVar(root), tkinter.StringVar(root)
    tkinter.Entry(root, textvariable=entry).pack()
    tkinter.Label(root, textvariable=result, width=50).pack()

    texts: rac.Subject[str] = rac.Subject()
    entry.trace_add("write", lambda *_: texts.send(entry.get()))
    results = found(texts, look_up).deliver_on(scheduler)
    results.subscribe(result.set)

    if is_typed:
        for moment, text in enumerate(["m", "mo", "moby"]):
            root.after(10 * moment, entry.set, text)
        results.take(1).subscribe(print, on_completed=root.destroy)
    root.mainloop()


if __name__ == "__main__":
    main("--typed" in sys.argv)
