"""What rac.h says in C's words, of memory, statuses and states, and what help() says in
its place: by function, parts of its comment, and by function and argument, all of it.
What is not in the comment any more stops the build."""

PARTS = {
    "rac_signal_sum": [
        ("Adds up numbers, and sends the sum when the source completes; 0 if there were none.",
         "Adds up what comes, and sends the sum when the source completes; 0 if there was "
         "nothing."),
        ("Integers are added exactly: a sum that is beyond 64 bits in between is right in the "
         "end, and one that stays so is an error, of domain \"rac\" and code RAC_ERANGE. A "
         "double among them makes the sum a double, with the rounding made up for (Neumaier); "
         "a NaN makes it NaN. A truth value counts as 0 or 1. Another value is an error, "
         "RAC_EKIND.",
         "As Python's own sum(): what is neither an int nor a float, as Decimal and Fraction, "
         "is added by its own operator. The rounding of floats is made up for (Neumaier), as "
         "from Python 3.12 on. What is raised ends the stream."),
    ],
    "rac_signal_average": [
        ("Sends the mean of all numbers, a double, when the source completes; nothing if there "
         "were none.",
         "Sends the mean of all values when the source completes; nothing if there were none."),
        ("as rac_signal_sum() makes it but of any size, divided by how many there were.",
         "as sum() makes it, divided by how many there were: a float for ints and floats, a "
         "Decimal or a Fraction for those."),
    ],
    "rac_signal_rolling": [
        ("of the last ones: a double.", "of the last ones: a float."),
        ("Integers and truth values, as 0 or 1, count as doubles; another value is an error, of "
         "domain \"rac\" and code RAC_EKIND.",
         "Whatever has __index__() or __float__() counts, as a float; another value ends the "
         "stream with a TypeError."),
        ("a sum keeps twice the digits of a double", "a sum keeps twice the digits of a float"),
        ("A sum beyond all doubles", "A sum beyond all floats"),
        ("No callback is called: arrays sent with rac_subject_send_array() and heard with "
         "rac_subscribe_batches() go through it without a call for each value.",
         "Arrays sent with send_array() and heard with subscribe_arrays() go through it without "
         "a step into Python."),
    ],
    "rac_signal_create": [
        ("To send after it has returned it must rac_retain() the subscriber; dropping the "
         "last reference before an end was sent ends the subscription silently.",
         "It may keep the observer to send after it has returned; when nobody keeps it "
         "before an end was sent, the subscription ends silently. What it returns, if it is "
         "callable or a disposable, is called or disposed when the subscription ends."),
    ],
    "rac_signal_create_bounded": [
        ("Sends answer as those to a rac_subject_create_bounded() do, and RAC_EDONE as soon "
         "as the subscription has ended or was disposed, also when they have begun to wait.",
         "Sends answer as those to a bounded Subject do, and go nowhere as soon as the "
         "subscription has ended or was disposed, also when they have begun to wait."),
    ],
    "rac_signal_connect": [
        ("rac_socket_descriptor() gives its number. Hand that over, with RAC_DESCRIPTOR_OWNED, to "
         "each signal that reads or writes it, here two:",
         "fileno() gives its number. Hand that over, as owned, to each signal that reads or "
         "writes it, here two:"),
        ("int fd = rac_socket_descriptor(connection);", "fd = connection.fileno()"),
        ("lines = rac_signal_lines(fd, RAC_DESCRIPTOR_OWNED, 0, NULL);",
         "lines = rac.lines(fd, owned=True)"),
        ("sent = rac_signal_write(requests, fd, RAC_DESCRIPTOR_OWNED, NULL, NULL);",
         "sent = requests.write(fd, owned=True)"),
    ],
    "rac_signal_listen": [
        ("rac_socket_peer() says who has connected.", "Its attribute peer says who has connected."),
    ],
    "rac_signal_never": [
        ("As nobody can send to its subscribers, a subscription to it alone is let go, and "
         "its destroy runs, before rac_subscribe() returns.",
         "As nobody can send to its subscribers, a subscription to it alone is let go "
         "before subscribe() returns."),
    ],
    "rac_signal_from_values": [("the values of an array", "what it is given")],
    "rac_dispose_and_wait": [
        ("waits until its `destroy` has run: its context, and all that the callbacks used, may be freed "
         "then.",
         "waits until none of its functions runs, or ever will."),
    ],
    "rac_scoped_disposable_create": [
        ("when its own last reference goes", "when nobody holds it any more"),
    ],
    "rac_signal_try": [
        ("Passes each value once a callback has returned RAC_OK for it; a failure ends the "
         "stream.",
         "Passes each value once a function has returned for it, whatever it returns; what "
         "it raises ends the stream."),
    ],
    "rac_signal_expand": [
        ("With a transform that never leaves `*out` NULL", "With a transform that never "
         "returns None"),
    ],
    "rac_signal_bind": [("Leaving `*out` NULL stops", "Returning None stops")],
    "rac_signal_flatten": [("nil counts as", "None counts as")],
    "rac_signal_switch_to_latest": [("nil counts as", "None counts as")],
    "rac_signal_retry_when": [("to `*out`", "")],
    "rac_signal_step": [
        ("Each subscription has a state, `state_size` bytes that are zero at first: "
         "`step->state`. `step->event` says which event has come. The callback sends values "
         "with rac_step_send(), and a last one by writing it to `*out`. Then it returns RAC_OK "
         "to go on, RAC_STEP_COMPLETE to complete, or a negative number to fail. An end goes "
         "on by itself, after the values; RAC_STEP_COMPLETE or a failure replaces it. "
         "docs/YourOwnOperator.md writes three operators so.",
         "`make` is called for each subscription and returns its function, f(kind, value, "
         "send): kind is \"next\", \"error\" or \"completed\", value what came with it. It "
         "calls send(value) as often as it likes, and returns True to complete; what it "
         "raises is the error. An end goes on by itself, after the values."),
        ("so the state needs no lock", "so what the function remembers needs no lock"),
    ],
    "rac_signal_deliver_on": [
        ("a subscriber's destroy runs on the scheduler",
         "a subscriber's functions go on the scheduler"),
    ],
    "rac_bound_set_timeout": [("before it answers RAC_ETIMEDOUT", "before it raises TimedOut")],
    "rac_record_start": [
        ("with it as RAC_RECORDS_COUNTERS does", "with it as `counters` does"),
    ],
    "rac_property_as_signal": [
        ("when the last reference to the property is released", "when nobody holds the "
         "property any more"),
    ],
    "rac_property_changes": [
        ("when the last reference to the property is released", "when nobody holds the "
         "property any more"),
    ],
    "rac_property_bind": [
        ("unless one is RAC_PROPERTY_DISTINCT", "unless one is distinct"),
        ("or the property's last reference goes", "or nobody holds the property any more"),
    ],
    "rac_property_batch_begin": [
        ("there rac_property_get() answers the value from before. On this thread it answers the "
         "value that the batch has set",
         "there `value` is the one from before. On this thread it is the one that the batch has set"),
        (" rac_property_set() answers RAC_QUEUED.", ""),
    ],
    "rac_property_terminal": [
        ("a send after that answers RAC_EDONE", "what is sent after that goes nowhere"),
    ],
    "rac_command_create": [("When the last reference goes", "When nobody holds it any more")],
    "rac_sequence_from_values": [("the values of an array", "what it is given")],
    "rac_sequence_generate": [
        ("With a state of its own in `context` it turns anything that gives one thing after "
         "another into a sequence: the callback is called once for each value, in order.",
         "The function is called once for each value, in order, when that is asked for."),
    ],
    "rac_sequence_create": [
        ("A callback that wants the sequence itself to follow keeps the number of its handle "
         "without a reference, and retains it when it returns it.",
         "What `tail` returns may be made in the same way, and so without an end."),
    ],
    "rac_sequence_from_signal": [("but answers RAC_EDEADLK", "but raises Deadlock")],
    "rac_sequence_ignore": [("; nil drops nil", "")],
    "rac_sequence_flatten": [("nil counts as", "None counts as")],
    "rac_sequence_bind": [("Leaving `*out` NULL ends", "Returning None ends")],
}

ARGUMENTS = {
    ("rac_bound_create", "policy"):
        '"drop_oldest", "drop_newest", "latest", "error", "refuse" or "wait".',
    ("rac_bound_set_timeout", "seconds"): "negative for ever; 0 raises at once.",
    ("rac_command_create", "execute"):
        "gets the input, and returns a signal, or what from_() makes one of. It is called on "
        "the thread that executes, perhaps on several at a time where executions may be "
        "concurrent. What it raises, or None, makes an execution that fails.",
    ("rac_command_create", "enabled"):
        "a signal of truth values, of which the latest counts, and true before the first; "
        "subscribed to now, for as long as somebody holds the command. None: always enabled. "
        "If it fails, or sends something else, the command stays disabled.",
    ("rac_property_bind", "nil_value"): "set in place of None.",
    ("rac_property_combine_latest", "properties"):
        "the derived property's signal completes when one of them goes, and its value stays.",
    ("rac_property_create_adapter", "get"):
        "returns the value. Runs whenever the value is wanted, on the thread that wants it, "
        "perhaps while another one runs `set`: guard what several threads use. Once now.",
    ("rac_property_create_adapter", "set"):
        "stores the value it is given, or raises to refuse it. No two run at the same time. "
        "What `get` then says is what subscribers are sent. None for a property that is "
        "read-only.",
    ("rac_property_terminal", "nil_value"): "set in place of None.",
    ("rac_schedule_recursive", "action"): "gets a Recursion, with which it asks for more.",
    ("rac_scheduler_background", "priority"):
        '"high", "default", "low" or "background"; among waiting schedulers the higher goes '
        "first.",
    ("rac_scheduler_over_queue", "enqueue"):
        "gets the scheduler; keep it until the turn has been taken. When nobody holds it any "
        "more the jobs that wait are disposed.",
    ("rac_sequence_create", "head"):
        "returns the first value.",
    ("rac_sequence_create", "tail"): "returns the sequence that follows; None for nothing.",
    ("rac_sequence_from_signal", "timeout"):
        "how long to wait for one value, in seconds; then TimedOut is raised, and one may "
        "ask again. None waits for ever.",
    ("rac_record_start", "options"): "whether there are no events, until a tool asks for them.",
    ("rac_sequence_from_signal", "bound"): "says how many values wait to be read.",
    ("rac_sequence_generate", "generate"):
        "gets the state, and returns a value and the next state as a tuple; None at the end.",
    ("rac_sequence_ignore", "value"): "",
    ("rac_sequence_reduce_each", "reduce"): "gets the elements, each as an argument.",
    ("rac_serial_disposable_set", "disposable"):
        "None empties it. Disposed at once if this one is.",
    ("rac_serial_disposable_swap", "disposable"):
        "may be None. Disposed at once if this one is.",
    ("rac_signal_at_times", "zone"): '"utc", or "local" by the process\'s time zone (TZ).',
    ("rac_signal_bind", "transform"):
        "returns a signal, or what from_() makes one of; None stops. What it raises ends the "
        "stream.",
    ("rac_signal_catch", "handler"):
        "gets the exception, and returns a signal, or what from_() makes one of.",
    ("rac_signal_create", "subscribe"):
        "gets an Observer; runs for each subscription, on the subscription scheduler.",
    ("rac_signal_create_bounded", "subscribe"): "as in create().",
    ("rac_signal_deliver_on", "scheduler"):
        "a virtual one still ends when nobody holds it: then nothing more is delivered, and "
        "the subscription ends without an event.",
    ("rac_signal_deliver_on_bounded", "scheduler"): "as in deliver_on().",
    ("rac_signal_do_completed", "action"): "called without arguments.",
    ("rac_signal_do_error", "action"): "gets the exception.",
    ("rac_signal_error", "error"): "an exception.",
    ("rac_signal_file_changes", "changes"):
        "of those in sys/inotify.h, added up. 0: modified, created, deleted, renamed.",
    ("rac_signal_tail", "start"):
        "-1: where the file ends when it is subscribed to; 0: its beginning; or an offset that "
        "came with a line, to go on behind that. An offset behind the end, and a file that is "
        "not there yet, stand for the beginning.",
    ("rac_signal_ignore", "value"): "",
    ("rac_signal_reduce_each", "reduce"):
        "gets the elements, each as an argument; what it raises ends the stream.",
    ("rac_signal_retry_when", "notifier"):
        "gets the exception and how many came before it in this subscription; returns a "
        "signal, None for an empty one. What it raises is the stream's error.",
    ("rac_signal_retry_with_backoff", "most"): "seconds, `first` or more; None for no limit.",
    ("rac_signal_start_eagerly", "scheduler"): "where `start` is called.",
    ("rac_signal_start_lazily", "scheduler"): "where `start` is called.",
    ("rac_signal_step", "step"):
        "called for each subscription; returns f(kind, value, send).",
    ("rac_signal_subscribe_on", "scheduler"): "where the source is subscribed to.",
    ("rac_signal_try", "attempt"): "what it raises becomes the stream's error.",
    ("rac_subject_send_error", "error"): "an exception.",
    ("rac_subscriber_send_error", "error"): "an exception.",
}
