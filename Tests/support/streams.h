/* Signals and callbacks that several conformance tests use. */
#ifndef RAC_STREAMS_H
#define RAC_STREAMS_H

#include "operators.h"

/* ---- Sources ------------------------------------------------------------ */

/* The action of a disposable whose context's target is a source. */
static inline void count_disposed(void *context) {
  source *self = context_target(context);
  atomic_fetch_add(&self->disposed, 1);
}

/* The values of endless(): first, first + step, first + 2 * step, … */
typedef struct progression {
  int64_t first, step;
  source counts;
} progression;

static inline rac_status progress(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  progression *self = context_target(context);
  atomic_fetch_add(&self->counts.subscribed, 1);
  *out = rac_disposable_create(context_new(&self->counts, NULL), count_disposed,
                               context_destroy);
  rac_subscriber_add_disposable(subscriber, *out);
  for (int64_t n = self->first; rac_subscriber_is_active(subscriber);
       n += self->step)
    rac_subscriber_send(subscriber, I(n));
  return RAC_OK;
}

/* A cold signal that goes on, before subscribing returns, as long as anybody
 * listens. */
static inline rac_signal *endless(progression *numbers) {
  return rac_signal_create(context_new(numbers, NULL), progress,
                           context_destroy);
}

/* A cold signal of strings: words("a b") sends a, then b, and completes. */
static inline rac_signal *words(const char *text) {
  rac_value values[16] = {{0}};
  size_t count = 0;
  while (*text && count < 16) {
    size_t length = strcspn(text, " ");
    values[count++] = rac_value_string_copy(text, length);
    text += length;
    text += strspn(text, " ");
  }
  rac_signal *signal = rac_signal_from_values(values, count);
  while (count > 0) rac_value_release(values[--count]);
  return signal;
}

static inline rac_status send_count(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  (void)out;
  int64_t *counter = context_target(context);
  rac_subscriber_send(subscriber, I(++*counter));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

/* A cold signal that counts its subscriptions, sends the count and completes. */
static inline rac_signal *counting(int64_t *counter) {
  return rac_signal_create(context_new(counter, NULL), send_count,
                           context_destroy);
}

/* A subscription to `signal` that is counted in `counts`: a cold signal around
 * it. */
typedef struct watched {
  rac_signal *signal;
  source counts;
} watched;

static inline rac_status watch_subscribe(void *context,
                                         rac_subscriber *subscriber,
                                         rac_disposable **out) {
  watched *self = context_target(context);
  atomic_fetch_add(&self->counts.subscribed, 1);
  rac_release(rac_subscribe_subscriber(self->signal, subscriber));
  *out = rac_disposable_create(context_new(&self->counts, NULL), count_disposed,
                               context_destroy);
  return RAC_OK;
}

static inline rac_signal *watch(watched *self) {
  return rac_signal_create(context_new(self, NULL), watch_subscribe,
                           context_destroy);
}

/* ---- Sending strings ---------------------------------------------------- */

static inline void say(rac_subject *subject, const char *text) {
  CHECK_STATUS(rac_subject_send(subject, S(text)), RAC_OK);
}

/* ---- Callbacks ---------------------------------------------------------- */

/* Makes one string of all elements. The context's target stands between them,
 * CALLBACK_FOR(" ", joined). */
static inline rac_status joined(void *context, const rac_value *elements,
                                size_t count, rac_value *out) {
  const char *between = context_target(context);
  char text[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < count && used < sizeof text - 64; i++) {
    if (i > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s", between);
    used += format_value(elements[i], text + used, sizeof text - used);
  }
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

#endif
