#include "second_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool copy_file(const char *from, const char *to) {
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  static char buffer[1 << 16];
  size_t size = 0;
  bool good = in && out;
  while (good && (size = fread(buffer, 1, sizeof buffer, in)) > 0)
    good = fwrite(buffer, 1, size, out) == size;
  if (in) fclose(in);
  if (out) fclose(out);
  return good;
}

void *load_second_library(void) {
  const char *path = getenv("RAC_LIBRARY");
  char copy[] = "./librac-copy-XXXXXX";
  int fd = path ? mkstemp(copy) : -1;
  if (fd < 0) return NULL;
  close(fd);
  void *library =
      copy_file(path, copy) ? dlopen(copy, RTLD_NOW | RTLD_LOCAL) : NULL;
  unlink(copy);
  return library;
}
