/* Tells the broker what became of entries. Items that are over are in a row, in
 * the order of their commands, of which one may tell of several; a lost
 * connection repeats the row. */
#include <stdio.h>

#include "command.h"
#include "worker.h"

static const char done_script[] =
    "redis.call('HDEL', KEYS[2], ARGV[2])\n"
    "return redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])\n";

/* At most so many entries in one command. */
enum { BATCH = 256 };

/* The command that was made. */
static void write_command(worker *self, bool is_whole) {
  if (is_whole)
    connection_add(&self->telling, self->command.bytes, self->command.length,
                   1);
  else
    connection_lose(&self->telling, "no memory for a command");
}

static bool add_words(worker *self, size_t count, const char *const *words) {
  for (size_t i = 0; i < count; i++)
    if (!command_add_text(&self->command, words[i])) return false;
  return true;
}

static void write_words(worker *self, size_t count, const char *const *words) {
  write_command(self, command_begin(&self->command, count) &&
                          add_words(self, count, words));
}

/* XCLAIM with JUSTID begins the time of idleness anew, and counts no attempt. */
static void write_beat(worker *self) {
  const working *of = self->of;
  size_t waiting = self->batch == NULL ? 0 : self->batch->elements;
  const char **words = calloc(self->count + waiting + 8, sizeof *words);
  size_t count = 0;
  if (words == NULL) {
    write_command(self, false);
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
  write_words(self, count, words);
  free(words);
}

/* Entries that left no error: one command for a row of them. */
static bool is_plainly_done(const item *of) {
  return of->state == ITEM_IS_DONE && !of->is_again;
}

static void write_done(worker *self, const item *first, size_t count) {
  const char *words[] = {"XACK", self->of->stream, self->of->group};
  bool is_whole =
      command_begin(&self->command, 3 + count) && add_words(self, 3, words);
  for (; is_whole && count > 0; count--, first = first->behind)
    is_whole = command_add_text(&self->command, first->position);
  write_command(self, is_whole);
}

static void write_one(worker *self, const item *of) {
  const working *signal = self->of;
  const char *done_again[] = {"EVAL",         done_script,    "2",
                              signal->stream, signal->errors, signal->group,
                              of->position};
  const char *failed[] = {"HSET", signal->errors, of->position, of->error};
  const char *groups[] = {"XINFO", "GROUPS", signal->stream};
  if (of->state == ITEM_FAILED)
    write_words(self, 4, failed);
  else if (of->state == ITEM_IS_BEAT)
    write_beat(self);
  else if (of->state == ITEM_IS_QUESTION)
    write_words(self, 3, groups);
  else
    write_words(self, 7, done_again);
}

static void write_next(worker *self) {
  item *first = self->unwritten, *last = first;
  size_t count = 1;
  while (is_plainly_done(last) && last->behind != NULL && count < BATCH &&
         is_plainly_done(last->behind)) {
    last->ends_command = false;
    last = last->behind;
    count++;
  }
  last->ends_command = true;
  self->unwritten = last->behind;
  self->command.length = 0;
  if (is_plainly_done(first))
    write_done(self, first, count);
  else
    write_one(self, first);
}

static void write_all(worker *self) {
  while (self->telling.state == OPEN && self->unwritten != NULL)
    write_next(self);
  connection_flush(&self->telling);
}

/* Once for all that ends in one go. */
static void flush(void *of) {
  worker *self = of;
  self->is_flush_scheduled = false;
  write_all(self);
}

void worker_tell(worker *self, item *of) {
  of->behind = NULL;
  if (self->last != NULL)
    self->last->behind = of;
  else
    self->first = of;
  self->last = of;
  if (self->unwritten == NULL) self->unwritten = of;
  if (self->telling.state != OPEN || self->is_flush_scheduled) return;
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
  if (self->unwritten == first) self->unwritten = self->first;
  return first;
}

void worker_forget_told(worker *self) {
  for (item *each; (each = take_first(self)) != NULL;)
    if (!is_entry(each)) free(each);
}

static void opened(owner *of) {
  worker *self = (worker *)of;
  tell_without_entry(self, ITEM_IS_QUESTION);
  write_all(self);
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

/* The broker knows of it. */
static void take_told(worker *self, item *of) {
  if (!is_entry(of)) {
    free(of);
    return;
  }
  if (of->state == ITEM_IS_DONE) redis_count(self->of->redis, HANDLED, 1);
  item_remove(of);
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
  if (is_answer) take_lag(self, reply);
  for (item *each; (each = take_first(self)) != NULL;) {
    bool is_last = each->ends_command;
    take_told(self, each);
    if (is_last) break;
  }
  return false;
}

static void settled(owner *of) { worker_run((worker *)of); }

static void lost(owner *of) {
  worker *self = (worker *)of;
  self->unwritten = self->first;
}

const protocol protocol_of_telling = {opened, answered, settled, lost};
