/* A copy of the library under another name, loaded beside the one that the
 * program is linked to: for what happens when it is loaded, or closed. */
#ifndef RAC_SECOND_LIBRARY_H
#define RAC_SECOND_LIBRARY_H

#include <dlfcn.h>
#include <string.h>

/* NULL where nobody says where the library is: RAC_LIBRARY, which ctest sets. */
void *load_second_library(void);

/* ISO C has no cast from an object pointer to a function pointer. */
#define LOOK_UP(variable, library, name)                                       \
  do {                                                                         \
    void *symbol = dlsym(library, name);                                       \
    memcpy(&(variable), &symbol, sizeof symbol);                               \
  } while (0)

#endif
