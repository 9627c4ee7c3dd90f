/* librac-redis: signals over Redis Streams.
 *
 * A stream is a signal that outlives its process: rac_redis_publish() stores
 * the values of a signal, one entry each, and rac_redis_read() sends them, in
 * any number of processes. docs/Machines.md has the guarantees, the format of
 * an entry, and the boundary.
 *
 *     rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
 *     rac_redis *redis = rac_redis_create(&options);
 *     rac_signal *stored = rac_redis_publish(redis, readings, "orders", NULL);
 *     rac_signal *orders = rac_redis_read(redis, "orders", NULL);
 *
 * Ownership and failures are as in rac.h: a signal is given with one reference,
 * arguments are borrowed. A function that gives NULL leaves its reason in
 * rac_redis_last_message(). Any thread may call any function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_REDIS_H
#define RAC_REDIS_H

#include <rac.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RAC_REDIS_API __attribute__((visibility("default")))

/* ---- A broker ----------------------------------------------------------- */

/* Where a broker is, and who asks. No connection by itself: each subscription
 * to a signal of it has its own, which is opened anew when it is lost. */
typedef struct rac_redis rac_redis;

/* All zero but `size` is a broker on this machine. Texts are copied. */
typedef struct rac_redis_options {
  size_t size;          /* sizeof the struct */
  const char *host;     /* NULL: "127.0.0.1" */
  const char *socket;   /* the path of a Unix socket, in place of the host */
  const char *user;     /* of the ACL; NULL: the default user */
  const char *password; /* NULL: none is asked for */
  const char *sender;   /* the name of this producer; NULL: one by chance */
  int32_t port;         /* 0: 6379 */
  int32_t database;     /* 0 to the broker's limit */
  /* Seconds without an expected answer after which the connection counts as
   * lost; 0: 5. */
  double patience;
  /* Seconds without a connection after which a signal fails with
   * RAC_REDIS_UNREACHABLE; 0: it goes on trying. */
  double give_up_after;
  /* Where everything happens, callbacks included, such as rac_scheduler_main();
   * neither the immediate nor a virtual one. NULL: a background scheduler. */
  rac_scheduler *scheduler;
  /* TLS: the file of the authorities' certificates, PEM. NULL with `tls`: those
   * of the system. */
  const char *authorities;
  const char *certificate; /* of this client, and its key: files, PEM */
  const char *key;
  bool tls;
} rac_redis_options;

#define RAC_REDIS_OPTIONS_INIT                                                 \
  {sizeof(rac_redis_options),                                                  \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   false}

/* One reference, to be given back with rac_redis_release(); its signals keep
 * what they need of it. NULL for options that cannot be. Opens nothing. */
RAC_REDIS_API rac_redis *rac_redis_create(const rac_redis_options *options);
/* NULL is a no-op. */
RAC_REDIS_API void rac_redis_release(rac_redis *redis);

/* Why the calling thread's latest function of this header gave NULL; "" if none
 * did. */
RAC_REDIS_API const char *rac_redis_last_message(void);

/* The domain of the errors that end these signals, and their codes. */
#define RAC_REDIS_ERROR_DOMAIN "rac.redis"
enum {
  RAC_REDIS_REFUSED = 1, /* the broker refused a login or a command for good */
  RAC_REDIS_UNREACHABLE = 2,  /* no connection in options.give_up_after */
  RAC_REDIS_SENDER_TAKEN = 3, /* another producer stores under this name */
  RAC_REDIS_UNREADABLE = 4,   /* an entry that is no value of librac's */
  RAC_REDIS_NO_VALUE = 5,     /* a value that cannot travel */
  RAC_REDIS_NO_MEMORY = 6,
  RAC_REDIS_NOT_DURABLE = 7 /* the broker may forget what it acknowledges */
};

/* Counts over all signals of a rac_redis. `size` is sizeof the struct. */
typedef struct rac_redis_stats {
  size_t size;
  uint64_t sent;   /* entries written to a connection for the first time */
  uint64_t resent; /* entries written again after a lost connection */
  uint64_t acknowledged; /* entries that the broker has stored */
  uint64_t refused;      /* values that cannot travel */
  uint64_t forgotten;    /* acknowledged ones that the broker has no more */
  uint64_t received;     /* values that readers sent on */
  uint64_t doubles;      /* entries that came again and were left out */
  uint64_t gaps;         /* numbers of senders that readers did not see */
  uint64_t unreadable;   /* entries that are no value of librac's */
  uint64_t handled;      /* values whose work is acknowledged */
  uint64_t failed;       /* attempts of work that failed */
  uint64_t dead;         /* values that went to a stream of dead ones */
  uint64_t connections;  /* connections that were opened */
  uint64_t losses;       /* connections that were lost */
  uint64_t undurable;    /* publishers' connections to a broker that may forget
                            what it has acknowledged */
  char trouble[160];     /* why the latest one was lost; "" at first */
} rac_redis_stats;

/* RAC_OK; RAC_ENULL; RAC_EINVAL for a size that is too small to say anything. */
RAC_REDIS_API rac_status rac_redis_get_stats(rac_redis *redis,
                                             rac_redis_stats *stats);

/* ---- Publishing --------------------------------------------------------- */

typedef struct rac_redis_publish_options {
  size_t size; /* sizeof the struct */
  /* How many values the broker may have yet to acknowledge; 0: 256. */
  size_t window;
  /* The policy for values that find no room in the window. Borrowed,
   * retained; one that drops serves one subscription at a time. NULL: as many
   * wait as the window is wide, and then sources that can wait rest (law 26). */
  rac_bound *bound;
  /* About how many entries the stream keeps; 0: all. */
  uint64_t keep;
  /* No entry is stored twice, whatever is lost: options.sender, which must be
   * given, then names one producer at a time. */
  bool unique;
  /* The end of the signal is an entry, too: see rac_redis_read_options.ends. */
  bool ends;
  /* Stores nothing, and fails with RAC_REDIS_NOT_DURABLE, unless the broker
   * syncs each write before it acknowledges it: appendonly yes, appendfsync
   * always. Without it such a connection is counted (`undurable`). */
  bool durable;
} rac_redis_publish_options;

#define RAC_REDIS_PUBLISH_OPTIONS_INIT                                         \
  {sizeof(rac_redis_publish_options), 0, NULL, 0, false, false, false}

/* A cold signal that stores what `source` sends as entries of a stream, in
 * order.
 *
 * It completes when the source has, and the broker has acknowledged everything;
 * it fails with the source's error after the same. It sends nothing but an
 * error value, RAC_REDIS_NO_VALUE, for each value that cannot travel: pointers,
 * objects, signals and sequences. A disposal gives up what is in the window.
 *
 * While the connection is lost the values wait; it is opened again, and what
 * was not acknowledged is written again.
 *
 * redis, source: borrowed. stream: copied. options: copied; may be NULL.
 * NULL for arguments that cannot be. */
RAC_REDIS_API RAC_NODISCARD rac_signal *
rac_redis_publish(rac_redis *redis, rac_signal *source, const char *stream,
                  const rac_redis_publish_options *options);

/* A signal that sends the number of the last entry that options.sender has
 * stored with `unique` in this stream, 0 for none, and completes: the next
 * value that is published is the one after it.
 *
 * NULL for arguments that cannot be, and without a name of the sender. */
RAC_REDIS_API RAC_NODISCARD rac_signal *
rac_redis_last_number(rac_redis *redis, const char *stream);

/* ---- Reading ------------------------------------------------------------ */

typedef struct rac_redis_read_options {
  size_t size; /* sizeof the struct */
  /* Where to begin: "0", the first entry there is; "$", what comes from now on;
   * "last", the last entry there is and what comes; or behind a position. NULL:
   * "$". */
  const char *from;
  /* How many entries are asked for at a time; 0: 256. */
  size_t batch;
  /* Each value comes in a tuple with the position of its entry, a text. */
  bool positions;
  /* The entry of an end, which a publisher with `ends` has stored, ends the
   * signal; else it is left out. */
  bool ends;
} rac_redis_read_options;

#define RAC_REDIS_READ_OPTIONS_INIT                                            \
  {sizeof(rac_redis_read_options), NULL, 0, false, false}

/* A cold signal of the values of a stream, which need not exist yet.
 *
 * It asks for entries only when all it has were taken and there is room below:
 * rac_subscriber_hold(). It goes on behind the last entry after a lost
 * connection. An entry that cannot be read is sent as an error value,
 * RAC_REDIS_UNREADABLE, with its position as the underlying value.
 *
 * redis: borrowed. stream: copied. options: copied; may be NULL. NULL for
 * arguments that cannot be. */
RAC_REDIS_API RAC_NODISCARD rac_signal *
rac_redis_read(rac_redis *redis, const char *stream,
               const rac_redis_read_options *options);

/* ---- Properties ---------------------------------------------------------- */

/* A cold signal that keeps a property equal to a key, both ways, as long as it
 * is subscribed to; any number of processes may.
 *
 * At first the property takes the key's value, or a key without one gets the
 * property's. Then each change of one is made at the other. When several
 * change at a time all end with the same value, the last that the broker has
 * stored; what was in between may be left out. Values that cannot travel are
 * left out and counted (`refused`).
 *
 * It sends nothing, and completes when the property's last reference goes. The
 * key is a stream that keeps about one entry; `rac_redis_read` from "last" reads
 * it.
 *
 * redis: borrowed. property: borrowed, not retained. key: copied. NULL for
 * arguments that cannot be. */
RAC_REDIS_API RAC_NODISCARD rac_signal *
rac_redis_bind(rac_redis *redis, rac_property *property, const char *key);

/* ---- Sharing work -------------------------------------------------------- */

typedef struct rac_redis_work_options {
  size_t size; /* sizeof the struct */
  /* The name of this worker in its group, its own; NULL: options.sender, or
   * one by chance. */
  const char *consumer;
  /* Where a group begins that does not exist yet: "0", "$" or a position. NULL:
   * "0". */
  const char *from;
  /* The stream of what failed too often; NULL: the stream's name and ":dead". */
  const char *dead;
  /* How many values are being worked on at most, up to 4,096; 0: 32. So many
   * are handled twice at most when a worker dies. */
  size_t in_flight;
  /* Seconds until a value that failed is tried again, and one of a worker that
   * died by another; 0: 30. */
  double claim_after;
  /* How often a value is tried; 0: 5. */
  uint64_t attempts;
} rac_redis_work_options;

#define RAC_REDIS_WORK_OPTIONS_INIT                                            \
  {sizeof(rac_redis_work_options), NULL, NULL, NULL, 0, 0, 0}

/* A cold signal that takes its share of a stream among the workers of a group,
 * and sends what their work sends.
 *
 * `handle` makes a signal of each value, as with rac_signal_flatten_map(); when
 * that completes the value is acknowledged, and nobody in the group gets it
 * again. When it fails the value is tried again, by this worker or another, in
 * no order; after the last attempt it goes to the stream `dead`, with its
 * fields, s and n as sender and number, and of, the position, attempts, error.
 * Entries that a worker of this name has not acknowledged come first.
 *
 * It takes a value when fewer than `in_flight` are being worked on, and there is
 * room below. It does not complete; a disposal disposes the work. An entry that
 * cannot be read comes to `handle` as an error value, RAC_REDIS_UNREADABLE.
 *
 * redis: borrowed. stream, group: copied. options: copied; may be NULL.
 * context: passed to the callbacks. handle: called on the scheduler of `redis`.
 * destroy: runs once, also when this fails; may be NULL. NULL for arguments that
 * cannot be. */
RAC_REDIS_API RAC_NODISCARD rac_signal *
rac_redis_work(rac_redis *redis, const char *stream, const char *group,
               const rac_redis_work_options *options, void *context,
               rac_signal_fn handle, rac_destroy_fn destroy);

#ifdef __cplusplus
}
#endif

#endif /* RAC_REDIS_H */
