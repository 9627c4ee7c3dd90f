/* A queue for values that come one at a time, from any number of threads, to one
 * that may have to be woken: the least that plain C takes for an answer. A value is
 * a letter, a block of its own behind the one before; to send one is an exchange
 * and a store, and the reader writes nothing that senders look at but that it
 * sleeps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_POST_H
#define FLOOR_POST_H

#include "floor.h"

#include <stdatomic.h>

typedef struct floor_letter {
  _Atomic(struct floor_letter *) next;
  floor_value value;
} floor_letter;

typedef struct floor_post {
  _Atomic(floor_letter *) newest;
  /* On lines of their own. */
  _Alignas(64) floor_letter *oldest;    /* the reader's: has been read */
  _Alignas(64) _Atomic uint32_t asleep; /* what the reader sleeps on */
  /* Whether the reader looks for a moment before it sleeps: right where the
   * sender has a processor of its own, and wrong where it waits for this one. */
  int stays_awake;
} floor_post;

void floor_post_open(floor_post *p, int stays_awake);
void floor_post_send(floor_post *p, floor_value value);
floor_value floor_post_read(floor_post *p); /* waits */
void floor_post_close(floor_post *p);

#endif /* FLOOR_POST_H */
