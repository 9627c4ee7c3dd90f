/* Keys that somebody chose: many for one place of a table, or of one hash. */
#include <inttypes.h>
#include <time.h>

#include "check.h"
#include "rerun.h"

enum { MANY = 20000 };

static uint64_t crafted_hash(void *object) { return *(uint64_t *)object; }
static bool is_same(void *object, void *other) { return object == other; }
static const rac_object_class crafted_class = {
    .size = sizeof crafted_class, .equal = is_same, .hash = crafted_hash};

/* Processor time for so many different keys, twice, with hashes that are
 * multiples of a number. */
static double seconds_for(uint64_t factor) {
  static uint64_t hashes[MANY];
  uint32_t number = rac_object_class_register(&crafted_class);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_distinct(rac_subject_as_signal(subject), NULL, NULL, NULL);
  RECORDER(r, s);
  clock_t start = clock();
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < MANY; i++) {
      hashes[i] = i * factor;
      rac_subject_send(subject, rac_object(&hashes[i], number));
    }
  double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_INT(atomic_load(&r.nexts), MANY);
  return taken;
}

/* In a table of 2^16 places whose lowest bits chose the place, all but the first
 * would lie in one place, and 200,000,000 of them be looked at. */
TEST(keys_do_not_lie_where_their_hashes_say) {
  double usual = seconds_for(1);
  for (int bits = 16; bits <= 48; bits += 8)
    CHECK(seconds_for(UINT64_C(1) << bits) < 10 * usual + 0.05);
}

/* So keys of one hash cannot be found outside of the process. */
TEST(a_hash_is_the_process_s_own) {
  rac_value parts[] = {rac_value_string("a key"), rac_int64(7)};
  rac_value tuple = rac_value_tuple(parts, 2);
  char mine[128], another[4096] = "";
  snprintf(mine, sizeof mine, "<%" PRIu64 " %" PRIu64 " %" PRIu64 ">",
           rac_value_hash(parts[0]), rac_value_hash(parts[1]),
           rac_value_hash(tuple));
  rac_value_release(tuple);
  if (getenv("RAC_TEST_HASH")) {
    puts(mine);
    return;
  }
  CHECK_INT(rerun("a_hash_is_the_process_s_own", "RAC_TEST_HASH", "1", another,
                  sizeof another),
            0);
  uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
  const char *found = strchr(another, '<');
  REQUIRE(found != NULL);
  sscanf(mine, "<%" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &c);
  CHECK_INT(sscanf(found, "<%" SCNu64 " %" SCNu64 " %" SCNu64, &d, &e, &f), 3);
  CHECK(a != d && b != e && c != f);
}
