"""librac.replay: a recorded run again, in virtual time, equal or refused."""

import random
import threading

import pytest

import librac as rac
from librac import scope


class Run:
    """Records what a program does with named inputs and a graph of them."""

    def __init__(self, path, names="ab"):
        self.path, self.heard = str(path), []
        self.inputs = {name: rac.Subject().named(name) for name in names}

    def play(self, graph, program):
        with scope.record(self.path):
            self.inputs = {name: rac.Subject().named(name) for name in self.inputs}
            signal = graph(*self.inputs.values())
            with signal.subscribe(
                lambda value: self.heard.append(("next", value)),
                lambda error: self.heard.append(("error", None)),
                lambda: self.heard.append(("completed", None)),
            ):
                program(*self.inputs.values())

    def replay(self, graph):
        def build(inputs):
            return graph(*(inputs.subject(name) for name in self.inputs))

        events = rac.replay(self.path, build).events
        return [(each.kind, each.value if each.kind == "next" else None) for each in events]


def played_equally(run, graph, program):
    run.play(graph, program)
    assert run.replay(graph) == run.heard
    return run.heard


def test_a_debounce_is_replayed(tmp_path):
    def graph(a, b):
        return a.debounce(0.02).merge(b)

    def program(a, b):
        for number in (1, 2, 3):
            a.send(number)
        b.send(4)
        rac.host.main_run_for(0.06)
        a.send(5)
        rac.host.main_run_for(0.06)
        b.send_completed()
        a.send_completed()

    heard = played_equally(Run(tmp_path / "a.rac"), graph, program)
    assert heard == [("next", 4), ("next", 3), ("next", 5), ("completed", None)]


def test_what_waits_for_a_job_is_replayed(tmp_path):
    clocks = [rac.Scheduler.main()]

    def graph(a, b):
        return a.merge(b).deliver_on(clocks[-1])

    def program(a, b):
        for burst in ((1, 2), (3, 4, 5)):
            for number in burst:
                (a if number % 2 else b).send(number)
            rac.host.main_run_for(0.001)

    def build(inputs):
        clocks.append(inputs.clock)
        return graph(inputs.subject("a"), inputs.subject("b"))

    run = Run(tmp_path / "a.rac")
    run.play(graph, program)
    # deliver_on lets go of its subscriber in a job, which is no part of another test's recording.
    rac.host.main_run_for(0.001)
    assert [value for _, value in run.heard] == [1, 2, 3, 4, 5]
    assert [each.value for each in rac.replay(run.path, build).events] == [1, 2, 3, 4, 5]


def test_texts_are_replayed(tmp_path):
    def graph(a, b):
        return a.map(str.upper).debounce(0.01)

    def program(a, b):
        for text in ("r", "ra", "ra'c"):
            a.send(text)
        rac.host.main_run_for(0.03)

    assert played_equally(Run(tmp_path / "a.rac"), graph, program) == [("next", "RA'C")]


def test_another_graph_shows_another_behaviour_or_is_refused(tmp_path):
    run = Run(tmp_path / "a.rac")
    run.play(lambda a, b: a.debounce(0.01), lambda a, b: (a.send(1), rac.host.main_run_for(0.03)))
    assert run.replay(lambda a, b: a.debounce(0.01).map(lambda n: -n)) == [("next", -1)]
    with pytest.raises(rac.errors.CannotReplay, match="another graph"):
        run.replay(lambda a, b: a.map(lambda n: n))


def test_a_property_is_set_as_it_was(tmp_path):
    path, heard = str(tmp_path / "a.rac"), []
    with scope.record(path):
        side = rac.Property(1)
        side.signal.named("side")
        with side.signal.map(lambda n: n * n).subscribe(heard.append):
            side.value = 3
            side.value = 4
    replayed = rac.replay(
        path, lambda inputs: inputs.property("side", 1).signal.map(lambda n: n * n)
    )
    assert [each.value for each in replayed.events] == heard == [1, 9, 16]


def random_graph(seed, inputs):
    r = random.Random(seed)

    def chain(signal):
        for _ in range(r.randint(1, 3)):
            pause = r.choice([0.004, 0.011, 0.023])
            signal = r.choice(
                [
                    lambda s: s.debounce(pause),
                    lambda s: s.delay(pause),
                    lambda s: s.sample(rac.interval(pause)),
                    lambda s: s.map(lambda n: n * 2),
                    lambda s: s.filter(lambda n: n != 3),
                    lambda s: s.distinct_until_changed(),
                    lambda s: s.scan(lambda total, n: (total + n) % 1000, 0),
                    lambda s: s.switch_map(lambda n: rac.interval(pause).take(2)),
                    lambda s: s.flat_map(lambda n: rac.of(n).delay(pause)),
                    lambda s: s.throttle(pause),
                    lambda s: s.buffer(seconds=pause).map(sum),
                    lambda s: s.rate_limit(pause, 2, 8),
                    lambda s: s.time_interval().map(lambda pair: int(pair[0] * 1e9) % 7),
                ]
            )(signal)
        return signal

    one, two = map(chain, inputs)
    return r.choice(
        [
            lambda: one.merge(two),
            lambda: rac.combine_latest(one, two).map(sum),
            lambda: chain(one.merge(two)),
        ]
    )()


def test_random_runs_are_equal(tmp_path):
    seeds = random.Random()
    for _ in range(100):
        seed = seeds.randrange(1 << 32)
        print(f"seed {seed}")
        r = random.Random(seed)

        def graph(*inputs, seed=seed):
            return random_graph(seed, inputs)

        def program(*inputs, r=r):
            for _ in range(r.randint(3, 12)):
                r.choice(inputs).send(r.randint(0, 5))
                rac.host.main_run_for(r.choice([0, 0.001, 0.003, 0.007]))
            rac.host.main_run_for(0.03)

        played_equally(Run(tmp_path / "random.rac"), graph, program)


def sending(value):
    return lambda a, b: a.send(value)


def from_a_thread(a, b):
    thread = threading.Thread(target=a.send, args=(1,))
    thread.start()
    thread.join()
    b.send(1)


def from_a_callback(a, b):
    b.subscribe(lambda value: a.send(1))
    b.send(1)


@pytest.mark.parametrize(
    "program, words",
    [
        (sending(object()), "does not hold whole"),
        (sending("x" * 200), "does not hold whole"),
        (lambda a, b: a.send_error(ValueError()), "an error"),
        (from_a_thread, "2 threads"),
        (from_a_callback, "by a callback"),
        (lambda a, b: rac.Subject().send(1), "without a name"),
        (lambda a, b: rac.BehaviorSubject(0).named("c").send(1), "c remembers"),
        (lambda a, b: (a.send(1), rac.Subject().named("a").send(1)), "two are named 'a'"),
        (lambda a, b: a.send_many(range(70_000)), "were written over"),
    ],
)
def test_what_a_recording_does_not_determine_is_refused(tmp_path, program, words):
    run = Run(tmp_path / "a.rac")
    run.play(lambda a, b: a.merge(b), program)
    with pytest.raises(rac.errors.CannotReplay, match=words):
        run.replay(lambda a, b: a.merge(b))


@pytest.mark.parametrize(
    "graph",
    [
        lambda a, b: a.throttle(0.01),
        lambda a, b: a.timestamp().map(str),
        lambda a, b: a.time_interval().map(str),
        lambda a, b: a.merge(b).timeout(0.004),
    ],
)
def test_what_reads_the_clock_finds_the_same_again(tmp_path, graph):
    def program(a, b):
        for number in range(5):
            a.send(number)
            rac.host.main_run_for(0.003)
        rac.host.main_run_for(0.01)

    played_equally(Run(tmp_path / "a.rac"), graph, program)


def test_a_subject_of_before_is_refused(tmp_path):
    path, keys = str(tmp_path / "a.rac"), rac.Subject().named("keys")
    with scope.record(path):
        with keys.subscribe():
            keys.send(1)
    with pytest.raises(rac.errors.CannotReplay, match="keys was there before"):
        rac.replay(path, lambda inputs: inputs.subject("keys"))


def test_counters_alone_are_refused(tmp_path):
    path = str(tmp_path / "a.rac")
    rac.host.record_start(path, True)
    rac.of(1).subscribe()
    rac.host.record_stop()
    with pytest.raises(rac.errors.CannotReplay, match="no events"):
        rac.replay(path, lambda inputs: rac.of(1))
