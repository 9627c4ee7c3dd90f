// A copy of the program to start as a child.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACProgram.h"

#include <string.h>

#include "CRACAllocation.h"

static size_t size_of(const char *const *texts, size_t *count) {
  size_t size = 0;
  for (*count = 0; texts != NULL && texts[*count] != NULL; ++*count)
    size += strlen(texts[*count]) + 1;
  return size;
}

static char *copy(char *to, const char *text) { return stpcpy(to, text) + 1; }

static char *copy_all(char *to, const char **list, const char *const *texts,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    list[i] = to;
    to = copy(to, texts[i]);
  }
  list[count] = NULL;
  return to;
}

rac_program *rac_shim_program(const char *const *arguments,
                              const char *const *environment,
                              const char *directory) {
  size_t count, variables;
  size_t bytes = size_of(arguments, &count);
  bytes += size_of(environment, &variables);
  bytes += directory == NULL ? 0 : strlen(directory) + 1;
  size_t lists = (count + variables + 2) * sizeof(char *);
  rac_program *made = rac_shim_allocate_checked(sizeof *made + lists + bytes);
  if (made == NULL) return NULL;
  const char **second = made->arguments + count + 1;
  char *texts = (char *)(second + variables + 1);
  texts = copy_all(texts, made->arguments, arguments, count);
  texts = copy_all(texts, second, environment, variables);
  made->environment = environment == NULL ? NULL : second;
  made->directory = NULL;
  if (directory != NULL) {
    made->directory = texts;
    copy(texts, directory);
  }
  return made;
}
