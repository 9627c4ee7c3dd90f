/* A network that is cut in the middle of something: a proxy passes on so many
 * bytes of each connection, and closes it. */
#ifndef RAC_MACHINES_PROXY_H
#define RAC_MACHINES_PROXY_H

#include "check.h"

typedef struct proxy {
  char socket[80];    /* where it listens */
  const char *broker; /* its socket; NULL: */
  int port;           /* of the loopback */
  uint64_t most;      /* bytes of a connection; 0: 200,000 */
  atomic_int cuts;
  atomic_bool is_whole; /* nothing is cut any more */
  int listener;
  atomic_bool is_over;
  uint64_t state;
  pthread_t thread;
} proxy;

/* `folder` is for its socket. */
void proxy_start(proxy *self, const char *folder);
void proxy_stop(proxy *self);

#endif
