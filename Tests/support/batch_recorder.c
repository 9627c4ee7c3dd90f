#include "batch_recorder.h"

static void write_down(batch_recorder *self, const char *text) {
  size_t length = strlen(text);
  if (self->used + length >= sizeof self->text) return;
  memcpy(self->text + self->used, text, length + 1);
  self->used += length;
}

static batch_recorder *begin(void *context) {
  batch_recorder *self = context_target(context);
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  if (atomic_load_explicit(&self->ends, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "a callback after the end");
  if (self->used > 0) write_down(self, " ");
  return self;
}

static void end(batch_recorder *self) {
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void write_time(batch_recorder *self) {
  char time[32];
  if (!self->clock) return;
  snprintf(time, sizeof time, "@%g", rac_scheduler_now(self->clock));
  write_down(self, time);
}

static void note(batch_recorder *self, size_t index, rac_value value) {
  char text[300] = " ";
  format_value(value, text + (index > 0), sizeof text - 1);
  write_down(self, text);
}

static void close_batch(batch_recorder *self, size_t count) {
  write_down(self, "]");
  write_time(self);
  CHECK(count > 0);
  if (count > self->largest) self->largest = count;
  atomic_fetch_add(&self->batches, 1);
  atomic_fetch_add(&self->values, (int)count);
  if (self->on_batch) self->on_batch(self, count);
  end(self);
}

void record_values(void *context, const rac_value *values, size_t count) {
  batch_recorder *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, values[i]);
    self->sum += values[i].bits;
  }
  close_batch(self, count);
}

void record_int64s(void *context, const int64_t *numbers, size_t count) {
  batch_recorder *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, I(numbers[i]));
    self->sum += numbers[i];
  }
  close_batch(self, count);
}

void record_doubles(void *context, const double *numbers, size_t count) {
  batch_recorder *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++)
    note(self, i, rac_value_double(numbers[i]));
  close_batch(self, count);
}

static void batch_recorder_error(void *context, rac_value error) {
  batch_recorder *self = begin(context);
  note(self, 0, error);
  write_time(self);
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

static void batch_recorder_completed(void *context) {
  batch_recorder *self = begin(context);
  write_down(self, "|");
  write_time(self);
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

void batch_recorder_destroy(void *context) {
  batch_recorder *self = context_target(context);
  CHECK(atomic_load_explicit(&self->inside, memory_order_relaxed) == 0);
  atomic_int *destroyed = &self->destroyed;
  context_destroy(context);
  atomic_fetch_add(destroyed, 1);
}

rac_batch_observer batch_recorder_observer(batch_recorder *self, int form) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  if (form == VALUES) observer.next_values = record_values;
  if (form == INT64S) observer.next_int64s = record_int64s;
  if (form == DOUBLES) observer.next_doubles = record_doubles;
  observer.error = batch_recorder_error;
  observer.completed = batch_recorder_completed;
  observer.destroy = batch_recorder_destroy;
  return observer;
}

void record_batches_as(rac_signal *signal, size_t count, double interval,
                       rac_scheduler *scheduler, batch_recorder *self,
                       int form) {
  rac_batch_observer observer = batch_recorder_observer(self, form);
  self->subscription =
      rac_subscribe_batches(signal, count, interval, scheduler, &observer);
  CHECK(self->subscription != NULL);
}

void record_batches(rac_signal *signal, size_t count, double interval,
                    rac_scheduler *scheduler, batch_recorder *self) {
  record_batches_as(signal, count, interval, scheduler, self, VALUES);
}

void await_batch_end(batch_recorder *self) {
  WAIT_UNTIL(atomic_load(&self->destroyed) != 0);
  CHECK_INT(atomic_load(&self->destroyed), 1);
  rac_release(self->subscription);
}

void finish_batches(batch_recorder *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  await_batch_end(self);
}
