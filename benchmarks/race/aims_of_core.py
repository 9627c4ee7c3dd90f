"""Aims of signals, subscriptions and chains: ratios within one race, or instructions,
which a busy machine does not change."""

from .figures import aim, beside, counted, of_floor, sized

# What flattenMap may take beyond what its values become, subscribed to without it.
FLATTENED = 350


def _flattened(key, text, alone, beyond="that alone"):
    def value(f):
        return f.counted(key) - f.counted(alone)

    return counted(key, text + ", beyond " + beyond, FLATTENED, value)


def _bytes(key, text, limit):
    return aim(key, text, limit, "bytes", lambda f: f.librac(key, "bytes"))


AIMS = [
    of_floor("send to 1 subscriber", 4, "send:1"),
    aim(
        "cpp send:1",
        "send to 1 subscriber",
        0.5,
        "× the best C++ peer",
        lambda f: f.of_cpp("send:1"),
    ),
    of_floor("a delivery to 1,000 subscribers", 1.3, "send:1000"),
    aim(
        "floor send-library:1000",
        "a delivery to 1,000 subscribers",
        1.3,
        "× the C loop in a library",
        lambda f: f.librac("send-library:1000") / f.get("floor", "send-library:1000"),
    ),
    aim(
        "subjects",
        "100,000 subjects in turn",
        1.2,
        "× the slot list",
        lambda f: f.librac("subjects:100000") / f.get("slot list", "subjects:100000"),
    ),
    counted("string", "a text that is lent", 170, lambda f: f.counted("string")),
    counted(
        "string-copied",
        "a text made for a send",
        280,
        lambda f: f.counted("string-copied"),
    ),
    counted(
        "text-map",
        "a lent text, filtered, mapped to a copy",
        575,
        lambda f: f.counted("text-map"),
    ),
    counted(
        "further map",
        "a further map with its callback",
        27,
        lambda f: (f.counted("maps:10") - f.counted("maps:1")) / 9,
    ),
    # What it was before rows, in instructions and beside a send: how many times the C
    # loop it takes depends on the processor's compare-and-swap.
    counted("one map", "a single map (was 145)", 170, lambda f: f.counted("maps:1")),
    counted("job", "a line of a log (was 1,481)", 1240, lambda f: f.counted("job")),
    counted("debounce", "send into a debounce (was 271)", 220, lambda f: f.counted("debounce")),
    *(
        aim("cpp " + key, text, 1.0, "× the best C++ peer", lambda f, key=key: f.of_cpp(key))
        for key, text in (("job", "a line of a log"), ("debounce", "send into a debounce"))
    ),
    beside("maps:1", "a single map (was 1.93)", 1.93, "× a send", "maps:1", "send:1"),
    beside("maps:10", "ten maps (0.8 of 11.3)", 9.04, "× a send", "maps:10", "send:1"),
    beside(
        "ten maps",
        "subscribe + dispose through ten maps",
        1.1,
        "× through one",
        "subscribe-maps:10",
        "subscribe-maps:1",
    ),
    _bytes("bytes-maps:10", "a live subscription through ten maps", 250),
    _flattened("flatten-map-create", "flattenMap to create", "create:1"),
    _flattened(
        "flatten-map-inside",
        "the same inside another subject's delivery",
        "alone-inside",
        "that alone inside one",
    ),
    _flattened("flatten-map-mapped", "flattenMap to a mapped return", "alone-mapped"),
    _flattened("flatten-map-empty", "flattenMap to empty", "alone-empty"),
    _flattened("flatten-map-hot", "flattenMap to a hot signal", "alone-hot"),
    beside(
        "attached",
        "flattenMap to create on an attached thread",
        1.1,
        "× on the main one",
        "flatten-map-elsewhere",
        "flatten-map-create",
    ),
    beside(
        "worker",
        "flattenMap to create on a background scheduler",
        1.1,
        "× on the main one",
        "flatten-map-worker",
        "flatten-map-create",
    ),
    counted(
        "create:1", "create + subscribe + 1 value + end", 900, lambda f: f.counted("create:1")
    ),
    counted(
        "property-set:0",
        "a set with one observer (was 110)",
        102,
        lambda f: f.counted("property-set:0"),
    ),
    counted(
        "property-unheard:0",
        "a set that nobody hears (was 107)",
        89,
        lambda f: f.counted("property-unheard:0"),
    ),
    counted(
        "derived-map:1",
        "a set with one derived property (was 569)",
        405,
        lambda f: f.counted("derived-map:1"),
    ),
    counted("create:1000", "a value of create", 62, lambda f: f.counted("create:1000")),
    counted("subscribe", "subscribe + dispose", 550, lambda f: f.counted("subscribe:0")),
    beside(
        "subscribe beside a million",
        "subscribe + dispose beside 1,000,000",
        1.2,
        "× beside none",
        "subscribe:1000000",
        "subscribe:0",
    ),
    _bytes("bytes-subscription", "a live subscription", 96),
    _bytes("bytes-signal", "a subject", 160),
    sized(
        "size engine",
        "librac.so without the operators that RAC did not have",
        614400,
        lambda size: size["engine"],
    ),
    sized(
        "size operator",
        "one of these operators, on average",
        3072,
        lambda size: sum(size["operators"].values()) / len(size["operators"]),
    ),
    sized(
        "size dearest",
        "the dearest of them",
        3072,
        lambda size: max(size["operators"].values()),
    ),
]
