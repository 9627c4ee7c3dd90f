/* librac as a contestant, through its C interface.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

const contestant contestants[] = {{"librac", rac_groups}, {NULL, NULL}};
