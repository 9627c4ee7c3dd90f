#include "flow.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int free_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &length) != 0)
    abort();
  close(fd);
  return ntohs(address.sin_port);
}

rac_signal *counting(int64_t first, int64_t last) {
  owned rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  owned rac_sequence *range =
      rac_sequence_range(first, 1, (size_t)(last - first + 1));
  return rac_sequence_signal(range, scheduler);
}

static void count(void *context, rac_value value) {
  tally *self = context_target(context);
  int64_t last = atomic_load(&self->last);
  atomic_fetch_add(&self->heard, 1);
  if (value.kind != RAC_INT64 || value.bits <= last)
    atomic_fetch_add(&self->again, 1);
  else {
    atomic_fetch_add(&self->missed, value.bits - last - 1);
    atomic_store(&self->last, value.bits);
  }
}

static void count_end(void *context) {
  tally *self = context_target(context);
  atomic_fetch_add(&self->ends, 1);
}
static void count_error(void *context, rac_value error) {
  tally *self = context_target(context);
  fprintf(stderr, "%s\n", rac_error_get_message(error));
  atomic_fetch_add(&self->ends, 100);
}

rac_disposable *tally_of(rac_signal *signal, tally *self) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, &self->destroyed);
  observer.next = count;
  observer.error = count_error;
  observer.completed = count_end;
  observer.destroy = context_destroy;
  return rac_subscribe(signal, &observer);
}

typedef struct looked_for {
  const char *end;
  int64_t value;
} looked_for;

static void look(void *context, const char *kind, const char *name,
                 size_t references, size_t value) {
  looked_for *self = context;
  size_t length = strlen(name), end = strlen(self->end);
  (void)references;
  if (strcmp(kind, "counter") == 0 && length >= end &&
      strcmp(name + length - end, self->end) == 0)
    self->value = (int64_t)value;
}

int64_t counter_of(const char *end) {
  looked_for found = {end, -1};
  rac_report_live_handles(&found, look);
  return found.value;
}
