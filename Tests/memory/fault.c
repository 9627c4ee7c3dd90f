/* Reads a value's text after the value was released. With RAC_POOL=malloc
 * valgrind sees it: docs/Debugging.md. */
#include <rac.h>
#include <stdio.h>

int main(void) {
  rac_value value = rac_value_string_copy("a string that needs memory", 26);
  const char *text = "";
  size_t length = 0;
  rac_value_get_string(value, &text, &length);
  rac_value_release(value);
  printf("%c\n", text[length - 1]);
  return 0;
}
