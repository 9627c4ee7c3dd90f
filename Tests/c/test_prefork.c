/* A server that forks its workers before it serves, and how both sides close. */
#define _GNU_SOURCE
#include "forked.h"

enum { WORKERS = 4, REQUESTS = 500 };

typedef struct server {
  rac_subject *requests;
  rac_disposable *subscription;
  int64_t answers;
} server;

static void answer(void *context, rac_value value) {
  ((server *)context)->answers += value.bits;
}

static void serve(server *s, int from, int to) {
  int64_t number;
  int heard = 0;
  while (heard < REQUESTS) {
    struct pollfd fds[2] = {{.fd = from, .events = POLLIN},
                            {.fd = rac_main_fd(), .events = POLLIN}};
    CHILD(poll(fds, 2, 10000) > 0);
    if (fds[0].revents & POLLIN) {
      CHILD(read(from, &number, sizeof number) == sizeof number);
      CHILD(rac_subject_send(s->requests, I(number)) >= 0);
      heard++;
    }
    if (fds[1].revents & POLLIN) CHILD(rac_main_drain_for(0.002) >= 0);
  }
  while (rac_main_drain(0) > 0) {
  }
  /* With what the parent made, and nothing of the parent's ends with it. */
  CHILD(rac_close(5) == RAC_OK);
  CHILD(rac_subject_send(s->requests, I(1)) == RAC_ECLOSED);
  CHILD(write(to, &s->answers, sizeof s->answers) == sizeof s->answers);
}

static void is_closed(void *argument) {
  (void)argument;
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_close(1) == RAC_OK || rac_last_error_code() == RAC_EFORK);
}

static void prefork(void *argument) {
  (void)argument;
  rac_scheduler *loop = rac_scheduler_main();
  server s = {.requests = rac_subject_create()};
  rac_signal *doubled =
      rac_signal_map(as_signal(s.requests), NULL, twice, NULL);
  rac_signal *delivered = rac_signal_deliver_on(doubled, loop);
  s.subscription = rac_subscribe_next(delivered, &s, answer, NULL);
  rac_release(delivered);
  rac_release(doubled);
  CHILD(rac_main_fd() >= 0);
  int pipes[WORKERS][4];
  pid_t workers[WORKERS];
  for (int w = 0; w < WORKERS; w++) {
    CHILD(pipe(pipes[w]) == 0 && pipe(pipes[w] + 2) == 0);
    workers[w] = fork();
    if (workers[w] == 0) {
      alarm(CHILD_SECONDS);
      serve(&s, pipes[w][0], pipes[w][3]);
      _exit(0);
    }
  }
  for (int64_t i = 1; i <= REQUESTS; i++)
    for (int64_t w = 0; w < WORKERS; w++) {
      int64_t number = i * (w + 1);
      CHILD(write(pipes[w][1], &number, sizeof number) == sizeof number);
    }
  for (int64_t w = 0; w < WORKERS; w++) {
    int64_t sum = 0;
    CHILD(read(pipes[w][2], &sum, sizeof sum) == sizeof sum);
    CHILD(sum == (w + 1) * REQUESTS * (REQUESTS + 1));
    CHILD(await_child(workers[w]) == 0);
  }
  /* The parent goes on, forks more of them, and closes beside one that serves. */
  CHILD(s.answers == 0);
  CHILD(rac_subject_send(s.requests, I(1)) == RAC_OK);
  CHILD(rac_main_drain(0) == 1);
  CHILD(s.answers == 2);
  s.answers = 0;
  pid_t late = fork();
  if (late == 0) {
    alarm(CHILD_SECONDS);
    serve(&s, pipes[0][0], pipes[0][3]);
    _exit(0);
  }
  CHILD(rac_close(5) == RAC_OK);
  CHILD(rac_release(s.requests) == RAC_OK);
  int64_t sum = 0;
  for (int64_t i = 1; i <= REQUESTS; i++)
    CHILD(write(pipes[0][1], &i, sizeof i) == sizeof i);
  CHILD(read(pipes[0][2], &sum, sizeof sum) == sizeof sum);
  CHILD(sum == REQUESTS * (REQUESTS + 1));
  CHILD(await_child(late) == 0);
  /* A worker that is forked from a server that has closed is closed, too. */
  CHILD(in_child(is_closed, NULL) == 0);
  rac_release(loop);
}

TEST(a_server_that_forks_its_workers) { alone(prefork); }
