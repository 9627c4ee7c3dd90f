/* Plain C as a contestant: a program without librac in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

const contestant contestants[] = {{"floor", floor_groups}, {NULL, NULL}};
