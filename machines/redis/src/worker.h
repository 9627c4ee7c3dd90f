/* A worker of a group. It has two connections: one pulls entries, and waits
 * there for new ones; the other tells the broker what became of them.
 *
 *     broker --pull--> item --handle--> work --tell--> broker
 *
 * An item stays until the broker has answered what it was told, so there are
 * never more than `in_flight` that a death could bring back. */
#ifndef RAC_REDIS_WORKER_H
#define RAC_REDIS_WORKER_H

#include "connection.h"
#include "stored.h"

enum { IN_FLIGHT = 32, IN_FLIGHT_MOST = 4096, ATTEMPTS = 5 };

/* The parts of a working signal. */
typedef struct working {
  atomic_int references;
  rac_redis *redis;
  char *stream, *group, *consumer, *dead;
  char *errors; /* the hash of what went wrong, by position */
  char from[POSITION];
  size_t in_flight;
  uint64_t attempts;
  double claim_after;
  void *context;
  rac_signal_fn handle;
  rac_destroy_fn destroy;
} working;

typedef enum item_state {
  ITEM_RUNS,
  ITEM_IS_DONE,
  ITEM_FAILED,
  /* No entries. */
  ITEM_IS_BEAT,    /* says that those which run are still worked on */
  ITEM_IS_QUESTION /* how far the group is behind */
} item_state;

typedef struct worker worker;

typedef struct item {
  atomic_int references;
  worker *worker;
  struct item *older, *newer; /* of all */
  struct item *behind;        /* of those that are to be told of */
  item_state state;
  bool is_again;     /* it was tried before, and so may have left an error */
  bool ends_command; /* the last one of those of which one command tells */
  rac_disposable *work;
  rac_value value;
  char position[POSITION];
  char error[160];
} item;

/* The kind of the next pull. */
typedef enum pull_kind {
  PULL_GROUP, /* makes the group */
  PULL_OWN,   /* what this worker has not acknowledged, from `position` on */
  PULL_CLAIM, /* what nobody has acknowledged for long */
  PULL_NEW
} pull_kind;

struct worker {
  owner owner;
  connection pulling, telling;
  working *of;
  /* Pulling: pull.c. */
  pull_kind kind;
  char position[POSITION];
  redisReply *reply, *batch;
  size_t next;
  uint64_t newest_time, newest_part; /* the last position of all begun */
  bool is_asking, is_running, is_claim_due;
  rac_disposable *waiting, *ticking;
  /* Items: item.c. */
  item *newest;
  size_t count;
  /* Telling: tell.c. */
  item *first, *last; /* in the order of their commands */
  item *unwritten;    /* the first whose command is yet to be written */
  buffer command;     /* the one that is being made */
  bool is_flush_scheduled;
  rac_counter *lag; /* of the group; made when the broker has said it */
};

extern const protocol protocol_of_pulling, protocol_of_telling;

/* Takes entries as long as there is room, and asks for more. */
void worker_run(worker *self);
/* Drops the entries that were not begun. */
void worker_free_batch(worker *self);

/* One more; NULL without memory. */
item *item_add(worker *self, const char *position, item_state state);
/* Begins its work; false without memory. */
bool item_begin(item *self, rac_value value);
item *item_find(worker *self, const char *position);
/* It is over, and the broker knows. */
void item_remove(item *self);
void item_release(void *self);
/* Ends all work. */
void items_end(worker *self);

/* Tells the broker what became of an item. */
void worker_tell(worker *self, item *of);
/* Tells it which ones are still worked on, and asks how many entries the group
 * has yet to take. */
void worker_beat(worker *self);
void worker_forget_told(worker *self);

#endif
