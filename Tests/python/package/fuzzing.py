"""Random operations on all of the package, with objects and functions that raise.

    python fuzzing.py [--seed N] [--operations N] [--threads N] [--keep-going] [--shrink]
    python fuzzing.py --seed N --only "[3, 17, 40]"

A round is 300 operations on signals, properties, commands, sequences, schedulers; then all is
disposed of and let go of. It has failed when an object of the library's or of its own is left,
when a call raises what none may raise, or when it does not end: then its stack is printed, and
the seed is the last of standard error. Seeds that are played again must not take more memory
each time: a text that is lost has nobody who counts it.

--shrink looks for fewer operations that fail, and tells them; --only plays those. With --threads
rounds are played side by side, with a subject that they share, and not twice in the same order.
"""

import argparse
import ast
import faulthandler
import gc
import random
import sys
import threading
import time
import warnings

import librac as rac
from fuzzing_round import Round
from fuzzing_things import TooMany, alive, forget_frames

STEPS = 300  # of a round
AGAIN = 2  # rounds that are played again
PATIENCE = 240  # seconds for a round, which takes a tenth of one


class Failed(Exception):
    pass


def settle(before, patience):
    """How many objects of the library's, and of rounds, are left once what is on its way
    out has gone."""
    end, turns = time.monotonic() + patience, 0
    while True:
        gc.collect()
        left = rac.host.live_objects() - before
        if (left <= 0 and not alive) or time.monotonic() > end:
            return left
        try:
            rac.host.main_run_for(0.001)
        except (Exception, TooMany) as error:  # of the round, in a turn of the main scheduler
            forget_frames(error)
        turns += 1
        if turns >= 20:  # threads of the library's
            rac.host.settle(2)
            time.sleep(0.02)


def check(seed, before, unexpected, patience=PATIENCE / 8):
    left = settle(before, patience)
    if left > 0 or alive:
        kinds = sorted(set(alive.values()))
        alive.clear()
        raise Failed(f"seed {seed}: {left} objects of the library are left, and {kinds}")
    if unexpected:
        raise Failed(f"seed {seed}: {unexpected[0]}")


def play(seed, steps=range(STEPS), **options):
    before = rac.host.live_objects()
    one = Round(seed)
    for number in steps:
        one.step(number)
    one.end()
    unexpected, one = one.unexpected, None
    check(seed, before, unexpected, **options)


def play_side_by_side(seed, count):
    before, unexpected = rac.host.live_objects(), []
    shared = [rac.Subject()]

    def run(number):
        one = Round(f"{seed} {number}", shared, threads=True)
        for step in range(STEPS):
            one.step(step)
        one.end()
        unexpected.extend(one.unexpected)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.clear()
    check(seed, before, unexpected)


def play_again(seed):
    blocks = [0] * 4
    for n in range(len(blocks)):
        play(seed, range(STEPS))
        sys._clear_type_cache()  # holds names
        blocks[n] = sys.getallocatedblocks()
    grown = [b - a for a, b in zip(blocks[1:], blocks[2:])]
    if min(grown) > 1:  # blocks[n] itself is one
        raise Failed(f"seed {seed}: played again it takes {grown} more blocks of memory")


def shrink(seed):
    """The fewest steps that were found to fail."""
    steps, size = list(range(STEPS)), STEPS // 2
    while size:
        at = 0
        while at < len(steps):
            fewer = steps[:at] + steps[at + size:]
            try:
                play(seed, fewer, patience=2)
                at += size
            except Failed:
                steps = fewer
        size //= 2
    return steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    parser.add_argument("--operations", type=int, default=3000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--only", type=ast.literal_eval)
    options = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("ignore")  # coroutines that nobody awaits
    rac.on_unhandled = lambda error, chain, value: forget_frames(error)
    rac.host.set_log(lambda *message: None)

    rounds = -(-options.operations // (STEPS * options.threads))
    seeds = range(options.seed, options.seed + rounds)
    failed, begin = 0, time.monotonic()

    def attempt(play, seed, *arguments):
        print(seed, file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            play(seed, *arguments)
            return 0
        except Failed as failure:
            print(failure, flush=True)
        if options.shrink and play is not play_side_by_side:
            faulthandler.cancel_dump_traceback_later()
            print("    --only", f'"{shrink(seed)}"', flush=True)
        if not options.keep_going:
            sys.exit(1)
        return 1

    if options.only is not None:
        attempt(play, options.seed, options.only)
        return
    for seed in seeds:
        if options.threads > 1:
            failed += attempt(play_side_by_side, seed, options.threads)
        else:
            failed += attempt(play, seed)
    for seed in seeds[:AGAIN] if options.threads == 1 else ():
        failed += attempt(play_again, seed)
    print(f"{rounds * options.threads * STEPS} operations from seed {options.seed} on,"
          f" {failed} failures, {time.monotonic() - begin:.0f} s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
