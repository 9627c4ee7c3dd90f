/* rac_close() beside sixteen threads that do everything else. */
#include "closing.h"

typedef struct town {
  rac_subject *subject;
  rac_scheduler *background, *loop;
  rac_signal *created;
  rac_property *property;
} town;

/* Until it is told that the library is closed. */
static void *sends(void *argument) {
  town *t = argument;
  while (rac_subject_send(t->subject, I(1)) != RAC_ECLOSED) continue;
  return NULL;
}
static void *sends_many(void *argument) {
  town *t = argument;
  int64_t numbers[300] = {0};
  while (rac_subject_send_array(t->subject, RAC_ARRAY_INT64S, numbers, 300) !=
         RAC_ECLOSED)
    continue;
  return NULL;
}
static void *sets(void *argument) {
  town *t = argument;
  for (int i = 0; rac_property_set(t->property, I(i)) != RAC_ECLOSED; i++)
    continue;
  return NULL;
}
static void *subscribes(void *argument) {
  town *t = argument;
  for (;;) {
    rac_disposable *d = listen(as_signal(t->subject));
    if (d == NULL) return NULL;
    rac_subject_send(t->subject, I(2));
    rac_dispose(d);
    rac_release(d);
  }
}
static void *creates(void *argument) {
  town *t = argument;
  rac_thread_attach();
  for (;;) {
    rac_signal *mapped =
        rac_signal_map(t->created, MINE, on_map, context_destroy);
    rac_signal *repeated = mapped ? rac_signal_repeat(mapped) : NULL;
    rac_signal *taken = repeated ? rac_signal_take(repeated, 250) : NULL;
    rac_disposable *d = taken ? listen(taken) : NULL;
    bool over = d == NULL;
    if (d) rac_release(d);
    if (taken) rac_release(taken);
    if (repeated) rac_release(repeated);
    if (mapped) rac_release(mapped);
    if (over) return NULL;
  }
}
static void *makes_subjects(void *argument) {
  (void)argument;
  for (;;) {
    rac_subject *mine = rac_subject_create();
    if (mine == NULL) return NULL;
    rac_disposable *d = listen(as_signal(mine));
    rac_status status = rac_subject_send(mine, I(1));
    CHILD(status == RAC_OK || status == RAC_ECLOSED);
    if (d) rac_release(d);
    rac_release(mine);
  }
}
static void *delivers(void *argument) {
  town *t = argument;
  for (;;) {
    rac_signal *there =
        rac_signal_deliver_on(as_signal(t->subject), t->background);
    if (there == NULL) return NULL;
    rac_disposable *d = listen(there);
    for (int i = 0; i < 200; i++) rac_subject_send(t->subject, I(i));
    if (d) rac_dispose(d), rac_release(d);
    rac_release(there);
  }
}
static void *delivers_to_main(void *argument) {
  town *t = argument;
  for (;;) {
    rac_signal *there = rac_signal_deliver_on(as_signal(t->subject), t->loop);
    if (there == NULL) return NULL;
    rac_disposable *d = listen(there);
    for (int i = 0; i < 20; i++) rac_subject_send(t->subject, I(i));
    if (d) rac_release(d);
    rac_release(there);
    if (d == NULL) return NULL;
    poll(NULL, 0, 1);
  }
}
static void *schedules(void *argument) {
  town *t = argument;
  for (int i = 0;; i++) {
    rac_disposable *d =
        i % 3 == 0 ? rac_schedule_after(t->background, 0.0001 * (i % 7), MINE,
                                        on_action, context_destroy)
        : i % 3 == 1
            ? rac_schedule(t->background, MINE, on_action, context_destroy)
            : rac_schedule_repeating(t->background, 0.0001, 0.001, 0, MINE,
                                     on_action, context_destroy);
    if (d == NULL) return NULL;
    if (i % 3 == 2) rac_dispose(d);
    rac_release(d);
    if (i % 64 == 0) poll(NULL, 0, 1);
  }
}
static void *schedules_on_main(void *argument) {
  town *t = argument;
  for (int i = 0;; i++) {
    rac_disposable *d =
        i % 2 ? rac_schedule(t->loop, MINE, on_action, context_destroy)
              : rac_schedule_after(t->loop, 0.001, MINE, on_action,
                                   context_destroy);
    if (d == NULL) return NULL;
    rac_release(d);
    if (i % 64 == 0) poll(NULL, 0, 1);
  }
}
static void *reads(void *argument) {
  town *t = argument;
  for (;;) {
    rac_value out;
    rac_status status = rac_signal_first(as_signal(t->subject), -1, &out);
    if (status == RAC_ECLOSED) return NULL;
    CHILD(status == RAC_OK);
    rac_value_release(out);
  }
}
static void *runs_main(void *argument) {
  (void)argument;
  while (rac_main_run_for(0.01) != RAC_ECLOSED) continue;
  return NULL;
}
static void *drains_main(void *argument) {
  (void)argument;
  while (rac_main_drain(3) != RAC_ECLOSED) check_pause();
  return NULL;
}
static void *releases(void *argument) {
  town *t = argument;
  while (rac_retain(t->subject) != NULL)
    CHILD(rac_release(t->subject) == RAC_OK);
  return NULL;
}

static void close_beside_a_crowd(void *argument) {
  static void *(*const shapes[])(void *) = {
      sends,       sends_many,        sets,     subscribes,
      creates,     makes_subjects,    delivers, schedules,
      reads,       schedules_on_main, releases, runs_main,
      drains_main, delivers_to_main,  sends,    reads};
  enum { CROWD = sizeof shapes / sizeof *shapes };
  pthread_t threads[CROWD];
  uint64_t objects = rac_live_objects();
  town t = {.subject = rac_subject_create(),
            .background = rac_scheduler_background(0, NULL),
            .loop = rac_scheduler_main(),
            .created = rac_signal_create(MINE, on_start, context_destroy),
            .property = rac_property_create(I(0), 0)};
  rac_signal *values = rac_property_as_signal(t.property);
  rac_disposable *p = listen(values), *s = listen(as_signal(t.subject));
  for (int i = 0; i < CROWD; i++) threads[i] = check_spawn(shapes[i], &t);
  poll(NULL, 0, (int)(intptr_t)argument);
  close_and_watch();
  for (int i = 0; i < CROWD; i++) check_join(threads[i]);
  CHILD(atomic_load(&calls) > 0);
  CHILD(rac_close(5) == RAC_OK);
  CHILD(rac_release(p) == RAC_OK && rac_release(s) == RAC_OK);
  CHILD(rac_release(t.property) == RAC_OK);
  CHILD(rac_release(t.created) == RAC_OK);
  CHILD(rac_release(t.subject) == RAC_OK);
  CHILD(rac_release(t.background) == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
  for (int i = 0; context_count() > 0 && i < 60000; i++) check_pause();
  CHILD(context_count() == 0);
  CHILD(atomic_load(&late) == 0);
  for (int i = 0; rac_live_objects() > objects && i < 60000; i++) check_pause();
  CHILD(rac_live_objects() == objects);
}

/* Laws 5 and 9. */
TEST(beside_sixteen_busy_threads_of_every_shape) {
  for (int64_t i = check_scaled(20); i > 0; i--)
    CHECK_INT(in_child(close_beside_a_crowd, (void *)(intptr_t)(i % 7 * 5)), 0);
}

/* ---- What works when the library is closed works while it closes ---------- */

enum { MANY = 4000 };
static atomic_bool may_dispose;

static void *disposes(void *argument) {
  rac_disposable **own = argument;
  while (!atomic_load(&may_dispose)) continue;
  for (int i = 0; i < MANY; i++) CHILD(rac_dispose(own[i]) == RAC_OK);
  return NULL;
}
static void *reads_the_property(void *argument) {
  rac_value out;
  while (!atomic_load(&closed))
    CHILD(rac_property_get(argument, &out) == RAC_OK && out.bits == 7);
  return NULL;
}

/* Of what is sent to nobody only a disposal is the end. */
static void dispose_while_it_closes(void *argument) {
  (void)argument;
  static rac_disposable *own[2][MANY];
  pthread_t threads[3];
  rac_subject *subject = rac_subject_create();
  rac_property *property = rac_property_create(I(7), 0);
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < MANY; i++) own[t][i] = listen(as_signal(subject));
  for (int t = 0; t < 2; t++) threads[t] = check_spawn(disposes, own[t]);
  threads[2] = check_spawn(reads_the_property, property);
  atomic_store(&may_dispose, true);
  close_and_watch();
  for (int t = 0; t < 3; t++) check_join(threads[t]);
  /* What one of the two left to the other may be left to a thread of the library. */
  for (int i = 0; context_count() > 0 && i < 60000; i++) check_pause();
  CHILD(context_count() == 0);
}

/* Laws 5 and 7. */
TEST(a_disposal_and_a_read_beside_a_close_are_not_refused) {
  for (int64_t i = check_scaled(20); i > 0; i--)
    CHECK_INT(in_child(dispose_while_it_closes, NULL), 0);
}
