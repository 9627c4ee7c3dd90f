/* librac and the plain C under it in one program, for the test that proves that
 * both do the same work. See worker/quick.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor/floor.h"
#include "librac/rac_bench.h"

const contestant contestants[] = {
    {"floor", floor_groups}, {"librac", rac_groups}, {NULL, NULL}};
