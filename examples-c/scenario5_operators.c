/* Scenario 5: three of the operators all others can be built from: bind,
 * concat and zip.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

static rac_signal *numbers(const int64_t *numbers, size_t count) {
  rac_value values[8];
  for (size_t i = 0; i < count; i++) values[i] = rac_value_int64(numbers[i]);
  return rac_signal_from_values(values, count);
}

/* Bind asks for a signal for every value and sends what those signals send. */
static rac_status doubled(void *context, rac_value value, bool *stop,
                          rac_signal **out) {
  int64_t number = 0;
  (void)context;
  (void)stop; /* setting it would make this value the last one */
  rac_status status = rac_value_get_int64(value, &number);
  if (status < 0) return status;
  *out = rac_signal_return(rac_value_int64(2 * number));
  return RAC_OK;
}

/* Consumes `signal`. A chain is checked once, at its end: a NULL on the way
 * makes all that follows NULL, and the first error stays readable. */
static void show(char *name, rac_signal *signal) {
  stage_subscribe(signal, name);
  rac_release(signal);
}

int main(int argc, char **argv) {
  stage_open(argc, argv);

  rac_signal *three = numbers((int64_t[]){1, 2, 3}, 3);
  show("bind", rac_signal_bind(three, NULL, doubled, NULL));
  rac_release(three);

  rac_signal *head = numbers((int64_t[]){1}, 1);
  rac_signal *tail = numbers((int64_t[]){2, 3, 6}, 3);
  show("concat", rac_signal_concat(head, tail));
  rac_release(head);
  rac_release(tail);

  rac_value names[] = {rac_value_string("A"), rac_value_string("B"),
                       rac_value_string("C"), rac_value_string("D")};
  rac_signal *five = numbers((int64_t[]){1, 2, 3, 4, 5}, 5);
  rac_signal *letters = rac_signal_from_values(names, 4);
  show("zip", rac_signal_zip_with(five, letters)); /* the 5 finds no partner */
  rac_release(five);
  rac_release(letters);

  return stage_close();
}
