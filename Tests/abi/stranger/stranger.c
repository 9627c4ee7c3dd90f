/* A program of somebody who has only the installed library. */
#include <rac.h>
#include <stdio.h>

static void print(void *context, rac_value value) {
  (void)context;
  printf("%d\n", (int)value.bits);
}

int main(void) {
  rac_signal *answer = rac_signal_return(rac_value_int64(42));
  rac_disposable *subscription = rac_subscribe_next(answer, NULL, print, NULL);
  int failed = subscription == NULL;
  if (failed) fprintf(stderr, "%s\n", rac_last_error_message());
  rac_release(subscription);
  rac_release(answer);
  return failed;
}
