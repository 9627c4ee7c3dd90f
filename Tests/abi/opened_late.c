/* A library that is opened by a program which was not linked to it: opened_late LIBRARY. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", count > 1 ? dlerror() : "opened_late LIBRARY");
    return 1;
  }
  const char *(*version)(void);
  *(void **)&version = dlsym(library, "rac_version_string");
  puts(version());
  return 0;
}
