"""What reactivex's tests ask of the common operators, as inputs and outputs.

Each row is a case that ReactiveX's operators share: what comes, and what is to be heard.
Where librac means something else by a name the row says what, in DIFFERENCES.
"""

import pytest

import librac as rac


def fail(value):
    raise ValueError(value)


def even(n):
    return n % 2 == 0


def add(a, b):
    return a + b


# name, signals that play, what is made of them, what is heard
ROWS = [
    # One value at a time
    ("map", ["-1-2-3|"], lambda a: a.map(lambda n: n * 2), "-2-4-6|"),
    ("map: empty", ["---|"], lambda a: a.map(fail), "---|"),
    ("map: never", ["----"], lambda a: a.map(fail), "----"),
    ("map: error", ["-1-#"], lambda a: a.map(lambda n: n + 1), "-2-#"),
    ("map: throws", ["-1-2|"], lambda a: a.map(fail), "-#"),
    ("filter", ["-1-2-3-4|"], lambda a: a.filter(even), "---2---4|"),
    ("filter: none", ["-1-3|"], lambda a: a.filter(even), "----|"),
    ("filter: all", ["-2-4|"], lambda a: a.filter(even), "-2-4|"),
    ("filter: throws", ["-1-2|"], lambda a: a.filter(fail), "-#"),
    ("filter: error", ["-2-#"], lambda a: a.filter(even), "-2-#"),
    ("distinct", ["-1-2-1-3|"], lambda a: a.distinct(), "-1-2---3|"),
    ("distinct: key", ["-1-3-2|"], lambda a: a.distinct(even), "-1---2|"),
    ("distinct_until_changed", ["-1-1-2-1|"], lambda a: a.distinct_until_changed(), "-1---2-1|"),
    ("distinct_until_changed: key", ["-1-3-2-1|"], lambda a: a.distinct_until_changed(even), "-1---2-1|"),
    ("distinct_until_changed: key throws", ["-1-2|"], lambda a: a.distinct_until_changed(fail), "-#"),
    ("ignore_elements", ["-1-2|"], lambda a: a.ignore_values(), "----|"),
    ("starmap", ["-1-2|"], lambda a: a.map(lambda n: (n, n)).starmap(add), "-2-4|"),
    ("materialize", ["-1-#"], lambda a: a.materialize().map(lambda e: e.kind[0]), "-n-(e|)"),
    ("dematerialize", ["-1-#"], lambda a: a.materialize().dematerialize(), "-1-#"),
    # How many
    ("take", ["-1-2-3|"], lambda a: a.take(2), "-1-(2|)"),
    ("take: 0", ["-1-2|"], lambda a: a.take(0), "|"),
    ("take: more than there are", ["-1-2|"], lambda a: a.take(9), "-1-2|"),
    ("take: error before", ["-1-#"], lambda a: a.take(2), "-1-#"),
    ("take: error behind", ["-1-#"], lambda a: a.take(1), "-(1|)"),
    ("take_last", ["-1-2-3|"], lambda a: a.take_last(2), "------(23|)"),
    ("take_last: error", ["-1-2-#"], lambda a: a.take_last(2), "-----#"),
    ("take_while", ["-2-4-5-6|"], lambda a: a.take_while(even), "-2-4-|"),
    ("take_while: throws", ["-2-4|"], lambda a: a.take_while(fail), "-#"),
    ("take_while inclusive", ["-1-2-3|"], lambda a: a.take_while(lambda v: not even(v), inclusive=True), "-1-(2|)"),
    ("take_until", ["-1-2-3|", "----9"], lambda a, b: a.take_until(b), "-1-2|"),
    ("take_until: error", ["-1-2-3|", "--#"], lambda a, b: a.take_until(b), "-1#"),
    ("skip", ["-1-2-3|"], lambda a: a.skip(2), "-----3|"),
    ("skip: all", ["-1-2|"], lambda a: a.skip(9), "----|"),
    ("skip_while", ["-2-3-4|"], lambda a: a.skip_while(even), "---3-4|"),
    ("skip_until", ["-1-2-3|", "--9"], lambda a, b: a.skip_until(b), "---2-3|"),
    ("element_at", ["-1-2-3|"], lambda a: a.element_at(1), "---(2|)"),
    ("element_at: beyond", ["-|"], lambda a: a.skip(1).element_at(1), "-#"),
    ("first: empty", ["--|"], lambda a: a.first(), "--#"),
    ("first", ["-1-2|"], lambda a: a.first(), "-(1|)"),
    ("last", ["-1-2|"], lambda a: a.take_last(1), "----(2|)"),
    ("default_if_empty", ["---|"], lambda a: a.default_if_empty(7), "---(7|)"),
    ("default_if_empty: not", ["-1-|"], lambda a: a.default_if_empty(7), "-1-|"),
    ("switch_if_empty", ["--|", "12|"], lambda a, b: a.switch_if_empty(rac.of(1, 2)), "--(12|)"),
    ("start_with", ["-1-2|"], lambda a: a.start_with(0), "01-2|"),
    # One value and those before it
    ("scan", ["-1-2-3|"], lambda a: a.scan(add, 0), "-1-3-6|"),
    ("scan: without a seed", ["-1-2-3|"], lambda a: a.scan(add), "-1-3-6|"),
    ("scan: throws", ["-1-2|"], lambda a: a.scan(lambda a, b: fail(b), 0), "-#"),
    ("reduce", ["-1-2-3|"], lambda a: a.reduce(add, 0), "------(6|)"),
    ("reduce: empty with a seed", ["--|"], lambda a: a.reduce(add, 5), "--(5|)"),
    ("reduce: empty", ["--|"], lambda a: a.scan(add).take_last(1), "--#"),
    ("min: empty", ["--|"], lambda a: a.min(), "--#"),
    ("count", ["-1-2-|"], lambda a: a.count(), "-----(2|)"),
    ("sum", ["-1-2-|"], lambda a: a.sum(), "-----(3|)"),
    ("min", ["-3-2-5|"], lambda a: a.min(), "------(2|)"),
    ("max", ["-3-2-5|"], lambda a: a.max(), "------(5|)"),
    ("min: comparer", ["-3-2-5|"], lambda a: a.min(comparer=lambda x, y: y - x), "------(5|)"),
    ("min_by", ["-3-2-5|"], lambda a: a.min(key=lambda x: -x), "------(5|)"),
    ("max: comparer throws", ["-1-2|"], lambda a: a.max(comparer=lambda x, y: fail(x)), "---#"),
    ("some", ["-1-2-3|"], lambda a: a.any(even).map(int), "---(1|)"),
    ("all", ["-2-3-4|"], lambda a: a.all(even).map(int), "---(0|)"),
    ("all: yes", ["-2-4|"], lambda a: a.all(even).map(int), "----(1|)"),
    ("is_empty", ["---|"], lambda a: a.any().map(int), "---(0|)"),
    ("pairwise", ["-1-2-4|"], lambda a: a.pairwise().starmap(add), "---3-6|"),
    ("to_list", ["-1-2|"], lambda a: a.collect().map(len), "----(2|)"),
    ("buffer_with_count", ["-1-2-3-|"], lambda a: a.buffer(2).map(sum), "---3---(3|)"),
    # Several signals
    ("merge", ["-1---3|", "--2-4-----|"], lambda a, b: a.merge(b), "-12-43----|"),
    ("merge: error", ["-1---3|", "--2#"], lambda a, b: a.merge(b), "-12#"),
    ("merge: never", ["-1|", "--"], lambda a, b: a.merge(b), "-1---"),
    ("concat", ["-1|", "4-5|"], lambda a, b: a.concat(rac.of(4, 5)), "-1(45|)"),
    ("concat: error", ["-1#", "-2|"], lambda a, b: a.concat(b), "-1#"),
    ("zip", ["-1-2-3|", "--4-5---|"], lambda a, b: rac.zip(a, b).starmap(add), "--5-7---|"),
    ("combine_latest", ["-1---2|", "--3---4|"], lambda a, b: rac.combine_latest(a, b).starmap(add), "--4--56|"),
    ("combine_latest: one is empty", ["-1-2|", "--|"], lambda a, b: rac.combine_latest(a, b), "---|"),
    ("combine_latest: error", ["-1-#", "--2"], lambda a, b: rac.combine_latest(a, b).starmap(add), "--3#"),
    ("with_latest_from", ["-1-2-3|", "--5"], lambda a, b: a.with_latest_from(b).starmap(add), "---7-8|"),
    ("amb", ["--1-2|", "-3-4|"], lambda a, b: rac.race(a, b), "-3-4|"),
    ("sample", ["-1-2---3|", "--9-9-9-9"], lambda a, b: a.sample(b), "--1-2---(3|)"),
    # Signals of signals
    ("flat_map", ["-1----2---|"], lambda a: a.flat_map(lambda n: rac.of(n, n)), "-(11)-(22)|"),
    ("flat_map: a list", ["-1----2---|"], lambda a: a.flat_map(lambda n: [n, n]), "-(11)-(22)|"),
    ("flat_map: throws", ["-1-2|"], lambda a: a.flat_map(fail), "-#"),
    ("flat_map: inner error", ["-1-2|"], lambda a: a.flat_map(lambda n: rac.throw(KeyError(n))), "-#"),
    ("concat_map", ["12|"], lambda a: a.concat_map(lambda n: rac.timer(2, n)), "--1-(2|)"),
    ("switch_map", ["12|"], lambda a: a.switch_map(lambda n: rac.timer(2, n)), "---(2|)"),
    ("exhaust_map", ["12-3|"], lambda a: a.exhaust_map(lambda n: rac.timer(2, n)), "--1--(3|)"),
    ("expand", ["1----|"], lambda a: a.expand(lambda n: rac.of(n * 2) if n < 4 else None), "(124)|"),
    ("group_by", ["-1-2-3|"], lambda a: a.group_by(even).map(lambda g: int(g.key)), "-0-1--|"),
    ("merge_all", ["-1-2|"], lambda a: a.map(lambda n: rac.of(n)).flatten(), "-1-2|"),
    ("window_with_count", ["-1-2-3|"], lambda a: a.window(count=2).flat_map(lambda w: w.count()), "---2--(1|)"),
    # Errors and repetition
    ("catch", ["-1-#"], lambda a: a.catch(lambda error: rac.of(8)), "-1-(8|)"),
    ("catch: another", ["-1-#", "--"], lambda a, b: a.catch(rac.of(8, 9)), "-1-(89|)"),
    ("catch: not", ["-1-|"], lambda a: a.catch(lambda error: rac.of(8)), "-1-|"),
    ("catch: throws", ["-1-#"], lambda a: a.catch(fail), "-1-#"),
    ("retry", ["-"], lambda a: rac.of(1).concat(rac.throw(KeyError())).retry(2), "(11#)"),
    ("repeat", ["-"], lambda a: rac.of(1, 2).repeat().take(5), "(12121|)"),
    # Time
    ("delay", ["-1-2|"], lambda a: a.delay(2), "---1-2|"),
    ("delay: error at once", ["-1-2-#"], lambda a: a.delay(2), "---1-#"),
    ("debounce", ["-12---3-|"], lambda a: a.debounce(2), "----2---(3|)"),
    ("throttle_first", ["-123-45|"], lambda a: a.throttle(3), "-1---4-|"),
    ("throttle", ["-123-45|"], lambda a: a.throttle(3), "-1---4-|"),
    ("timeout", ["-1----2|"], lambda a: a.timeout(3), "-1--#"),
    ("timeout: another", ["-1----2|"], lambda a: a.timeout(3, rac.of(7)), "-1--(7|)"),
    ("timeout: not", ["-1-2-3|"], lambda a: a.timeout(3), "-1-2-3|"),
    ("time_interval", ["-1-2|"], lambda a: a.time_interval().map(lambda t: int(t[0])), "-1-2|"),
    ("buffer_with_time", ["-12---3|"], lambda a: a.buffer(seconds=2).map(sum), "---3---(3|)"),
    ("delay_subscription", ["-12345|"], lambda a: a.delay_subscription(2.5), "---345|"),
    ("interval", ["-"], lambda a: rac.interval(2).take(3), "--0-1-(2|)"),
    ("timer", ["-"], lambda a: rac.timer(3), "---(0|)"),
    # Sources
    ("of", ["-"], lambda a: rac.of(1, 2, 3), "(123|)"),
    ("empty", ["-"], lambda a: rac.empty(), "|"),
    ("never", ["-"], lambda a: rac.never(), "-"),
    ("throw", ["-"], lambda a: rac.throw(KeyError(3)), "#"),
    ("range", ["-"], lambda a: rac.range(2, 5), "(234|)"),
    ("from_iterable", ["-"], lambda a: rac.from_(iter([1, 2])), "(12|)"),
    ("from_iterable: throws", ["-"], lambda a: rac.from_(map(fail, [1])), "#"),
    ("defer", ["-"], lambda a: rac.defer(lambda: rac.of(4)), "(4|)"),
    ("defer: throws", ["-"], lambda a: rac.defer(lambda: fail(1)), "#"),
    ("if_then", ["-"], lambda a: (rac.of(True) | rac.cocoa.if_(rac.of(1), rac.of(2))), "(1|)"),
]

# Where librac means something else: what is heard of it, and why. What is called otherwise
# or has its arguments in another order is in docs/Python.md.
DIFFERENCES = {
    "take_until: error": ("-1-2-3|", "as in RAC, an error of the trigger is none of its source's"),
    "sample": ("--1-2---|", "a completion sends nothing, as in RxJS and RxJava"),
    "retry": ("(111#)", "retry(n) tries n times again; reactivex counts the first time, too"),
    "reduce: empty": ("--|", "completes; reactivex fails"),
    "min: empty": ("--|", "completes, and reactivex fails"),
    "first: empty": ("--|", "completes, `await` and wait() raise Empty; reactivex fails"),
    "combine_latest: one is empty": ("----|", "completes with the last; reactivex at the next value"),
}


def of_librac(name, expected):
    """What is to be heard here; where it is listed as another, it has to be another."""
    if name not in DIFFERENCES:
        return expected
    ours, why = DIFFERENCES[name]
    assert ours != expected, name + " is no difference any more"
    return ours


def test_every_difference_has_its_row():
    assert set(DIFFERENCES) <= {row[0] for row in ROWS}


@pytest.mark.parametrize("name, played, make, expected", ROWS, ids=[row[0] for row in ROWS])
def test_case(marbles, name, played, make, expected):
    marbles.expect(make(*map(marbles.hot, played)), of_librac(name, expected))


@pytest.mark.parametrize(
    "name, played, make, expected", ROWS[:45], ids=[row[0] for row in ROWS[:45]]
)
def test_cold(marbles, name, played, make, expected):
    """The same of sources that begin with each subscriber."""
    marbles.expect(make(*map(marbles.cold, played)), of_librac(name, expected))
