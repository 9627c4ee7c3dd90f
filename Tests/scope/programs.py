"""Recordings of programs with one fault each, made by hand."""

from writer import (
    ASKED, BEGINS, DROPPED, ENDED, ENDS, FIRED, HELD_END, HOST_VALUE, LONG_CALL, NOBODY,
    REFUSED, TIMER, Writer,
)  # fmt: skip

MS = 1_000_000


def price():
    """A cold signal, subscribed to twice for one label."""
    w = Writer(command=("./shop", "-v"))
    label = w.subscription("combineLatest", "label", "faults.c:24 labels()")
    for name, number in ("net", 101), ("gross", 202):
        step = w.subscription("map", name, "faults.c:24 labels()", below=label)
        cold = w.subscription(
            "createSignal", "price", "faults.c:24 labels()", below=step, detail=77
        )
        w.advance(0.1)
        w.value(cold, number // 2)
        w.value(step, number, cause=cold, depth=1)
        if name == "gross":
            w.value(label, "(101, 202)", cause=step, depth=2)
        w.advance(0.1)
        w.end(cold)
        w.end(step, cause=cold, depth=1)
    w.end(label, cause=step, depth=2)
    w.exit()
    return w


def orders():
    """24 values, of which a bound dropped ten."""
    w = Writer()
    subject = w.subject("orders", "faults.c:50 main()")
    clerk = w.subscription("deliverOn", "to clerk", "faults.c:46 main()")
    above = w.subscription("subject", "orders", "faults.c:46 main()", below=clerk, source=subject)
    for number in range(24):
        w.advance(1)
        w.value(subject, 1000 + number, kind=HOST_VALUE)
        w.value(above, 1000 + number, cause=subject, depth=1)
        if number % 2 and number > 3:
            clerk.lost += 1
            w.event(DROPPED, clerk, extra=1, cause=above, depth=2)
        else:
            w.value(clerk, 1000 + number, thread=2)
    return w


def worker():
    """Values wait, since the subscriber takes 3 ms for each."""
    w = Writer()
    subject = w.subject("readings")
    queue = w.subscription("deliverOn", "to worker", "faults.c:41 main()")
    above = w.subscription("subject", "readings", below=queue, source=subject)
    for number in range(120):
        w.advance(1)
        w.value(subject, number, kind=HOST_VALUE)
        w.value(above, number, cause=subject, depth=1)
        if number % 3 == 2:
            w.value(queue, number // 3, thread=2)
            w.event(LONG_CALL, queue, thread=2, bits=3 * MS)
    queue.waiting, queue.most, queue.slow = 76, 80, 3100
    return w


def clicks():
    """A subscription that neither ends nor is disposed, since its context keeps the subject."""
    w = Writer()
    subject = w.subject("clicks", "faults.c:29 window_open()", waiting=1)
    doubled = w.subscription("map", "doubled", "faults.c:31 window_open()")
    above = w.subscription("subject", "clicks", below=doubled, source=subject)
    for number in range(3):
        w.advance(1)
        w.value(subject, number, kind=HOST_VALUE)
        w.value(above, number, cause=subject, depth=1)
        w.value(doubled, number * 2, cause=above, depth=2)
    w.exit(leaked=5)
    return w


def leak():
    """A subject that is not released."""
    w = Writer()
    subject = w.subject("keys", "leak.c:3 main()")
    w.value(subject, 1, kind=HOST_VALUE)
    w.exit(leaked=1)
    return w


def end_waits():
    """Its source has ended; the end waits for a scheduler."""
    w = Writer()
    subject = w.subject("words", "end.c:7 main()")
    later = w.subscription("deliverOn", "later", "end.c:8 main()", waiting=2)
    above = w.subscription("subject", "words", below=later, source=subject)
    w.value(above, "one")
    w.value(above, "two")
    w.end(above)
    w.advance(5)
    w.exit(leaked=3)
    return w


def not_run():
    """Jobs wait on the main scheduler, which nobody runs."""
    w = Writer()
    main = w.node(4, detail=2, name="main", waiting=2, most=2)
    w.event(ASKED, main, extra=1)
    w.event(ASKED, main, extra=2)
    w.advance(2000)
    w.exit(leaked=2)
    return w


def late():
    """A timer fires 120 ms late, since a job before it took 150 ms."""
    w = Writer()
    main = w.node(4, detail=2, name="main", values=2)
    slow = w.subscription("map", "slow", "late.c:12 main()")
    w.event(TIMER, main, extra=1, bits=30 * MS)
    w.event(ASKED, main, extra=2)
    w.event(BEGINS, main, extra=2)
    w.value(slow, 1, depth=1)
    w.advance(150)
    w.event(ENDS, main, extra=2, bits=150 * MS)
    w.event(FIRED, main, extra=1, bits=30 * MS)
    w.event(BEGINS, main, extra=1)
    w.advance(1)
    w.event(ENDS, main, extra=1, bits=MS)
    w.end(slow)
    w.exit()
    return w


def long_call():
    """A subscriber takes 200 ms."""
    w = Writer()
    step = w.subscription("map", "report", "long.c:5 main()", slow=200_000)
    above = w.subscription("subject", below=step, slow=200_100)
    w.value(above, 1)
    w.value(step, 1, cause=above, depth=1)
    w.advance(200)
    w.event(LONG_CALL, step, bits=200 * MS, depth=1)
    w.event(LONG_CALL, above, bits=200 * MS)
    w.end(above)
    w.end(step)
    w.exit()
    return w


def held():
    """A sender waits most of the time."""
    w = Writer()
    queue = w.subscription("deliverOn", "slow disk", "held.c:9 main()")
    bound = w.node(5, detail=5, below=queue.id, values=10, slow=5)
    for number in range(5):
        w.advance(40)
        w.event(HELD_END, bound, bits=(30 + number) * MS)
    w.end(queue)
    w.exit()
    return w


def unheard():
    """An error that nobody handled."""
    w = Writer()
    step = w.subscription("map", "checked", "shop.c:21 main()")
    w.value(step, 1)
    w.advance(1)
    w.fail(step, "shop 2: no pairs")
    w.string(NOBODY, step, b"shop 2: no pairs", type=9)
    step.flags |= 32
    w.exit()
    return w


def refused():
    """A call that answered NULL."""
    w = Writer()
    place = w.place("", "shop.c:30 main()")
    for _ in range(2):
        w.string(REFUSED, place, b"rac_signal_map: the function is NULL")
    w.exit()
    return w


def good():
    """Values come, and all ends."""
    w = Writer()
    subject = w.subject("numbers", at="good.c:3 main()")
    step = w.subscription("map", "tens", "good.c:4 main()")
    above = w.subscription("subject", "numbers", below=step, source=subject)
    for number in range(5):
        w.advance(1)
        w.value(subject, number, kind=HOST_VALUE)
        w.value(above, number, cause=subject, depth=1)
        w.value(step, number * 10, cause=above, depth=2)
    w.end(above, ENDED)
    w.end(step, ENDED, cause=above, depth=1)
    w.gone(step)
    w.gone(above)
    w.gone(subject)
    w.exit()
    return w


FAULTS = {
    "twice": price,
    "dropped": orders,
    "backlog": worker,
    "never ended": clicks,
    "leak": leak,
    "end waits": end_waits,
    "not run": not_run,
    "late": late,
    "long call": long_call,
    "held": held,
    "unhandled": unheard,
    "refused": refused,
}
