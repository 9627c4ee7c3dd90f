"""Twenty threads that measure, and one consumer: nothing is lost, and nothing piles up.

    python3 examples-python/collector.py

Any thread may send. A subject without a bound would keep what they send faster than it is
heard. Here at most 64 measurements wait, and a thread that sends one more waits for room. The
consumer runs on the main thread alone, one call after the other, and needs no lock.
"""

import threading

import librac as rac

THREADS, EACH = 20, 500


def main() -> None:
    few = rac.Bound(64, "wait")
    measurements: rac.Subject[tuple[int, int]] = rac.Subject(few)
    inbox = measurements.deliver_on(rac.Scheduler.main(), few)

    totals = [0] * THREADS
    last = [-1] * THREADS
    most = 0

    def consume(measurement: tuple[int, int]) -> None:
        nonlocal most
        assert threading.current_thread() is threading.main_thread()
        thread, number = measurement
        assert number == last[thread] + 1  # each thread's own come in order
        last[thread] = number
        totals[thread] += number
        most = max(most, rac.host.queued_values())

    def measure(thread: int) -> None:
        for number in range(EACH):
            measurements.send((thread, number))

    def begin(_: object) -> None:
        for each in threads:
            each.start()

    done = inbox.do_next(consume).take(THREADS * EACH)
    threads = [threading.Thread(target=measure, args=(n,)) for n in range(THREADS)]
    rac.merge(done, rac.timer(0).do_next(begin).ignore_values()).wait()
    for each in threads:
        each.join()
    print("measurements:", THREADS * EACH)
    print("all there:", all(total == sum(range(EACH)) for total in totals))
    print("at most 200 waited:", most <= 200)


if __name__ == "__main__":
    main()
