/* The functions of call.go under the types of rac.h: Go's own declarations of them know no const. */
#include <rac.h>
#include <stdlib.h>

void go_drop(void *context);
void go_next(void *context, rac_value value);
void go_error(void *context, rac_value value);
void go_completed(void *context);
void go_action(void *context);
rac_status go_map(void *context, rac_value value, rac_value *out);
rac_status go_predicate(void *context, rac_value value, bool *out);
rac_status go_reduce(void *context, rac_value running, rac_value value, rac_value *out);
rac_status go_reduce_each(void *context, rac_value *values, size_t count, rac_value *out);
rac_status go_factory(void *context, rac_value *out);
rac_status go_try(void *context, rac_value value);
rac_status go_signal(void *context, rac_value value, rac_signal **out);
rac_status go_defer(void *context, rac_signal **out);
rac_status go_subscribe(void *context, rac_subscriber *subscriber, rac_disposable **out);
rac_status go_execute(void *context, rac_value value, rac_signal **out);
