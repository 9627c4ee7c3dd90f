/* The trace hook: every event of every subscription, which one and where. */
#include <unistd.h>

#include "operators.h"

typedef struct trace {
  char text[1000];
} trace;

static void write_trace(void *context, const rac_trace_event *event) {
  static const char *const names[] = {"?",       "subscribe", "next",
                                      "error",   "completed", "dispose",
                                      "dropped", "lost"};
  trace *self = context_target(context);
  CHECK_INT(event->size, sizeof *event);
  CHECK(event->type >= RAC_TRACE_SUBSCRIBE && event->type <= RAC_TRACE_LOST);
  size_t used = strlen(self->text);
  char text[40];
  format_value(event->value, text, sizeof text);
  snprintf(self->text + used, sizeof self->text - used, "%s%s(%s,%s)",
           used ? " " : "", names[event->type], event->name, text);
}

static void start_trace(trace *self) {
  self->text[0] = 0;
  CHECK_STATUS(
      rac_set_trace(context_new(self, NULL), write_trace, context_destroy),
      RAC_OK);
}
static void stop_trace(void) {
  CHECK_STATUS(rac_set_trace(NULL, NULL, NULL), RAC_OK);
}

static void trace_subject(const char *script, trace *t) {
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  start_trace(t);
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, script);
  finish(&r);
  stop_trace();
}

TEST(the_trace_reports_every_event_with_its_name) {
  trace t;
  trace_subject("1 2 |", &t);
  CHECK_TEXT(t.text, "subscribe(s,nil) next(s,1) next(s,2) completed(s,nil)");
  trace_subject("1 #5", &t);
  CHECK_TEXT(t.text, "subscribe(s,nil) next(s,1) error(s,#5)");
  trace_subject("1", &t);
  CHECK_TEXT(t.text, "subscribe(s,nil) next(s,1) dispose(s,nil)");
}

TEST(the_trace_sees_each_stage_of_a_chain) {
  trace t;
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal_set_name(mapped, "m");
  start_trace(&t);
  recorder r = {0};
  record(mapped, &r);
  play(subject, "1");
  finish(&r);
  stop_trace();
  CHECK(strstr(t.text, "subscribe(m,nil)") && strstr(t.text, "next(m,10)"));
  CHECK(strstr(t.text, "subscribe(s,nil)") && strstr(t.text, "next(s,1)"));
  CHECK(strstr(t.text, "dispose(m,nil)") != NULL);
  CHECK_EVENTS(&r, "10");
}

static rac_status forget(void *context, rac_subscriber *subscriber,
                         rac_disposable **out) {
  (void)context_target(context);
  (void)subscriber;
  (void)out;
  return RAC_OK;
}

TEST(a_dropped_subscriber_is_reported) {
  trace t;
  owned rac_signal *s = rac_signal_create(CALLBACK(forget));
  rac_signal_set_name(s, "leaky");
  start_trace(&t);
  recorder r = {0};
  record(s, &r);
  finish(&r);
  stop_trace();
  CHECK(strstr(t.text, "dropped(leaky,nil) dispose(leaky,nil)") != NULL);
}

/* What the trace says of whose event it is and where, by name and event. */
typedef struct places {
  pthread_mutex_t lock;
  int count;
  struct {
    char name[16];
    int32_t type;
    uint64_t subscription, thread;
  } seen[32];
} places;

static void note_place(void *context, const rac_trace_event *event) {
  places *self = context_target(context);
  pthread_mutex_lock(&self->lock);
  if (self->count < 32) {
    int i = self->count++;
    snprintf(self->seen[i].name, sizeof self->seen[i].name, "%s", event->name);
    self->seen[i].type = event->type;
    self->seen[i].subscription = event->subscription;
    self->seen[i].thread = event->thread;
  }
  pthread_mutex_unlock(&self->lock);
}

static void start_places(places *self) {
  *self = (places){.lock = PTHREAD_MUTEX_INITIALIZER};
  rac_set_trace(context_new(self, NULL), note_place, context_destroy);
}

TEST(one_who_hears_twice_and_two_who_hear_once_are_told_apart) {
  places p;
  owned rac_subject *subject = rac_subject_create();
  recorder a = {0}, b = {0};
  start_places(&p);
  record(as_signal(subject), &a); /* hears 1 and 2 */
  play(subject, "1");
  record(as_signal(subject), &b); /* hears 2 */
  play(subject, "2");
  finish(&a);
  finish(&b);
  stop_trace();
  int32_t types[] = {1, 2, 1, 2, 2, 5, 5};
  int whose[] = {0, 0, 1, 0, 1, 0, 1};
  CHECK_INT(p.count, 7);
  uint64_t first = p.seen[0].subscription;
  CHECK(first > 0);
  for (int i = 0; i < 7; i++) {
    CHECK_INT(p.seen[i].type, types[i]);
    CHECK_INT(p.seen[i].subscription - first, whose[i]);
  }
}

TEST(each_signal_of_a_chain_has_a_subscription_of_its_own) {
  places p;
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal_set_name(mapped, "m");
  recorder r = {0};
  start_places(&p);
  record(mapped, &r);
  play(subject, "1 |");
  stop_trace();
  await_end(&r);
  CHECK_INT(p.count, 6);
  for (int i = 0; i < 6; i++) {
    int of_chain = strcmp(p.seen[i].name, "s") == 0;
    CHECK_INT(p.seen[i].subscription, p.seen[0].subscription + of_chain);
  }
}

static rac_status keep(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  *(void **)context_target(context) = rac_retain(subscriber);
  (void)out;
  return RAC_OK;
}

/* A subscription from before the trace has no number. */
TEST(a_subscriber_from_before_the_trace_is_dropped_unreported) {
  places p;
  void *kept = NULL;
  owned rac_signal *s = rac_signal_create(CALLBACK_FOR(&kept, keep));
  recorder r = {0};
  record(s, &r);
  start_places(&p);
  rac_release(kept);
  finish(&r);
  stop_trace();
  CHECK_INT(p.count, 0);
}

static void *send_one(void *subject) {
  rac_subject_send(subject, I(1));
  return NULL;
}

TEST(the_trace_says_on_which_thread) {
  places p;
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  start_places(&p);
  record(as_signal(subject), &r);
  play(subject, "1");
  check_join(check_spawn(send_one, subject));
  play(subject, "1 |");
  stop_trace();
  await_end(&r);
  CHECK_INT(p.count, 5);
  CHECK_INT(p.seen[0].thread, getpid()); /* the main thread's number */
  CHECK_INT(p.seen[1].thread, getpid());
  CHECK(p.seen[2].thread != p.seen[1].thread);
  CHECK_INT(p.seen[3].thread, getpid());
  CHECK_INT(p.seen[4].thread, getpid());
}

static void *subscribe_often(void *subject) {
  for (int64_t i = check_scaled(200); i > 0; i--) {
    RECORDER(r, as_signal(subject));
  }
  return NULL;
}

typedef struct numbers {
  atomic_int taken[1000];
  _Atomic uint64_t first;
} numbers;

static void take_number(void *context, const rac_trace_event *event) {
  numbers *self = context_target(context);
  if (event->type != RAC_TRACE_SUBSCRIBE) return;
  uint64_t at = event->subscription - atomic_load(&self->first);
  CHECK(at < 1000);
  if (at < 1000) atomic_fetch_add(&self->taken[at], 1);
}

static void note_first(void *context, const rac_trace_event *event) {
  numbers *self = context_target(context);
  atomic_store(&self->first, event->subscription + 1);
}

TEST(threads_never_share_a_number) {
  static numbers n;
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_set_trace(context_new(&n, NULL), note_first, context_destroy);
  record(as_signal(subject), &r);
  rac_set_trace(context_new(&n, NULL), take_number, context_destroy);
  pthread_t one = check_spawn(subscribe_often, subject);
  pthread_t other = check_spawn(subscribe_often, subject);
  check_join(one);
  check_join(other);
  stop_trace();
  finish(&r);
  for (int64_t i = 2 * check_scaled(200) - 1; i >= 0; i--)
    CHECK_INT(n.taken[i], 1);
}

TEST(a_subscription_from_before_the_trace_is_left_alone) {
  trace t;
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  start_trace(&t);
  play(subject, "1");
  CHECK_TEXT(t.text, "");
  stop_trace();
  play(subject, "2 |");
  CHECK_EVENTS(&r, "1 2 |");
}

TEST(a_traced_subscription_outlives_the_trace) {
  trace t;
  owned rac_subject *subject = rac_subject_create();
  start_trace(&t);
  RECORDER(r, as_signal(subject));
  stop_trace();
  t.text[0] = 0;
  play(subject, "1 |");
  CHECK_TEXT(t.text, "");
  CHECK_EVENTS(&r, "1 |");
}

static void *send_many(void *subject) {
  for (int64_t i = check_scaled(100000); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}

static void count_trace(void *context, const rac_trace_event *event) {
  (void)event;
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

TEST(the_trace_may_be_replaced_while_events_flow) {
  owned rac_subject *subject = rac_subject_create();
  atomic_int events = 0;
  pthread_t sender = check_spawn(send_many, subject);
  for (int64_t i = check_scaled(2000); i > 0; i--) {
    rac_set_trace(context_new(&events, NULL), count_trace, context_destroy);
    recorder r = {0};
    record(as_signal(subject), &r);
    finish(&r);
    if (i % 3 == 0) stop_trace();
  }
  stop_trace();
  check_join(sender);
  CHECK(atomic_load(&events) > 0);
}

/* The trace names the subscription below, and the cause of an event. */
typedef struct links {
  int count;
  struct {
    char name[8];
    int32_t type;
    uint64_t subscription, below, cause;
    int64_t time, value;
  } seen[32];
} links;

static void note_links(void *context, const rac_trace_event *event) {
  links *self = context_target(context);
  if (self->count == 32) return;
  int i = self->count++;
  snprintf(self->seen[i].name, sizeof self->seen[i].name, "%s", event->name);
  self->seen[i].type = event->type;
  self->seen[i].subscription = event->subscription;
  self->seen[i].below = event->below;
  self->seen[i].cause = event->cause;
  self->seen[i].time = event->time;
  self->seen[i].value = event->value.bits;
}

TEST(the_trace_says_what_is_below_and_what_the_cause_was) {
  links l = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal_set_name(mapped, "m");
  rac_set_trace(context_new(&l, NULL), note_links, context_destroy);
  recorder r = {0};
  record(mapped, &r);
  play(subject, "1");
  finish(&r);
  stop_trace();
  REQUIRE(l.count == 6);
  uint64_t m = l.seen[0].subscription, s = l.seen[1].subscription;
  CHECK_TEXT(l.seen[0].name, "m");
  CHECK_INT(l.seen[0].below, 0);
  CHECK_INT(l.seen[1].below, m);
  CHECK_TEXT(l.seen[2].name, "s");
  CHECK_INT(l.seen[2].cause, 0);
  CHECK_TEXT(l.seen[3].name, "m");
  CHECK_INT(l.seen[3].cause, s);
  for (int i = 1; i < l.count; i++) {
    CHECK(l.seen[i].time >= l.seen[i - 1].time);
  }
}

static void count_value(void *context, rac_value value) {
  (void)value;
  ++*(int *)context_target(context);
}

TEST(the_trace_says_what_a_bound_has_dropped) {
  links l = {0};
  int heard = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_DROP_OLDEST);
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_signal *delivered =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  rac_set_trace(context_new(&l, NULL), note_links, context_destroy);
  owned rac_disposable *d = rac_subscribe_next(
      delivered, context_new(&heard, NULL), count_value, context_destroy);
  play(subject, "1 2 3");
  CHECK_STATUS(rac_virtual_step_all(scheduler), RAC_OK);
  rac_dispose(d);
  stop_trace();
  int lost = 0;
  for (int i = 0; i < l.count; i++) {
    if (l.seen[i].type != RAC_TRACE_LOST) continue;
    CHECK_TEXT(l.seen[i].name, "s");
    lost += (int)l.seen[i].value;
  }
  CHECK_INT(lost, 2);
  CHECK_INT(heard, 1);
}

TEST(a_recording_lets_a_trace_see_what_was_subscribed_before) {
  trace t;
  char path[100];
  snprintf(path, sizeof path, "/tmp/librac-trace-%ld", (long)getpid());
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "s");
  CHECK_STATUS(rac_record_start(path, RAC_RECORDS_COUNTERS), RAC_OK);
  recorder r = {0};
  record(as_signal(subject), &r);
  start_trace(&t);
  play(subject, "1");
  CHECK_TEXT(t.text, "next(s,1)");
  stop_trace();
  finish(&r);
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  unlink(path);
}
