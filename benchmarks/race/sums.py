"""What the callbacks of n events add up to, whoever makes the events.

Event i has the value i modulo 1024.
"""

CYCLE = 1024
CYCLE_SUM = CYCLE * (CYCLE - 1) // 2


def plain(n):
    """Every value once."""
    cycles, rest = divmod(n, CYCLE)
    return cycles * CYCLE_SUM + rest * (rest - 1) // 2


def sent(n, _):
    return plain(n)


def sends(n, argument):
    """n deliveries, each value to `argument` subscribers."""
    return argument * plain(n // argument)


def in_turn(n, _):
    """n sends, whichever of the subjects they go into."""
    return plain(n)


def created(n, argument):
    """n values, of signals that begin anew after `argument` of them."""
    return n // argument * plain(argument)


def maps(n, argument):
    """Each value grown by one in each of `argument` stages."""
    return plain(n) + n * argument


def summed(n, _, grown=0):
    """The running sums of all values."""
    cycles, rest = divmod(n, CYCLE)
    cycle_sum = CYCLE_SUM + CYCLE * grown

    def running(count):
        return sum(j * (j - 1) // 2 + j * grown for j in range(1, count + 1))

    whole = cycles * running(CYCLE) + CYCLE * cycle_sum * (cycles * (cycles - 1) // 2)
    return whole + running(rest) + rest * cycles * cycle_sum


def scanned(n, argument):
    """The same of values that are each grown by one."""
    return summed(n, argument, 1)


def latest(n, argument):
    """At each event the last `argument` values, as inputs send in turn."""
    return sum(plain(max(n - back, 0)) for back in range(argument))


def remembered(n, argument):
    """The last `argument` values; 0 means all."""
    return plain(n) - (plain(max(n - argument, 0)) if argument else 0)


def others(_, argument):
    """One event heard by everybody else."""
    return argument


def seen_first(n, _):
    """What is new of it."""
    return plain(min(n, CYCLE))


def last(n, _):
    """The value of the last event."""
    return (n - 1) % CYCLE if n else 0


def wanted_lines(n, _):
    """Of each four lines of worker/logs.h the job counts three."""
    return n // 4 * 3


def count(n, _):
    return n


def diamonds(n, argument):
    """Each value, grown by one and doubled as many times."""
    doubled = 1 << argument
    return doubled * plain(n) + n * 2 * (doubled - 1)


def chained(n, argument):
    """n steps, so many a value, each of which grows it by one."""
    values = -(-n // argument)
    return plain(values) + values * argument


def spread(n, argument):
    """n steps, so many a value: the sum of all but one, each grown by one."""
    values = -(-n // argument)
    return (argument - 1) * (plain(values) + values)


def text(n, _):
    """Length and first byte of the string in worker/worker.h."""
    return n * (32 + ord("a"))
