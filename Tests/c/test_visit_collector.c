/* rac_visit_contexts(): a small collector of cycles through the library. */
#include "shared_callbacks.h"
#include "visiting.h"

/* Objects of a host that count references to each other and have a handle each. Some
 * contexts are references to an object, and so are the program's own. */
enum { OBJECTS = 8 };
typedef struct object {
  int count;
  rac_subject *subject;
  bool is_garbage;
} object;
static object objects[OBJECTS];

static void release_object(void *context) { ((object *)context)->count--; }
static int found[OBJECTS];
static void subtract(void *context, void *held, rac_destroy_fn destroy) {
  (void)context;
  CHECK(destroy == release_object);
  found[(object *)held - objects]++;
}
static void reach(void *context, void *held, rac_destroy_fn destroy) {
  (void)destroy;
  object *target = held;
  if (!target->is_garbage) return;
  target->is_garbage = false;
  *(bool *)context = true;
}

/* What only objects that nobody reaches refer to is garbage. */
static int collect(void) {
  int collected = 0;
  memset(found, 0, sizeof found);
  for (int i = 0; i < OBJECTS; i++) {
    void *handle = objects[i].subject;
    if (handle) rac_visit_contexts(&handle, 1, subtract, NULL);
  }
  for (int i = 0; i < OBJECTS; i++)
    objects[i].is_garbage =
        objects[i].subject != NULL && found[i] == objects[i].count;
  bool more = true;
  while (more) {
    more = false;
    for (int i = 0; i < OBJECTS; i++) {
      void *handle = objects[i].subject;
      if (handle && !objects[i].is_garbage)
        rac_visit_contexts(&handle, 1, reach, &more);
    }
  }
  for (int i = 0; i < OBJECTS; i++) {
    if (!objects[i].is_garbage) continue;
    rac_release(objects[i].subject);
    objects[i].subject = NULL;
    collected++;
  }
  return collected;
}

static rac_destroy_fn refers_to(object *target) {
  target->count++;
  return release_object;
}
/* self.subject.map(other.f).subscribe(third.g) */
static void subscribe_through(object *self, object *other, object *third) {
  owned rac_signal *chain = rac_signal_map(as_signal(self->subject), other,
                                           pass_value, refers_to(other));
  rac_release(rac_subscribe_next(chain, third, ignore_value, refers_to(third)));
}

TEST(a_cycle_through_the_library_is_collected) {
  objects[0] = (object){.count = 1, .subject = rac_subject_create()};
  subscribe_through(&objects[0], &objects[0], &objects[0]);
  CHECK_INT(collect(), 0);
  objects[0].count--; /* the program's */
  CHECK_INT(collect(), 1);
  CHECK_INT(objects[0].count, 0);
}

/* Whatever graph there is: what the program reaches stays, the rest goes. */
TEST(random_graphs_are_collected) {
  uint64_t random = 0;
  for (int round = 0; round < 500; round++) {
    bool edges[OBJECTS][OBJECTS] = {{false}}, roots[OBJECTS], alive[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
      roots[i] = check_random(&random) % 4 == 0;
      objects[i] = (object){.count = roots[i], .subject = rac_subject_create()};
    }
    for (int n = (int)(check_random(&random) % 12); n > 0; n--) {
      size_t a = check_random(&random) % OBJECTS;
      size_t b = check_random(&random) % OBJECTS;
      size_t c = check_random(&random) % OBJECTS;
      subscribe_through(&objects[a], &objects[b], &objects[c]);
      edges[a][b] = edges[a][c] = true;
    }
    memcpy(alive, roots, sizeof alive);
    int count = 0;
    for (int n = 0; n < OBJECTS; n++)
      for (int i = 0; i < OBJECTS; i++)
        for (int j = 0; j < OBJECTS; j++)
          if (alive[i] && edges[i][j]) alive[j] = true;
    for (int i = 0; i < OBJECTS; i++) count += !alive[i];
    CHECK_INT(collect(), count);
    for (int i = 0; i < OBJECTS; i++) {
      CHECK((objects[i].subject != NULL) == alive[i]);
      if (!alive[i]) CHECK_INT(objects[i].count, 0);
    }
    for (int i = 0; i < OBJECTS; i++) rac_release(objects[i].subject);
    for (int i = 0; i < OBJECTS; i++)
      CHECK_INT(objects[i].count, roots[i] ? 1 : 0);
  }
}
