/* A redis-server of a test's own, in a folder that goes with it. */
#ifndef RAC_REDIS_SERVER_H
#define RAC_REDIS_SERVER_H

#include <hiredis.h>
#include <rac_redis.h>

#include "flow.h"

typedef struct server {
  char folder[64];
  char socket[80];
  int port; /* 0: the socket alone */
  int process;
  long most_bytes; /* of its files, as on a disk that is full; 0: no limit */
  const char *arguments[16]; /* more of the command line, up to a NULL */
} server;

/* With an append-only file that is synced at each write, or none. */
void server_start(server *self, bool is_durable);
/* With its arguments alone. */
void server_start_with(server *self);
/* The same data; waits until it answers. */
void server_start_again(server *self);
/* SIGKILL. */
void server_kill(server *self);
/* There is room for its files again. */
void server_free_disk(server *self);
void server_pause(server *self);
void server_go_on(server *self);
/* Kills it and removes the folder. */
void server_remove(server *self);

/* A command's answer as text: a number, a string, "nil", or the error. */
char *server_ask(server *self, const char *format, ...);
/* The same, for a number. */
long long server_number(server *self, const char *format, ...);

#define with_server __attribute__((cleanup(server_remove))) server

/* A rac_redis by the socket, with a patience of a second. */
rac_redis *redis_of(server *self, const char *sender);
static inline void release_redis(rac_redis **redis) {
  rac_redis_release(*redis);
}
#define of_redis __attribute__((cleanup(release_redis))) rac_redis

rac_redis_stats stats_of(rac_redis *redis);

/* Publishes `source` and waits, so many seconds; the status of its end. */
rac_status publish_all(rac_redis *redis, rac_signal *source, const char *stream,
                       const rac_redis_publish_options *options);

#endif
