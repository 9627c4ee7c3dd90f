#include "check.h"

#include <time.h>

/* ---- Tests and checks --------------------------------------------------- */

enum { CAPACITY = 256 };

static struct {
  const char *name;
  void (*body)(void);
} tests[CAPACITY];
static int test_count;
/* Checks fail on any thread. */
static atomic_int failures;
static atomic_int contexts_made, contexts_destroyed;

void check_register(const char *name, void (*body)(void)) {
  if (test_count == CAPACITY) abort();
  tests[test_count].name = name;
  tests[test_count++].body = body;
}

/* A failure in a loop needs no thousand lines. */
static bool is_news(void) { return atomic_fetch_add(&failures, 1) < 40; }

void check_fail(const char *file, int line, const char *what) {
  if (is_news()) fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

void check_int(const char *file, int line, const char *what, int64_t actual,
               int64_t expected) {
  if (actual == expected) return;
  if (!is_news()) return;
  fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what,
          (long long)actual, (long long)expected);
}

void check_status(const char *file, int line, const char *what,
                  rac_status actual, rac_status expected) {
  if (actual == expected) return;
  if (!is_news()) return;
  fprintf(stderr, "%s:%d: %s is %s, not %s\n", file, line, what,
          rac_status_name(actual), rac_status_name(expected));
}

void check_text(const char *file, int line, const char *what,
                const char *actual, const char *expected) {
  if (actual && expected && strcmp(actual, expected) == 0) return;
  if (!actual && !expected) return;
  if (!is_news()) return;
  fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", file, line, what,
          actual ? actual : "(null)", expected ? expected : "(null)");
}

void check_pause(void) {
  nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

int64_t check_scaled(int64_t count) {
  const char *text = getenv("RAC_STRESS_DIVISOR");
  int64_t divisor = text ? strtoll(text, NULL, 10) : 1;
  if (divisor > 1) count /= divisor;
  return count > 0 ? count : 1;
}

pthread_t check_spawn(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0) abort();
  return thread;
}

void check_join(pthread_t thread) { pthread_join(thread, NULL); }

double check_seconds(void) {
  const char *text = getenv("RAC_STRESS_SECONDS");
  return text ? strtod(text, NULL) : 0;
}

double check_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

uint64_t check_random(uint64_t *state) {
  uint64_t x = *state += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* Background workers let go of their last objects a little later. */
static void settle(uint64_t objects) {
  for (int tries = 0; tries < 100000; tries++) {
    if (rac_live_objects() == objects &&
        atomic_load(&contexts_made) == atomic_load(&contexts_destroyed))
      return;
    check_pause();
  }
}

static bool run(int index) {
  atomic_store(&failures, 0);
  atomic_store(&contexts_made, 0);
  atomic_store(&contexts_destroyed, 0);
  uint64_t before = rac_live_objects();
  rac_clear_last_error();
  tests[index].body();
  settle(before);
  CHECK_INT(atomic_load(&contexts_destroyed), atomic_load(&contexts_made));
  CHECK_INT(rac_live_objects(), before);
  if (atomic_load(&failures) == 0) return true;
  fprintf(stderr, "FAILED %s\n", tests[index].name);
  return false;
}

/* Runs every test, or those whose name contains the argument. */
int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  for (int i = 0; i < test_count; i++) {
    if (argc > 1 && !strstr(tests[i].name, argv[1])) continue;
    if (run(i)) {
      passed++;
    } else {
      failed++;
    }
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- Contexts ----------------------------------------------------------- */

typedef struct counted {
  void *target;
  atomic_int *destroyed;
  atomic_int alive;
} counted;

void *context_new(void *target, atomic_int *destroyed) {
  counted *self = malloc(sizeof *self);
  if (!self) abort();
  self->target = target;
  self->destroyed = destroyed;
  atomic_init(&self->alive, 1);
  atomic_fetch_add(&contexts_made, 1);
  return self;
}

void *context_target(void *context) {
  counted *self = context;
  CHECK(atomic_load_explicit(&self->alive, memory_order_relaxed) == 1);
  return self->target;
}

void context_destroy(void *context) {
  counted *self = context;
  /* Relaxed: that callbacks come before it is the library's to order. */
  if (atomic_exchange_explicit(&self->alive, 0, memory_order_relaxed) != 1) {
    check_fail(__FILE__, __LINE__, "a context is destroyed twice");
    return;
  }
  atomic_int *destroyed = self->destroyed;
  free(self);
  if (destroyed) atomic_fetch_add(destroyed, 1);
  atomic_fetch_add(&contexts_destroyed, 1);
}

int context_count(void) {
  return atomic_load(&contexts_made) - atomic_load(&contexts_destroyed);
}

void release_owned(void *variable) {
  void *object;
  memcpy(&object, variable, sizeof object);
  CHECK_STATUS(rac_release(object), RAC_OK);
}

void release_owned_value(rac_value *variable) { rac_value_release(*variable); }

/* ---- Values ------------------------------------------------------------- */

rac_value test_error(int64_t code) {
  return rac_value_error("test", code, "made by a test");
}

size_t format_value(rac_value value, char *buffer, size_t capacity) {
  double number = 0;
  bool truth = false;
  const char *text = NULL;
  size_t used = 0;
  switch (value.kind) {
  case RAC_NIL:
    return (size_t)snprintf(buffer, capacity, "nil");
  case RAC_BOOL:
    rac_value_get_bool(value, &truth);
    return (size_t)snprintf(buffer, capacity, truth ? "true" : "false");
  case RAC_INT64:
    return (size_t)snprintf(buffer, capacity, "%lld", (long long)value.bits);
  case RAC_DOUBLE:
    rac_value_get_double(value, &number);
    return (size_t)snprintf(buffer, capacity, "%g", number);
  case RAC_STRING:
    rac_value_get_string(value, &text, NULL);
    return (size_t)snprintf(buffer, capacity, "%s", text);
  case RAC_ERROR:
    return (size_t)snprintf(buffer, capacity, "#%lld",
                            (long long)rac_error_get_code(value));
  case RAC_TUPLE:
    used = (size_t)snprintf(buffer, capacity, "(");
    for (size_t i = 0; i < rac_tuple_count(value) && used < capacity; i++) {
      if (i > 0) used += (size_t)snprintf(buffer + used, capacity - used, ",");
      used +=
          format_value(rac_tuple_get(value, i), buffer + used, capacity - used);
    }
    if (used < capacity)
      used += (size_t)snprintf(buffer + used, capacity - used, ")");
    return used;
  case RAC_UNIT:
    return (size_t)snprintf(buffer, capacity, "unit");
  case RAC_EVENT:
    if (rac_event_get_type(value) == RAC_EVENT_COMPLETED)
      return (size_t)snprintf(buffer, capacity, "<|>");
    used = (size_t)snprintf(buffer, capacity, "<");
    if (rac_event_get_type(value) == RAC_EVENT_NEXT) {
      used += format_value(rac_event_get_value(value), buffer + used,
                           capacity - used);
    } else {
      if (rac_event_get_error(value).kind == RAC_NIL)
        used += (size_t)snprintf(buffer + used, capacity - used, "#");
      used += format_value(rac_event_get_error(value), buffer + used,
                           capacity - used);
    }
    if (used < capacity)
      used += (size_t)snprintf(buffer + used, capacity - used, ">");
    return used;
  default:
    return (size_t)snprintf(buffer, capacity, "?");
  }
}

/* ---- Recorders ---------------------------------------------------------- */

static recorder *begin(void *context) {
  recorder *self = context_target(context);
  int inside =
      atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed);
  if (inside != 0 && !self->nests)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  if (atomic_load_explicit(&self->ends, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "a callback after the end");
  return self;
}

/* Relaxed everywhere else: the library alone orders callbacks. That destroy comes
 * after them is ordered by Swift's reference counts, whose runtime is not
 * instrumented; ThreadSanitizer is told here. */
static void end(recorder *self) {
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_release);
}

static void write_down(recorder *self, const char *event) {
  char text[512];
  int length;
  if (self->clock)
    length = snprintf(text, sizeof text, "%s%s@%g", self->used ? " " : "",
                      event, rac_scheduler_now(self->clock));
  else
    length = snprintf(text, sizeof text, "%s%s", self->used ? " " : "", event);
  /* A full recorder goes on counting. */
  if (self->used + (size_t)length >= sizeof self->text) return;
  memcpy(self->text + self->used, text, (size_t)length + 1);
  self->used += (size_t)length;
}

static void recorder_next(void *context, rac_value value) {
  recorder *self = begin(context);
  char text[400];
  format_value(value, text, sizeof text);
  write_down(self, text);
  atomic_fetch_add_explicit(&self->nexts, 1, memory_order_release);
  if (self->on_next) self->on_next(self, value);
  end(self);
}

static void recorder_end(recorder *self, const char *text) {
  write_down(self, text);
  if (self->on_end) self->on_end(self);
  end(self);
  atomic_fetch_add_explicit(&self->ends, 1, memory_order_release);
}

static void recorder_error(void *context, rac_value error) {
  char text[400];
  format_value(error, text, sizeof text);
  if (error.kind == RAC_NIL) strcpy(text, "#nil");
  recorder_end(begin(context), text);
}

static void recorder_completed(void *context) {
  recorder_end(begin(context), "|");
}

static void recorder_destroy(void *context) {
  recorder *self = context_target(context);
  CHECK(atomic_load_explicit(&self->inside, memory_order_acquire) == 0);
  if (self->on_destroy) self->on_destroy(self);
  atomic_int *destroyed = &self->destroyed;
  context_destroy(context);
  atomic_fetch_add_explicit(destroyed, 1, memory_order_release);
}

rac_observer recorder_observer(recorder *self) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  observer.next = recorder_next;
  observer.error = recorder_error;
  observer.completed = recorder_completed;
  observer.destroy = recorder_destroy;
  return observer;
}

rac_disposable *record(rac_signal *signal, recorder *self) {
  rac_observer observer = recorder_observer(self);
  self->subscription = rac_subscribe(signal, &observer);
  CHECK(self->subscription != NULL);
  return self->subscription;
}

void record_of(rac_signal *signal, recorder *self) {
  record(signal, self);
  rac_release(signal);
}

void let_go(recorder *self) {
  rac_release(self->subscription);
  self->subscription = NULL;
}

void await_end(recorder *self) {
  WAIT_UNTIL(atomic_load(&self->destroyed) != 0);
  CHECK_INT(atomic_load(&self->destroyed), 1);
  let_go(self);
}

void finish(recorder *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  await_end(self);
}

void recorder_close(recorder *self) {
  if (atomic_load(&self->ends)) {
    await_end(self);
  } else {
    finish(self);
  }
}

void check_signal(const char *file, int line, const char *what,
                  rac_signal *signal, const char *expected) {
  RECORDER_OF(r, signal);
  check_text(file, line, what, r.text, expected);
}

/* ---- Scripted sources --------------------------------------------------- */

typedef struct script {
  source *counts;
  char text[];
} script;

typedef struct playback {
  source *counts;
  rac_subscriber *subscriber;
} playback;

/* False after an end. */
static bool play_event(rac_subscriber *subscriber, const char *event) {
  if (*event == '|') {
    rac_subscriber_send_completed(subscriber);
    return false;
  }
  if (*event == '#') {
    rac_value error = test_error(strtoll(event + 1, NULL, 10));
    rac_subscriber_send_error(subscriber, error);
    rac_value_release(error);
    return false;
  }
  rac_value value = rac_value_nil();
  if (*event != 'n') value = I(strtoll(event, NULL, 10));
  rac_subscriber_send(subscriber, value);
  return true;
}

static bool play_script(rac_subscriber *subscriber, const char *text) {
  bool open = true;
  while (*text) {
    open = play_event(subscriber, text);
    text += strcspn(text, " ");
    text += strspn(text, " ");
  }
  return open;
}

static void cold_disposed(void *context) {
  playback *self = context_target(context);
  if (self->counts) atomic_fetch_add(&self->counts->disposed, 1);
}

static void playback_destroy(void *context) {
  playback *self = context_target(context);
  rac_release(self->subscriber);
  free(self);
  context_destroy(context);
}

static rac_status cold_subscribe(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  script *self = context_target(context);
  playback *playing = calloc(1, sizeof *playing);
  if (!playing) abort();
  playing->counts = self->counts;
  if (self->counts) atomic_fetch_add(&self->counts->subscribed, 1);
  if (play_script(subscriber, self->text))
    playing->subscriber = rac_retain(subscriber);
  *out = rac_disposable_create(context_new(playing, NULL), cold_disposed,
                               playback_destroy);
  return RAC_OK;
}

static void script_destroy(void *context) {
  free(context_target(context));
  context_destroy(context);
}

static script *script_new(const char *text, source *counts) {
  script *self = malloc(sizeof *self + strlen(text) + 1);
  if (!self) abort();
  self->counts = counts;
  strcpy(self->text, text);
  return self;
}

rac_signal *cold(const char *text, source *counts) {
  return rac_signal_create(context_new(script_new(text, counts), NULL),
                           cold_subscribe, script_destroy);
}

void play(void *subscriber, const char *text) { play_script(subscriber, text); }
