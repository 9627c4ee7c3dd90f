/* A broker as its subscriptions see it: where it is, and what is counted. */
#ifndef RAC_REDIS_REDIS_H
#define RAC_REDIS_REDIS_H

#include <pthread.h>
#include <rac_redis.h>
#include <stdatomic.h>

#include "arguments.h"
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
  COUNTS
} count;

struct rac_redis {
  atomic_int references;
  char *host, *socket, *user, *password, *sender;
  int port, database;
  double patience, give_up_after;
  rac_scheduler *scheduler;
  tls_settings *tls; /* NULL: none */
  _Atomic uint64_t counts[COUNTS];
  pthread_mutex_t lock; /* of the text */
  char trouble[160];
  char piece[65536]; /* what was just read, on the scheduler */
};

rac_redis *redis_retain(rac_redis *self);

static inline void redis_count(rac_redis *self, count which, uint64_t more) {
  atomic_fetch_add_explicit(&self->counts[which], more, memory_order_relaxed);
}

/* Why a connection was lost. */
void redis_note_trouble(rac_redis *self, const char *text);

/* An error of our domain, owned. */
rac_value redis_error(int64_t code, const char *message);

#endif
