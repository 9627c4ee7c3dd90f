#include "entry.h"

#include <stdio.h>

#include "command.h"

const char entry_script[] =
    "local stream, hash, sender, keep = KEYS[1], KEYS[2], ARGV[1], ARGV[4]\n"
    "local last = tonumber(redis.call('HGET', hash, sender) or '0')\n"
    "local n, tried = tonumber(ARGV[2]), tonumber(ARGV[3])\n"
    "if n > last + 1 then return redis.error_reply('GAP ' .. last) end\n"
    "if n <= last and tried < last then\n"
    "  return redis.error_reply('TAKEN ' .. last)\n"
    "end\n"
    "local add, fault = redis.pcall, nil\n"
    "for i = 5, #ARGV do\n"
    "  if n > last then\n"
    "    local id\n"
    "    if keep == '0' then\n"
    "      id = add('XADD', stream, '*',\n"
    "               's', sender, 'n', n, 'v', ARGV[i])\n"
    "    else\n"
    "      id = add('XADD', stream, 'MAXLEN', '~', keep, '*',\n"
    "               's', sender, 'n', n, 'v', ARGV[i])\n"
    "    end\n"
    "    if type(id) == 'table' then fault = id break end\n"
    "  end\n"
    "  n = n + 1\n"
    "end\n"
    "if n > last + 1 then redis.call('HSET', hash, sender, n - 1) end\n"
    "if not fault then return n - 1 end\n"
    "if n <= last + 1 then return fault end\n"
    "return redis.error_reply(\n"
    "    string.format('PART %.0f: %s', n - 1, fault.err))\n";

bool entry_form_plain(entry_form *form, const char *stream, const char *sender,
                      uint64_t keep) {
  buffer *out = &form->before_number;
  return command_begin(out, keep > 0 ? 12 : 9) &&
         command_add_text(out, "XADD") && command_add_text(out, stream) &&
         (keep == 0 ||
          (command_add_text(out, "MAXLEN") && command_add_text(out, "~") &&
           command_add_number(out, keep))) &&
         command_add_text(out, "*") && command_add_text(out, "s") &&
         command_add_text(out, sender) && command_add_text(out, "n") &&
         command_add_text(&form->behind, "v");
}

bool entry_add(buffer *out, const entry_form *form, uint64_t number,
               const buffer *value) {
  const buffer *first = &form->before_number, *second = &form->behind;
  return buffer_add(out, first->bytes, first->length) &&
         command_add_number(out, number) &&
         buffer_add(out, second->bytes, second->length) &&
         entry_add_value(out, value);
}

/* The words of a batch beside its values. */
enum { BATCH_WORDS = 9 };

bool entry_form_unique(entry_form *form, const char *digest, const char *stream,
                       const char *hash, const char *sender, uint64_t keep) {
  buffer *out = &form->before_number;
  return command_add_text(out, "EVALSHA") && command_add_text(out, digest) &&
         command_add_text(out, "2") && command_add_text(out, stream) &&
         command_add_text(out, hash) && command_add_text(out, sender) &&
         command_add_number(&form->behind, keep);
}

bool entry_add_batch(buffer *out, const entry_form *form, uint64_t number,
                     uint64_t tried, size_t count) {
  const buffer *first = &form->before_number, *last = &form->behind;
  return command_begin(out, BATCH_WORDS + count) &&
         buffer_add(out, first->bytes, first->length) &&
         command_add_number(out, number) && command_add_number(out, tried) &&
         buffer_add(out, last->bytes, last->length);
}

bool entry_add_value(buffer *out, const buffer *value) {
  return command_add(out, value->bytes, value->length);
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

void entry_form_free(entry_form *form) {
  buffer_free(&form->before_number);
  buffer_free(&form->behind);
}
