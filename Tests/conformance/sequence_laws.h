/* What holds for every sequence, whatever it was made of: the same checks over
 * a table of sources. */
#ifndef RAC_SEQUENCE_LAWS_H
#define RAC_SEQUENCE_LAWS_H

#include "sequences.h"

typedef struct sequence_source {
  const char *name;
  rac_sequence *(*make)(void);
  /* As a recorder writes them: "0 1 2". */
  const char *values;
} sequence_source;

/* Walks over a table; says which source was at fault. */
static inline void for_each_source(const sequence_source *sources, size_t count,
                                   bool (*law)(const sequence_source *)) {
  for (size_t i = 0; i < count; i++)
    if (!law(&sources[i])) check_fail(__FILE__, __LINE__, sources[i].name);
}

static inline bool same_text(const char *a, const char *b) {
  if (strcmp(a, b) != 0) printf("%s\n  is not\n%s\n", a, b);
  return strcmp(a, b) == 0;
}

/* The words of an array, which is taken over, as a recorder writes them. */
static inline bool is_array(rac_value array, const char *values) {
  char text[2048] = "";
  size_t used = 0;
  for (size_t i = 0; i < rac_tuple_count(array); i++) {
    if (i > 0) text[used++] = ' ';
    used +=
        format_value(rac_tuple_get(array, i), text + used, sizeof text - used);
  }
  rac_value_release(array);
  return same_text(text, values);
}

/* A loop gives the values, and after the last one nothing, again and again. */
static inline bool iterates(const sequence_source *source) {
  rac_sequence *s = source->make();
  rac_sequence_iterator *each = rac_sequence_iterate(s);
  rac_release(s);
  char text[2048] = "";
  size_t used = 0;
  rac_value value;
  while (rac_sequence_next(each, &value) == RAC_OK) {
    if (used > 0) text[used++] = ' ';
    used += format_value(value, text + used, sizeof text - used);
    rac_value_release(value);
  }
  bool ends = rac_sequence_next(each, &value) == RAC_EEMPTY;
  rac_release(each);
  return ends && same_text(text, source->values);
}

static inline bool gives_an_array(const sequence_source *source) {
  rac_sequence *s = source->make();
  rac_value first, again;
  bool ok = rac_sequence_to_array(s, &first) == RAC_OK &&
            rac_sequence_to_array(s, &again) == RAC_OK;
  rac_release(s);
  return ok && is_array(first, source->values) &&
         is_array(again, source->values);
}

static inline bool sends_on(rac_scheduler *scheduler, double timeout,
                            const sequence_source *source) {
  rac_sequence *s = source->make();
  rac_signal *signal = rac_sequence_signal(s, scheduler);
  rac_value array;
  bool ok = rac_signal_to_array(signal, timeout, &array) == RAC_OK;
  rac_release(signal);
  rac_release(s);
  return ok && is_array(array, source->values);
}

/* At once, without any waiting. */
static inline bool sends_at_once(const sequence_source *source) {
  return sends_on(rac_scheduler_immediate(), 0, source);
}

static inline bool sends_in_the_background(const sequence_source *source) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  bool ok = sends_on(background, 30, source);
  return ok;
}

/* Each value is followed by what its subscriber scheduled. */
typedef struct turns {
  rac_scheduler *scheduler;
  int values, ran;
  bool in_turn, ended;
} turns;

static inline void take_turn(void *context) {
  ((turns *)context_target(context))->ran++;
}
static inline void turns_next(void *context, rac_value value) {
  (void)value;
  turns *self = context_target(context);
  self->in_turn = self->in_turn && self->ran == self->values;
  self->values++;
  rac_release(rac_schedule(self->scheduler, context_new(self, NULL), take_turn,
                           context_destroy));
}
static inline void turns_completed(void *context) {
  turns *self = context_target(context);
  self->ended = self->in_turn && self->ran == self->values;
}

static inline bool yields_between_values(const sequence_source *source) {
  turns t = {rac_scheduler_virtual(), 0, 0, true, false};
  rac_sequence *s = source->make();
  rac_signal *signal = rac_sequence_signal(s, t.scheduler);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&t, NULL);
  observer.next = turns_next;
  observer.completed = turns_completed;
  observer.destroy = context_destroy;
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  bool began_early = t.values > 0;
  rac_virtual_step_all(t.scheduler);
  rac_release(subscription);
  rac_release(signal);
  rac_release(s);
  rac_release(t.scheduler);
  return t.ended && !began_early;
}

static inline bool equal(rac_sequence *a, rac_sequence *b) {
  bool answer = false;
  CHECK_STATUS(rac_sequence_is_equal(a, b, &answer), RAC_OK);
  return answer;
}

static inline bool equals_itself(const sequence_source *source) {
  owned rac_sequence *s = source->make();
  bool ok = equal(s, s);
  return ok;
}

static inline bool equals_concatenated_returns(const sequence_source *source) {
  owned rac_sequence *s = source->make(), *built = rac_sequence_empty();
  owned rac_sequence_iterator *each = rac_sequence_iterate(s);
  rac_value value;
  while (rac_sequence_next(each, &value) == RAC_OK) {
    owned rac_sequence *one = rac_sequence_return(value);
    SEQ(built, concat, one);
    rac_value_release(value);
  }
  uint64_t a = 1, b = 2;
  bool ok = equal(s, built) && equal(built, s) &&
            rac_sequence_hash(s, &a) == RAC_OK &&
            rac_sequence_hash(built, &b) == RAC_OK && a == b;
  return ok;
}

static inline bool differs_from_another(const sequence_source *source) {
  owned rac_sequence *s = source->make(), *other = rac_sequence_return(I(-1));
  bool ok = !equal(s, other) && !equal(other, s);
  return ok;
}

/* What never changes needs no copy but another reference. */
static inline bool is_its_own_copy(const sequence_source *source) {
  rac_sequence *s = source->make(), *copy = rac_retain(s);
  bool ok = copy == s && equal(s, copy);
  rac_release(s);
  rac_value array;
  ok = ok && rac_sequence_to_array(copy, &array) == RAC_OK &&
       is_array(array, source->values);
  rac_release(copy);
  return ok;
}

static inline rac_status start_the_rest_with(void *context, rac_value value,
                                             const rac_value *rest,
                                             rac_value *out) {
  (void)context;
  if (!rest) return RAC_PENDING;
  rac_sequence *s = rac_value_to_sequence(*rest);
  SEQ(s, start_with, value);
  *out = rac_value_sequence(s);
  rac_release(s);
  return RAC_OK;
}
static inline rac_status put_at_the_end(void *context, rac_value running,
                                        rac_value value, rac_value *out) {
  (void)context;
  rac_sequence *s = rac_value_to_sequence(running);
  rac_sequence *one = rac_sequence_return(value);
  SEQ(s, concat, one);
  *out = rac_value_sequence(s);
  rac_release(one);
  rac_release(s);
  return RAC_OK;
}

static inline bool is_rebuilt(const sequence_source *source, bool from_right) {
  owned rac_sequence *s = source->make(), *none = rac_sequence_empty();
  rac_value start = rac_value_sequence(none), out;
  rac_status status =
      from_right
          ? rac_sequence_fold_right(s, start, NULL, start_the_rest_with, &out)
          : rac_sequence_fold_left(s, start, NULL, put_at_the_end, &out);
  bool ok = status == RAC_OK && out.kind == RAC_SEQUENCE;
  if (ok) {
    owned rac_sequence *built = rac_value_to_sequence(out);
    rac_value array;
    ok = equal(built, s) && rac_sequence_to_array(built, &array) == RAC_OK &&
         is_array(array, source->values);
  }
  rac_value_release(out);
  rac_value_release(start);
  return ok;
}
static inline bool is_rebuilt_from_the_right(const sequence_source *source) {
  return is_rebuilt(source, true);
}
static inline bool is_rebuilt_from_the_left(const sequence_source *source) {
  return is_rebuilt(source, false);
}

#endif
