/* What a recording has to bear: `crowd 1000` has so many threads at once, each
 * with a graph of its own; `crowd 0` makes graphs and timers until it is killed. */
#include <pthread.h>
#include <rac.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t all_there;

static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_int64(value.bits * 2);
  return RAC_OK;
}

static void hear(void *context, rac_value value) { (void)context, (void)value; }

/* A subject with that name, something above it, and values. */
static void play(const char *name, int values, double pause) {
  rac_subject *keys = rac_subject_create();
  rac_scheduler *main_scheduler = rac_scheduler_main();
  rac_signal_set_name(rac_subject_as_signal(keys), name);
  rac_signal *doubled =
      rac_signal_map(rac_subject_as_signal(keys), NULL, twice, NULL);
  rac_signal *late = pause > 0
                         ? rac_signal_delay(doubled, pause, main_scheduler)
                         : rac_signal_distinct_until_changed(doubled);
  rac_disposable *d = rac_subscribe_next(late, NULL, hear, NULL);
  for (int i = 0; i < values; i++) rac_subject_send(keys, rac_value_int64(i));
  if (pause > 0) rac_main_run_for(2 * pause);
  rac_subject_send_completed(keys);
  rac_release(d), rac_release(late), rac_release(doubled), rac_release(keys);
  rac_release(main_scheduler);
}

static void *in_thread(void *number) {
  char name[32];
  snprintf(name, sizeof name, "keys %d", *(int *)number);
  rac_thread_attach();
  pthread_barrier_wait(&all_there);
  play(name, 10, 0);
  pthread_barrier_wait(&all_there);
  rac_thread_detach();
  return NULL;
}

static int crowd(int count) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  int *numbers = calloc((size_t)count, sizeof *numbers);
  pthread_attr_t small;
  if (threads == NULL || numbers == NULL) return 1;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_barrier_init(&all_there, NULL, (unsigned)count);
  for (int i = 0; i < count; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], &small, in_thread, &numbers[i]) != 0)
      return 2;
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  pthread_attr_destroy(&small);
  free(threads), free(numbers);
  return 0;
}

static void *for_ever(void *context) {
  (void)context;
  for (;;) play("beside", 100, 0);
  return NULL;
}

int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : 0;
  pthread_t beside;
  if (threads > 0) return crowd(threads);
  if (pthread_create(&beside, NULL, for_ever, NULL) != 0) return 2;
  for (;;) play("main", 10, 0.0005);
}
