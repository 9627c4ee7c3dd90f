/* Sources outside the process: a log that is tailed, a server and its client, a
 * child program that reads and writes. What comes of them may fork, too. */
#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUBSCRIPTIONS = 4 };

static rac_subject *texts;
static rac_disposable *subscriptions[SUBSCRIPTIONS];
static char path[64];
static int file = -1;
static _Atomic(pid_t) program;

/* Those that the process had at its start are none of ours. */
static int inherited;

int sockets(void) {
  int count = -inherited;
  for (int fd = 0; fd < 256; fd++) {
    struct stat status;
    count += fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
  }
  return count;
}

/* What a client says is said to it. */
static rac_status serve(void *context, rac_value connection, rac_signal **out) {
  int fd = rac_socket_descriptor(connection);
  (void)context;
  rac_signal *said = rac_signal_chunks(fd, RAC_DESCRIPTOR_OWNED, 0, NULL);
  *out = rac_signal_write(said, fd, RAC_DESCRIPTOR_OWNED, NULL, NULL);
  rac_release(said);
  return RAC_OK;
}

static rac_status talk(void *context, rac_value connection, rac_signal **out) {
  int fd = rac_socket_descriptor(connection);
  (void)context;
  rac_signal *both[] = {rac_signal_write(rac_subject_as_signal(texts), fd,
                                         RAC_DESCRIPTOR_OWNED, NULL, NULL),
                        rac_signal_lines(fd, RAC_DESCRIPTOR_OWNED, 0, NULL)};
  *out = rac_signal_merge(both, 2);
  rac_release(both[0]);
  rac_release(both[1]);
  return RAC_OK;
}

static void note_program(void *context, rac_value event) {
  if (rac_tuple_get(event, 0).bits == RAC_CHILD_STARTED)
    atomic_store(&program, (pid_t)rac_tuple_get(event, 1).bits);
  hear_nothing(context, event);
}

static rac_signal *flattened(rac_signal *connections, rac_signal_fn made) {
  rac_signal *all = rac_signal_flatten_map(connections, NULL, made, NULL);
  rac_release(connections);
  return all;
}

void begin_outside(void) {
  inherited = sockets();
  if (!now.outside) return;
  const char *cat[] = {"cat", NULL};
  char address[64];
  strcpy(path, "/tmp/rac-processes-XXXXXX");
  file = mkstemp(path);
  MUST(file >= 0);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  snprintf(address, sizeof address, "unix:@rac-processes-%d", (int)getpid());
  texts = rac_subject_create();
  rac_signal *signals[SUBSCRIPTIONS] = {
      rac_signal_tail(path, RAC_TAIL_BEGINNING, false, 0, NULL),
      flattened(rac_signal_listen(address, 0, NULL, NULL), serve),
      flattened(rac_signal_connect(address, -1, NULL), talk),
      rac_signal_spawn(cat, NULL, NULL, rac_subject_as_signal(texts),
                       RAC_SPAWN_OUTPUT, 0, NULL)};
  for (int i = 0; i < SUBSCRIPTIONS; i++)
    subscriptions[i] =
        listen_to(signals[i], i == 3 ? note_program : hear_nothing);
}

void use_outside(uint64_t *random) {
  if (!now.outside) return;
  if (below(random, 8) == 0)
    rac_dispose(subscriptions[below(random, SUBSCRIPTIONS)]);
  rac_subject_send(texts, rac_value_string("a line\n"));
  if (write(file, "a line\n", 7) < 0) return;
}

bool end_outside(void) {
  if (!now.outside) return true;
  if (file >= 0) {
    unlink(path);
    close(file);
    file = -1;
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      rac_dispose(subscriptions[i]);
      rac_release(subscriptions[i]);
    }
    rac_release(texts);
  }
  pid_t pid = atomic_load(&program);
  /* A zombie would be there. */
  bool is_reaped = pid == 0 || (kill(pid, 0) < 0 && errno == ESRCH);
  return is_reaped && sockets() == 0;
}
