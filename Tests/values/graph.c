/* Subjects, what several sinks share, bounds. */
#include "values.h"

atomic_int contexts;

typedef struct context {
  int64_t number;
  lane *lane;
} context;

void *context_of_lane(int64_t number, lane *lane) {
  context *self = malloc(sizeof *self);
  if (self == NULL) abort();
  *self = (context){number, lane};
  atomic_fetch_add(&contexts, 1);
  return self;
}

void *counted_context(int64_t number) { return context_of_lane(number, NULL); }

int64_t context_number(void *self) { return ((context *)self)->number; }

lane *context_lane(void *self) { return ((context *)self)->lane; }

void destroy_context(void *self) {
  ((context *)self)->number = -1;
  free(self);
  atomic_fetch_sub(&contexts, 1);
}

static size_t some_capacity(numbers *random) {
  return (size_t)(1 + below(random, percent(random, 50) ? 4 : 40));
}

rac_bound *choose_bound(numbers *random, bool shares, int *policy) {
  static const int own[] = {RAC_BOUND_DROP_OLDEST, RAC_BOUND_DROP_NEWEST,
                            RAC_BOUND_LATEST, RAC_BOUND_ERROR};
  if (shares && the.held != NULL && percent(random, 60)) {
    *policy = rac_bound_get(the.held, RAC_BOUND_POLICY);
    return rac_retain(the.held);
  }
  /* What ends leaves little to be looked at. */
  *policy = own[percent(random, 85) ? below(random, 3) : 3];
  return rac_bound_create(some_capacity(random), *policy);
}

static void make_place(place *self, numbers *random) {
  *self = (place){0};
  int kind = below(random, 10);
  if (kind < 2) {
    self->is_replay = true;
    self->subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  } else if (kind < 6 || (kind < 8 && the.held != NULL)) {
    self->bound = choose_bound(random, true, &self->policy);
    self->has_time = self->bound == the.held && the.held_has_time;
    self->subject = rac_subject_create_bounded(self->bound);
  } else {
    self->subject = rac_subject_create();
  }
  if (self->subject == NULL) abort();
}

static void make_hub(hub *self, numbers *random) {
  memset(self, 0, sizeof *self);
  self->tree.is_hub = true;
  rac_signal *source = grow_tree(&self->tree, random);
  self->is_replay = percent(random, 50);
  if (self->is_replay) {
    rac_subject *all = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
    self->connection = rac_signal_multicast(source, all);
    rac_release(all);
  } else {
    self->connection = rac_signal_publish(source);
  }
  rac_release(source);
  self->signal = rac_connection_signal(self->connection);
  self->connected = rac_connection_connect(self->connection);
  if (self->connected == NULL || self->signal == NULL) abort();
}

void make_graph(void) {
  numbers *random = &the.random;
  the.worker = rac_scheduler_background(0, "values");
  the.other = rac_scheduler_background(0, "values, too");
  the.held = NULL;
  the.held_has_time = false;
  int held = below(random, 4);
  if (held < 2) {
    the.held = rac_bound_create(some_capacity(random),
                                held == 0 ? RAC_BOUND_WAIT : RAC_BOUND_REFUSE);
    the.held_has_time = held == 0 && percent(random, 25);
    if (the.held_has_time) rac_bound_set_timeout(the.held, 0.002);
  }
  the.place_count = 1 + below(random, MOST_SUBJECTS);
  for (int i = 0; i < the.place_count; i++) make_place(&the.places[i], random);
  the.hub_count = 0;
  int hubs = below(random, MOST_HUBS + 1);
  for (int i = 0; i < hubs; i++) {
    make_hub(&the.hubs[i], random);
    the.hub_count++;
  }
}

void release_graph(void) {
  for (int i = 0; i < the.hub_count; i++) {
    hub *hub = &the.hubs[i];
    rac_dispose(hub->connected);
    rac_release(hub->connected);
    rac_release(hub->signal);
    rac_release(hub->connection);
    release_tree(&hub->tree);
  }
  for (int i = 0; i < the.place_count; i++) {
    rac_release(the.places[i].subject);
    rac_release(the.places[i].bound);
  }
  rac_release(the.held);
  rac_release(the.worker);
  rac_release(the.other);
}
