/* rac_signal_do_finally and rac_signal_using: what is done when it is over. */
#include "stage.h"

typedef struct over {
  recorder *heard;
  int times;
  char text[64]; /* what had been heard then */
} over;

static void note(void *context) {
  over *self = context_target(context);
  self->times++;
  snprintf(self->text, sizeof self->text, "%.60s", self->heard->text);
}

static rac_signal *watched(rac_signal *source, over *self, recorder *heard) {
  self->heard = heard;
  return rac_signal_do_finally(source, CALLBACK_FOR(self, note));
}

TEST(an_end_is_heard_first) {
  static const char *const ends[] = {"1 |", "1 #3", "|"};
  for (int i = 0; i < 3; i++) {
    over self = {0};
    recorder r = {0};
    owned rac_signal *source = cold(ends[i], NULL),
                     *s = watched(source, &self, &r);
    record(s, &r);
    CHECK_INT(self.times, 1);
    CHECK_TEXT(self.text, ends[i]);
    await_end(&r);
    CHECK_INT(self.times, 1);
  }
}

TEST(a_disposal_runs_it_at_once) {
  source counts = {0};
  over self = {0};
  recorder r = {0};
  owned rac_signal *source_ = cold("1", &counts),
                   *s = watched(source_, &self, &r);
  record(s, &r);
  CHECK_INT(self.times, 0);
  rac_dispose(r.subscription);
  CHECK_INT(self.times, 1);
  CHECK_TEXT(self.text, "1");
  CHECK_INT(counts.disposed, 1);
  finish(&r);
  CHECK_INT(self.times, 1);
}

/* take ends it from below. */
TEST(what_is_below_may_end_it) {
  over self = {0};
  finished recorder r = {0};
  owned rac_signal *source = cold("1 2 3", NULL),
                   *s = watched(source, &self, &r);
  APPLY(s, take, 2);
  record(s, &r);
  CHECK_EVENTS(&r, "1 2 |");
  CHECK_INT(self.times, 1);
}

TEST(a_source_that_goes_silently_runs_it) {
  over self = {0};
  recorder r = {0};
  rac_subject *subject = rac_subject_create();
  rac_signal *s = watched(as_signal(subject), &self, &r);
  record(s, &r);
  rac_subject_send(subject, I(1));
  rac_release(s);
  CHECK_INT(self.times, 0);
  rac_release(subject);
  CHECK_INT(self.times, 1);
  CHECK_EVENTS(&r, "1");
  await_end(&r);
  CHECK_INT(self.times, 1);
}

static void *dispose_it(void *subscription) {
  rac_dispose(subscription);
  return NULL;
}

/* An end and disposals on other threads at a time: once all the same. */
TEST(it_runs_once_whoever_is_first) {
  for (int64_t round = check_scaled(300); round > 0; round--) {
    over self = {0};
    recorder r = {0};
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *s = watched(as_signal(subject), &self, &r);
    record(s, &r);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
      threads[i] = check_spawn(dispose_it, r.subscription);
    rac_subject_send_completed(subject);
    for (int i = 0; i < 2; i++) check_join(threads[i]);
    await_end(&r);
    CHECK_INT(self.times, 1);
  }
}

/* ---- using -------------------------------------------------------------------- */

typedef struct resources {
  int acquired, released;
  bool acquire_fails, use_fails;
  const char *script;
  source counts;
  int disposed_before; /* the release */
} resources;

static rac_status acquire(void *context, rac_value *out) {
  resources *self = context_target(context);
  if (self->acquire_fails) return -5;
  self->acquired++;
  *out = rac_value_string_copy("resource", 8);
  return RAC_OK;
}
static rac_status use_it(void *context, rac_value resource, rac_signal **out) {
  resources *self = context_target(context);
  CHECK_INT(resource.kind, RAC_STRING);
  CHECK_INT(self->acquired, self->released + 1);
  if (self->use_fails) return -6;
  if (self->script != NULL) *out = cold(self->script, &self->counts);
  return RAC_OK;
}
static void release_it(void *context, rac_value resource) {
  resources *self = context_target(context);
  CHECK_INT(resource.length, 8);
  self->released++;
  self->disposed_before = self->counts.disposed;
}
static rac_signal *use(resources *self) {
  return rac_signal_using(context_new(self, NULL), acquire, use_it, release_it,
                          context_destroy);
}

TEST(each_subscription_has_its_resource) {
  resources self = {.script = "1 2 |"};
  rac_signal *s = use(&self);
  rac_retain(s);
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_INT(self.acquired, 2);
  CHECK_INT(self.released, 2);
}

TEST(a_failure_releases_what_there_is) {
  resources a = {.acquire_fails = true}, b = {.use_fails = true}, c = {0};
  CHECK_SIGNAL(use(&a), "#-5");
  CHECK_INT(a.released, 0);
  CHECK_SIGNAL(use(&b), "#-6");
  CHECK_INT(b.released, 1);
  CHECK_SIGNAL(use(&c), "|");
  CHECK_INT(c.released, 1);
  resources failing = {.script = "1 #4"};
  CHECK_SIGNAL(use(&failing), "1 #4");
  CHECK_INT(failing.released, 1);
}

static void check_released(recorder *self) {
  resources *all = self->user;
  CHECK_INT(all->released, 1);
}

TEST(the_resource_goes_after_the_signal_and_before_the_end) {
  resources self = {.script = "1 |"};
  recorder r = {.on_end = check_released, .user = &self};
  owned rac_signal *s = use(&self);
  record(s, &r);
  CHECK_INT(r.ends, 1);
  await_end(&r);
  resources open = {.script = "1"};
  rac_assign((void **)&s, use(&open));
  RECORDER(o, s);
  CHECK_INT(open.released, 0);
  rac_dispose(o.subscription);
  CHECK_INT(open.released, 1);
  CHECK_INT(open.disposed_before, 1);
}

TEST(a_resource_may_need_no_release) {
  resources self = {.script = "1 |"};
  rac_signal *s = rac_signal_using(context_new(&self, NULL), acquire, use_it,
                                   NULL, context_destroy);
  CHECK_SIGNAL(s, "1 |");
}
