// The headers in C++, with warnings that a program may have on. GLib's macros cast
// as C does.
#include <rac.hpp>
#include <rac_marbles.h>
#include <rac_replay.h>
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include <rac_glib.h>
#include <rac_uv.h>

GSource *glib() { return rac_glib_source_new(); }
void marbles(rac_marbles *m) { RAC_MARBLES_EXPECT(m, rac_signal_never(), NULL, "-"); }
bool replay(rac_replay *r, rac_replay_build_fn build) { return rac_replay_run(r, build, NULL); }
int uv(uv_loop_t *loop, uv_poll_t *handle) { return rac_uv_init(loop, handle); }
