#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static _Thread_local char last_message[200];

const char *last_refusal(void) { return last_message; }

void *refuse(const char *function, const char *reason) {
  snprintf(last_message, sizeof last_message, "%s: %s", function, reason);
  return NULL;
}

bool take_options(void *to, size_t size, const void *from) {
  size_t given;
  if (from == NULL) return true;
  memcpy(&given, from, sizeof given);
  if (given <= sizeof given || given > size) return false;
  memcpy(to, from, given);
  return true;
}

bool copy_text(const char *from, char **to) {
  if (from == NULL) return true;
  *to = strdup(from);
  return *to != NULL;
}

bool can_wait(rac_scheduler *scheduler) {
  rac_signal *probe = rac_signal_readable(0, RAC_DESCRIPTOR_LENT, scheduler);
  rac_release(probe);
  return probe != NULL;
}

uint64_t random_bits(void) {
  static _Atomic uint64_t next;
  uint64_t bits;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    bits = (uint64_t)(intptr_t)&bits + ++next;
  return bits;
}

double next_pause(double before) {
  double pause = before == 0 ? 0.05 : before * 2;
  return pause > 2 ? 2 : pause;
}

double with_jitter(double pause) {
  double chance = (double)(random_bits() >> 32) / 4294967296.0;
  return pause * (0.5 + chance / 2);
}

const char *kind_name(rac_value value) {
  switch (value.kind) {
  case RAC_POINTER:
    return "a pointer";
  case RAC_OBJECT:
    return "an object";
  case RAC_SIGNAL:
    return "a signal";
  case RAC_SEQUENCE:
    return "a sequence";
  case RAC_TUPLE:
    return "a tuple, of what is in it";
  case RAC_ERROR:
    return "an error, with what is beneath it";
  case RAC_STRING:
    return "a text";
  case RAC_BYTES:
    return "bytes";
  default:
    return "a value";
  }
}

rac_bound *retain_bound(rac_bound *bound) {
  return bound == NULL || bound == RAC_BOUND_NONE ? bound : rac_retain(bound);
}
void release_bound(rac_bound *bound) {
  if (bound != RAC_BOUND_NONE) rac_release(bound);
}
