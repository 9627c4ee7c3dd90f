/* The library that is loaded is of the version its header names, and both
 * agree about the layout of what crosses the border. */
#include "rac.h"

#include <stdio.h>
#include <string.h>

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

static int failures;

static void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "does not hold: %s\n", what);
    failures++;
  }
}

int main(void) {
  const char *version = TEXT(RAC_VERSION_MAJOR) "." TEXT(
      RAC_VERSION_MINOR) "." TEXT(RAC_VERSION_PATCH);
  check(RAC_VERSION == RAC_VERSION_MAJOR * 1000000 + RAC_VERSION_MINOR * 1000 +
                           RAC_VERSION_PATCH,
        "RAC_VERSION is made of its parts");
  check(rac_version() == RAC_VERSION, "rac_version() == RAC_VERSION");
  check(strcmp(rac_version_string(), version) == 0,
        "rac_version_string() spells the same version");
  check(sizeof(rac_value) == 16, "a value has 16 bytes");
  check(sizeof(rac_status) == 4, "a status has 4 bytes");
  printf("librac %s\n", rac_version_string());
  return failures != 0;
}
