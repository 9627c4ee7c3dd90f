#!/usr/bin/env python3
"""The differential test: each operator with random input, in virtual time,
against its model.

    run.py --family time            10,000 cases for each operator of models_time
    run.py --operator take --cases 100000
    run.py --operator take --seed 5 --case 123      one case again
    run.py --operator take --seed 5 --slowly        which case hangs, or crashes
    run.py --coverage               is every operator of rac.h modelled?

RAC_DIFFERENTIAL_PLAYER is the player's library. The seed is a new one each time,
and printed. RAC_STRESS_DIVISOR makes it so many times less.
"""

import argparse
import array
import ctypes
import os
import random
import sys
import time
import zlib

import coverage
import failures
from cases import COMPOSED, expected, put_case, random_case
from table import OPERATORS

CASES = 10000
BATCH = 500
CAPACITY = 4 << 20


class Player:
    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.player_operator.restype = ctypes.c_char_p
        library.player_operator.argtypes = [ctypes.c_int64]
        self.play_all = library.player_play
        numbers = ctypes.POINTER(ctypes.c_int64)
        self.play_all.restype = ctypes.c_int64
        self.play_all.argtypes = [numbers, ctypes.c_int64, numbers, ctypes.c_int64]
        self.recording = (ctypes.c_int64 * CAPACITY)()
        self.numbers = {}
        while True:
            name = library.player_operator(len(self.numbers))
            if name is None:
                break
            self.numbers[name.decode()] = len(self.numbers)

    def play(self, cases):
        """For each case (leaked objects, contexts not destroyed, recording)."""
        program = []
        for case in cases:
            put_case(case, self.numbers, program)
        packed = (ctypes.c_int64 * len(program)).from_buffer(array.array("q", program))
        used = self.play_all(packed, len(cases), self.recording, CAPACITY)
        if used > CAPACITY:
            raise MemoryError("the recordings of a batch do not fit")
        numbers = self.recording[:used]
        heard = []
        place = 0
        for _ in cases:
            end = place + numbers[place]
            heard.append((*numbers[place + 1 : place + 3], numbers[place + 3 : end]))
            place = end
        return heard


def verdict(case, result):
    """What is wrong, or ""."""
    leaked, contexts, heard = result
    if heard != expected(case):
        return "other events than the model's"
    if leaked:
        return "{} objects leaked".format(leaked)
    return "{} contexts without destroy".format(contexts) if contexts else ""


def seeded(rng, name, seed, number):
    rng.seed((seed << 64) + (zlib.crc32(name.encode()) << 32) + number)
    return rng


def is_wrong(player, case):
    return verdict(case, player.play([case])[0])


def report(player, name, seed, number, case):
    print("\nFAILED: {}, seed {}, case {}".format(name, seed, number))
    print("again: run.py --operator {} --seed {} --case {}".format(name, seed, number))
    small = failures.shrunk(case, lambda other: is_wrong(player, other))
    result = player.play([small])[0]
    print(verdict(small, result) + ":\n ", small)
    print("model: ", failures.readable(expected(small)))
    print("engine:", failures.readable(result[2]), flush=True)


def test(player, name, seed, numbers, slowly):
    """Plays the cases with these numbers; False at the first that is wrong."""
    rng = random.Random()
    size = 1 if slowly else BATCH
    for first in range(0, len(numbers), size):
        if slowly:
            print("case", first, flush=True)
        batch = numbers[first : first + size]
        cases = [random_case(seeded(rng, name, seed, n), name) for n in batch]
        for number, case, result in zip(batch, cases, player.play(cases)):
            if verdict(case, result):
                report(player, name, seed, number, case)
                return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--operator", action="append")
    parser.add_argument("--family", action="append")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--case", type=int)
    parser.add_argument("--slowly", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    options = parser.parse_args()
    if options.coverage:
        sys.exit(coverage.check())
    path = os.environ.get("RAC_DIFFERENTIAL_PLAYER")
    if not path:
        sys.exit("RAC_DIFFERENTIAL_PLAYER must name the player's library")
    seed = options.seed
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    count = max(1, options.cases // int(os.environ.get("RAC_STRESS_DIVISOR") or 1))
    numbers = range(count) if options.case is None else [options.case]
    names = list(options.operator or [])
    for family in options.family or []:
        names += [n for n, o in OPERATORS.items() if o.family == family]
        names += COMPOSED if family == "composed" else []
    player = Player(path)
    print("seed {}, {} cases each".format(seed, len(numbers)), flush=True)
    failed = 0
    for name in names or [*OPERATORS, *COMPOSED]:
        begun = time.monotonic()
        print("{:24}".format(name), end="", flush=True)
        failed += not test(player, name, seed, numbers, options.slowly)
        print(" {:5.2f} s".format(time.monotonic() - begun), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
