"""How the signal of each diagram of rac.h is made: by what its labels say, or by a
function here."""

import math
import re

from diagrams import diagrams
from staged import C, rac, racffi

ALL = C.RAC_REPLAY_UNLIMITED

# Their comments have code.
NOT_DIAGRAMS = {"rac_release_context", "rac_assign", "rac_sequence_iterate"}
# They hear of the system, at times that nobody chooses.
OF_THE_SYSTEM = {
    "rac_signal_readable",
    "rac_signal_writable",
    "rac_signal_chunks",
    "rac_signal_lines",
    "rac_signal_write",
    "rac_signal_connect",
    "rac_signal_listen",
    "rac_signal_datagrams",
    "rac_signal_posix_signal",
    "rac_signal_child_exit",
    "rac_signal_at_time",
    "rac_signal_at_times",
    "rac_signal_file_changes",
    "rac_signal_tail",
    "rac_signal_spawn",
}


def texts():
    """The diagrams that are played, by the name of their function."""
    left_out = NOT_DIAGRAMS | OF_THE_SYSTEM
    return {
        name: list(diagrams(each["doc"]))
        for name, each in racffi.FUNCTIONS.items()
        if name not in left_out
    }


def maker(name):
    """What makes the signals of a diagram on a stage: one, or a list."""
    return PLAYED.get(name.replace("rac_signal_", ""), by_label)


# A function's behaviour, by its label.
SAID = (
    (r"\bx (\d+)", lambda n: lambda x: x * n),
    (r"< (\d)", lambda n: lambda x: x < n),
    (r"(?<!-)> (\d)", lambda n: lambda x: x > n),
    (r"== (\d)", lambda n: lambda x: x == n),
    (r"even", lambda: lambda x: x % 2 == 0),
    (r"\+ index", lambda: lambda running, x, index: running + x + index),
    (r"\+", lambda: lambda *numbers: sum(numbers)),
    (r"\(a,b\)", lambda: lambda a, b: (a, b)),
    (r"first \d", lambda: lambda x: x // 10),
    (r"by its length", lambda: lambda a, b: len(a) - len(b)),
)


def function(stage, label, kind):
    if label.startswith("x -> "):
        return stage.function(label)
    for pattern, make in SAID:
        found = re.search(pattern, label)
        if found:
            made = make(*map(int, found.groups()))
            return failing_unless(made) if kind == "rac_try_fn" else made
    return None


def failing_unless(is_right, function=lambda x: x):
    def call(x):
        if not is_right(x):
            raise ValueError("#")
        return function(x)

    return call


def by_label(stage, *functions):
    """Calls with what the diagram says: for each line that is not played the
    signals that are called as the parameters are, the numbers of its label, and
    the function it speaks of, or the one that is given."""
    parameters = racffi.FUNCTIONS[stage.name]["parameters"]
    lists = any(each["type"].endswith("*const *") for each in parameters)
    inputs = {each["name"] for each in parameters} | ({"a", "b"} if lists else set())
    made = []
    for label in stage.results(inputs):
        numbers, arguments = list(map(int, re.findall(r"\d+", label))), []
        for index, parameter in enumerate(parameters):
            kind = parameter["type"]
            if kind in ("rac_signal *", "rac_sequence *"):
                arguments.append(stage[parameter["name"]])
            elif kind.endswith("*const *"):
                arguments.append([stage["a"], stage["b"]])
            elif parameter["name"] == "context":
                given = functions[0] if functions else None
                called = parameters[index + 1]["type"]
                arguments.append(given or function(stage, label, called))
            elif kind in ("rac_bound *", "rac_disposable **"):
                arguments.append(None)
            elif kind in ("size_t", "double", "rac_value") and not ends_a_list(parameters, index):
                arguments.append(numbers.pop(0))
        made.append(stage.make(*arguments))
    return made


def ends_a_list(parameters, index):
    return index > 0 and parameters[index - 1]["type"].endswith("*const *")


def given(function):
    """For labels that do not say what the function does."""
    return lambda stage: by_label(stage, function)


def observed(*sign):
    """What has an action, which says what it was called with."""
    return lambda stage: by_label(stage, stage.tell("action", *sign))


def shared(*arguments):
    """A signal for each subscriber."""

    def make(stage):
        signal = stage.make(stage["source"], *arguments)
        return [signal] * sum(label.startswith("subscriber") for label in stage.lines)

    return make


def bound(stage, policy, capacity=1):
    return stage.own(rac.rac_bound_create(capacity, policy))


def bounds(stage, capacity=1):
    policies = (C.RAC_BOUND_DROP_OLDEST, C.RAC_BOUND_DROP_NEWEST)
    return [bound(stage, policy, capacity) for policy in policies]


def create(stage):
    def subscribe(subscriber):
        for value in (1, 2):
            rac.rac_subscriber_send(subscriber, racffi.to_rac(value))
        rac.rac_subscriber_send_completed(subscriber)

    return stage.make(subscribe)


def create_bounded(stage):
    """The first value takes its time: that of the virtual clock goes on in its
    callback."""

    def slowly(value):
        if value == 1:
            rac.rac_virtual_advance_by(stage.clock, 5)

    stage.heeding = slowly
    return stage.make(bound(stage, C.RAC_BOUND_DROP_OLDEST), stage.subscribe("sent"))


def started(stage):
    signal = stage.make(stage.start("callback"))
    return [signal, signal]


def using(stage):
    def acquire():
        told("a")
        return "a"

    told = stage.tell("acquire")
    return stage.make(
        {
            "rac_factory_fn": acquire,
            "rac_signal_fn": lambda resource: stage["use"],
            "rac_next_fn": stage.tell("release"),
        }
    )


def rolling(stage):
    mean = stage.make(stage["source"], C.RAC_ROLLING_MEAN, 2, math.inf)
    return [mean, stage.make(stage["source"], C.RAC_ROLLING_MAX, ALL, 8)]


def flatten_map_limited(stage):
    one = stage.function("x -> x--x|, one at a time")
    made = [None] + bounds(stage)
    return [stage.make(stage["source"], 1, bound, one) for bound in made]


def signals(stage):
    """A source whose letters are signals."""
    return stage.of_signals("source", **{each: stage[each] for each in "abc" if each in stage})


def flatten(stage):
    source = signals(stage)
    return [stage.make(source, 0), stage.make(source, 1)]


def flatten_bounded(stage):
    source = signals(stage)
    return [stage.make(source, 1, bound) for bound in bounds(stage)]


def expand(stage):
    return stage.make(stage["source"], lambda x: stage.pattern("----y|", y=x + 1))


def delay_when(stage):
    return stage.make(stage["source"], lambda x: stage["until for {}".format(x)])


def bind(stage):
    one = stage.function("x -> -x-x|")
    always, to_two = lambda x: (False, one(x)), lambda x: (x == 2, one(x))
    return [stage.make(stage["source"], bound) for bound in (always, to_two)]


def if_else(stage):
    return stage.make(stage["source"], stage.hot("yes"), stage.hot("no"))


def switch(stage):
    cases = [stage.hot("case a"), stage.hot("case b")]
    return stage.make(stage["source"], ["a", "b"], cases, None)


def window_toggle(stage):
    closing = {"a": lambda: stage["closing"], "b": lambda: stage.own(rac.rac_signal_never())}
    return stage.make(stage["source"], stage["openings"], lambda value: closing[value]())


def logged(stage):
    """The lines of the log: "name next: 1" and such."""
    told = {sign: stage.tell("log", sign) for sign in (None, "|", "#")}

    def log(line):
        _, is_next, value = line.decode().partition(" next: ")
        told[None if is_next else "|" if "completed" in line.decode() else "#"](value)

    stage.log(log)
    return stage.make(stage["source"])


def step(stage):
    def odd_twice(step, x):
        if not x or x % 2 == 0:
            return racffi.NOTHING
        rac.rac_step_send(step, racffi.to_rac(x))
        return x

    return stage.make(stage["source"], 0, odd_twice)


def stepping(stage, label="scheduler"):
    """A scheduler that runs what it has at the events of a line."""
    clock = stage.own(rac.rac_scheduler_virtual())
    stage.at(label, lambda: rac.rac_virtual_step_all(clock))
    return clock


def deliver_on(stage):
    return stage.make(stage["source"], clock=stepping(stage))


def deliver_on_bounded(stage):
    clock = stepping(stage)
    return [stage.make(stage["source"], bound, clock=clock) for bound in bounds(stage, 2)]


def deliver_on_main(stage):
    signal = stage.make(stage.from_a_thread("source on a thread"))
    stage.at("main thread drains", lambda: rac.rac_main_drain(0))
    return signal


def split_by(stage):
    """A frame goes to its semicolon."""
    return stage.make(stage["source"], lambda text: text.find(b";") + 1, 0)


def called(*arguments):
    return "f({})".format(",".join(map(str, arguments)))


def batches(stage):
    stage.hear_batches(stage["source"], "count 3", 3)
    return []


# How those are made for which by_label() does not do.
PLAYED = {
    "create": create,
    "create_bounded": create_bounded,
    "from_values": lambda stage: stage.make([1, 2, 3]),
    "error": lambda stage: stage.make(Exception("#")),
    "defer": lambda stage: stage.make(lambda: stage["factory makes"]),
    "from_factory": lambda stage: stage.make(lambda: 1),
    "using": using,
    "start_eagerly": started,
    "start_lazily": started,
    "replay": shared(),
    "replay_last": shared(),
    "replay_lazily": shared(),
    "share": shared(),
    "share_replay": shared(1, math.inf),
    "try_map": given(failing_unless(lambda x: x < 3, lambda x: x * 2)),
    "aggregate_with_factory": given(
        {"rac_factory_fn": lambda: 0, "rac_reduce_fn": lambda running, x: running + x}
    ),
    "rolling": rolling,
    "then": lambda stage: stage.make(stage["source"], lambda: stage["next"]),
    "flatten_map_limited": flatten_map_limited,
    "expand": expand,
    "delay_when": delay_when,
    "flatten": flatten,
    "flatten_bounded": flatten_bounded,
    "switch_to_latest": lambda stage: stage.make(signals(stage)),
    "bind": bind,
    "if": if_else,
    "switch": switch,
    "group_by": given(lambda x: x % 2),
    "window_toggle": window_toggle,
    "catch": lambda stage: stage.make(stage["source"], lambda error: stage["other"]),
    "retry_with_backoff": lambda stage: stage.make(stage["source"], 2, 1, 2, 0, ALL),
    "retry_when": lambda stage: stage.make(stage["source"], lambda *_: stage["notifier"]),
    "repeat_when": lambda stage: stage.make(stage["source"], lambda *_: stage["notifier"]),
    "do_next": observed(),
    "do_error": observed("#"),
    "do_completed": observed("|"),
    "finally": observed("x"),
    "do_finally": observed("x"),
    "initially": observed("x"),
    "log_all": logged,
    "log_next": logged,
    "log_error": logged,
    "log_completed": logged,
    "step": step,
    "rate_limit": lambda stage: [stage.make(stage["source"], 4, 2, room) for room in (ALL, 0)],
    "deliver_on": deliver_on,
    "deliver_on_bounded": deliver_on_bounded,
    "deliver_on_main": deliver_on_main,
    "subscribe_on": deliver_on,
    "split_by": split_by,
    "split_by_delimiter": lambda stage: stage.make(stage["source"], ";", 0),
    "split_by_length": lambda stage: stage.make(stage["source"], 1, False, 0),
    "add_delimiter": lambda stage: stage.make(stage["source"], ";", 0),
    "add_length": lambda stage: stage.make(stage["source"], 1, False, 0),
    "rac_lift": given(called),
    "rac_lift_arguments": given(called),
    "rac_subscribe_batches": batches,
    "rac_sequence_step": step,
    "rac_sequence_flatten_map": lambda stage: stage.make(
        stage["source"], lambda x: stage.sequence([str(x), str(x)])
    ),
}
