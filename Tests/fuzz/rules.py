"""What the fuzzer cannot read in the header: the rules made by hand.

A function that is not mentioned here gets arguments by their types. Add a rule
where a call would block, or run for ever, by contract; where two calls belong
together; or where something would be kept that nobody could let go of.
"""

import re

# Written by hand, in hand.c: `void fuzz_NAME(player *p)`.
BY_HAND = {
    # These give back, or take, references that have to be somebody's.
    "rac_retain",
    "rac_release",
    "rac_assign",
    "rac_value_release",
    "rac_value_object",
    "rac_value_object_owned",
    # A visitor may call nothing.
    "rac_visit_contexts",
    # After these nothing may come any more.
    "rac_dispose",
    "rac_dispose_and_release",
    "rac_dispose_and_wait",
    # Blocks until somebody stops it.
    "rac_main_run",
    # One that waits gets a time for it.
    "rac_bound_create",
    # Come in pairs, on a thread of ours.
    "rac_thread_attach",
    "rac_thread_detach",
}

# Not called by itself.
LEFT_OUT = {
    "rac_main_run_until": "waits for an event, which may never come",
    "rac_close": "ends the library for good, for every round to come: closing.c",
    # What is outside the program is not the fuzzer's: Tests/c/test_source_*.c.
    "rac_signal_readable": "its descriptors would be those of the process",
    "rac_signal_writable": "the same",
    "rac_signal_chunks": "the same",
    "rac_signal_lines": "the same",
    "rac_signal_write": "the same",
    "rac_signal_connect": "its connections would be the system's",
    "rac_signal_listen": "the same",
    "rac_signal_datagrams": "its descriptors would be those of the process",
    "rac_signal_posix_signal": "the handlers are the process's",
    "rac_signal_child_exit": "a process that has one number now has another in the next run",
    "rac_signal_spawn": "children of a run are not those of the next",
    "rac_signal_at_time": "the clock is not the same in the next run",
    "rac_signal_at_times": "the same",
    "rac_signal_file_changes": "somebody else changes files",
    "rac_signal_tail": "the same",
    "rac_record_stop": "it would end the recording of a fuzzer that has RAC_RECORD",
    "rac_record_start": "it makes files; with RAC_RECORD the fuzzer records all that it does",
    "rac_raise": "only for a callback that then fails: callbacks do",
    "rac_raise_errno": "only for a callback that then fails",
    "rac_virtual_step_all": "runs for ever when a job repeats, which one cannot know",
    "rac_virtual_set_time": "of players, which set any time; test_virtual_clock.c tries it",
    "rac_virtual_plan_reading": "as rac_virtual_set_time",
}

# Runs jobs on threads of the library: not when one thread has to do the same
# every time.
WITH_THREADS = {"rac_scheduler_background", "rac_set_thread_hook"}

# Arguments of which the contract says that the call, or what it starts, has no
# end otherwise. "function": {"parameter": "how"}, as functions of guards.c.
GUARDED = {
    # A ring of subjects, of a property and its own signal: somebody has to fail.
    "rac_subscribe_subscriber": {"signal": "braked"},
    "rac_signal_multicast": {"source": "braked"},
    "rac_property_bind": {"signal": "braked"},
    # Round and round at once.
    "rac_signal_repeat": {"source": "bounded"},
    "rac_signal_retry": {"source": "bounded"},
    # Subscribed to for good, without a disposable: "never disconnects".
    "rac_signal_publish": {"source": "stoppable"},
    "rac_signal_replay": {"source": "stoppable"},
    "rac_signal_replay_last": {"source": "stoppable"},
    "rac_signal_replay_lazily": {"source": "stoppable"},
    # So is this one, by what may be read of it: a signal that is made of the sequence, and
    # waits in the source to be subscribed to, would keep both.
    "rac_sequence_from_signal": {"signal": "stoppable"},
}

# A value that contains itself can not be let go of: see leaves.c.
LEAVES = {"rac_value_signal", "rac_value_sequence"}

# Results that have to be told when to end.
STOPPED = {
    "rac_signal_interval",
    "rac_signal_interval_with_leeway",
    # Opens one after the other, also when nobody can send to its source any more.
    "rac_signal_window_with_time",
}

# Numbers that must not be any: "function": {"parameter": "class"}.
NUMBERS = {
    "rac_virtual_step_n": {"count": "few"},
    "rac_virtual_advance_to": {"seconds": "moment"},
    "rac_virtual_advance_by": {"seconds": "moment"},
    "rac_main_run_for": {"seconds": "timeout"},
    "rac_bound_set_timeout": {"seconds": "timeout"},
    "rac_sequence_next_for": {"seconds": "timeout"},
    "rac_signal_interval": {"seconds": "period"},
    "rac_signal_interval_with_leeway": {"seconds": "period"},
    "rac_signal_window_with_time": {"seconds": "period"},
    "rac_schedule_repeating": {"interval": "period"},
    "rac_sequence_range": {"count": "few"},
}

# A context for one subscription: its callbacks never overlap. A context for one
# call of its callback at most.
SUBSCRIPTIONS = {"rac_subscribe", "rac_subscribe_next", "rac_subscribe_batches"}
ONCE = {"rac_schedule", "rac_schedule_after", "rac_disposable_create"}

# Callbacks written by hand, in callbacks.c.
CALLBACKS_BY_HAND = {"rac_destroy_fn", "rac_visit_fn", "rac_fold_right_fn", "rac_generate_fn", "rac_execute_fn",
                     "rac_locator_fn"}

# Those that free something: also when the library is closed.
DESTROYS = {"rac_clear_fn"}

# What a callback does with a handle it is lent, beyond what it does with any.
HEARD = {"subscriber", "recursion", "scheduler"}

# Handles that also stand for others: a subject is a signal, …
ALSO = {"signal": ["subject", "property"], "subscriber": ["subject"]}

# How often: the first pattern that matches a name. 8 is the usual.
WEIGHTS = [
    (r"rac_release|rac_subject_send$|rac_subscriber_send$", 48),
    (r"rac_dispose$|rac_property_set$|rac_subscribe$|rac_retain$", 32),
    (r"rac_subscribe|rac_\w+_send|rac_schedule|rac_main_drain|rac_scheduler_take_turn", 24),
    (r"rac_virtual_step|rac_virtual_advance_by|rac_connection_connect|rac_command_execute$", 24),
    (r"rac_\w*subject_create|rac_property_create|rac_signal_create$|rac_property_bind", 16),
    # They wait, or look at everything there is.
    (r"rac_signal_(first|to_array|wait|asynch)|rac_dispose_and_wait|rac_main_run", 2),
    (r"rac_report_live_handles|rac_main_fd|rac_live_objects", 1),
    (r"rac_value_|rac_tuple_|rac_error_|rac_event_|rac_version|rac_last_|rac_status_name", 2),
    (r"rac_set_|rac_clear_last_error|rac_thread_", 2),
    (r"", 8),
]


def weight(name):
    for pattern, number in WEIGHTS:
        if re.match(pattern, name):
            return number
