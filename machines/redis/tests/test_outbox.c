/* The entries that wait for an answer: a million in and out, beside a plain
 * list that says what should be there. */
#include "check.h"

#include "outbox.h"

enum { LONGEST = 40 };

typedef struct model {
  size_t first, written, last; /* numbers of entries */
} model;

/* Entry n is so many bytes of n. */
static size_t length_of(size_t number) { return 1 + number * 7 % LONGEST; }

static void add(outbox *box, model *of) {
  char bytes[LONGEST];
  buffer *out = outbox_open(box);
  size_t before = out->length, length = length_of(of->last);
  memset(bytes, (int)(of->last % 251), length);
  CHECK(buffer_add(out, bytes, length));
  CHECK(outbox_added(box, before));
  of->last++;
}

static void take(outbox *box, model *of, size_t most) {
  const void *bytes;
  size_t length, all = of->last - of->written;
  size_t count = outbox_take(box, most, &bytes, &length);
  CHECK_INT(count, all < most ? all : most);
  const unsigned char *next = bytes;
  for (; count > 0; count--, of->written++) {
    size_t size = length_of(of->written);
    for (size_t i = 0; i < size; i++)
      if (next[i] != of->written % 251) CHECK(!"the bytes of another entry");
    next += size;
  }
  CHECK_INT(next - (const unsigned char *)bytes, length);
}

TEST(entries_come_out_as_they_went_in) {
  outbox box = {0};
  model of = {0};
  uint64_t state = 3;
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    switch (check_random(&state) % 8) {
    case 0:
      take(&box, &of, check_random(&state) % 100);
      break;
    case 1:
      if (check_random(&state) % 100 == 0) {
        outbox_rewind(&box);
        of.written = of.first;
      }
      break;
    case 2:
    case 3:
    case 4:
      if (of.written > of.first) {
        outbox_answered(&box);
        of.first++;
      }
      break;
    default:
      if (of.last - of.first < 5000) add(&box, &of);
    }
    size_t size = outbox_size(&box), expected = 0;
    if (i % 1000 == 0) {
      for (size_t n = of.first; n < of.last; n++) expected += length_of(n);
      CHECK_INT(size, expected);
    }
  }
  CHECK_INT(box.count, of.last - of.first);
  outbox_free(&box);
}
