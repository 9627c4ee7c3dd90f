"""The list of operators: which arguments each takes and which model it has."""

from marbles import NEVER, UNIT, below, plain

OPERATORS = {}


class Operator:
    def __init__(self, name, call, model, arguments, inputs, **more):
        self.name = name
        self.call = call  # (model, sources, parameters) -> signal
        self.model = model
        self.arguments = arguments  # functions that make a random parameter
        self.inputs = inputs  # how many sources: a number, or (least, most)
        self.family = more["family"]
        self.value = more.get("value", plain)  # what its source sends
        # May stand in a random chain: one input, no calls that are recorded.
        self.chains = more.get("chains", inputs == 1)
        # Its recording has lines of its own (calls, groups): only whole cases.
        self.speaks = more.get("speaks", False)
        self.shares = more.get("shares", False)
        # Runs for ever where the source ends at once.
        self.endless = more.get("endless", False)
        # Makes the events of a source.
        self.marble = more.get("marble")
        # Makes the nodes below it, when they are not just sources.
        self.make = more.get("make")


def register(call, arguments, inputs, more):
    def add(model):
        name = model.__name__.rstrip("_")
        family = model.__module__.replace("models_", "")
        OPERATORS[name] = Operator(
            name, call, model, arguments, inputs, family=family, **more
        )
        return model

    return add


def events(*arguments, **more):
    """The model is a function of the list of the source's events and the
    parameters; it returns a list of events."""

    def call(model, sources, parameters):
        return lambda at: model(sources[0](at), *parameters)

    return register(call, arguments, 1, more)


def signals(*arguments, inputs=1, **more):
    """The model is a function of the moment of subscription, the list of the
    sources, and the parameters; it returns a list of events. For operators that
    choose when they subscribe to what."""

    def call(model, sources, parameters):
        return lambda at: model(at, sources, *parameters)

    return register(call, arguments, inputs, more)


def shared(*arguments, **more):
    """The model is called once, when the signal is made, with the source and the
    parameters; it returns a signal. For what subscribers share."""

    def call(model, sources, parameters):
        return model(sources[0], *parameters)

    return register(call, arguments, 1, dict(more, shares=True, chains=False))


# ---- Random parameters ---------------------------------------------------------


def count(rng):
    return below(rng, 6)


def seconds(rng):
    return below(rng, 6) * UNIT


def fails(rng):
    """The number of the value at which the callback fails, if it does."""
    return below(rng, 6) if below(rng, 4) == 0 else NEVER


def limit(rng):
    return below(rng, 6)


def value(rng):
    """Negative for nil; see `parameter_value`."""
    return below(rng, 7) - 1


def flag(rng):
    return below(rng, 2)


def calls(rng):
    """Whether calls are written down; chains are quiet."""
    return 1


def parameter_value(parameter):
    return None if parameter < 0 else parameter
