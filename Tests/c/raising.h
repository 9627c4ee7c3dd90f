/* What the tests of rac_raise share: an error that is raised for nothing, and
 * whether it is gone then. */
#ifndef RAC_RAISING_H
#define RAC_RAISING_H

#include "standard_callbacks.h"

typedef struct heard {
  char domain[32], message[64];
  int64_t code;
} heard;

static inline void keep_error(void *context, rac_value error) {
  heard *self = context_target(context);
  snprintf(self->domain, sizeof self->domain, "%s",
           rac_error_get_domain(error));
  snprintf(self->message, sizeof self->message, "%s",
           rac_error_get_message(error));
  self->code = rac_error_get_code(error);
}

/* Takes over the signal's reference. */
static inline heard error_of(rac_signal *signal) {
  heard self = {.domain = "none"};
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&self, NULL);
  observer.error = keep_error;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(signal, &observer));
  rac_release(signal);
  return self;
}

static inline rac_status just_fail(void *context, rac_value value,
                                   rac_value *out) {
  (void)context_target(context);
  (void)value;
  (void)out;
  return RAC_EUSER;
}

/* An unrelated callback that fails without having raised anything. */
static inline bool fails_plainly(void) {
  rac_signal *signal = rac_signal_return(I(1));
  APPLY(signal, map, CALLBACK(just_fail));
  heard error = error_of(signal);
  return strcmp(error.domain, "rac.callback") == 0 && error.code == RAC_EUSER;
}

static inline rac_status raise_code(int64_t code) {
  owned_value error = test_error(code);
  rac_status status = rac_raise(error);
  return status;
}

static int raised;
static inline void raise_for_nothing(void) {
  raised++;
  CHECK_STATUS(raise_code(99), RAC_EUSER);
}

/* Names what was tried when it fails. */
static inline void check_gone(const char *what, uint64_t before) {
  char text[200];
  if (raised == 0) {
    snprintf(text, sizeof text, "%s: its callback has not run", what);
    check_fail(__FILE__, __LINE__, text);
  }
  for (int i = 0; i < 20000 && rac_live_objects() != before; i++) check_pause();
  if (rac_live_objects() != before) {
    snprintf(text, sizeof text, "%s: the error is still kept", what);
    check_fail(__FILE__, __LINE__, text);
  }
  if (!fails_plainly()) {
    snprintf(text, sizeof text, "%s: another callback gets the error", what);
    check_fail(__FILE__, __LINE__, text);
  }
  raised = 0;
}

#endif
