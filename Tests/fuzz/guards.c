/* What keeps a call from having no end, where the contract says that it has
 * none: signals put between.
 */
#include "fuzz.h"

/* What ends all that is stoppable, also what is subscribed to afterwards. */
static rac_subject *stop;

void fuzz_make_stop(void) { stop = rac_replay_subject_create(1); }

void fuzz_stop(void) { rac_subject_send(stop, rac_value_unit()); }

void fuzz_release_stop(void) { rac_release(stop); }

/* A source that is no signal is passed on as it is; that it stays. */
static rac_signal *or_wrong(rac_signal *guarded, rac_signal *source) {
  if (guarded != NULL) return guarded;
  rac_status status = rac_last_error_code();
  bool is_wrong = source == NULL || status == RAC_ESTALE || status == RAC_EKIND;
  rac_clear_last_error();
  /* The caller releases it, which must not be anybody's reference. */
  if (!is_wrong || rac_retain(source) != NULL) {
    if (is_wrong && status == RAC_EKIND) return source;
    if (is_wrong && source) rac_release(source);
    return NULL;
  }
  return source;
}

/* ---- Fails after a while ------------------------------------------------- */

static rac_status pass_for_a_while(void *of, rac_value value, rac_value *out) {
  player *p = fuzz_enter(of);
  rac_status status = fuzz_is_quiet() ? -8 : RAC_OK;
  if (fuzz_percent(p, 2)) status = -8;
  /* Tuples of tuples of tuples, going round. */
  if (status == RAC_OK)
    *out = fuzz_weigh(value, 64) < 64 ? rac_value_retain(value)
                                      : rac_value_int64(64);
  fuzz_leave(p, of);
  return status;
}

rac_signal *fuzz_brake(player *p, rac_signal *source) {
  rac_destroy_fn destroy;
  void *context = fuzz_context(p, SHARED, &destroy);
  return fuzz_stopped(
      p, rac_signal_map(source, context, pass_for_a_while, destroy));
}

rac_signal *fuzz_braked(player *p, call *c) {
  rac_signal *source = fuzz_handle(p, c, KIND_SIGNAL);
  return or_wrong(fuzz_brake(p, source), source);
}

/* ---- Not subscribed to for ever ------------------------------------------ */

/* The context is one that is used up. */
typedef struct bounds {
  rac_signal *source;
  void *context;
  rac_destroy_fn destroy;
  int64_t end; /* of the kind that the operator passes on */
} bounds;

static rac_status give_for_a_while(void *of, rac_signal **out) {
  bounds *self = of;
  player *p = fuzz_enter(self->context);
  if (fuzz_use_up(self->context)) {
    *out = rac_retain(self->source);
  } else if (self->end) {
    /* A repeat that hears an error, a retry that hears a completion: over. */
    *out = NULL;
    fuzz_leave(p, self->context);
    return -9;
  } else {
    *out = rac_signal_empty();
  }
  fuzz_leave(p, self->context);
  return RAC_OK;
}

static void let_go_of_bounds(void *of) {
  bounds *self = of;
  rac_release(self->source);
  if (self->destroy) self->destroy(self->context);
  free(self);
}

rac_signal *fuzz_bounded(player *p, call *c) {
  rac_signal *source = fuzz_handle(p, c, KIND_SIGNAL);
  /* Held until now, so that it is this one. */
  if (rac_retain(source) == NULL) return or_wrong(NULL, source);
  bounds *self = malloc(sizeof *self);
  if (self == NULL) abort();
  self->source = source;
  self->context = fuzz_context(p, SHARED, &self->destroy);
  self->end = c->function == FUNCTION_RAC_SIGNAL_REPEAT;
  return rac_signal_defer(self, give_for_a_while, let_go_of_bounds);
}

/* ---- Ended with the round ------------------------------------------------ */

rac_signal *fuzz_stoppable(player *p, call *c) {
  rac_signal *source = fuzz_handle(p, c, KIND_SIGNAL);
  return or_wrong(rac_signal_take_until(source, rac_subject_as_signal(stop)),
                  source);
}

rac_signal *fuzz_stopped(player *p, rac_signal *signal) {
  (void)p;
  if (signal == NULL) return NULL;
  rac_signal *stopped =
      rac_signal_take_until(signal, rac_subject_as_signal(stop));
  rac_release(signal);
  return stopped;
}
