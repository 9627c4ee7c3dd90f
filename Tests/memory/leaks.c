/* Contexts that the library alone refers to when the program ends: nothing is
 * lost, and LeakSanitizer, which this is compiled for, finds nothing. With an
 * argument something is, which it has to find.
 */
#include <rac.h>
#include <stdlib.h>
#include <string.h>

static void hear(void *context, rac_value value) { (void)context, (void)value; }
static void act(void *context) { (void)context; }

static void *context(void) { return calloc(1, 40); }

static volatile uintptr_t lost;

/* What it leaves on the stack is written over by `cover`. */
static __attribute__((noinline)) void leave_much(void) {
  rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 1000; i++) {
    rac_signal *stage = rac_signal_map_replace(rac_subject_as_signal(subject),
                                               rac_value_int64(i));
    rac_release(rac_subscribe_next(stage, context(), hear, free));
    rac_release(stage);
    rac_release(rac_schedule_after(rac_scheduler_main(), 1000.0 + i, context(),
                                   act, free));
  }
}

static __attribute__((noinline)) void lose(void) {
  lost = (uintptr_t)context() ^ (uintptr_t)-1;
}

static __attribute__((noinline)) void cover(void) {
  char much[1 << 14];
  memset(much, 0, sizeof much);
  __asm__ volatile("" : : "r"(much) : "memory");
}

int main(int count, char **arguments) {
  (void)arguments;
  leave_much();
  if (count > 1) lose();
  cover();
  return 0;
}
