"""Claims about types: what mypy and pyright infer, and what they refuse.

test_typing.py has both read it: an error has to be where a line says `# refused`, and
nowhere else. It is never run.
"""

import asyncio
import concurrent.futures
from collections.abc import AsyncIterator
from typing import Any, assert_type

import librac as rac
from librac import Signal, Subject, ops, rx

numbers: Subject[int] = Subject()
words = Subject[str]()

# 1-6: the type of a value survives a chain.
assert_type(numbers.map(str), Signal[str])
assert_type(numbers.filter(lambda n: n > 1).take(3), Signal[int])
assert_type(numbers.map(lambda n: n / 2), Signal[float])
assert_type(words.map(len).scan(lambda total, n: total + n, 0.0), Signal[float])
assert_type(words.pairwise(), Signal[tuple[str, str]])
assert_type(words.min(key=len), Signal[str])
assert_type(words.max(comparer=lambda a, b: len(a) - len(b)), Signal[str])
assert_type(words.collect(), Signal[tuple[str, ...]])

# 7-12: several signals.
assert_type(numbers.combine_latest(words), Signal[tuple[int, str]])
assert_type(rac.combine_latest(numbers, words), Signal[tuple[int, str]])
assert_type(numbers.with_latest_from(words), Signal[tuple[int, str]])
assert_type(rac.zip(numbers, words, numbers), Signal[tuple[int, str, int]])
assert_type(numbers.merge(words), Signal[int | str])
assert_type(numbers.timestamp(), Signal[tuple[float, int]])


# 13-17: from what there is already.
async def fetch(n: int) -> str:
    return str(n)


async def ticks() -> AsyncIterator[int]:
    yield 1


future: "concurrent.futures.Future[bytes]" = concurrent.futures.Future()
assert_type(rac.from_([1, 2]), Signal[int])
assert_type(rac.from_(fetch(1)), Signal[str])
assert_type(rac.from_(ticks()), Signal[int])
assert_type(rac.from_(future), Signal[bytes])
assert_type(numbers.flat_map(fetch), Signal[str])

# 18-20: operators as functions.
assert_type(numbers | ops.take(3), Signal[int])
assert_type(numbers | ops.map(fetch) | ops.switch_to_latest(), Signal[str])
assert_type(numbers.pipe(ops.map(str), ops.pairwise()), Signal[tuple[str, str]])


# 21-24: waiting.
async def reads() -> None:
    assert_type(await numbers, int)
    assert_type(await words.first(), str)
    async for word in words.values(buffer=10, overflow="drop_newest"):
        assert_type(word, str)
    for n in numbers:
        assert_type(n, int)


assert_type(words.wait(timeout=1), str)


# 25-29: properties, attributes, commands, channels.
class Form:
    name = rac.observable("")
    age = rac.observable(0, distinct=True)
    tags = rac.observable(factory=list[str])


form = Form()
assert_type(form.name, str)
assert_type(Form.age.of(form), rac.Property[int])
assert_type(Form.tags.of(form).signal, Signal[list[str]])
assert_type(rac.Property(3).map(str), rac.Property[str])
save = rac.Command(fetch)
assert_type(save.execute(3), Signal[str])
assert_type(rac.Command(len)("abc"), Signal[int])

# 30: a signal of a subtype is one of the type.
objects: Signal[object] = words

# 31-33: reactivex's names, of which operators are for any values.
assert_type(rx.of(1).pipe(rx.operators.map(str), rx.operators.take(1)), rx.Observable[Any])
texts: rx.Observable[str] = rx.timer(0.2).pipe(rx.operators.map(str))
assert_type(rx.of(1).pipe(lambda source: 3), Any)

# ---- Refused ---------------------------------------------------------------------------

numbers.send("no")  # refused
Subject[int]().send("no")  # refused
rac.BehaviorSubject(1).send("no")  # refused
wide: Subject[object] = numbers  # refused
narrow: Signal[str] = numbers  # refused
numbers.map(len)  # refused
words.map(lambda word: word.nothing)  # refused
numbers.filter()  # refused
numbers.take("3")  # refused
numbers.debounce("a second")  # refused
numbers.throttle(0.1, rac.Scheduler.main())  # refused
numbers.merge(3)  # refused
numbers.scan(lambda total: total, 0)  # refused
numbers.values(overflow="drop_all")  # refused
numbers.flat_map(lambda n: n)  # refused
numbers.subscribe(lambda: None)  # refused
words.subscribe(on_error=3)  # refused
form.name = 3  # refused
Form.age.of(form).value = "three"  # refused
Form.age.of(form).subscribe(lambda age: age.upper())  # refused
rac.Property("").bind(numbers)  # refused
rac.Property("").bind_two_way(rac.Property(0))  # refused
rac.Bound(3, "sometimes")  # refused
rac.Command(3)  # refused
rac.interval("1")  # refused
rac.from_(3)  # refused
numbers.switch_to_latest()  # refused
rac.Scheduler.background(priority="huge")  # refused
rac.create(lambda: None)  # refused
word: str = numbers.wait()  # refused
with numbers.subscribe(print) as subscription:
    subscription.cancel()  # refused
asyncio.run(numbers)  # refused
