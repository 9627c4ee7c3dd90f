/* Random graphs of derived properties, which change while four threads set what
 * they are made of.
 *
 * Each value carries the versions of the roots that it was made of, sixteen bits
 * of each: so a callback that is given two versions of one root sees it. There
 * are four roots. Two of them belong to a thread each, which sets them; the other
 * two are modified by all. Either way a root's version grows by one.
 *
 * RAC_STRESS_SECONDS lets it go on for a while; RAC_STRESS_SEED plays the same
 * steps again, if not in the same order among threads. */
#include "properties.h"

enum { THREADS = 4, ROOTS = 4, OWN_ROOTS = 2, SLOTS = 24, MOST_INPUTS = 5 };

static uint64_t lane(uint64_t packed, int root) {
  return packed >> 16 * root & 0xffff;
}

/* How much later the version is, past the wrap. */
static int ahead(uint64_t version, uint64_t other) {
  return (int16_t)(uint16_t)(version - other);
}

/* ---- Nodes ----------------------------------------------------------------- */

/* What a derived property knows: which roots it is made of, by which inputs,
 * and of which it only knows the versions but for the last two bits. */
typedef struct node {
  int inputs;
  bool rounds; /* it does that itself, and is distinct */
  unsigned roots[MOST_INPUTS], rounded[MOST_INPUTS];
  unsigned all, all_rounded;
  /* Plain memory on purpose, as in recorders. */
  bool has_run;
  uint64_t last, heard, inputs_of_last[MOST_INPUTS];
  bool has_heard;
  atomic_int inside;
  /* Kept, as what is made of a property that is gone stays as it is. */
  rac_property *kept[MOST_INPUTS];
} node;

static atomic_long nodes_alive, runs_of_all;

static void fail_once(const char *what, const node *n) {
  static atomic_int told;
  CHECK(!what);
  if (atomic_fetch_add(&told, 1) < 10)
    fprintf(stderr, "%s: a node of %d inputs, roots %x\n", what, n->inputs,
            n->all);
}

/* All inputs must be of one time. */
static uint64_t merge(const node *n, const rac_value *inputs) {
  uint64_t result = 0;
  for (int root = 0; root < ROOTS; root++) {
    bool has = false, has_exact = false;
    uint64_t found = 0;
    for (int i = 0; i < n->inputs; i++) {
      if (!(n->roots[i] >> root & 1)) continue;
      bool is_exact = !(n->rounded[i] >> root & 1);
      uint64_t version = lane((uint64_t)inputs[i].bits, root);
      uint64_t mask = is_exact && has_exact ? 0xffff : 0xfffc;
      if (has && ((version ^ found) & mask) != 0)
        fail_once("two versions of one root", n);
      if (!has || is_exact) found = version;
      has = true;
      has_exact |= is_exact;
    }
    if (n->all_rounded >> root & 1) found &= 0xfffc;
    result |= found << 16 * root;
  }
  return result;
}

/* The one that this thread is making. For its first value the callbacks of those
 * that have no place in the graph yet may run once more, beside others. */
static _Thread_local const node *making;

static rac_status derive(void *context, const rac_value *inputs, size_t count,
                         rac_value *out) {
  node *n = context_target(context);
  CHECK_INT(count, n->inputs);
  uint64_t now = merge(n, inputs);
  *out = I((int64_t)now);
  if (making != NULL && making != n) return RAC_OK;
  if (atomic_fetch_add(&n->inside, 1) != 0) fail_once("two runs at once", n);
  for (int root = 0; n->has_run && root < ROOTS; root++) {
    int steps = ahead(lane(now, root), lane(n->last, root));
    if (steps < 0) fail_once("a root went backwards", n);
  }
  bool is_new = !n->has_run;
  for (size_t i = 0; i < count; i++) {
    is_new |= n->inputs_of_last[i] != (uint64_t)inputs[i].bits;
    n->inputs_of_last[i] = (uint64_t)inputs[i].bits;
  }
  if (!is_new) fail_once("run again for nothing", n);
  n->has_run = true;
  n->last = now;
  atomic_fetch_add_explicit(&runs_of_all, 1, memory_order_relaxed);
  atomic_fetch_sub(&n->inside, 1);
  return RAC_OK;
}

static rac_status derive_one(void *context, rac_value input, rac_value *out) {
  return derive(context, &input, 1, out);
}

static void destroy_node(void *context) {
  node *n = context_target(context);
  for (int i = 0; i < n->inputs; i++) rac_release(n->kept[i]);
  free(n);
  atomic_fetch_sub(&nodes_alive, 1);
  context_destroy(context);
}

/* What is heard was just computed, and is what get answers. */
static void hear(void *context, rac_value value) {
  node *n = context;
  uint64_t now = (uint64_t)value.bits;
  for (int root = 0; n->has_heard && root < ROOTS; root++)
    if (ahead(lane(now, root), lane(n->heard, root)) < 0)
      fail_once("heard backwards", n);
  n->has_heard = true;
  n->heard = now;
}

/* ---- The graph ---------------------------------------------------------------- */

/* The slots hold a reference each. Guarded by a lock of the test's own. */
static struct {
  pthread_mutex_t lock;
  rac_property *roots[ROOTS];
  struct {
    rac_property *property;
    unsigned roots, rounded;
  } slots[SLOTS];
} graph = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A reference to something to derive from. */
static rac_property *pick(uint64_t *random, unsigned *roots,
                          unsigned *rounded) {
  size_t which = check_random(random) % (SLOTS + 2 * ROOTS);
  pthread_mutex_lock(&graph.lock);
  rac_property *found = NULL;
  if (which < SLOTS && graph.slots[which].property != NULL) {
    found = graph.slots[which].property;
    *roots = graph.slots[which].roots;
    *rounded = graph.slots[which].rounded;
  } else {
    int root = (int)(which % ROOTS);
    found = graph.roots[root];
    *roots = 1u << root;
    *rounded = 0;
  }
  rac_retain(found);
  pthread_mutex_unlock(&graph.lock);
  return found;
}

static rac_property *make(uint64_t *random, unsigned *roots,
                          unsigned *rounded) {
  node *n = calloc(1, sizeof *n);
  if (n == NULL) abort();
  atomic_fetch_add(&nodes_alive, 1);
  uint64_t choice = check_random(random);
  n->inputs = choice % 3 == 0 ? 1 : 2 + (int)(choice / 3 % (MOST_INPUTS - 1));
  n->rounds = choice / 1024 % 4 == 0;
  for (int i = 0; i < n->inputs; i++) {
    n->kept[i] = pick(random, &n->roots[i], &n->rounded[i]);
    n->all |= n->roots[i];
  }
  for (int root = 0; root < ROOTS; root++) {
    bool is_exact = false;
    for (int i = 0; i < n->inputs; i++)
      is_exact |= n->roots[i] >> root & 1 && !(n->rounded[i] >> root & 1);
    if (n->all >> root & 1 && (n->rounds || !is_exact))
      n->all_rounded |= 1u << root;
  }
  *roots = n->all;
  *rounded = n->all_rounded;
  bool is_distinct = n->rounds || choice / 4096 % 2;
  void *context = context_new(n, NULL);
  making = n;
  rac_property *made =
      n->inputs == 1
          ? rac_property_map(n->kept[0], is_distinct, context, derive_one,
                             destroy_node)
          : rac_property_combine_latest(n->kept, (size_t)n->inputs, is_distinct,
                                        context, derive, destroy_node);
  making = NULL;
  CHECK(made != NULL);
  return made;
}

static void replace_one(uint64_t *random) {
  unsigned roots = 0, rounded = 0;
  size_t which = check_random(random) % SLOTS;
  rac_property *made =
      check_random(random) % 8 == 0 ? NULL : make(random, &roots, &rounded);
  pthread_mutex_lock(&graph.lock);
  owned rac_property *old = graph.slots[which].property;
  graph.slots[which].property = made;
  graph.slots[which].roots = roots;
  graph.slots[which].rounded = rounded;
  pthread_mutex_unlock(&graph.lock);
}

typedef struct ear {
  node node;
  rac_disposable *subscription;
} ear;

/* Listens for a while. */
static void listen_to_one(uint64_t *random, ear *e) {
  unsigned roots, rounded;
  if (e->subscription != NULL) {
    rac_dispose_and_wait(e->subscription, -1);
    rac_release(e->subscription);
    e->subscription = NULL;
  }
  if (check_random(random) % 4 == 0) return;
  rac_property *property = pick(random, &roots, &rounded);
  memset(&e->node, 0, sizeof e->node);
  e->node.all = roots;
  e->subscription = rac_subscribe_next(rac_property_as_signal(property),
                                       &e->node, hear, NULL);
  rac_release(property);
}

/* ---- The threads ---------------------------------------------------------------- */

static atomic_long sets_of_all;

static rac_status next_version(void *context, rac_value value, rac_value *out) {
  int root = (int)(intptr_t)context;
  uint64_t packed = (lane((uint64_t)value.bits, root) + 1) & 0xffff;
  *out = I((int64_t)(packed << 16 * root));
  return RAC_OK;
}

typedef struct worker {
  int number;
  uint64_t seed;
  int64_t sets;
  uint64_t version;
} worker;

static void *work(void *argument) {
  worker *self = argument;
  uint64_t random = self->seed;
  ear ears[3];
  memset(ears, 0, sizeof ears);
  for (int64_t i = 0; i < self->sets; i++) {
    uint64_t choice = check_random(&random);
    int root = (int)(choice % ROOTS);
    if (root < OWN_ROOTS && self->number < OWN_ROOTS) {
      root = self->number;
      uint64_t version = ++self->version & 0xffff;
      rac_property_set(graph.roots[root], I((int64_t)(version << 16 * root)));
    } else {
      root = OWN_ROOTS + root % (ROOTS - OWN_ROOTS);
      rac_property_modify(graph.roots[root], (void *)(intptr_t)root,
                          next_version, NULL);
    }
    if (choice / 16 % 64 == 0) replace_one(&random);
    if (choice / 16 % 64 == 1) listen_to_one(&random, &ears[choice / 1024 % 3]);
  }
  for (int i = 0; i < 3; i++) {
    if (ears[i].subscription == NULL) continue;
    rac_dispose_and_wait(ears[i].subscription, -1);
    rac_release(ears[i].subscription);
  }
  atomic_fetch_add(&sets_of_all, self->sets);
  return NULL;
}

/* Whether all that is derived shows the latest versions of the roots. */
static bool is_settled(const int64_t *total) {
  uint64_t versions = 0;
  for (int root = 0; root < ROOTS; root++) {
    uint64_t now = lane((uint64_t)number(graph.roots[root]), root);
    if (total[root] >= 0 && now != ((uint64_t)total[root] & 0xffff))
      return false;
    versions |= now << 16 * root;
  }
  for (size_t i = 0; i < SLOTS; i++) {
    if (graph.slots[i].property == NULL) continue;
    uint64_t now = (uint64_t)number(graph.slots[i].property);
    for (int root = 0; root < ROOTS; root++) {
      if (!(graph.slots[i].roots >> root & 1)) continue;
      uint64_t mask = graph.slots[i].rounded >> root & 1 ? 0xfffc : 0xffff;
      if ((lane(now, root) ^ lane(versions, root)) & mask) return false;
    }
  }
  return true;
}

static void play_a_round(uint64_t seed, int64_t sets) {
  for (int root = 0; root < ROOTS; root++) graph.roots[root] = property(0);
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){i, seed ^ (uint64_t)(i + 1) << 48, sets / THREADS, 0};
    threads[i] = check_spawn(work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  int64_t total[ROOTS] = {(int64_t)workers[0].version,
                          (int64_t)workers[1].version, -1, -1};
  WAIT_UNTIL(is_settled(total));
  for (size_t i = 0; i < SLOTS; i++) {
    rac_release(graph.slots[i].property);
    graph.slots[i].property = NULL;
  }
  for (int root = 0; root < ROOTS; root++) rac_release(graph.roots[root]);
  WAIT_UNTIL(atomic_load(&nodes_alive) == 0);
}

TEST(no_callback_sees_two_versions_of_one_root) {
  const char *given = getenv("RAC_STRESS_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 0)
                        : (uint64_t)(check_clock() * 1e9) ^ 0x9e3779b9;
  double end = check_clock() + check_seconds();
  int64_t rounds = 0;
  printf("RAC_STRESS_SEED=%llu\n", (unsigned long long)seed);
  do {
    play_a_round(seed + (uint64_t)rounds++, check_scaled(40000));
  } while (check_clock() < end);
  printf("%lld rounds, %ld sets, %ld runs of callbacks\n", (long long)rounds,
         atomic_load(&sets_of_all), atomic_load(&runs_of_all));
}
