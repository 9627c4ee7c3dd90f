/* The report of live handles: what keeps itself alive by its own context is
 * found there by its name. */
#include "operators.h"

typedef struct found {
  int all;
  char kind[32];
  size_t references, subscribers;
} found;

/* Looks for what is called "price". */
static void look(void *context, const char *kind, const char *name,
                 size_t references, size_t subscribers) {
  found *self = context;
  self->all++;
  if (strcmp(name, "price") != 0) return;
  snprintf(self->kind, sizeof self->kind, "%s", kind);
  self->references = references;
  self->subscribers = subscribers;
}

static found report(void) {
  found found = {0};
  size_t all = rac_report_live_handles(&found, look);
  CHECK_INT(found.all, all);
  return found;
}

typedef struct watcher {
  void *observed;
  int values;
} watcher;

static void on_value(void *context, rac_value value) {
  (void)value;
  ((watcher *)context_target(context))->values++;
}

static void release_observed(void *context) {
  watcher *self = context_target(context);
  context_destroy(context);
  rac_release(self->observed);
}

/* A subscription whose context holds what it observes. */
static rac_disposable *watch(void *observed, watcher *self) {
  *self = (watcher){rac_retain(observed), 0};
  return rac_subscribe_next(observed, context_new(self, NULL), on_value,
                            release_observed);
}

TEST(a_property_captured_by_what_observes_it) {
  size_t before = rac_report_live_handles(NULL, NULL);
  rac_property *p = rac_property_create(I(1), 0);
  rac_signal_set_name(rac_property_as_signal(p), "price");
  watcher watcher;
  rac_disposable *subscription = watch(p, &watcher);
  rac_release(p);
  /* It leaks: released, and still there. */
  found found = report();
  CHECK_TEXT(found.kind, "property");
  CHECK_INT(found.references, 1);
  CHECK_INT(found.subscribers, 1);
  CHECK_STATUS(rac_property_set(p, I(2)), RAC_OK);
  CHECK_INT(watcher.values, 2);
  /* The remedy: whoever subscribed disposes. */
  rac_dispose(subscription);
  rac_release(subscription);
  CHECK_TEXT(report().kind, "");
  CHECK_INT(rac_report_live_handles(NULL, NULL), before);
}

/* A scheduler goes by the name that it was made with. */
TEST(a_scheduler_is_found_by_its_name) {
  rac_scheduler *worker = rac_scheduler_background(0, "price");
  CHECK_TEXT(report().kind, "scheduler");
  rac_release(worker);
  CHECK_TEXT(report().kind, "");
}

TEST(a_subject_captured_by_what_observes_it) {
  rac_subject *s = rac_subject_create();
  rac_signal_set_name(as_signal(s), "price");
  watcher watcher;
  owned rac_disposable *subscription = watch(s, &watcher);
  rac_release(s);
  found found = report();
  CHECK_TEXT(found.kind, "subject");
  CHECK_INT(found.subscribers, 1);
  /* An end is a remedy, too. */
  rac_subject_send_completed(s);
  CHECK_TEXT(report().kind, "");
}

static rac_status hold(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  (void)out;
  rac_subscriber_send(subscriber, I(*(int *)context_target(context)));
  return RAC_OK;
}

typedef struct holder {
  int number;
  rac_signal *itself;
} holder;

static void let_itself_go(void *context) {
  holder *self = context_target(context);
  context_destroy(context);
  rac_release(self->itself);
}

TEST(a_signal_whose_context_holds_it) {
  holder holder = {7, NULL};
  rac_signal *s =
      rac_signal_create(context_new(&holder, NULL), hold, let_itself_go);
  rac_signal_set_name(s, "price");
  holder.itself = rac_retain(s);
  rac_release(s);
  found found = report();
  CHECK_TEXT(found.kind, "signal");
  CHECK_INT(found.references, 1);
  /* Nothing else lets it go but the reference of its own. */
  rac_signal *itself = holder.itself;
  holder.itself = NULL;
  rac_release(itself);
  CHECK_TEXT(report().kind, "");
}

/* A context that does not hold the handle knows it all the same. */
static void set_stale(void *context, rac_value value) {
  watcher *self = context_target(context);
  if (value.bits == 1)
    CHECK_STATUS(rac_property_set(self->observed, I(2)), RAC_QUEUED);
}

TEST(a_context_that_holds_no_reference) {
  rac_property *p = rac_property_create(I(0), 0);
  rac_signal_set_name(rac_property_as_signal(p), "price");
  watcher watcher = {p, 0};
  rac_release(rac_subscribe_next(rac_property_as_signal(p),
                                 context_new(&watcher, NULL), set_stale,
                                 context_destroy));
  rac_property_set(p, I(1));
  rac_release(p);
  CHECK_TEXT(report().kind, "");
  CHECK_STATUS(rac_property_set(watcher.observed, I(3)), RAC_ESTALE);
}

static void note_kind(void *context, const char *kind, const char *name,
                      size_t references, size_t subscribers) {
  (void)name, (void)references, (void)subscribers;
  char *text = context;
  strcat(strcat(text, kind), ";");
}

static void ask_nobody(void *context, rac_scheduler *scheduler) {
  (void)context, (void)scheduler;
}
static rac_status no_work(void *context, rac_value input, rac_signal **out) {
  (void)context, (void)input, (void)out;
  return RAC_OK;
}

TEST(every_kind_has_a_name) {
  rac_sequence *sequence = rac_sequence_empty();
  void *handles[] = {
      rac_channel_create(),
      rac_property_create(I(0), 0),
      rac_compound_disposable_create(),
      rac_scheduler_virtual(),
      rac_scheduler_over_queue("q", NULL, ask_nobody, NULL),
      rac_command_create(NULL, rac_scheduler_immediate(), NULL, no_work, NULL),
      rac_sequence_iterate(sequence),
      sequence};
  char text[1024] = "";
  rac_report_live_handles(text, note_kind);
  static const char *const kinds[] = {
      "channel",           "terminal",
      "property",          "compound disposable",
      "virtual scheduler", "scheduler over a queue",
      "command",           "sequence",
      "sequence iterator"};
  for (int i = 0; i < 9; i++) CHECK(strstr(text, kinds[i]) != NULL);
  CHECK(strstr(text, "object") == NULL);
  for (int i = 0; i < 8; i++) rac_release(handles[i]);
}

static void *come_and_go(void *argument) {
  (void)argument;
  for (int64_t i = 0, count = check_scaled(20000); i < count; i++) {
    owned rac_property *p = rac_property_create(I(i), 0);
    owned rac_signal *s = rac_signal_return(I(i));
  }
  return NULL;
}

/* A callback may do anything, also let go of what is reported. */
static void release_price(void *context, const char *kind, const char *name,
                          size_t references, size_t subscribers) {
  (void)kind, (void)references, (void)subscribers;
  if (strcmp(name, "price") == 0) CHECK_STATUS(rac_release(context), RAC_OK);
}

TEST(a_report_while_handles_come_and_go) {
  pthread_t other = check_spawn(come_and_go, NULL);
  for (int64_t i = 0, count = check_scaled(200); i < count; i++) {
    rac_property *p = rac_property_create(I(0), 0);
    rac_signal_set_name(rac_property_as_signal(p), "price");
    CHECK(rac_report_live_handles(p, release_price) >= 1);
    CHECK_STATUS(rac_property_set(p, I(1)), RAC_ESTALE);
  }
  check_join(other);
}
