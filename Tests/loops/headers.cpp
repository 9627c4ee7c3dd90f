// rac_glib.h and rac_uv.h in C++.
#include <rac_glib.h>
#include <rac_uv.h>

GSource *glib() { return rac_glib_source_new(); }
int uv(uv_loop_t *loop, uv_poll_t *handle) { return rac_uv_init(loop, handle); }
