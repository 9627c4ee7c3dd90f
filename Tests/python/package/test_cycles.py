"""Cycles through what the layer in Python makes are collected; test_core_cycles.py has
those of the extension."""

import asyncio
import gc
import weakref

import pytest

import librac as rac


class Holder:
    """Something that holds what holds it."""

    name = rac.observable("")

    def hear(self, value):
        return value

    async def work(self):
        raise KeyError("work")


def failed_execution(holder):
    """An execution keeps its error, that its traceback, that the frame, that the signal."""

    async def main():
        holder.execution = rac.Command(holder.work).execute()
        with pytest.raises(KeyError):
            await holder.execution

    asyncio.run(main())


def hears_a_command(holder):
    holder.c = rac.Command(holder.hear)
    holder.c.errors.subscribe(holder.hear)
    holder.c.executing.map(bool).subscribe(holder.hear)
    holder.enabled = holder.c.enabled
    holder.enabled.subscribe(holder.hear)


def hears_an_end_of_a_channel(holder):
    holder.end = rac.Channel().following
    holder.end.subscribe(holder.hear)


def actions(holder):
    holder.bag, holder.serial = rac.CompoundDisposable(), rac.SerialDisposable()
    holder.bag.add(rac.Disposable(lambda: holder))
    holder.serial.swap(rac.Disposable(lambda: holder))
    holder.scoped = rac.cocoa.ScopedDisposable(rac.Disposable(lambda: holder))


def failing_enabled(holder):
    """The command keeps the error, that its traceback, that the frame, that the observer."""

    def subscribe(observer):
        holder.observer = observer
        raise KeyError

    holder.c = rac.Command(holder.hear, enabled=rac.create(subscribe))


def observers_kept(through):
    """A list keeps the observers that a chain's source was given, and belongs to who hears."""

    def make(holder):
        holder.observers = []
        through(rac.create(holder.observers.append)).subscribe(holder.hear)
        assert len(holder.observers) == 1

    return make


CYCLES = {
    "hears a command": hears_a_command,
    "failing enabled": failing_enabled,
    "end of a channel": hears_an_end_of_a_channel,
    "actions": actions,
    "create": lambda h: setattr(h, "s", rac.create(lambda observer: h and None)),
    "observers": observers_kept(lambda s: s.map(str).share()),
    "observers, retry": observers_kept(lambda s: s.retry()),
    "observers, concat": observers_kept(lambda s: s.concat(rac.of(1))),
    "observers, catch": observers_kept(lambda s: s.catch(lambda error: rac.of(1))),
    "observers, delay": observers_kept(lambda s: s.delay(1)),
    "defer": lambda h: setattr(h, "s", rac.defer(lambda: h.s)),
    "observable": lambda h: Holder.name.of(h).signal.subscribe(h.hear),
    "property": lambda h: Holder.name.of(h).subscribe(h.hear),
    "command": lambda h: setattr(h, "c", rac.Command(h.hear, enabled=rac.Property(True))),
    "failed execution": failed_execution,
    "ops": lambda h: setattr(h, "s", rac.of(1) | rac.ops.map(h.hear) | rac.ops.map(h.hear)),
    "arrays": lambda h: setattr(h, "d", rac.Subject().subscribe_arrays(h.hear)),
}


@pytest.mark.parametrize("make", CYCLES.values(), ids=CYCLES)
def test_collected(make):
    holder = Holder()
    make(holder)
    gone = weakref.ref(holder)
    del holder
    for _ in range(3):
        rac.host.main_drain()
        gc.collect()
    assert gone() is None


def test_what_somebody_else_holds_is_not_collected():
    holder, seen = Holder(), []
    subject = rac.Subject()
    subject.map(holder.hear).subscribe(seen.append)
    del holder
    gc.collect()
    subject.send(3)
    assert seen == [3]
