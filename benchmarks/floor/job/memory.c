/* SPDX-License-Identifier: MIT */
#include "memory.h"

__thread block *job_free_blocks[JOB_LARGEST / 16 + 1];
