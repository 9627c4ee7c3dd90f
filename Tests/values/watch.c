/* A round that does not end: who sends, and where all threads are. */
#include "values.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t deadline;
static int64_t patience_of_round;

static void print_stacks(void) {
  char process[16];
  snprintf(process, sizeof process, "%d", (int)getpid());
  pid_t child = fork();
  if (child == 0) {
    dup2(2, 1);
    execlp("gdb", "gdb", "-nx", "-batch", "-p", process, "-ex",
           "thread apply all backtrace 16", (char *)NULL);
    _exit(127);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    int64_t until = atomic_load(&deadline);
    if (until == 0 || now() <= until) continue;
    fprintf(stderr, "values: seed %llu, round %llu HANGS\n",
            (unsigned long long)the.seed, (unsigned long long)the.round);
    for (int i = 0; i < the.threads; i++) {
      int doing = atomic_load(&the.senders[i].doing);
      if (doing > 0)
        fprintf(stderr, "  sender %d sends to %d, after %d values\n", i,
                doing - 1, atomic_load(&the.senders[i].count));
    }
    print_stacks();
    _exit(3);
  }
  return NULL;
}

void watch_hangs(int patience) {
  patience_of_round = (int64_t)patience * 1000000000;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, watch, NULL) != 0) abort();
  pthread_detach(watcher);
}

void watch_round(void) { atomic_store(&deadline, now() + patience_of_round); }
