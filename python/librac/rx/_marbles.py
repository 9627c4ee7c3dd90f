"""Observables of marble diagrams, in reactivex's grammar.

    -          a step of time
    a 12 ab    a value: a number, what `lookup` has for it, else the text itself
    #          an error
    |          the completion
    (a,b,|)    all at the time of the parenthesis; time goes on as the text does

Blanks count for nothing. librac.marbles has librac's own grammar, and diagrams of what is heard.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from .. import _librac
from .disposable import CompositeDisposable
from .notification import Notification, OnCompleted, OnError, OnNext
from .observable import Observable, Observer, by, of_create
from .scheduler import NewThreadScheduler, Scheduler

Message = tuple[float, Notification]

_WORD = re.compile(r"[^-,()#|]+")


def _number(word: str) -> Any:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def parse(
    string: str,
    timespan: Any = 1.0,
    time_shift: Any = 0.0,
    lookup: Mapping[Any, Any] | None = None,
    error: Any = None,
    raise_stopped: bool = False,
) -> list[Message]:
    """The times and notifications of a diagram. ValueError where it is wrong."""
    step, shift = Scheduler.to_seconds(timespan), Scheduler.to_seconds(time_shift)
    text, place, messages, has_ended = string.replace(" ", ""), 0, list[Message](), False

    def add(word: str, at: int) -> None:
        nonlocal has_ended
        if raise_stopped and has_ended:
            raise ValueError(f"Elements cannot be declared after a # or | symbol: {string}")
        event: Any
        if word == "|":
            event = OnCompleted()
        elif word == "#":
            event = OnError(error or Exception("error"))
        else:
            value = _number(word)
            event = OnNext((lookup or {}).get(value, value))
        has_ended = has_ended or word in ("|", "#")
        messages.append((at * step + shift, event))

    while place < len(text):
        sign = text[place]
        if sign == "(":
            end = text.find(")", place)
            if end < 0:
                raise ValueError(f"A group has no end: {string}")
            for word in filter(None, text[place + 1 : end].split(",")):
                add(word, place)
            place = end + 1
        elif sign in ",)":
            raise ValueError(f"Comma is only allowed in group of elements: {string}")
        elif sign == "-":
            place += 1
        else:
            found = _WORD.match(text, place)
            word = found.group() if found else sign
            add(word, place)
            place += len(word)
    return messages


def from_marbles(
    string: str,
    timespan: Any = 0.1,
    scheduler: Any = None,
    lookup: Mapping[Any, Any] | None = None,
    error: Exception | None = None,
) -> Observable[Any]:
    """Plays a diagram to each subscriber anew, a character in `timespan`."""
    messages = parse(string, timespan, 0.0, lookup, error, True)

    def subscribe(observer: Observer, given: Any) -> Any:
        at = scheduler or given or NewThreadScheduler()
        return CompositeDisposable(*(
            at.schedule_relative(time, lambda *_, event=event: event.accept(observer))
            for time, event in messages))

    return of_create(subscribe)


cold = from_marbles


def hot(
    string: str,
    timespan: Any = 0.1,
    duetime: Any = 0.0,
    scheduler: Any = None,
    lookup: Mapping[Any, Any] | None = None,
    error: Exception | None = None,
) -> Observable[Any]:
    """Plays a diagram once, from `duetime` on, to those that are subscribed."""
    at = scheduler or NewThreadScheduler()
    if isinstance(duetime, datetime.datetime):
        duetime = Scheduler.to_seconds(duetime) - Scheduler.to_seconds(at.now)
    subject: Any = _librac.Subject()

    def play(event: Notification) -> None:
        event.accept(subject.send, subject.send_error, subject.send_completed)

    for time, event in parse(string, timespan, duetime, lookup, error, True):
        at.schedule_relative(time, lambda *_, event=event: play(event))
    return by(subject)
