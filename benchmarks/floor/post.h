/* A queue for values that come one at a time, from any number of threads, to
 * one that may have to be woken: the least that plain C takes for an answer. A
 * value is a letter, a block of its own behind the one before; to send one is
 * an exchange and a store, and the reader writes nothing that senders look at
 * but that it sleeps.
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
  /* Whether the sender has a processor of its own: before it sleeps the reader
   * looks for a moment, or lets the sender have the one they share. */
  int is_apart;
} floor_post;

void floor_post_open(floor_post *p, int is_apart);
void floor_post_send(floor_post *p, floor_value value);
floor_value floor_post_read(floor_post *p); /* waits */
void floor_post_close(floor_post *p);

#endif /* FLOOR_POST_H */
