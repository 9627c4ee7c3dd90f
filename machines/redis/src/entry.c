#include "entry.h"

#include <stdio.h>

const char entry_script[] =
    "local last = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')\n"
    "local n = tonumber(ARGV[2])\n"
    "if n <= last then return 0 end\n"
    "if n > last + 1 then return redis.error_reply('GAP ' .. last) end\n"
    "local id\n"
    "if ARGV[4] then\n"
    "  id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*',\n"
    "                  's', ARGV[1], 'n', ARGV[2], 'v', ARGV[3])\n"
    "else\n"
    "  id = redis.call('XADD', KEYS[1], '*',\n"
    "                  's', ARGV[1], 'n', ARGV[2], 'v', ARGV[3])\n"
    "end\n"
    "redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])\n"
    "return id\n";

/* A word of a command: its length, and it. */
static bool add_word(buffer *out, const void *bytes, size_t length) {
  char head[32];
  int size = snprintf(head, sizeof head, "$%zu\r\n", length);
  return buffer_add(out, head, (size_t)size) &&
         buffer_add(out, bytes, length) && buffer_add(out, "\r\n", 2);
}

static bool add_text(buffer *out, const char *text) {
  return add_word(out, text, strlen(text));
}

static bool add_number(buffer *out, uint64_t number) {
  char text[24];
  int length = snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return add_word(out, text, (size_t)length);
}

/* How many words the command has. */
static bool add_count(buffer *out, int count) {
  char head[16];
  int size = snprintf(head, sizeof head, "*%d\r\n", count);
  return buffer_add(out, head, (size_t)size);
}

bool entry_form_plain(entry_form *form, const char *stream, const char *sender,
                      uint64_t keep) {
  buffer *out = &form->before_number;
  return add_count(out, keep > 0 ? 12 : 9) && add_text(out, "XADD") &&
         add_text(out, stream) &&
         (keep == 0 || (add_text(out, "MAXLEN") && add_text(out, "~") &&
                        add_number(out, keep))) &&
         add_text(out, "*") && add_text(out, "s") && add_text(out, sender) &&
         add_text(out, "n") && add_text(&form->before_value, "v");
}

bool entry_form_unique(entry_form *form, const char *digest, const char *stream,
                       const char *hash, const char *sender, uint64_t keep) {
  buffer *out = &form->before_number;
  return add_count(out, keep > 0 ? 9 : 8) && add_text(out, "EVALSHA") &&
         add_text(out, digest) && add_text(out, "2") && add_text(out, stream) &&
         add_text(out, hash) && add_text(out, sender) &&
         (keep == 0 || add_number(&form->behind, keep));
}

char *entry_hash_of(const char *stream) {
  size_t length = strlen(stream) + sizeof "{}:senders";
  char *key = malloc(length);
  /* A stream with a tag of its own has its slot by that. */
  if (key != NULL)
    snprintf(key, length, strchr(stream, '{') ? "%s:senders" : "{%s}:senders",
             stream);
  return key;
}

bool entry_add(buffer *out, const entry_form *form, uint64_t number,
               const buffer *value) {
  const buffer *first = &form->before_number, *second = &form->before_value;
  return buffer_add(out, first->bytes, first->length) &&
         add_number(out, number) &&
         buffer_add(out, second->bytes, second->length) &&
         add_word(out, value->bytes, value->length) &&
         buffer_add(out, form->behind.bytes, form->behind.length);
}

void entry_form_free(entry_form *form) {
  buffer_free(&form->before_number);
  buffer_free(&form->before_value);
  buffer_free(&form->behind);
}
