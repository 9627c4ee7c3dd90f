"""One signal after another."""

from marbles import COMPLETED, DONE, ERROR, FAILED, HORIZON, NEXT, later, number
from models_sources import some_seconds
from table import below, count, fails, seconds, signals


@signals(inputs=(0, 4))
def concat_all(at, sources):
    out = []
    for source in sources:
        heard = source(at)
        if not heard or heard[-1][1] != COMPLETED:
            return out + heard
        out += heard[:-1]
        at = heard[-1][0]
    return out + [(at, COMPLETED, DONE)]


@signals(inputs=2)
def concat(at, sources):
    return concat_all(at, sources)


@signals(inputs=(0, 4))
def concat_delay_error(at, sources):
    out = []
    end = (COMPLETED, DONE)
    for source in sources:
        heard = source(at)
        if not heard or heard[-1][1] not in (COMPLETED, ERROR):
            return out + heard
        at, *how = heard[-1]
        out += heard[:-1]
        if how[0] == ERROR and end[0] == COMPLETED:
            end = tuple(how)
    return out + [(at, *end)]


def answers(rng):
    """Of a callback that makes a signal: 0 the signal, 1 a failure, 2 none."""
    return max(0, below(rng, 6) - 3)


def made(at, signal, answer):
    if answer == 1:
        return [(at, ERROR, FAILED)]
    return signal(at) if answer == 0 else [(at, COMPLETED, DONE)]


@signals(fails, answers, inputs=2)
def defer(at, sources, _, answer):
    """The first signal stands idle: the callback knows the second."""
    return made(at, sources[1], answer)


def answers_of_two(rng):
    """And 3, when the resource cannot be had."""
    return max(0, below(rng, 8) - 4)


def quiet(rng):
    return 0


@signals(quiet, answers_of_two, inputs=2)
def using(at, sources, _, answer):
    return [(at, ERROR, FAILED)] if answer == 3 else made(at, sources[1], answer)


@signals(fails, answers, inputs=2)
def then(at, sources, _, answer):
    for moment, kind, value in sources[0](at):
        if kind == ERROR:
            return [(moment, ERROR, value)]
        if kind == COMPLETED:
            return made(moment, sources[1], answer)
    return []


@signals(inputs=2)
def switch_if_empty(at, sources):
    heard = sources[0](at)
    if heard and heard[0][1] == COMPLETED:
        return sources[1](heard[0][0])
    return heard


@signals(inputs=2)
def catch_to(at, sources):
    heard = sources[0](at)
    if not heard or heard[-1][1] != ERROR:
        return heard
    return heard[:-1] + sources[1](heard[-1][0])


@signals(fails, inputs=(2, 4))
def catch(at, sources, fails_at):
    heard = sources[0](at)
    if not heard or heard[-1][1] != ERROR:
        return heard
    moment, _, error = heard[-1]
    if number(error) == fails_at:
        return heard[:-1] + [(moment, ERROR, FAILED)]
    handlers = sources[1:]
    return heard[:-1] + handlers[number(error) % len(handlers)](moment)


def again(at, source, kind, times):
    """Subscribes again, at most so many times, after an end of this kind."""
    out = []
    while True:
        heard = source(at)
        if not heard or heard[-1][1] != kind or times == 0:
            return out + heard
        out += heard[:-1]
        at = heard[-1][0]
        times -= 1
        if len(out) > 20 or at[0] > HORIZON:
            return out


FOR_EVER = 1 << 30


@signals(endless=True, chains=False)
def repeat(at, sources):
    return again(at, sources[0], COMPLETED, FOR_EVER)


@signals(count, endless=True, chains=False)
def retry(at, sources, times):
    return again(at, sources[0], ERROR, times or FOR_EVER)


def again_when(at, sources, fails_at, after):
    """One notifier after the other; after the last one it completes."""
    out = []
    for notifier in [*sources[1:], lambda at: [(at, COMPLETED, DONE)]]:
        heard = sources[0](at)
        if not heard or heard[-1][1] != after:
            return out + heard
        out += heard[:-1]
        at, _, value = heard[-1]
        if number(value) == fails_at and after == ERROR:
            return out + [(at, ERROR, FAILED)]
        if fails_at == 0 and after == COMPLETED:
            return out + [(at, ERROR, FAILED)]
        told = notifier(at)
        if not told:
            return out
        if told[0][1] != NEXT:
            return out + told[:1]
        at = told[0][0]
    return out


@signals(fails, inputs=(2, 3), chains=False)
def retry_when(at, sources, fails_at):
    return again_when(at, sources, fails_at, ERROR)


@signals(fails, inputs=(2, 3), chains=False)
def repeat_when(at, sources, fails_at):
    return again_when(at, sources, fails_at, COMPLETED)


@signals(some_seconds, seconds, count, chains=False)
def retry_with_backoff(at, sources, first, more, times):
    """Each pause is twice the one before, up to `first + more`."""
    out = []
    failed, pause = 0, first
    while at[0] <= HORIZON:
        heard = sources[0](at)
        if not heard or heard[-1][1] != ERROR:
            return out + heard
        if len(heard) > 1:
            failed, pause = 0, first
        if times > 0 and failed == times:
            return out + heard
        out += heard[:-1]
        failed += 1
        at = later(heard[-1][0], pause)
        pause = min(2 * pause, first + more)
    return out
