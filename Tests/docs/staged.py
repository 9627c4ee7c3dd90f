"""Diagrams played by the engine, on virtual time.

    stage = Stage("rac_signal_take", text)
    stage.play(stage.made(stage.make(stage["source"], 2)))
    stage.heard             what came, a Line for each that was heard
    stage.differences()     what was heard otherwise than it is drawn
"""

import os
import re
import sys
import threading

from diagrams import Line, draw, events, read

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "Tests", "python"))

import example  # noqa: E402
import racffi  # noqa: E402
from racffi import C, Contexts, callbacks, rac, register, to_rac  # noqa: E402


# ---- Values --------------------------------------------------------------------


def value_text(value):
    if isinstance(value, float):
        return "{:.4g}".format(value)
    if isinstance(value, bytes):
        return "".join(chr(each) if each >= 32 else "\\{}".format(each) for each in value)
    if isinstance(value, tuple) and not isinstance(value, racffi.Event):
        return "({})".format(",".join(value_text(element) for element in value))
    return re.sub(r"#-?\d+", "#", example.value_text(value))


WORDS = {"nil": None, "true": True, "false": False}


def parse(text):
    """What a text stands for, in Python."""
    if text.startswith("("):
        return tuple(map(parse, text[1:-1].split(",")))
    return int(text) if re.match(r"-?\d+$", text) else WORDS.get(text, text)


def value_of(text):
    """The owned rac_value that a text stands for: "<1>" an event, "\\2" a byte."""
    if "\\" in text:
        return to_rac(re.sub(r"\\(\d)", lambda found: chr(int(found.group(1))), text).encode())
    if not text.startswith("<"):
        return to_rac(parse(text))
    if text == "<|>":
        return rac.rac_value_event_completed()
    is_error = text == "<#>"
    inner = to_rac(Exception("#") if is_error else parse(text[1:-1]))
    made = (rac.rac_value_event_error if is_error else rac.rac_value_event_next)(inner)
    rac.rac_value_release(inner)
    return made


# ---- Calls ---------------------------------------------------------------------

GIVE_AWAY = (
    "rac_signal_fn",
    "rac_signal_index_fn",
    "rac_bind_fn",
    "rac_defer_fn",
    "rac_sequence_fn",
)


class Calls(racffi.Owned):
    """Calls of the library with Python's arguments; `release` lets go of what
    they made."""

    def __init__(self, name):
        super().__init__()
        self.name, self.clock = name, rac.rac_scheduler_virtual()
        self.own(self.clock)
        self.is_logging = False

    def release(self):
        super().release()
        if self.is_logging:
            none = [racffi.CALLBACKS[kind]() for kind in ("rac_log_fn", "rac_destroy_fn")]
            rac.rac_set_log(None, *none)

    def make(self, *arguments, clock=None):
        """What the function of this name gives; owned. A scheduler is the
        clock. A context is given with its callbacks and destroy: the function
        that the first is, or one for each kind; where none is given the
        callback is NULL."""
        given, flat, kept = list(arguments), [], []
        described = racffi.FUNCTIONS[self.name]["parameters"]
        for index, parameter in enumerate(described):
            kind = parameter["type"]
            if parameter["name"] == "context":
                functions = given.pop(0) or {}
                if callable(functions):
                    functions = {described[index + 1]["type"]: functions}
                for each in functions:
                    if each in GIVE_AWAY:
                        functions[each] = retaining(functions[each])
                left = dict(functions)
                flat.append(register(functions) if functions else None)
            elif kind.endswith("_fn"):
                given_one = functions if kind == "rac_destroy_fn" else left.pop(kind, None)
                callback = racffi.call.get(kind, racffi.destroy)
                flat.append(callback if given_one else racffi.CALLBACKS[kind]())
            elif kind == "rac_scheduler *":
                flat.append(clock or self.clock)
            elif kind == "rac_value":
                kept.append(to_rac(given.pop(0)))
                flat.append(kept[-1])
            elif kind in ("rac_signal *const *", "rac_sequence *const *", "const rac_value *"):
                array = given.pop(0)
                if kind == "const rac_value *":
                    array = [to_rac(each) for each in array]
                    kept += array
                one = racffi.Value if kind == "const rac_value *" else racffi.pointer
                flat.append((one * len(array))(*array))
                if described[index + 1]["name"] == "count":
                    given.insert(0, len(array))
            else:
                flat.append(given.pop(0))
        if given:
            raise TypeError("{} takes no {}".format(self.name, given))
        made = getattr(rac, self.name)(*flat)
        for value in kept:
            rac.rac_value_release(value)
        return self.own(made)


class Play:
    """A line that is played, from when on. `spans` are the times in which somebody
    listens: [begin, end], and None as the end of one that goes on."""

    def __init__(self, line, begin, is_hot=False):
        self.line, self.begin = line, begin
        self.sent, self.heard = 0, set()  # how many events, and the indexes of those heard
        self.spans = [] if is_hot else [[begin, None]]

    def send(self):
        """Notes the next event."""
        if any(end is None for _, end in self.spans):
            self.heard.add(self.sent)
        self.sent += 1

    def has_ended(self):
        return self.sent > 0 and self.line.events[self.sent - 1][1] in "|#"


class Stage(Calls):
    """Plays the signals of a diagram. `stage["label"]` is a signal that plays
    the line of this name to each subscriber anew, and the line has to begin
    where one subscribes to it."""

    def __init__(self, name, text):
        super().__init__(name)
        self.lines, self.legend = read(text)
        self.signals, self.signals_of = {}, {}
        self.begun = {}  # when somebody subscribed to a line
        self.plays, self.is_over = [], False
        self.sending = None  # the Play of what is being sent, and its text
        self.heard = {}
        self.subscriptions = []
        self.heeding = lambda value: None  # what a subscriber does then
        self.length = max(line.length for line in self.lines.values())

    def now(self):
        """In whole seconds, if it is whole."""
        now = round(rac.rac_scheduler_now(self.clock), 6)
        return int(now) if now == int(now) else now

    def after(self, seconds, action):
        rac.rac_release(
            rac.rac_schedule_after(self.clock, seconds, *callbacks("action", action))
        )

    def __getitem__(self, label):
        """A cold signal."""
        if label not in self.signals:
            begun = self.begun.setdefault(label, [])
            self.signals[label] = self.cold(self.lines[label], begun)
        return self.signals[label]

    def __contains__(self, label):
        return label in self.lines

    def cold(self, line, begun):
        subscribe = self.subscribing(line, begun)
        return self.own(rac.rac_signal_create(*callbacks("subscribe", subscribe)))

    def over(self, play):
        """The last subscription is, by its end or without."""
        if not self.is_over and not play.has_ended():
            play.spans[-1][1] = self.now()

    def hot(self, label):
        """A signal that plays the line from time 0, whoever hears it."""
        self.begun[label] = [self.lines[label].begin]
        subject = self.own(rac.rac_subject_create())
        play = Play(self.lines[label], 0, is_hot=True)
        self.play_to(subject, "subject", play, 0)

        def listen():
            play.spans.append([self.now(), None])
            over = callbacks("action", lambda: self.over(play))
            return rac.rac_signal_do_finally(rac.rac_subject_as_signal(subject), *over)

        return self.own(rac.rac_signal_defer(*callbacks("defer", listen)))

    def at(self, label, action):
        """Runs an action at each event of a line."""
        self.begun[label] = [0]
        for time, _, _ in self.lines[label].events:
            self.after(time, action)

    def play_to(self, target, kind, play, begin, elsewhere=False):
        self.plays.append(play)
        line = play.line
        send = getattr(rac, "rac_{}_send".format(kind))
        fail = getattr(rac, "rac_{}_send_error".format(kind))
        complete = getattr(rac, "rac_{}_send_completed".format(kind))

        def happen(sign, text):
            play.send()
            before, self.sending = self.sending, (play, text)
            if sign == "|":
                complete(target)
            else:
                value = to_rac(Exception("#")) if sign == "#" else self.value(text)
                (fail if sign == "#" else send)(target, value)
                rac.rac_value_release(value)
            self.sending = before

        at_once = {}
        for time, sign, text in line.events:
            at_once.setdefault(time - begin, []).append((sign, text))
        for time in sorted(at_once):
            # What is sent while somebody subscribes is there at once.
            def all_of_it(events=at_once[time]):
                for event in events:
                    if elsewhere:
                        thread = threading.Thread(target=happen, args=event)
                        thread.start()
                        thread.join()
                    else:
                        happen(*event)

            self.after(time, all_of_it) if time > 0 else all_of_it()

    def value(self, text):
        """An owned value; a text that names a line of signals() is that signal.
        """
        if text in self.signals_of:
            return rac.rac_value_signal(self.signals_of[text])
        return value_of(text)

    def of_signals(self, label, **signals):
        """A signal that sends signals: each letter the one of this name."""
        self.signals_of.update(signals)
        return self[label]

    def pattern(self, text, **values):
        """A cold signal that plays a text, in which letters have values."""
        legend = {**self.legend, **{name: value_text(value) for name, value in values.items()}}
        line = events(text, 0, text, legend)
        line.of = "".join(value_text(value) for value in values.values())
        return self.cold(line, [])

    def function(self, label):
        """What a label such as "x -> -x-x|" says."""
        name, text = re.match(r"(\w) -> ([-\w|#()]+)", label).groups()
        return lambda value: self.pattern(text, **{name: value})

    def tell(self, label, sign=None):
        """An action that writes its value, or this sign, into a line."""
        line = self.heard.setdefault(label, Line(label, 0, []))

        def told(*values):
            kind = sign if sign and sign in "|#" else " "
            text = "" if kind != " " else sign or value_text(values[0])
            line.events.append((self.now(), kind, text))
            line.causes.append(self.sending)

        return told

    def starting(self, line, begun):
        """A callback that plays a line to the subscriber that it is given."""

        def begin(subscriber):
            begun.append(self.now())
            play = Play(line, self.now())
            self.play_to(self.own(rac.rac_retain(subscriber)), "subscriber", play, line.begin)
            return play

        return begin

    def subscribing(self, line, begun):
        """The same for a callback that writes what a disposal is to do."""
        start = self.starting(line, begun)

        def subscribe(subscriber):
            play = start(subscriber)
            return rac.rac_disposable_create(*callbacks("action", lambda: self.over(play)))

        return subscribe

    def start(self, label):
        return self.starting(self.lines[label], self.begun.setdefault(label, []))

    def subscribe(self, label):
        return self.subscribing(self.lines[label], self.begun.setdefault(label, []))

    def log(self, told):
        """Has the library's log told to a function."""
        rac.rac_set_log(*callbacks("log", told))
        self.is_logging = True

    def from_a_thread(self, label):
        """The line, each event sent by another thread, which has come back
        meanwhile."""
        subject = self.own(rac.rac_subject_create())
        play = Play(self.lines[label], 0)
        self.play_to(subject, "subject", play, 0, elsewhere=True)
        self.begun[label] = [0]
        return rac.rac_subject_as_signal(subject)

    def hear_batches(self, signal, label, count):
        """The line is of the values of each batch."""
        hearing = Hearing(self, Line(label, 0, []))
        self.heard[label] = hearing.line
        observer = C.rac_batch_observer(
            size=racffi.ctypes.sizeof(C.rac_batch_observer),
            context=hearing.context(),
            next_values=racffi.call["rac_next_values_fn"],
            completed=racffi.call["rac_completed_fn"],
            destroy=racffi.destroy,
        )
        self.subscriptions.append(
            self.own(rac.rac_subscribe_batches(signal, count, float("inf"), self.clock, observer))
        )

    def hear(self, signal, label):
        """Subscribes where the line begins."""
        line = self.heard[label] = Line(label, 0, [])

        def subscribe():
            line.begin = self.now()
            observer = racffi.Observer(
                racffi.ctypes.sizeof(racffi.Observer),
                Hearing(self, line).context(),
                call_next,
                racffi.call["rac_error_fn"],
                racffi.call["rac_completed_fn"],
                racffi.destroy,
            )
            self.subscriptions.append(self.own(rac.rac_subscribe(signal, observer)))

        begin = self.lines[label].begin if label in self.lines else self.now()
        self.after(begin, subscribe) if begin > self.now() else subscribe()

    def results(self, inputs):
        """The lines that are neither played nor told."""
        others = set(inputs) | set(self.heard) | {"subscription"}
        return [each for each in self.lines if each not in others and not re.match("[A-Z]$", each)]

    def made(self, made):
        """What is made of it, by the labels: the signals of the last lines that are neither
        played nor told. Signals above them are played when a callback asks for it."""
        made = made if isinstance(made, list) else [made]
        return dict(zip(self.results(self.begun)[-len(made) :], made)) if made else {}

    def play(self, made):
        """Subscribes to signals by their labels, and lets the time of the diagram pass."""
        for label, signal in made.items():
            self.hear(signal, label)
        if "subscription" in self.lines:
            self.after(
                next(time for time, sign, _ in self.lines["subscription"].events if sign == "!"),
                lambda: [rac.rac_dispose(each) for each in self.subscriptions],
            )
        racffi.check(rac.rac_virtual_advance_to(self.clock, self.length - 1))
        self.is_over = True
        for subscription in self.subscriptions:
            rac.rac_dispose(subscription)
        return self.heard

    def differences(self):
        """What was heard otherwise than it is drawn, as text."""
        said = []
        for label, line in self.heard.items():
            drawn = self.lines.get(label)
            if drawn is None:
                said.append("{} is not drawn".format(label))
            elif line != drawn:
                line.length = drawn.length
                said.append(
                    "{}\n  drawn  {}\n  heard  {}".format(
                        label, draw(drawn, self.legend), draw(line, self.legend)
                    )
                )
        for label, begun in self.begun.items():
            if self.lines[label].begin not in begun:
                said.append(
                    "{} begins at {}; somebody subscribed at {}".format(
                        label, self.lines[label].begin, begun or "no time"
                    )
                )
        unheard = set(self.lines) - set(self.heard) - set(self.begun) - {"subscription"}
        return said + ["{} is not heard".format(label) for label in sorted(unheard)]


def retaining(function):
    """Of callbacks that give away the handle that they write."""

    def call(*arguments):
        result = function(*arguments)
        if isinstance(result, tuple):
            return result[0], rac.rac_retain(result[1])
        return rac.rac_retain(result) if result else None

    return call


class Hearing:
    def __init__(self, stage, line):
        self.stage, self.line = stage, line

    def context(self):
        return register(
            {
                "rac_next_fn": self.next,
                "rac_next_values_fn": lambda values, count: list(map(self.next, values[:count])),
                "rac_error_fn": lambda error: self.note("#"),
                "rac_completed_fn": lambda: self.note("|"),
            }
        )

    def note(self, kind, text=""):
        self.line.events.append((self.stage.now(), kind, text))
        self.line.causes.append(self.stage.sending)

    def next(self, value):
        if value.kind != C.RAC_SIGNAL:
            self.note(" ", value_text(racffi.from_rac(value)))
            return self.stage.heeding(racffi.from_rac(value))
        # The signals that come are A, B and so on, and heard from then on.
        name = "ABCDEFGH"[sum(len(label) == 1 and label.isupper() for label in self.stage.heard)]
        self.note(" ", name)
        self.stage.hear(self.stage.own(rac.rac_value_to_signal(value)), name)


@racffi.CALLBACKS["rac_next_fn"]
def call_next(context, value):
    """With the value itself: in Python a signal would be one word."""
    try:
        Contexts.alive[context]["rac_next_fn"](value)
    except Exception as exception:
        Contexts.escaped.append(repr(exception))
