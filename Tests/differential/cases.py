"""Random cases, what the models say of them, and how the player is told.

A case is when to dispose, after how many events (-1: never), when a second
subscriber comes (-1: never), when a connection is connected, and a node: an
operator with its parameters above the nodes of its sources.
"""

import models_ends
import models_effects
import models_nested
import models_several
import models_sharing
import models_sources
import models_time
import models_values

from marbles import HORIZON, NEXT, ROOT, UNIT, below, marble, plain, put
from models_sources import some_seconds
from table import OPERATORS, calls, seconds

SECOND = 1000  # added to the kind of what the second subscriber hears
CHAINED = [o for o in OPERATORS.values() if o.chains and o.family != "sources"]
NESTED = CHAINED + [
    operator
    for operator in OPERATORS.values()
    if operator.family in ("several", "ends", "nested") and not operator.speaks
]
COMPOSED = ["chain", "tree"]


class Node:
    def __init__(self, name, parameters, nodes, events=None):
        self.name = name
        self.parameters = parameters
        self.nodes = nodes
        self.events = events

    def __repr__(self):
        inside = [str(p) for p in self.parameters] + [repr(n) for n in self.nodes]
        if self.events is not None:
            inside.append(repr(self.events))
        return "{}({})".format(self.name, ", ".join(inside))


class Case:
    def __init__(self, node):
        self.node = node
        self.dispose_at = HORIZON
        self.dispose_after = -1
        self.second_at = -1
        self.connect_at = 0

    def __repr__(self):
        settings = ["dispose_at", "dispose_after", "second_at", "connect_at"]
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
    return Node("create", [], [], [(-1, NEXT, 1)] + marble(rng))


def operator_node(rng, operator, first=None, source=source):
    """The operator above sources, or above `first` and other sources."""
    parameters = [make(rng) for make in operator.arguments]
    if operator.make:
        return Node(operator.name, parameters, operator.make(rng, Node, source))
    if operator.endless:
        inner = Node(operator.name, parameters, [source_with_value(rng)])
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
        if make is calls:
            node.parameters[place] = 0  # quiet
    return node


def chain_node(rng):
    """Operators with one input in a row."""
    node = source(rng)
    for _ in range(2 + below(rng, 3)):
        operator = CHAINED[below(rng, len(CHAINED))]
        node = apart(rng, operator_node(rng, operator, node))
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


def random_case(rng, name):
    operator = OPERATORS.get(name)
    if operator is None:
        case = Case(chain_node(rng) if name == "chain" else tree_node(rng))
    elif operator.family == "sources":
        case = Case(source_node(rng, name, plain))
    else:
        case = Case(operator_node(rng, operator))
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


def signal_of(node):
    """Built from the sources down, as the player does it."""
    nodes = [signal_of(each) for each in node.nodes]
    if node.name == "signals":
        return models_nested.source_of_signals(nodes)
    operator = OPERATORS[node.name]
    if operator.family == "sources":
        return operator.model(node.events, *node.parameters)
    return operator.call(operator.model, nodes, node.parameters)


def expected(case):
    """The recording that the models foretell, as numbers."""
    models_sharing.connection[0] = case.connect_at
    signal = signal_of(case.node)
    heard = signal(ROOT)
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
    put_node(case.node, numbers, out)
