/* When the contexts of operators and cold signals are destroyed: never while the
 * subscription goes on that was made through them. */
#include "room.h"
#include "shared_callbacks.h"
#include "standard_callbacks.h"

/* ---- Contexts that know whether they go too early ---------------------------- */

static const char *playing; /* the operator, and how it ends */
static atomic_bool is_subscribed;
static atomic_int early;

static void *mine(void) { return context_new(NULL, NULL); }

static void owned_destroyed(void *context) {
  context_destroy(context);
  if (atomic_load(&is_subscribed)) atomic_fetch_add(&early, 1);
}

static void subscriber_destroyed(void *context) {
  context_destroy(context);
  atomic_store(&is_subscribed, false);
}

static rac_disposable *subscribe(rac_signal *signal) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = mine();
  observer.destroy = subscriber_destroyed;
  atomic_store(&early, 0);
  atomic_store(&is_subscribed, true);
  return rac_subscribe(signal, &observer);
}

static void check_not_early(const char *what) {
  char message[200];
  snprintf(message, sizeof message, "%s %s: %d contexts destroyed early",
           playing, what, atomic_load(&early));
  if (atomic_load(&early) != 0) check_fail(__FILE__, __LINE__, message);
  snprintf(message, sizeof message, "%s %s: a subscription is left", playing,
           what);
  if (atomic_load(&is_subscribed)) check_fail(__FILE__, __LINE__, message);
  snprintf(message, sizeof message, "%s %s: %d contexts are left", playing,
           what, context_count());
  if (context_count() != 0) check_fail(__FILE__, __LINE__, message);
}

/* ---- Callbacks whose signals go on ------------------------------------------- */

/* What all signals are that callbacks make. */
static rac_subject *inner;

static rac_status give_defer(void *context, rac_signal **out) {
  touched(context);
  *out = rac_retain(as_signal(inner));
  return RAC_OK;
}
static rac_status give_signal(void *context, rac_value value,
                              rac_signal **out) {
  (void)value;
  return give_defer(context, out);
}
static rac_status give_signal_index(void *context, rac_value value,
                                    size_t index, rac_signal **out) {
  (void)index;
  return give_signal(context, value, out);
}
static rac_status give_bind(void *context, rac_value value, bool *stop,
                            rac_signal **out) {
  (void)stop;
  return give_signal(context, value, out);
}

/* ---- Operators --------------------------------------------------------------- */

static rac_scheduler *v, *standing;

static rac_status inner_as_value(void *context, rac_value value,
                                 rac_value *out) {
  (void)value;
  touched(context);
  *out = rac_value_signal(as_signal(inner));
  return RAC_OK;
}
static rac_signal *with_nil(rac_signal *s) {
  return rac_signal_map(s, mine(), inner_as_value, owned_destroyed);
}
static rac_signal *with_tuples(rac_signal *s) {
  return rac_signal_combine_latest(&s, 1);
}

#define CALL_signal(f) give_signal
#define CALL_signal_index(f) give_signal_index
#define CALL_bind(f) give_bind
#define CALL_defer(f) give_defer
#define CALL_map(f) standard_##f
#define CALL_predicate(f) standard_##f
#define CALL_step(f) standard_##f
#define CALL_clear(f) standard_##f
#define CALL_compare(f) standard_##f
#define CALL_reduce(f) standard_##f
#define CALL_reduce_index(f) standard_##f
#define CALL_reduce_each(f) standard_##f
#define CALL_factory(f) standard_##f
#define CALL_try(f) standard_##f
#define CALL_next(f) standard_##f
#define CALL_error(f) standard_##f
#define CALL_completed(f) standard_##f
#define CALL_action(f) standard_##f

#define APPLIED(name) build_##name
#define PASSING(n) 100
#define DROPPED(n) 0
#define FUNCTION(type, f) mine(), CALL_##type(f), owned_destroyed
#define FUNCTIONS(type, f, type2, g)                                           \
  mine(), CALL_##type(f), CALL_##type2(g), owned_destroyed
#include "applied_operators.h"

#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static const unsigned short taken_by_##name[] = {__VA_ARGS__, 0};
#define TRIGGER TAKES_SOURCE /* of its own */
#include "what_operators_take.h"

typedef rac_signal *(*build_fn)(rac_signal *source, rac_signal *other);
typedef struct applied {
  const char *name;
  build_fn build;
  const unsigned short *taken;
} applied;

static const applied operators[] = {
#define SIGNAL_OPERATOR(name, ...) {#name, build_##name, taken_by_##name},
#include "../operators/operators.def"
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* ---- What an operator is applied to ------------------------------------------- */

/* Each is what a subject sends, and has contexts of its own. */
typedef rac_signal *(*source_fn)(rac_subject *subject);

static void *owned_for(rac_subject *subject) {
  return context_new(subject, NULL);
}

static rac_signal *plain(rac_subject *subject) {
  return rac_retain(as_signal(subject));
}

static rac_status feed(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  rac_subject *subject = context_target(context);
  *out = rac_subscribe_subscriber(as_signal(subject), subscriber);
  return RAC_OK;
}
static rac_signal *created(rac_subject *subject) {
  return rac_signal_create(owned_for(subject), feed, owned_destroyed);
}
static rac_signal *created_bounded(rac_subject *subject) {
  return rac_signal_create_bounded(room, owned_for(subject), feed,
                                   owned_destroyed);
}

static rac_status lend_subject(void *context, rac_signal **out) {
  *out = plain(context_target(context));
  return RAC_OK;
}
static rac_signal *deferred(rac_subject *subject) {
  return rac_signal_defer(owned_for(subject), lend_subject, owned_destroyed);
}

static rac_status use(void *context, rac_value resource, rac_signal **out) {
  (void)resource;
  return lend_subject(context, out);
}
static rac_signal *using(rac_subject *subject) {
  return rac_signal_using(owned_for(subject), standard_make_value, use,
                          standard_called_with, owned_destroyed);
}

static rac_signal *in_rows(rac_subject *subject) {
  rac_signal *s = deferred(subject);
  RAC_ASSIGN(s, rac_signal_map(s, mine(), standard_key, owned_destroyed));
  RAC_ASSIGN(s, rac_signal_filter(s, mine(), standard_above, owned_destroyed));
  return s;
}

static rac_status give_return(void *context, rac_value value,
                              rac_signal **out) {
  touched(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}
static rac_signal *flattened(rac_subject *subject) {
  rac_signal *s = in_rows(subject);
  RAC_ASSIGN(s,
             rac_signal_flatten_map(s, mine(), give_return, owned_destroyed));
  RAC_ASSIGN(s, rac_signal_map(s, mine(), standard_key, owned_destroyed));
  return s;
}

static const struct {
  const char *name;
  source_fn make;
} sources[] = {{"a subject", plain},
               {"create", created},
               {"create_bounded", created_bounded},
               {"defer", deferred},
               {"using", using},
               {"rows", in_rows},
               {"a chain", flattened}};
enum { SOURCES = sizeof sources / sizeof *sources };

/* ---- How it ends ----------------------------------------------------------------- */

typedef enum { COMPLETED, FAILED, DISPOSED, LEFT, ENDS } end;
static const char *const end_names[] = {"completion", "an error", "disposal",
                                        "nobody's being left"};

static void send_end(rac_subject *subject, end how) {
  owned_value error = test_error(1);
  if (how == COMPLETED) rac_subject_send_completed(subject);
  if (how == FAILED) rac_subject_send_error(subject, error);
}

static void pass_time(void) {
  for (int i = 0; i < 5; i++) {
    rac_virtual_step_n(v, 20);
    rac_main_drain(0);
  }
}

static bool takes_other(const applied *operator) {
  return (all_bits(operator->taken) &
          (TAKES_OTHER | TAKES_LIST | TAKES_CASES)) != 0;
}

typedef struct subjects {
  rac_subject *source, *other;
} subjects;

/* Values; the source's end; more values of what goes on; the end of all. */
static void play_to_the_end(const subjects *from, rac_disposable *subscription,
                            end first, end last) {
  rac_subject_send(from->source, I(1));
  rac_subject_send(from->other, I(1));
  rac_subject_send(from->source, I(2));
  send_end(from->source, first);
  rac_subject_send(from->other, I(2));
  pass_time();
  rac_subject_send(inner, I(3));
  rac_subject_send(from->other, I(4));
  send_end(from->other, last);
  pass_time();
  send_end(inner, last);
  pass_time();
  if (last == DISPOSED) rac_dispose(subscription);
}

static void play_one(const applied *operator, source_fn make, end first,
                     end last) {
  char what[200];
  snprintf(what, sizeof what, "whose source ends by %s, and it by %s",
           end_names[first], end_names[last]);
  playing = operator->name;
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  inner = rac_subject_create();
  subjects from = {rac_subject_create(), rac_subject_create()};
  rac_signal *source = make(from.source), *other = takes_other(operator)
                                                       ? make(from.other)
                                                       : rac_signal_never();
  rac_signal *below = operator->build(source, other);
  rac_signal *s =
      rac_signal_filter(below, mine(), standard_above, owned_destroyed);
  rac_disposable *subscription = subscribe(s);
  rac_signal *made[] = {source, other, below, s};
  for (int i = 0; i < 4; i++) rac_release(made[i]);
  play_to_the_end(&from, subscription, first, last);
  void *left[] = {from.source, from.other, inner};
  for (int i = 0; i < 3; i++) rac_release(left[i]);
  pass_time();
  /* What subscribes again goes on: law 11. */
  rac_dispose(subscription);
  rac_release(subscription);
  pass_time();
  rac_release(v);
  rac_release(standing);
  rac_main_drain(0);
  check_not_early(what);
}

static void play_all(const applied *operator, source_fn make) {
  rac_set_log(NULL, ignore_line, NULL);
  for (end first = COMPLETED; first <= FAILED; first++)
    for (end last = COMPLETED; last < ENDS; last++)
      play_one(operator, make, first, last);
  rac_set_log(NULL, NULL, NULL);
}

/* Laws 9 and 10. */
TEST(the_context_of_an_operator_is_destroyed_when_its_subscription_is_over) {
  for (int i = 0; i < OPERATORS; i++) play_all(&operators[i], plain);
}

/* Law 10: so are those of what it is applied to, also where that has ended before. */
TEST(so_are_the_contexts_of_what_is_above) {
  for (int k = 1; k < SOURCES; k++)
    for (int i = 0; i < OPERATORS; i++)
      play_all(&operators[i], sources[k].make);
}

static rac_signal *itself(rac_signal *source, rac_signal *other) {
  (void)other;
  return rac_retain(source);
}

/* Law 10. */
TEST(the_context_of_a_cold_signal_is_destroyed_when_its_subscription_is_over) {
  static const unsigned short nothing[] = {0};
  for (int k = 1; k < SOURCES; k++)
    play_all(&(applied){sources[k].name, itself, nothing}, sources[k].make);
}
