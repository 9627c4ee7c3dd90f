/* merge with a bound: what one source sends while another's value is being
 * delivered. */
#include "operators.h"

typedef struct flow {
  rac_bound *bound;
  rac_subject *sources[2];
  recorder heard;
  rac_status answers[8];
} flow;

static void begin(flow *self, size_t capacity, int32_t policy) {
  bool holds = policy == RAC_BOUND_WAIT || policy == RAC_BOUND_REFUSE;
  self->bound = rac_bound_create(capacity, policy);
  for (int i = 0; i < 2; i++)
    self->sources[i] =
        holds ? rac_subject_create_bounded(self->bound) : rac_subject_create();
  owned rac_signal *signal = rac_signal_merge_bounded(
      (rac_signal *const *)(void *)self->sources, 2, self->bound);
  record(signal, &self->heard);
}

static void end(flow *self) {
  CHECK_INT(rac_bound_get(self->bound, RAC_BOUND_LENGTH), 0);
  finish(&self->heard);
  for (int i = 0; i < 2; i++) rac_release(self->sources[i]);
  rac_release(self->bound);
}

static void send_to_other(recorder *heard, rac_value value) {
  flow *self = heard->user;
  if (value.bits != 1) return;
  for (int64_t n = 2; n <= 5; n++)
    self->answers[n] = rac_subject_send(self->sources[1], I(n));
}

static void send_inside(flow *self) {
  self->heard.user = self;
  self->heard.on_next = send_to_other;
  rac_subject_send(self->sources[0], I(1));
}

static void check(int32_t policy, const char *heard, int dropped) {
  flow f = {0};
  begin(&f, 2, policy);
  send_inside(&f);
  CHECK_EVENTS(&f.heard, heard);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_DROPPED), dropped);
  end(&f);
}

TEST(the_oldest_gives_way) { check(RAC_BOUND_DROP_OLDEST, "1 4 5", 2); }
TEST(the_newest_is_not_taken) { check(RAC_BOUND_DROP_NEWEST, "1 2 3", 2); }
TEST(the_latest_alone_waits) { check(RAC_BOUND_LATEST, "1 5", 3); }
/* Law 16: behind what was let in. */
TEST(too_many_are_an_error) { check(RAC_BOUND_ERROR, "1 2 3 #3", 2); }

/* The first is still on its way: it counts at the merge. */
TEST(who_sends_to_the_other_source_is_refused) {
  flow f = {0};
  begin(&f, 2, RAC_BOUND_REFUSE);
  send_inside(&f);
  CHECK_EVENTS(&f.heard, "1 2");
  CHECK_STATUS(f.answers[2], RAC_OK);
  CHECK_STATUS(f.answers[3], RAC_EAGAIN);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_DROPPED), 0);
  end(&f);
}

static void end_other(recorder *heard, rac_value value) {
  flow *self = heard->user;
  if (value.bits != 1) return;
  for (int64_t n = 2; n <= 5; n++) rac_subject_send(self->sources[1], I(n));
  rac_subject_send_completed(self->sources[1]);
}

/* Law 4: an end is neither counted nor dropped. */
TEST(an_end_keeps_its_place) {
  flow f = {0};
  begin(&f, 1, RAC_BOUND_DROP_OLDEST);
  f.heard.user = &f;
  f.heard.on_next = end_other;
  rac_subject_send(f.sources[0], I(1));
  CHECK_EVENTS(&f.heard, "1 5");
  rac_subject_send_completed(f.sources[0]);
  CHECK_EVENTS(&f.heard, "1 5 |");
  end(&f);
}

static void fail_and_go_on(recorder *heard, rac_value value) {
  rac_subject **sources = heard->user;
  if (value.bits != 1) return;
  rac_subject_send_error(sources[1], rac_value_nil());
  rac_subject_send(sources[2], I(2));
}

/* It holds an input of the merge, which holds what waits. */
TEST(what_waits_behind_an_error_is_let_go) {
  rac_subject *sources[3];
  for (int i = 0; i < 3; i++) sources[i] = rac_subject_create();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  owned rac_signal *signal =
      rac_signal_merge_bounded((rac_signal *const *)(void *)sources, 3, bound);
  recorder heard = {.user = sources, .on_next = fail_and_go_on};
  record(signal, &heard);
  rac_subject_send(sources[0], I(1));
  CHECK_EVENTS(&heard, "1 #nil");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  finish(&heard);
  for (int i = 0; i < 3; i++) rac_release(sources[i]);
}
