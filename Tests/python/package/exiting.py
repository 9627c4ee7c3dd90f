"""exiting.py SEED: a process that ends amid callbacks on other threads, in one of several
ways. What it prints is the way; test_core_process.py runs many of them."""

import random
import sys
import threading
import time

import librac as rac

WAYS = ("returns", "raises", "exits", "daemons", "sleeper")


class Closure:
    """Has memory of its own, to be found gone."""

    def __init__(self):
        self.data = list(range(100))

    def __call__(self, value):
        return sum(self.data)


def send_for_ever(subject):
    try:
        while True:
            subject.send([1])
    except rac.errors.Closed:
        pass


def wait_for_ever():
    try:
        rac.Subject().first().wait(timeout=60)
    except rac.Error:
        pass


def main(seed):
    chance = random.Random(seed)
    way = WAYS[seed % len(WAYS)]
    print(way, flush=True)
    kept = []
    for number in range(4):
        there = rac.Scheduler.background("there {}".format(number))
        ticks = rac.interval(0.0003, scheduler=there)
        kept.append(ticks.map(Closure()).filter(bool).subscribe(Closure()))
        kept.append(ticks.flat_map(lambda v: rac.of(v, v)).subscribe(Closure()))
    subject = rac.Subject()
    there = rac.Scheduler.background()
    subject.deliver_on(there).map(Closure()).subscribe(lambda v: time.sleep(0.0001))
    if way == "daemons":
        threading.Thread(target=send_for_ever, args=(subject,), daemon=True).start()
    if way == "sleeper":
        threading.Thread(target=wait_for_ever, daemon=True).start()
    time.sleep(chance.random() * 0.05)
    if way == "raises":
        raise SystemExit(3)
    if way == "exits":
        sys.exit(0)


main(int(sys.argv[1]))
