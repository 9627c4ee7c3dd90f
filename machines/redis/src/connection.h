/* A connection to a broker that is opened again when it is lost.
 *
 *     RESTING -> CONNECTING -> GREETING -> OPEN -> RESTING ...
 *
 * The pause of a rest doubles from 50 ms to 2 s, and begins anew after a
 * greeting that was answered. Commands are answered in their order. When a
 * connection is lost its owner has to send the unanswered ones again. */
#ifndef RAC_REDIS_CONNECTION_H
#define RAC_REDIS_CONNECTION_H

#include <hiredis.h>

#include "buffer.h"
#include "owner.h"
#include "redis.h"

/* An owner's answers to the events of its connection. */
typedef struct protocol {
  void (*opened)(owner *self);
  /* True: the owner keeps the reply, and frees it. */
  bool (*answered)(owner *self, redisReply *reply);
  /* All answers that were there have been taken. May be NULL. */
  void (*settled)(owner *self);
  void (*lost)(owner *self);
} protocol;

typedef enum connection_state {
  RESTING,
  CONNECTING,
  GREETING,
  OPEN,
  CLOSED
} connection_state;

typedef struct connection {
  owner *owner;
  rac_redis *redis;
  const protocol *protocol;
  connection_state state;
  redisContext *context;
  rac_disposable *reading, *writing, *watch, *rest;
  buffer output;
  tls *tls;              /* NULL: none */
  buffer sealed, opened; /* what it sends in place of the output, and hears */
  size_t written;        /* of what is sent */
  size_t unanswered;
  double since;     /* when an answer came, or was first waited for */
  double out_since; /* when there was no connection any more */
  double pause;
} connection;

/* On the owner's scheduler, as all of these. */
void connection_begin(connection *self, rac_redis *redis, owner *owner,
                      const protocol *protocol);
void connection_close(connection *self);
/* When nothing runs any more. */
void connection_free(connection *self);

/* Adds commands that are formatted already, so many; connection_flush() writes
 * them. */
void connection_add(connection *self, const void *bytes, size_t length,
                    size_t commands);
void connection_flush(connection *self);
/* Writes one command. */
void connection_send(connection *self, int count, const char *const *words,
                     const size_t *lengths);

/* Gives the connection up, and opens it again after a pause. */
void connection_lose(connection *self, const char *reason);

/* About an answer that is an error: loses the connection where it may go by,
 * as a full memory does, and fails the owner where it stays. */
void connection_take_error(connection *self, const redisReply *reply);

#endif
