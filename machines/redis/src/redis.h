/* A broker as its subscriptions see it: where it is, and what is counted. */
#ifndef RAC_REDIS_REDIS_H
#define RAC_REDIS_REDIS_H

#include <rac_redis.h>
#include <stdatomic.h>

#include "arguments.h"
#include "counts.h"
#include "tls.h"

/* The counts, in the order of rac_redis_stats. */
typedef enum count {
  SENT,
  RESENT,
  ACKNOWLEDGED,
  REFUSED,
  FORGOTTEN,
  RECEIVED,
  DOUBLES,
  GAPS,
  UNREADABLE,
  HANDLED,
  FAILED,
  DEAD,
  CONNECTIONS,
  LOSSES,
  UNDURABLE,
  COUNTS
} count;

struct rac_redis {
  atomic_int references;
  char *host, *socket, *user, *password, *sender;
  int port, database;
  double patience, give_up_after;
  rac_scheduler *scheduler;
  tls_settings *tls; /* NULL: none */
  counts counts;
  char piece[65536]; /* what was just read, on the scheduler */
};

rac_redis *redis_retain(rac_redis *self);

static inline void redis_count(rac_redis *self, count which, uint64_t more) {
  counts_add(&self->counts, which, more);
}

/* An error of our domain, owned. */
rac_value redis_error(int64_t code, const char *message);

#endif
