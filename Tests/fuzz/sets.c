/* Narrow sets: a few functions alone, for what they do to each other. Of all
 * calls there are too few of these; a minute finds what takes the whole days.
 */
#include "fuzz.h"

#define SUBSCRIBING "rac_subscribe,rac_dispose,rac_retain,rac_release,"

static const struct {
  const char *name;
  const char *prefixes;
} sets[] = {
    {"properties", "rac_property_,rac_visit_," SUBSCRIBING},
    {"batches",
     "rac_property_batch,rac_property_set,rac_property_create,"
     "rac_property_map,rac_property_combine,rac_property_bind,"
     "rac_property_modify,rac_property_as,rac_property_changes," SUBSCRIBING},
    {"subjects",
     "rac_subject_,rac_behavior_,rac_replay_,rac_bound_,rac_connection_,"
     "rac_signal_replay,rac_signal_share,rac_signal_publish,"
     "rac_signal_multicast,rac_value_int64,rac_value_tuple," SUBSCRIBING},
    {"creation",
     "rac_signal_create,rac_subscriber_,rac_signal_merge,rac_signal_map,"
     "rac_signal_flatten_map,rac_visit_," SUBSCRIBING},
    {"times", "rac_schedul,rac_reschedule,rac_signal_delay,rac_signal_throttle,"
              "rac_signal_audit,rac_signal_interval,"
              "rac_signal_buffer_with_time,rac_signal_timeout,rac_signal_idle,"
              "rac_signal_rate,rac_subject_,rac_main_drain," SUBSCRIBING},
    {"inner", "rac_signal_group_by,rac_signal_get_key,rac_signal_window,"
              "rac_signal_flatten,rac_signal_switch,rac_signal_concat,"
              "rac_signal_exhaust,rac_subject_,rac_value_signal,"
              "rac_visit_," SUBSCRIBING},
    {"sequences",
     "rac_sequence,rac_value_sequence,rac_value_to_sequence,rac_subject_send,"
     "rac_subject_create,rac_subject_as,rac_visit_,rac_dispose,rac_retain,"
     "rac_release,"},
    {"commands",
     "rac_command_,rac_channel_,rac_property_bind_two,rac_property_create,"
     "rac_property_terminal,rac_property_set,rac_subject_send,"
     "rac_visit_," SUBSCRIBING},
    {"delivery",
     "rac_signal_deliver_on,rac_signal_subscribe_on,rac_scheduler_,"
     "rac_schedule,rac_bound_,rac_settle,rac_main_,rac_subject_create,"
     "rac_subject_send," SUBSCRIBING},
    {"arrays",
     "rac_subject_send,rac_subject_create,rac_subscriber_send,"
     "rac_signal_create,rac_signal_distinct,rac_signal_skip,rac_signal_take,"
     "rac_signal_ignore," SUBSCRIBING},
    {"disposables", "rac_compound,rac_serial,rac_scoped,rac_subscriber_add,"
                    "rac_signal_create,rac_subject_," SUBSCRIBING},
    {"visiting",
     "rac_visit_,rac_set_trace,rac_set_names,rac_signal_,rac_subject_,"
     "rac_property_,rac_command_," SUBSCRIBING},
};

enum { SETS = sizeof sets / sizeof *sets };

static int chosen = -1;
static bool takes_turns;

bool fuzz_choose_set(const char *name) {
  takes_turns = strcmp(name, "each") == 0;
  for (int i = 0; i < SETS; i++)
    if (strcmp(name, sets[i].name) == 0) chosen = i;
  if (chosen >= 0) fuzz.only = sets[chosen].prefixes;
  return takes_turns || chosen >= 0;
}

void fuzz_turn_to_set(uint64_t round) {
  if (!takes_turns) return;
  chosen = (int)(round % SETS);
  fuzz.only = sets[chosen].prefixes;
  fuzz_set_up_calls();
}

const char *fuzz_set_name(void) {
  return chosen < 0 ? NULL : sets[chosen].name;
}
