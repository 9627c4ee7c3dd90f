"""What random operations are done with: it raises, and is counted."""

CALLBACKS = 300  # that one operation may call: what sends to itself ends there
TOO_MANY = 3000  # where what raises is tried again for ever

alive = {}  # what rounds made: what it is, by its address


class Counted:
    """Is in `alive` while it lives."""

    def __init__(self):
        alive[id(self)] = type(self).__name__

    def __del__(self):
        alive.pop(id(self), None)


class Rude(Counted, Exception):
    """What objects and callbacks of a round raise."""

    def __init__(self, *arguments):
        Exception.__init__(self, *arguments)
        Counted.__init__(self)


class TooMany(BaseException):
    """Comes out of the call, as KeyboardInterrupt does."""


class Thing(Counted):
    """Raises, or does not, wherever it is asked something."""

    def __init__(self, dice, likely=0.4):
        super().__init__()
        self.dice, self.likely = dice, likely

    def complain(self):
        if self.dice.random() < self.likely:
            raise Rude("thing")

    def __eq__(self, other):
        self.complain()
        return self is other

    def __hash__(self):
        self.complain()
        return 7

    def __repr__(self):
        self.complain()
        return "Thing()"

    def __bool__(self):
        self.complain()
        return True

    def __lt__(self, other):
        self.complain()
        return True

    def __len__(self):
        self.complain()
        return 3

    def __iter__(self):
        self.complain()
        return iter([1, Thing(self.dice)])

    def __index__(self):
        self.complain()
        return 3

    def __float__(self):
        self.complain()
        return 1.5

    def __call__(self, *arguments):
        self.complain()
        return arguments[0] if arguments else None

    def __add__(self, other):
        self.complain()
        return self

    def __del__(self):
        super().__del__()
        self.complain()


class Callback(Counted):
    """Calls one of a round's functions, so often and no more."""

    def __init__(self, of, function):
        super().__init__()
        self.of, self.function = of, function

    def __call__(self, *arguments):
        self.of.called += 1
        if self.of.called > CALLBACKS:
            raise Rude("enough") if self.of.called < TOO_MANY else TooMany
        return self.function(*arguments)


def forget_frames(error):
    """What a signal remembers would hold what is in its traceback, and CPython 3.11 does not
    see cycles through frames."""
    while error is not None:
        error.__traceback__, error = None, error.__context__
