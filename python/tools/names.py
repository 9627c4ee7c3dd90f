"""What the functions of rac.h are called in Python, and what their parameters are there,
where that does not follow from the C declaration. Names are Rx's and Python's words:
`debounce`, `throttle`, `sample` and `timeout` mean what they mean in Rx."""

# The C function, without its class's prefix, and its name in Python.
RENAMED = {
    "rac_signal_reduce_each": "starmap",
    "rac_signal_throttle": "debounce",
    "rac_signal_throttle_first": "throttle",
    "rac_signal_sample_when_new": "sample",
    "rac_signal_log_all": "log",
    "rac_counter_get": "value",
    "rac_signal_from_values": "of",
    "rac_signal_error": "throw",
    "rac_signal_from_factory": "from_callable",
    "rac_sequence_from_values": "of",
    "rac_sequence_flatten_map": "flat_map",
    "rac_sequence_reduce_each": "starmap",
    "rac_sequence_signal": "to_signal",
    "rac_sequence_object_passing_test": "first_passing",
    "rac_sequence_hash": "content_hash",
    "rac_sequence_to_array": "to_tuple",
    "rac_property_create_adapter": "adapter",
    "rac_property_as_signal": "signal",
    "rac_schedule": "schedule",
    "rac_is_disposed": "is_disposed",
    "rac_reschedule": "again",
    "rac_channel_get_leading": "leading",
    "rac_channel_get_following": "following",
}

# Functions of the engine that are parts of one word of Python's: the package's modules call
# them by the name with the underscore, and errors and notes say the word.
PARTS = {
    "rac_signal_flatten_map": ("_flat_map", "flat_map"),
    "rac_signal_flatten_map_limited": ("_flat_map_limited", "flat_map"),
    "rac_signal_flatten": ("_flatten", "flatten"),
    "rac_signal_flatten_bounded": ("_flatten_bounded", "flatten"),
    "rac_signal_deliver_on": ("_deliver_on", "deliver_on"),
    "rac_signal_deliver_on_bounded": ("_deliver_on_bounded", "deliver_on"),
    "rac_signal_merge": ("_merge", "merge"),
    "rac_signal_merge_bounded": ("_merge_bounded", "merge"),
    "rac_signal_merge_delay_error": ("_merge_delay_error", "merge"),
    "rac_signal_concat_all": ("_concat", "concat"),
    "rac_signal_concat_delay_error": ("_concat_delay_error", "concat"),
    "rac_signal_combine_latest": ("_combine_latest", "combine_latest"),
    "rac_signal_combine_latest_delay_error": ("_combine_latest_delay_error", "combine_latest"),
    "rac_signal_create": ("_create", "create"),
    "rac_signal_create_bounded": ("_create_bounded", "create"),
    "rac_signal_interval": ("_interval", "interval"),
    "rac_signal_interval_with_leeway": ("_interval_with_leeway", "interval"),
    "rac_signal_distinct_until_changed": ("_distinct_until_changed", "distinct_until_changed"),
    "rac_signal_distinct_until_changed_by": (
        "_distinct_until_changed_by", "distinct_until_changed"),
    "rac_signal_take_while": ("_take_while", "take_while"),
    "rac_signal_take_until_inclusive": ("_take_until_inclusive", "take_while"),
    "rac_signal_start_with": ("_start_with", "start_with"),
    "rac_signal_scan_without_start": ("_scan_without_start", "scan"),
    "rac_signal_aggregate": ("_reduce", "reduce"),
    "rac_signal_buffer_with_count": ("_buffer_with_count", "buffer"),
    "rac_signal_buffer_with_time": ("_buffer_with_time", "buffer"),
    "rac_signal_buffer_with_time_or_count": ("_buffer_with_time_or_count", "buffer"),
    "rac_signal_window": ("_window", "window"),
    "rac_signal_window_with_time": ("_window_with_time", "window"),
    "rac_signal_window_with_count": ("_window_with_count", "window"),
    "rac_signal_window_toggle": ("_window_toggle", "window"),
    "rac_signal_catch": ("_catch", "catch"),
    "rac_signal_catch_to": ("_catch_to", "catch"),
    "rac_signal_idle_timeout": ("_timeout", "timeout"),
    "rac_signal_idle_timeout_to": ("_timeout_to", "timeout"),
    "rac_signal_audit": ("_audit", "audit"),
    "rac_signal_audit_until": ("_audit_until", "audit"),
    "rac_signal_delay_subscription": ("_delay_subscription", "delay_subscription"),
    "rac_signal_delay_subscription_until": (
        "_delay_subscription_until", "delay_subscription"),
    "rac_signal_publish": ("_publish", "publish"),
    "rac_signal_multicast": ("_multicast", "publish"),
    "rac_signal_min": ("_min", "min"),
    "rac_signal_max": ("_max", "max"),
    "rac_signal_spawn": ("_spawn", "spawn"),
}
# ReactiveCocoa's own words, which cocoa.py has.
COCOA = {
    "rac_signal_aggregate_with_index": "reduce_with_index",
    "rac_signal_aggregate_with_factory": "reduce_with_factory",
    "rac_signal_and": "and_",
    "rac_signal_bind": "bind",
    "rac_signal_combine_previous": "combine_previous",
    "rac_signal_finally": "finally_",
    "rac_signal_if": "if_",
    "rac_signal_ignore": "ignore",
    "rac_signal_initially": "initially",
    "rac_signal_map_replace": "map_replace",
    "rac_signal_not": "not_",
    "rac_signal_or": "or_",
    "rac_signal_replay": "replay",
    "rac_signal_replay_last": "replay_last",
    "rac_signal_replay_lazily": "replay_lazily",
    "rac_signal_sample": "sample_repeating",
    "rac_signal_scan_with_index": "scan_with_index",
    "rac_signal_skip_until_predicate": "skip_until_predicate",
    "rac_signal_start_eagerly": "start_eagerly",
    "rac_signal_start_lazily": "start_lazily",
    "rac_signal_step": "step",
    "rac_signal_take_until_predicate": "take_until_predicate",
    "rac_signal_take_until_replacement": "take_until_replacement",
    "rac_signal_then": "then",
    "rac_signal_throttle_passing_test": "debounce_passing_test",
    "rac_signal_timeout": "complete_within",
    "rac_signal_try": "try_",
    "rac_sequence_from_signal": "to_sequence",
}

# Which C functions are written by hand, and where, or are not for Python. What is
# neither here nor made by calls.py stops the build.
BY_HAND = {
    "rac_signal_concat": "concat(*signals) is a method, too",
    "rac_signal_merge_with": "merge(other)",
    "rac_signal_zip_with": "zip(other)",
    "rac_signal_combine_latest_with": "combine_latest(other)",
    "rac_signal_combine_latest_reduce": "combine_latest(…).starmap(function)",
    "rac_signal_zip_reduce": "zip(…).starmap(function)",
    "rac_signal_try_map": "map(), whose function may raise",
    "rac_signal_deliver_on_main": "deliver_on(Scheduler.main())",
    "rac_signal_log_next": "log()",
    "rac_signal_log_error": "log()",
    "rac_signal_log_completed": "log()",
    "rac_signal_return": "of(value)",
    "rac_sequence_return": "Sequence.of(value)",
    "rac_signal_map": "stages.c",
    "rac_signal_filter": "stages.c",
    "rac_signal_scan": "stages.c",
    "rac_signal_do_next": "stages.c",
    "rac_signal_distinct_until_changed": "stages.c",
    "rac_signal_distinct_until_changed_by": "stages.c",
    "rac_signal_switch": "signal.c",
    "rac_signal_get_key": "signal.c: key",
    "rac_signal_set_name": "signal.c: named",
    "rac_signal_describe": "signal.c: description",
    "rac_signal_first": "first().wait()",
    "rac_signal_first_or_default": "wait() and for",
    "rac_signal_to_array": "wait() and for",
    "rac_signal_wait_until_completed": "wait() and for",
    "rac_signal_asynchronous_first_or_default": "wait() and for",
    "rac_signal_asynchronously_wait_until_completed": "wait() and for",
    "rac_lift": "signal.c",
    "rac_lift_arguments": "signal.c",
    "rac_step_send": "step.c",
    "rac_subscribe": "subscribing.c",
    "rac_subscribe_next": "subscribing.c",
    "rac_subscribe_inline": "every subscription is, gil.c",
    "rac_subscribe_batches": "arrays.c",
    "rac_subscriber_send": "subject.c",
    "rac_subject_send": "subject.c",
    "rac_subscriber_hold": "create.c: room() of room.py asks",
    "rac_subject_create": "subject.c",
    "rac_subject_create_bounded": "subject.c",
    "rac_subject_as_signal": "a Subject is a Signal",
    "rac_subject_as_subscriber": "subscribe_to takes a Subject",
    "rac_subject_send_array": "send_many.c",
    "rac_subscriber_send_array": "send_many.c",
    "rac_subscriber_add_disposable": "create.c",
    "rac_disposable_create": "create.c",
    "rac_schedule_after": "scheduler.c",
    "rac_sequence_iterate": "sequence.c",
    "rac_sequence_next": "sequence.c",
    "rac_sequence_next_for": "sequence.c",
    "rac_sequence_fold_left": "sequence.c",
    "rac_sequence_fold_right": "sequence.c",
    "rac_sequence_tail": "sequence.c",
    "rac_sequence_step": "sequences have iterators: write a generator",
    "rac_property_create": "Property() without a bound",
    "rac_property_set": "property.c",
    "rac_property_get": "property.c",
    "rac_property_batch": "property_batch_begin and _end",
    "rac_main_run": "waiting.c",
    "rac_main_run_for": "waiting.c",
    "rac_main_run_until": "waiting.c",
    "rac_main_stop": "waiting.c",
    "rac_set_trace": "process.c",
    "rac_record_set_locator": "hooks.c",
    "rac_set_log": "process.c",
    "rac_set_unhandled_error": "process.c",
    "rac_report_unhandled_error": "process.c",
    "rac_report_live_handles": "process.c",
    "rac_close": "process.c",
    "rac_set_settle_at_exit": "process.c",
    "rac_set_blocking_hook": "gil.c",
    "rac_set_thread_hook": "gil.c",
    "rac_set_interruption_hook": "gil.c",
    "rac_visit_contexts": "cycles.c",
    "rac_object_class_register": "values.c",
    "rac_set_subscribe_inline": "gil.c",
    "rac_reinitialize": "process.c",
    "rac_socket_descriptor": "socket.c: fileno",
    "rac_socket_peer": "socket.c: peer",
    "rac_thread_attach": "threads start cold signals at once: gil.c",
    "rac_thread_detach": "gil.c",
}
# Functions that run jobs of others, whose exceptions do not come out of them.
FOR_OTHERS = {"rac_main_drain", "rac_main_drain_for", "rac_settle", "rac_scheduler_take_turn"}
# Functions without a stream to give an error to: a callback's exception comes out of the call.
RAISED = {"rac_property_map", "rac_property_modify", "rac_property_combine_latest",
          "rac_property_create_adapter", "rac_sequence_any", "rac_sequence_all"}
# Operators in numbers.c, which knows Python's order and addition.
INSTEAD = {
    "rac_signal_from_values": "values_of", "rac_signal_sum": "sum_of", "rac_signal_average": "average_of",
    "rac_signal_min": "least_of", "rac_signal_max": "greatest_of",
}
# Operators that take the numbers of a signal, whatever their classes are: numbers.c.
OF_OTHERS = {
    "rac_signal_rolling": ("rac_signal", "numbers_of(call->self, \"{}\")"),
    # Operators that look inside of tuples, which are Python's own until then.
    "rac_signal_reduce_each": ("rac_signal", "tuples_of(call->self)"),
    "rac_signal_and": ("rac_signal", "tuples_of(call->self)"),
    "rac_signal_or": ("rac_signal", "tuples_of(call->self)"),
    # Those that want the engine's own texts and bytes.
    "rac_signal_write": ("rac_signal", "texts_of(call->self)"),
    "rac_signal_split_by": ("rac_signal", "texts_of(call->self)"),
    "rac_signal_split_by_delimiter": ("rac_signal", "texts_of(call->self)"),
    "rac_signal_split_by_length": ("rac_signal", "texts_of(call->self)"),
    "rac_signal_add_delimiter": ("rac_signal", "texts_of(call->self)"),
    "rac_signal_add_length": ("rac_signal", "texts_of(call->self)"),
    "rac_sequence_reduce_each": ("rac_sequence", "sequence_of_tuples(call->self)"),
}
# One function in C, several in Python: for each name what is passed for a parameter that Python
# does not have, what the comment says otherwise, and the name and kind of parameters.
CHARACTERS = (
    "\n\nA character is a code point with the marks that belong to it: combining marks, variation "
    "selectors, joined emoji, the two halves of a flag, CR LF. Marks of scripts that need "
    "Unicode's tables stand for themselves.")
ELEMENTS = (
    "the parts of a value: the elements of a tuple, nil ones included; the characters of a "
    "text, each a text; or bytes, each an integer from 0 to 255.")
BOUND = "A number of a bound: as it was made with, or a count over all places that have it."
VARIANTS = {
    "rac_signal_rolling": {
        "rolling_mean": ({"statistic": "RAC_ROLLING_MEAN"}, [("a statistic", "the mean")], {}),
        "rolling_variance": (
            {"statistic": "RAC_ROLLING_VARIANCE"}, [("a statistic", "the variance")], {}),
        "rolling_min": ({"statistic": "RAC_ROLLING_MIN"}, [("a statistic", "the least")], {}),
        "rolling_max": ({"statistic": "RAC_ROLLING_MAX"}, [("a statistic", "the greatest")], {}),
    },
    "rac_bound_get": {
        name: ({"what": "RAC_BOUND_" + name.upper()}, [(BOUND, said)], {})
        for name, said in (
            ("capacity", "How many values may wait."),
            ("policy", "What happens to a value for which there is no room."),
            ("length", "How many values wait now, in all that has been given the bound."),
            ("highest", "How many values have waited at once, at most."),
            ("dropped", "How many values were dropped because there was no room: those that came "
             "and those that gave way. What a disposal drops, and what was refused, is not counted."),
        )
    },
    "rac_sequence_from_elements": {
        "from_tuple": (
            {}, [(ELEMENTS, "the elements of a tuple, None among them."), (CHARACTERS, "")],
            {"value": ("tuple", "TUPLE")}),
        "from_text": (
            {}, [(ELEMENTS, "the characters of a text, each a text.")],
            {"value": ("text", "STRING")}),
        "from_bytes": (
            {}, [(ELEMENTS, "bytes, each a number from 0 to 255."), (CHARACTERS, "")],
            {"value": ("bytes", "BYTES")}),
    },
}
# Operators that make errors themselves, and their code: with_notes() puts notes on them.
FAILS = {
    "rac_signal_flatten": "RAC_EKIND", "rac_signal_switch_to_latest": "RAC_EKIND",
    "rac_signal_not": "RAC_EKIND", "rac_signal_and": "RAC_EKIND",
    "rac_signal_or": "RAC_EKIND", "rac_signal_if": "RAC_EKIND",
    "rac_signal_pausable": "RAC_EKIND", "rac_signal_dematerialize": "RAC_EKIND",
    "rac_signal_reduce_each": "RAC_EKIND", "rac_signal_element_at": "RAC_ERANGE",
    "rac_signal_timeout": "RAC_SIGNAL_TIMED_OUT",
    "rac_signal_idle_timeout": "RAC_SIGNAL_TIMED_OUT",
    "rac_signal_deliver_on_bounded": "RAC_SIGNAL_OVERFLOW",
    "rac_signal_flatten_map_limited": "RAC_SIGNAL_OVERFLOW",
    "rac_signal_flatten_bounded": "RAC_EKIND RAC_SIGNAL_OVERFLOW",
    "rac_signal_merge_bounded": "RAC_SIGNAL_OVERFLOW",
}
# Functions whose callback runs when an object is let go of: garbage.c.
SPEAKING = {"rac_signal_do_finally", "rac_signal_using"}
# Chapters, and beginnings of names, of what values and references are made of.
INTERNAL = ("rac_value_", "rac_tuple_", "rac_error_", "rac_event_", "rac_last_error_",
            "rac_clear_last_error", "rac_retain", "rac_release", "rac_assign", "rac_raise",
            "rac_dispose_and_release", "rac_status_name", "rac_version")

# Parameters: kind and default, or a new name; None as default: required.
PARAMETERS = {
    ("rac_signal_retry", "count"): ("COUNT_OR_FOR_EVER", "None"),
    ("rac_signal_flatten", "max_concurrent"): ("COUNT_OR_FOR_EVER", "None"),
    ("rac_signal_share_replay", "count"): ("COUNT_OR_ALL", "None"),
    ("rac_signal_share_replay", "seconds"): ("SECONDS_OR_EVER", "None"),
    ("rac_signal_rolling", "count"): ("COUNT_OR_ALL", "None"),
    ("rac_signal_rolling", "seconds"): ("SECONDS_OR_EVER", "None"),
    ("rac_signal_retry_with_backoff", "factor"): ("SECONDS", "2.0"),
    ("rac_signal_retry_with_backoff", "most"): ("SECONDS_OR_EVER", "None"),
    ("rac_signal_retry_with_backoff", "jitter"): ("SECONDS", "0.0"),
    ("rac_signal_retry_with_backoff", "attempts"): ("COUNT_OR_FOR_EVER", "None"),
    ("rac_signal_at_times", "offset"): ("SECONDS", "0.0"),
    ("rac_signal_at_times", "zone"): ("ZONE", '"utc"'),
    ("rac_signal_file_changes", "changes"): ("INT", "0"),
    ("rac_signal_posix_signal", "number"): ("INT", None),
    ("rac_signal_spawn", "options"): ("INT", "0"),
    ("rac_signal_spawn", "grace"): ("SECONDS", "5.0"),
    ("rac_signal_tail", "start"): ("INT64", "-1"),
    ("rac_signal_tail", "offsets"): ("TRUTH", "False"),
    ("rac_signal_tail", "longest"): ("COUNT", "65536"),
    ("rac_signal_listen", "backlog"): ("INT", "0"),
    ("rac_signal_split_by", "longest"): ("INT", "0"),
    ("rac_signal_split_by_delimiter", "delimiter"): ("BYTES", None),
    ("rac_signal_split_by_delimiter", "longest"): ("INT", "0"),
    ("rac_signal_split_by_length", "longest"): ("INT", "0"),
    ("rac_signal_split_by_length", "little_endian"): ("TRUTH", "False"),
    ("rac_signal_add_delimiter", "delimiter"): ("BYTES", None),
    ("rac_signal_add_delimiter", "longest"): ("INT", "0"),
    ("rac_signal_add_length", "longest"): ("INT", "0"),
    ("rac_signal_add_length", "little_endian"): ("TRUTH", "False"),
    ("rac_signal_chunks", "size"): ("COUNT", "65536"),
    ("rac_signal_datagrams", "size"): ("COUNT", "65536"),
    ("rac_signal_lines", "longest"): ("COUNT", "65536"),
    ("rac_signal_any", "predicate"): ("CALL", "None"),
    ("rac_replay_subject_create", "capacity"): ("COUNT_OR_ALL", "None"),
    ("rac_scheduler_background", "priority"): ("PRIORITY", '"default"'),
    ("rac_scheduler_background", "name"): ("TEXT", "None"),
    ("rac_scheduler_over_queue", "name"): ("TEXT", "None"),
    ("rac_scheduler_take_turn", "max"): ("COUNT_OR_FOR_EVER", "None"),
    ("rac_schedule_repeating", "leeway"): ("SECONDS", "0.0"),
    ("rac_main_drain", "max"): ("COUNT_OR_FOR_EVER", "None"),
    ("rac_bound_create", "policy"): ("POLICY", None),
    ("rac_property_create_bounded", "bound"): ("BOUND", "None"),
    ("rac_property_bind", "nil_value"): ("VALUE", "None"),
    ("rac_property_terminal", "nil_value"): ("VALUE", "None"),
    ("rac_command_execute", "input"): ("VALUE", "None"),
    ("rac_sequence_range", "start"): ("INT64", None),
    ("rac_sequence_range", "step"): ("INT64", None),
}
# Python's names of parameters, where C's word would mislead.
PARAMETER_NAMES = {
    ("rac_signal_scan_with_index", "reduce"): "accumulator",
    ("rac_signal_scan_with_index", "start"): "seed",
    ("rac_signal_scan_without_start", "reduce"): "accumulator",
    ("rac_signal_aggregate", "reduce"): "accumulator",
    ("rac_signal_aggregate", "start"): "seed",
    ("rac_signal_aggregate_with_index", "reduce"): "accumulator",
    ("rac_signal_aggregate_with_index", "start"): "seed",
    ("rac_signal_aggregate_with_factory", "reduce"): "accumulator",
    ("rac_signal_combine_previous", "reduce"): "accumulator",
    ("rac_signal_combine_previous", "start"): "seed",
    ("rac_sequence_scan", "reduce"): "accumulator",
    ("rac_sequence_scan", "start"): "seed",
    ("rac_sequence_scan_with_index", "reduce"): "accumulator",
    ("rac_sequence_scan_with_index", "start"): "seed",
    ("rac_sequence_combine_previous", "reduce"): "accumulator",
    ("rac_sequence_combine_previous", "start"): "seed",
    ("rac_signal_reduce_each", "reduce"): "function",
    ("rac_sequence_reduce_each", "reduce"): "function",
    ("rac_signal_step", "step"): "make",
    ("rac_property_bind_two_way", "right"): "other",
    ("rac_signal_spawn", "options"): "options",
    ("rac_record_start", "options"): "counters",
    ("rac_property_bind_two_way_map", "right"): "other",
    ("rac_subscribe_subscriber", "subscriber"): "observer",
}
# Arguments that are not Python's to give.
FIXED = {
    ("rac_signal_step", "state_size"): "sizeof(PyObject *)",
    ("rac_signal_step", "clear"): "clear_step",
}
# The order in Python, where it is not C's.
ORDER = {
    "rac_signal_flatten_map_limited": ("transform", "max_concurrent", "bound"),
    "rac_signal_chunks": ("descriptor", "size", "ownership", "scheduler"),
    "rac_signal_datagrams": ("descriptor", "size", "ownership", "scheduler"),
    "rac_signal_lines": ("descriptor", "longest", "ownership", "scheduler"),
    "rac_signal_tail": ("path", "start", "offsets", "longest", "scheduler"),
    "rac_signal_scan_with_index": ("reduce", "start"),
    "rac_signal_aggregate": ("reduce", "start"),
    "rac_signal_aggregate_with_index": ("reduce", "start"),
    "rac_signal_aggregate_with_factory": ("reduce", "factory"),
    "rac_signal_combine_previous": ("reduce", "start"),
    "rac_sequence_scan": ("reduce", "start"),
    "rac_sequence_scan_with_index": ("reduce", "start"),
    "rac_sequence_combine_previous": ("reduce", "start"),
    "rac_scheduler_background": ("name", "priority"),
    "rac_scheduler_over_queue": ("enqueue", "name"),
    "rac_schedule_repeating": ("first_after", "interval", "action", "leeway"),
    "rac_property_map": ("transform", "options"),
    "rac_property_combine_latest": ("properties", "reduce", "options"),
    "rac_property_create_adapter": ("get", "set", "options"),
    "rac_command_create": ("execute", "enabled", "scheduler"),
}
# Where the scheduler is what it is about, and not a keyword.
POSITIONAL_SCHEDULER = {
    "rac_signal_deliver_on", "rac_signal_deliver_on_bounded", "rac_signal_subscribe_on",
    "rac_sequence_signal", "rac_command_create",
}
# Functions of the module, though a handle comes first.
FUNCTIONS = {
    "rac_signal_create_bounded", "rac_signal_start_eagerly", "rac_signal_start_lazily",
}
# Static methods, though a handle comes first or none does.
STATIC = {
    "rac_scheduler_main", "rac_scheduler_immediate", "rac_scheduler_current",
    "rac_scheduler_virtual", "rac_scheduler_background", "rac_scheduler_over_queue",
    "rac_property_combine_latest", "rac_property_create_adapter",
}
# Functions that make an object of a class: Class(…).
CONSTRUCTORS = {
    "rac_behavior_subject_create": "BehaviorSubject",
    "rac_replay_subject_create": "ReplaySubject",
    "rac_compound_disposable_create": "CompoundDisposable",
    "rac_serial_disposable_create": "SerialDisposable",
    "rac_scoped_disposable_create": "ScopedDisposable",
    "rac_bound_create": "Bound",
    "rac_counter_create": "Counter",
    "rac_property_create_bounded": "Property",
    "rac_channel_create": "Channel",
    "rac_command_create": "Command",
}
# Read as attributes.
GETTERS = {
    "rac_subject_subscriber_count", "rac_subscriber_is_active", "rac_is_disposed",
    "rac_connection_signal", "rac_bound_get", "rac_counter_get",
    "rac_property_as_signal", "rac_property_changes", "rac_channel_get_leading",
    "rac_channel_get_following", "rac_command_execution_signals",
    "rac_command_executing", "rac_command_is_executing", "rac_command_enabled",
    "rac_command_is_enabled", "rac_command_errors",
    "rac_command_allows_concurrent_execution", "rac_serial_disposable_current",
}
