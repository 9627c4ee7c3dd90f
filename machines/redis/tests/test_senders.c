/* A reader's table of the numbers of senders. */
#include "check.h"

#include "senders.h"

#include <stdio.h>

static uint64_t gaps;

static bool is_double(senders *table, const char *name, uint64_t number) {
  uint64_t gap;
  bool is =
      senders_take(table, name, strlen(name), number, &gap) == NUMBER_DOUBLE;
  gaps += gap;
  return is;
}

TEST(a_number_that_came_is_a_double) {
  senders table = {0};
  gaps = 0;
  CHECK(!is_double(&table, "a", 1));
  CHECK(!is_double(&table, "a", 2));
  CHECK(is_double(&table, "a", 1));
  CHECK(is_double(&table, "a", 2));
  CHECK(!is_double(&table, "b", 1));
  CHECK(!is_double(&table, "a", 3));
  CHECK_INT(gaps, 0);
  senders_free(&table);
}

TEST(a_reader_that_begins_in_the_middle_has_missed_nothing) {
  senders table = {0};
  gaps = 0;
  CHECK(!is_double(&table, "a", 1000));
  CHECK(!is_double(&table, "a", 1001));
  CHECK_INT(gaps, 0);
  senders_free(&table);
}

/* A publisher whose third was refused, while the fourth was stored, writes
 * again from the third on. */
TEST(what_comes_after_a_gap_is_no_double) {
  senders table = {0};
  gaps = 0;
  CHECK(!is_double(&table, "a", 1));
  CHECK(!is_double(&table, "a", 2));
  CHECK(!is_double(&table, "a", 4));
  CHECK_INT(gaps, 1);
  CHECK(!is_double(&table, "a", 3));
  CHECK(!is_double(&table, "a", 4));
  CHECK(!is_double(&table, "a", 5));
  CHECK(is_double(&table, "a", 2));
  senders_free(&table);
}

TEST(many_senders_are_told_apart) {
  senders table = {0};
  char name[24];
  for (int i = 0; i < 5000; i++) {
    snprintf(name, sizeof name, "sender-%d", i);
    CHECK(!is_double(&table, name, 1));
  }
  for (int i = 0; i < 5000; i++) {
    snprintf(name, sizeof name, "sender-%d", i);
    CHECK(is_double(&table, name, 1));
  }
  CHECK_INT(table.count, 5000);
  senders_free(&table);
}

TEST(too_many_senders_are_forgotten) {
  senders table = {0};
  char name[24];
  for (int i = 0; i < SENDERS_MOST; i++) {
    snprintf(name, sizeof name, "%d", i);
    is_double(&table, name, 1);
  }
  CHECK_INT(table.count, SENDERS_MOST);
  CHECK(!is_double(&table, "one more", 1));
  CHECK_INT(table.count, 1);
  senders_free(&table);
}
