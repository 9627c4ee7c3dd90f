/* Pulls entries, one batch at a time, each no larger than there are places. */
#include <stdio.h>

#include "worker.h"

/* Gives the entries that it claims, and how many it put away. */
static const char claim_script[] =
    "local entries, dead = {}, 0\n"
    "local waiting = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', "
    "ARGV[3],\n"
    "                           '-', '+', ARGV[4])\n"
    "for _, each in ipairs(waiting) do\n"
    "  local id = each[1]\n"
    "  if each[4] >= tonumber(ARGV[5]) then\n"
    "    local found = redis.call('XRANGE', KEYS[1], id, id)[1]\n"
    "    if found then\n"
    "      local words = {'XADD', KEYS[3], '*'}\n"
    "      local names = {s = 'sender', n = 'number'}\n"
    "      for i, word in ipairs(found[2]) do\n"
    "        words[#words + 1] = i % 2 == 1 and names[word] or word\n"
    "      end\n"
    "      local error = redis.call('HGET', KEYS[2], id)\n"
    "      for _, word in ipairs({'of', id, 'attempts', each[4],\n"
    "                             'error', error or 'it did not end'}) do\n"
    "        words[#words + 1] = word\n"
    "      end\n"
    "      redis.call(unpack(words))\n"
    "    end\n"
    "    redis.call('XACK', KEYS[1], ARGV[1], id)\n"
    "    redis.call('HDEL', KEYS[2], id)\n"
    "    dead = dead + 1\n"
    "  else\n"
    "    local got = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3],\n"
    "                           id)\n"
    "    if got[1] then entries[#entries + 1] = got[1] end\n"
    "  end\n"
    "end\n"
    "return {entries, dead}\n";

void worker_free_batch(worker *self) {
  if (self->reply != NULL) freeReplyObject(self->reply);
  self->reply = self->batch = NULL;
  self->next = 0;
}

/* ---- Asking ---------------------------------------------------------------- */

static void pull(worker *self) {
  const working *of = self->of;
  if (self->pulling.state != OPEN || self->is_asking) return;
  self->is_asking = true;
  if (self->kind == PULL_NEW && self->is_claim_due) self->kind = PULL_CLAIM;
  char count[24], pause[24], idle[24], attempts[24];
  /* Not beyond the time of the next claim, nor the connection's patience. */
  double seconds = of->claim_after / 3;
  if (seconds > of->redis->patience / 2) seconds = of->redis->patience / 2;
  if (seconds > 2) seconds = 2;
  snprintf(count, sizeof count, "%zu", of->in_flight - self->count);
  snprintf(pause, sizeof pause, "%.0f", 1 + seconds * 1000);
  snprintf(idle, sizeof idle, "%.0f", of->claim_after * 1000);
  snprintf(attempts, sizeof attempts, "%llu", (unsigned long long)of->attempts);
  const char *group[] = {"XGROUP",  "CREATE", of->stream,
                         of->group, of->from, "MKSTREAM"};
  const char *own[] = {"XREADGROUP", "GROUP",    of->group,
                       of->consumer, "COUNT",    count,
                       "STREAMS",    of->stream, self->position};
  const char *claim[] = {"EVAL",     claim_script, "3",       of->stream,
                         of->errors, of->dead,     of->group, of->consumer,
                         idle,       count,        attempts};
  const char *new[] = {"XREADGROUP", "GROUP",    of->group, of->consumer,
                       "COUNT",      count,      "BLOCK",   pause,
                       "STREAMS",    of->stream, ">"};
  switch (self->kind) {
  case PULL_GROUP:
    connection_send(&self->pulling, 6, group, NULL);
    break;
  case PULL_OWN:
    connection_send(&self->pulling, 9, own, NULL);
    break;
  case PULL_CLAIM:
    connection_send(&self->pulling, 11, claim, NULL);
    break;
  case PULL_NEW:
    connection_send(&self->pulling, 11, new, NULL);
    break;
  }
}

/* ---- Taking ------------------------------------------------------------------ */

static void fail(worker *self) {
  owner_fail(&self->owner,
             redis_error(RAC_REDIS_NO_MEMORY, "no memory for an entry"));
}

/* An end is nothing to work on; what was deleted is nothing any more. */
static void pass_over(worker *self, const char *position) {
  item *passed = item_add(self, position, ITEM_IS_DONE);
  if (passed != NULL)
    worker_tell(self, passed);
  else
    fail(self);
}

/* Whether it lies behind all that were begun, as new ones do. */
static bool is_newest(worker *self, const char *position) {
  char *rest;
  uint64_t time = strtoull(position, &rest, 10);
  uint64_t part = *rest == '-' ? strtoull(rest + 1, NULL, 10) : 0;
  if (time < self->newest_time ||
      (time == self->newest_time && part <= self->newest_part))
    return false;
  self->newest_time = time;
  self->newest_part = part;
  return true;
}

static void begin_next(worker *self) {
  const redisReply *position, *fields;
  bool is_again = self->kind != PULL_NEW;
  bool is_whole =
      stored_parts(self->batch->element[self->next++], &position, &fields);
  if (position == NULL) return;
  if (self->kind == PULL_OWN)
    memcpy(self->position, position->str, (size_t)position->len + 1);
  if (!is_newest(self, position->str) && item_find(self, position->str) != NULL)
    return;
  cbor_item kind = CBOR_END;
  rac_value value = {0};
  rac_status status = RAC_OK;
  if (is_whole) status = stored_value(fields, &kind, &value);
  if (status == RAC_OK && kind == CBOR_END) {
    rac_value_release(value);
    pass_over(self, position->str);
    return;
  }
  if (status != RAC_OK)
    value = stored_unreadable(self->of->redis, position->str, status);
  redis_count(self->of->redis, RECEIVED, 1);
  item *begun = item_add(self, position->str, ITEM_RUNS);
  if (begun != NULL) begun->is_again = is_again;
  if (begun == NULL || !item_begin(begun, value)) fail(self);
  rac_value_release(value);
}

static void go_on(void *of) { worker_run(of); }

static bool has_room(worker *self) {
  return self->count < self->of->in_flight &&
         owner_has_room(&self->owner, &self->waiting, go_on);
}

void worker_run(worker *self) {
  if (self->is_running) return;
  self->is_running = true;
  while (!self->owner.is_closed && has_room(self)) {
    if (self->batch != NULL && self->next < self->batch->elements) {
      begin_next(self);
      continue;
    }
    worker_free_batch(self);
    pull(self);
    break;
  }
  self->is_running = false;
}

/* ---- What the broker answers --------------------------------------------------- */

static redisReply *entries_of(worker *self, redisReply *reply) {
  if (self->kind != PULL_CLAIM) return stored_entries(reply);
  if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
      reply->element[0]->type != REDIS_REPLY_ARRAY)
    return NULL;
  redis_count(self->of->redis, DEAD, (uint64_t)reply->element[1]->integer);
  return reply->element[0];
}

/* Chooses the next pull, after all of this answer: own entries until there are
 * no more; new ones after a claim. */
static void turn(worker *self, const redisReply *entries) {
  bool is_empty = entries == NULL || entries->elements == 0;
  if (self->kind == PULL_GROUP)
    self->kind = PULL_OWN;
  else if (self->kind == PULL_OWN && is_empty)
    self->kind = PULL_NEW;
  else if (self->kind == PULL_CLAIM && is_empty) {
    self->is_claim_due = false;
    self->kind = PULL_NEW;
  }
}

static bool answered(owner *of, redisReply *reply) {
  worker *self = (worker *)of;
  self->is_asking = false;
  if (reply->type == REDIS_REPLY_ERROR) {
    if (self->kind == PULL_GROUP && strncmp(reply->str, "BUSYGROUP", 9) == 0)
      ;
    else if (strncmp(reply->str, "NOGROUP", 7) == 0) {
      connection_lose(&self->pulling, reply->str);
      return false;
    } else {
      connection_take_error(&self->pulling, reply);
      return false;
    }
  }
  redisReply *entries =
      self->kind == PULL_GROUP ? NULL : entries_of(self, reply);
  turn(self, entries);
  bool is_kept = entries != NULL && entries->elements > 0;
  if (is_kept) {
    self->reply = reply;
    self->batch = entries;
    self->next = 0;
  }
  worker_run(self);
  return is_kept;
}

static void opened(owner *of) {
  worker *self = (worker *)of;
  self->kind = PULL_GROUP;
  strcpy(self->position, "0-0");
  worker_run(self);
}

/* Entries pulled and not begun are this worker's own, and come again. */
static void lost(owner *of) {
  worker *self = (worker *)of;
  self->is_asking = false;
  worker_free_batch(self);
}

const protocol protocol_of_pulling = {opened, answered, NULL, lost};
