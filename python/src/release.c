/* Letting go of objects that the engine holds, or Python does for it. An
 * exception of a finaliser is reported.
 *
 * SPDX-License-Identifier: MIT
 */
#include "release.h"
#include "gil.h"
#include "thread.h"

unsigned long long answers_epoch = 1;

void answers_are_void(void) { answers_epoch++; }

void drop_value(rac_value value) {
  if (value.kind <= RAC_DOUBLE) return;
  entry outer = enter();
  rac_value_release(value);
  leave_quietly(outer);
}

void drop_handle(void *handle) {
  entry outer = enter();
  rac_release(handle);
  leave_quietly(outer);
}

void drop_context(void *context) {
  int attached = begin();
  if (attached < 0) return;
  answers_are_void();
  Py_XDECREF((PyObject *)context);
  end(attached);
}

void drop_speaking_context(void *context) { drop_context(context); }
