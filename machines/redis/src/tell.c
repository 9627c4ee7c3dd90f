/* Tells the broker what became of entries. Each item that is over has one
 * command, and is in a row in their order; a lost connection repeats the row. */
#include <stdio.h>

#include "worker.h"

static const char done_script[] =
    "redis.call('HDEL', KEYS[2], ARGV[2])\n"
    "return redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])\n";

static void add(worker *self, int count, const char *const *words) {
  char *command = NULL;
  int length = redisFormatCommandArgv(&command, count,
                                      (const char **)(uintptr_t)words, NULL);
  if (length < 0) {
    connection_lose(&self->telling, "no memory for a command");
    return;
  }
  connection_add(&self->telling, command, (size_t)length, 1);
  redisFreeCommand(command);
}

/* XCLAIM with JUSTID begins the time of idleness anew, and counts no attempt. */
static void add_beat(worker *self) {
  const working *of = self->of;
  size_t waiting = self->batch == NULL ? 0 : self->batch->elements;
  const char **words = calloc(self->count + waiting + 8, sizeof *words);
  int count = 0;
  if (words == NULL) {
    connection_lose(&self->telling, "no memory for a command");
    return;
  }
  words[count++] = "XCLAIM";
  words[count++] = of->stream;
  words[count++] = of->group;
  words[count++] = of->consumer;
  words[count++] = "0";
  for (const item *each = self->newest; each != NULL; each = each->older)
    if (each->state == ITEM_RUNS) words[count++] = each->position;
  for (size_t i = self->next; i < waiting; i++) {
    const redisReply *position, *fields;
    stored_parts(self->batch->element[i], &position, &fields);
    if (position != NULL) words[count++] = position->str;
  }
  /* None any more; an answer is expected all the same. */
  if (count == 5) words[count++] = "0-1";
  words[count++] = "JUSTID";
  add(self, count, words);
  free(words);
}

static void add_command(worker *self, const item *of) {
  const working *signal = self->of;
  const char *done[] = {"XACK", signal->stream, signal->group, of->position};
  const char *done_again[] = {"EVAL",         done_script,    "2",
                              signal->stream, signal->errors, signal->group,
                              of->position};
  const char *failed[] = {"HSET", signal->errors, of->position, of->error};
  switch (of->state) {
  case ITEM_FAILED:
    add(self, 4, failed);
    break;
  case ITEM_IS_BEAT:
    add_beat(self);
    break;
  default:
    if (of->is_again)
      add(self, 7, done_again);
    else
      add(self, 4, done);
  }
}

/* Once for all that ends in one go. */
static void flush(void *of) {
  worker *self = of;
  self->is_flush_scheduled = false;
  connection_flush(&self->telling);
}

void worker_tell(worker *self, item *of) {
  of->behind = NULL;
  if (self->last != NULL)
    self->last->behind = of;
  else
    self->first = of;
  self->last = of;
  if (self->telling.state != OPEN) return;
  add_command(self, of);
  if (self->is_flush_scheduled) return;
  self->is_flush_scheduled = true;
  rac_release(rac_schedule(self->owner.scheduler, owner_retain(&self->owner),
                           flush, owner_release));
}

void worker_beat(worker *self) {
  if (self->telling.state != OPEN || self->count == 0) return;
  item *beat = calloc(1, sizeof *beat);
  if (beat == NULL) return;
  beat->state = ITEM_IS_BEAT;
  worker_tell(self, beat);
}

static item *take_first(worker *self) {
  item *first = self->first;
  if (first == NULL) return NULL;
  self->first = first->behind;
  if (self->first == NULL) self->last = NULL;
  return first;
}

void worker_forget_told(worker *self) {
  for (item *each; (each = take_first(self)) != NULL;)
    if (each->state == ITEM_IS_BEAT) free(each);
}

static void opened(owner *of) {
  worker *self = (worker *)of;
  for (const item *each = self->first; each != NULL; each = each->behind)
    add_command(self, each);
  connection_flush(&self->telling);
}

static bool answered(owner *of, redisReply *reply) {
  worker *self = (worker *)of;
  if (reply->type == REDIS_REPLY_ERROR) {
    /* Without its group there is nothing to acknowledge. */
    if (strncmp(reply->str, "NOGROUP", 7) != 0) {
      connection_take_error(&self->telling, reply);
      return false;
    }
  }
  item *first = take_first(self);
  if (first == NULL) return false;
  if (first->state == ITEM_IS_BEAT) {
    free(first);
    return false;
  }
  if (first->state == ITEM_IS_DONE) redis_count(self->of->redis, HANDLED, 1);
  item_remove(first);
  return false;
}

static void settled(owner *of) { worker_run((worker *)of); }

static void lost(owner *of) { (void)of; }

const protocol protocol_of_telling = {opened, answered, settled, lost};
