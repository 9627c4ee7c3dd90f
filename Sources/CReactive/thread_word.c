#include "CReactive.h"

static __thread void *word;

void **reactive_thread_word(void) { return &word; }
