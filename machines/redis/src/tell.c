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
  const char *groups[] = {"XINFO", "GROUPS", signal->stream};
  switch (of->state) {
  case ITEM_FAILED:
    add(self, 4, failed);
    break;
  case ITEM_IS_BEAT:
    add_beat(self);
    break;
  case ITEM_IS_QUESTION:
    add(self, 3, groups);
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

static bool is_entry(const item *of) {
  return of->state != ITEM_IS_BEAT && of->state != ITEM_IS_QUESTION;
}

static void tell_without_entry(worker *self, item_state state) {
  item *made = calloc(1, sizeof *made);
  if (made == NULL) return;
  made->state = state;
  worker_tell(self, made);
}

void worker_beat(worker *self) {
  if (self->telling.state != OPEN) return;
  if (self->count > 0) tell_without_entry(self, ITEM_IS_BEAT);
  tell_without_entry(self, ITEM_IS_QUESTION);
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
    if (!is_entry(each)) free(each);
}

static void opened(owner *of) {
  worker *self = (worker *)of;
  for (const item *each = self->first; each != NULL; each = each->behind)
    add_command(self, each);
  tell_without_entry(self, ITEM_IS_QUESTION);
  connection_flush(&self->telling);
}

static const redisReply *field_of(const redisReply *of, const char *name) {
  if (of->type != REDIS_REPLY_ARRAY) return NULL;
  for (size_t i = 0; i + 1 < of->elements; i += 2) {
    const char *text = of->element[i]->str;
    if (text != NULL && strcmp(text, name) == 0) return of->element[i + 1];
  }
  return NULL;
}

/* A broker before 7.0, one that forbids the question, and one that does not know
 * since entries were deleted, say nothing. */
static void take_lag(worker *self, const redisReply *groups) {
  if (groups->type != REDIS_REPLY_ARRAY) return;
  for (size_t i = 0; i < groups->elements; i++) {
    const redisReply *name = field_of(groups->element[i], "name"),
                     *lag = field_of(groups->element[i], "lag");
    if (name == NULL || lag == NULL || lag->type != REDIS_REPLY_INTEGER ||
        name->str == NULL || strcmp(name->str, self->of->group) != 0)
      continue;
    if (self->lag == NULL) {
      char subject[200];
      snprintf(subject, sizeof subject, "%.99s %.99s", self->of->stream,
               self->of->group);
      self->lag = counts_counter(&self->of->redis->counts, subject, "lag");
    }
    rac_counter_set(self->lag, lag->integer);
  }
}

static bool answered(owner *of, redisReply *reply) {
  worker *self = (worker *)of;
  bool is_answer =
      self->first != NULL && self->first->state == ITEM_IS_QUESTION;
  if (reply->type == REDIS_REPLY_ERROR && !is_answer) {
    /* Without its group there is nothing to acknowledge. */
    if (strncmp(reply->str, "NOGROUP", 7) != 0) {
      connection_take_error(&self->telling, reply);
      return false;
    }
  }
  item *first = take_first(self);
  if (first == NULL) return false;
  if (is_answer) take_lag(self, reply);
  if (!is_entry(first)) {
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
