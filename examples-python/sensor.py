"""A million samples of a sensor: smoothing, windows, alarms.

    python3 examples-python/sensor.py

The samples come in blocks, as from a driver. What is done to each sample is done by the
library's own operators, so no sample takes a step into Python: blocks go in and arrays
come out. Python sees the windows, some hundred of them, and the alarms.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

import librac as rac

RATE = 10_000  # samples a second
SAMPLES = 1_000_000
LIMIT = 3.0


def blocks() -> Iterator[Any]:
    """A hum with noise, and three times something that should not be."""
    noise = np.random.default_rng(7)
    for start in range(0, SAMPLES, 5_000):
        time = np.arange(start, start + 5_000) / RATE
        block = np.sin(2 * np.pi * 50 * time) + noise.normal(0, 0.1, time.size)
        for fault in (21.0, 47.5, 83.2):
            block[(time >= fault) & (time < fault + 0.3)] += 4
        yield block


def main() -> None:
    samples: rac.Subject[float] = rac.Subject()
    smooth = samples.rolling_mean(200)  # a whole period of the hum: what stays is the fault

    # Windows of a second: arrays in numpy.
    levels: rac.Subject[float] = rac.Subject()
    peaks: list[float] = []
    smooth.subscribe_arrays(
        lambda window: levels.send(float(np.abs(window).max())),
        on_completed=levels.send_completed,
        count=RATE,
    )
    levels.subscribe(peaks.append)

    # An alarm when the level rises above the limit, and one when it is back.
    numbers = itertools.count()
    seconds = levels.map(lambda level: (next(numbers), level))
    alarms = seconds.distinct_until_changed(lambda each: each[1] > LIMIT)
    alarms.skip(1).subscribe(
        lambda each: print(
            f"second {each[0]}: {'ALARM, level' if each[1] > LIMIT else 'back, level'} {each[1]:.1f}"
        )
    )

    # How it went, at the end.
    samples.count().subscribe(lambda n: print(f"{n:,} samples"))
    samples.max().subscribe(lambda v: print(f"highest sample {v:.1f}"))
    rac.combine_latest(samples.average(), samples.count()).subscribe(
        lambda both: print(f"mean {both[0]:.3f}")
    )

    for block in blocks():
        samples.send_array(block)
    samples.send_completed()
    print(f"{len(peaks)} windows, {sum(p > LIMIT for p in peaks)} above the limit")


if __name__ == "__main__":
    main()
