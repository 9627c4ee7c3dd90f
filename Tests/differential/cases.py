"""Random cases, what the models say of them, and how the player is told.

A case is when to dispose, after how many events (-1: never), when a second
subscriber comes (-1: never), when a connection is connected, below which number a
value is sent back into the source, and a node: an operator with its parameters
above the nodes of its sources.
"""

# Each enters its operators in the table.
import models_effects
import models_ends
import models_nested
import models_numbers
import models_several
import models_sharing
import models_sources
import models_time
import models_values
import models_windows
from marbles import HORIZON, NEVER, NEXT, ROOT, UNIT
from marbles import below, later, marble, number, plain, put, until_end
from models_sources import some_seconds
from table import OPERATORS, calls, fails, seconds
from text import listed

SECOND = 1000  # added to the kind of what the second subscriber hears
CHAINED = [o for o in OPERATORS.values() if o.chains and o.family != "sources"]
NESTED = CHAINED + [
    operator
    for operator in OPERATORS.values()
    if operator.family in ("several", "ends", "nested") and not operator.speaks
]
# Those that go on after an error, or an end, of what is above them.
FOLLOWED = [OPERATORS[name] for name in ("catch", "catch_to", "concat", "then")]
COMPOSED = ["chain", "tree", "feedback"]


class Node:
    def __init__(self, name, parameters, nodes, events=None):
        self.name = name
        self.parameters = parameters
        self.nodes = nodes
        self.events = events

    def __repr__(self):
        inside = [str(p) for p in self.parameters] + [repr(n) for n in self.nodes]
        if self.events is not None:
            inside.append(repr(listed(self.events)))
        return "{}({})".format(self.name, ", ".join(inside))


class Case:
    def __init__(self, node):
        self.node = node
        self.dispose_at = HORIZON
        self.dispose_after = -1
        self.second_at = -1
        self.connect_at = 0
        self.sent_back_below = NEVER

    def __repr__(self):
        settings = ["dispose_at", "dispose_after", "second_at", "connect_at"]
        settings.append("sent_back_below")
        told = ["{} {}".format(name, getattr(self, name)) for name in settings]
        return "{!r}\n  {}".format(self.node, ", ".join(told))


# ---- Random --------------------------------------------------------------------


def source_node(rng, name, value):
    operator = OPERATORS[name]
    events = operator.marble(rng, value) if operator.marble else None
    return Node(name, [make(rng) for make in operator.arguments], [], events)


RARE = ["return", "empty", "never", "error", "interval", "from_values"]


def source(rng, value=plain):
    kind = below(rng, 32)
    if kind < 22:
        return Node("create", [], [], marble(rng, value))
    if kind < 26:
        return source_node(rng, "hot", value)
    return source_node(rng, RARE[kind - 26], value)


def source_with_value(rng):
    """One that sends at least a value in each round."""
    return Node("create", [], [], [(-1, NEXT, below(rng, 4))] + marble(rng))


def operator_node(rng, operator, first=None, source=source):
    """The operator above sources, or above `first` and other sources."""
    parameters = [make(rng) for make in operator.arguments]
    if operator.make:
        nodes = operator.make(rng, Node, source)
        return Node(operator.name, parameters, nodes)
    if operator.endless:
        inner = Node(operator.name, parameters, [apart(rng, source_with_value(rng))])
        return Node("take", [1 + below(rng, 8)], [inner])
    count = operator.inputs
    if type(count) is tuple:
        count = count[0] + below(rng, count[1] - count[0] + 1)
    nodes = [source(rng) for _ in range(count)]
    if count > 0 and operator.value is not plain:
        nodes[0] = source(rng, operator.value)
    if first:
        nodes[0] = first
    return Node(operator.name, parameters, nodes)


# The order in which several operators start timers, and subscribe to sources, in
# one moment is more than the models say. So nothing happens at the same time by
# chance in a chain or a tree: all of each node is some random time later.
def apart(rng, node):
    shift = below(rng, UNIT)
    if node.events is not None:
        node.events = [
            (time if time < 0 else time + shift, kind, value)
            for time, kind, value in node.events
        ]
    for place, make in enumerate(OPERATORS[node.name].arguments):
        if make in (seconds, some_seconds):
            node.parameters[place] += shift
        if make is fails and below(rng, 2) == 0:
            node.parameters[place] = below(rng, 6)
        if make is calls:
            node.parameters[place] = 0  # quiet
    return node


def chain_node(rng):
    """Operators in a row, most of them with one input."""

    def other(rng, value=plain):
        return apart(rng, source(rng, value))

    node = other(rng)
    for _ in range(2 + below(rng, 3)):
        some = FOLLOWED if below(rng, 4) == 0 else CHAINED
        operator = some[below(rng, len(some))]
        node = apart(rng, operator_node(rng, operator, node, other))
    return node


def tree_node(rng, most=5):
    """At most so many operators of any kind, in each other's inputs."""
    left = [most]

    def inside(rng, value=plain):
        if left[0] == 0 or below(rng, 4) == 0:
            return apart(rng, source(rng, value))
        left[0] -= 1
        operator = NESTED[below(rng, len(NESTED))]
        return apart(rng, operator_node(rng, operator, source=inside))

    return inside(rng)


def feedback_case(rng):
    """Operators without time above a subject that its subscriber sends to."""
    node = source_node(rng, "hot", plain)
    if below(rng, 2) == 0:
        # Several values for one, so that several are sent back.
        inner = [source_node(rng, "from_values", plain) for _ in range(3)]
        node = Node("flatten_map", [NEVER], [node] + inner)
    for _ in range(below(rng, 4)):
        operator = CHAINED[below(rng, len(CHAINED))]
        while operator.family not in ("values", "numbers", "effects"):
            operator = CHAINED[below(rng, len(CHAINED))]
        node = apart(rng, operator_node(rng, operator, node))
    case = Case(node)
    case.sent_back_below = 1 + below(rng, 60)
    if below(rng, 4) == 0:
        case.dispose_after = 1 + below(rng, 8)
    return case


def use_twice(rng, node):
    """The first source also in the place of another one."""
    if node.name in ("flatten", "flatten_bounded", "switch_to_latest"):
        node = node.nodes[0]
    if len(node.nodes) > 1:
        node.nodes[1 + below(rng, len(node.nodes) - 1)] = Node("same", [], [])


def random_case(rng, name):
    if name == "feedback":
        return feedback_case(rng)
    operator = OPERATORS.get(name)
    if operator is None:
        case = Case(chain_node(rng) if name == "chain" else tree_node(rng))
    elif operator.family == "sources":
        case = Case(source_node(rng, name, plain))
    else:
        case = Case(operator_node(rng, operator))
        if below(rng, 8) == 0:
            use_twice(rng, case.node)
    chance = below(rng, 16)
    if chance < 5:
        case.dispose_at = below(rng, 16) * UNIT
    elif chance < 8 and not (operator and (operator.speaks or operator.shares)):
        case.dispose_after = 1 + below(rng, 4)
    case.connect_at = below(rng, 8) * UNIT
    is_told = operator and operator.family == "effects"  # for no line in particular
    if (chance % 8 == 0 and not is_told) or (operator and operator.shares):
        latest = min(case.dispose_at // UNIT, 15)
        case.second_at = below(rng, latest + 1) * UNIT
    return case


# ---- What the models say -------------------------------------------------------


def signal_of(node, first):
    """Built from the sources down, as the player does it. `first` gets the one
    that was built first: `same` stands for it."""
    nodes = [signal_of(each, first) for each in node.nodes]
    signal = first[0] if node.name == "same" else built(node, nodes)
    first.append(signal)
    return signal


def built(node, nodes):
    if node.name == "signals":
        return models_nested.source_of_signals(nodes)
    operator = OPERATORS[node.name]
    if operator.family == "sources":
        return operator.model(node.events, *node.parameters)
    return operator.call(operator.model, nodes, node.parameters)


def fed_back(case):
    """What is heard of a chain above a hot source when the subscriber sends back:
    a value sent from inside a callback comes after the present one has been
    delivered, and before the next."""
    chain = []
    node = case.node
    while node.name != "hot":
        chain.insert(0, node)
        node = node.nodes[0]

    def outcome(inputs):
        signal = lambda at: until_end(inputs)
        for node in chain:
            others = [signal_of(other, []) for other in node.nodes[1:]]
            signal = built(node, [signal] + others)
        return signal(ROOT)

    inputs = []
    out = outcome(inputs)  # what is heard before anything is sent
    left = SENT_BACK - len([event for event in out if is_sent_back(case, event)])
    for time, *event in node.events:
        moment = later(ROOT, time)
        queue = [event]
        while queue:
            inputs = inputs + [(moment, *queue.pop(0))]
            before, out = out, outcome(inputs)
            for new in out[len(before) :]:
                if is_sent_back(case, new) and left > 0:
                    left -= 1
                    queue.append((NEXT, number(new[2]) + 1))
    return out


SENT_BACK = 6  # at most so many: player.c


def is_sent_back(case, event):
    return event[1] == NEXT and number(event[2]) < case.sent_back_below


def expected(case):
    """The recording that the models foretell, as numbers."""
    models_sharing.connection[0] = case.connect_at
    signal = signal_of(case.node, [])
    heard = signal(ROOT) if case.sent_back_below == NEVER else fed_back(case)
    if case.dispose_after > 0:
        # What comes while rac_subscribe() runs cannot be disposed.
        at_once = [event for event in heard if event[0] == ROOT]
        heard = heard[: max(case.dispose_after, len(at_once))]
    if case.second_at >= 0:
        also = signal((case.second_at, (), 1))
        heard = heard + [(moment, kind + SECOND, value) for moment, kind, value in also]
    out = []
    for moment, kind, value in heard:
        if moment[0] <= case.dispose_at:
            out += (moment[0], kind)
            put(value, out)
    return out


# ---- As numbers ----------------------------------------------------------------


def put_node(node, numbers, out):
    out.append(numbers[node.name])
    out.append(len(node.parameters))
    out += node.parameters
    out.append(len(node.nodes))
    for each in node.nodes:
        put_node(each, numbers, out)
    if node.events is None:
        out.append(-1)
        return
    out.append(len(node.events))
    for time, kind, value in node.events:
        out += (time, kind)
        put(value, out)


def put_case(case, numbers, out):
    out += (case.dispose_at, case.dispose_after, case.second_at, case.connect_at)
    out.append(case.sent_back_below)
    put_node(case.node, numbers, out)
