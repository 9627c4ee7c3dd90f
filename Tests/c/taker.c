#include "taker.h"

static void write_down(taker *self, const char *text) {
  size_t length = strlen(text);
  if (self->used + length >= sizeof self->text) return;
  memcpy(self->text + self->used, text, length + 1);
  self->used += length;
}

static taker *begin(void *context) {
  taker *self = context_target(context);
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  if (atomic_load_explicit(&self->ends, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "a callback after the end");
  if (self->used > 0) write_down(self, " ");
  return self;
}

static void end(taker *self) {
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void write_time(taker *self) {
  char time[32];
  if (!self->clock) return;
  snprintf(time, sizeof time, "@%g", rac_scheduler_now(self->clock));
  write_down(self, time);
}

static void note(taker *self, size_t index, rac_value value) {
  char text[300] = " ";
  format_value(value, text + (index > 0), sizeof text - 1);
  write_down(self, text);
}

static void close_batch(taker *self, size_t count) {
  write_down(self, "]");
  write_time(self);
  CHECK(count > 0);
  if (count > self->largest) self->largest = count;
  atomic_fetch_add(&self->batches, 1);
  atomic_fetch_add(&self->values, (int)count);
  if (self->on_batch) self->on_batch(self, count);
  end(self);
}

void take_values(void *context, const rac_value *values, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, values[i]);
    self->sum += values[i].bits;
  }
  close_batch(self, count);
}

void take_int64s(void *context, const int64_t *numbers, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, I(numbers[i]));
    self->sum += numbers[i];
  }
  close_batch(self, count);
}

void take_doubles(void *context, const double *numbers, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++)
    note(self, i, rac_value_double(numbers[i]));
  close_batch(self, count);
}

static void take_error(void *context, rac_value error) {
  taker *self = begin(context);
  note(self, 0, error);
  write_time(self);
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

static void take_completed(void *context) {
  taker *self = begin(context);
  write_down(self, "|");
  write_time(self);
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

void take_destroy(void *context) {
  taker *self = context_target(context);
  CHECK(atomic_load_explicit(&self->inside, memory_order_relaxed) == 0);
  atomic_int *destroyed = &self->destroyed;
  context_destroy(context);
  atomic_fetch_add(destroyed, 1);
}

rac_batch_observer taker_observer(taker *self, int form) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  if (form == VALUES) observer.next_values = take_values;
  if (form == INT64S) observer.next_int64s = take_int64s;
  if (form == DOUBLES) observer.next_doubles = take_doubles;
  observer.error = take_error;
  observer.completed = take_completed;
  observer.destroy = take_destroy;
  return observer;
}

void take_form(rac_signal *signal, size_t count, double interval,
               rac_scheduler *scheduler, taker *self, int form) {
  rac_batch_observer observer = taker_observer(self, form);
  self->subscription =
      rac_subscribe_batches(signal, count, interval, scheduler, &observer);
  CHECK(self->subscription != NULL);
}

void take(rac_signal *signal, size_t count, double interval,
          rac_scheduler *scheduler, taker *self) {
  take_form(signal, count, interval, scheduler, self, VALUES);
}

void await_taker(taker *self) {
  WAIT_UNTIL(atomic_load(&self->destroyed) != 0);
  CHECK_INT(atomic_load(&self->destroyed), 1);
  rac_release(self->subscription);
}

void stop_taker(taker *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  await_taker(self);
}
