/* librac in a libuv loop.
 *
 *     uv_poll_t librac;
 *     rac_uv_init(loop, &librac);
 *     uv_run(loop, UV_RUN_DEFAULT);
 *
 * Whatever is scheduled or delivered on the main scheduler then runs in the
 * thread of that loop, beside libuv's own callbacks. Compile with the flags of
 * pkg-config rac and libuv.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_UV_H
#define RAC_UV_H

#include <rac.h>
#include <uv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds that librac runs at a time, at least one value, before the other
 * handles get their turn. Define it before this header for another time. */
#ifndef RAC_UV_SLICE
#define RAC_UV_SLICE 0.002
#endif

static inline void rac_uv_run(uv_poll_t *handle, int status, int events) {
  int64_t count = 0;
  (void)events;
  if (status >= 0) count = rac_main_drain_for(RAC_UV_SLICE);
  if (status < 0 || count == RAC_EFORK || count == RAC_ECLOSED)
    uv_poll_stop(handle);
}

/* Starts a handle that runs the main scheduler when it has something to do. One
 * is enough for a process. It keeps the loop alive: uv_unref() it where the loop
 * is to end when nothing else is left, or end it with uv_close(), at any time;
 * what is scheduled then waits. In a forked child where librac
 * does not work it stops by itself; elsewhere uv_loop_fork() the loop. After
 * rac_close() nothing comes any more: end it.
 *
 * handle: memory of the caller's, which lives until it has been closed.
 * Returns 0, or an error of libuv's: UV_ENOMEM when the system has no
 * descriptors left, UV_ECANCELED where librac was closed or does not work in
 * this forked child; then there is nothing to close. */
static inline int rac_uv_init(uv_loop_t *loop, uv_poll_t *handle) {
  int32_t descriptor = rac_main_fd();
  int error = rac_last_error_code() == RAC_ENOMEM ? UV_ENOMEM : UV_ECANCELED;
  if (descriptor >= 0) error = uv_poll_init(loop, handle, descriptor);
  if (error != 0) return error;
  return uv_poll_start(handle, UV_READABLE, rac_uv_run);
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_UV_H */
