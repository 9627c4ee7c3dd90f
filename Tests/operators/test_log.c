/* rac_signal_log_next and its kin: events on the standard error. */
#include "operators.h"

typedef struct trace {
  char text[1000];
} trace;

static void write_log(void *context, const char *line) {
  trace *self = context_target(context);
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s\n", line);
}

TEST(log_all_writes_each_event) {
  trace t = {""};
  CHECK_STATUS(rac_set_log(context_new(&t, NULL), write_log, context_destroy),
               RAC_OK);
  rac_signal *s = cold("1 2 #5", NULL);
  rac_signal_set_name(s, "numbers");
  APPLY0(s, log_all);
  CHECK_SIGNAL(s, "1 2 #5");
  CHECK_STATUS(rac_set_log(NULL, NULL, NULL), RAC_OK);
  int lines = 0;
  for (const char *c = t.text; *c; c++) lines += *c == '\n';
  CHECK_INT(lines, 3);
  CHECK(strncmp(t.text, "numbers", 7) == 0);
  CHECK(strstr(t.text, "next: 1\n") && strstr(t.text, "next: 2\n"));
  CHECK(strstr(t.text, "error") != NULL);
}

TEST(logs_of_one_kind_of_event) {
  static const char *const expected[] = {
      "n next: 1\n", "n error: ", "", "n next: 1\n", "", "n completed\n"};
  for (int i = 0; i < 6; i++) {
    trace t = {""};
    rac_set_log(context_new(&t, NULL), write_log, context_destroy);
    const char *script = i < 3 ? "1 #5" : "1 |";
    rac_signal *s = cold(script, NULL);
    rac_signal_set_name(s, "n");
    RAC_ASSIGN(s, i % 3 == 0   ? rac_signal_log_next(s)
                  : i % 3 == 1 ? rac_signal_log_error(s)
                               : rac_signal_log_completed(s));
    CHECK_SIGNAL(s, script);
    rac_set_log(NULL, NULL, NULL);
    CHECK(strncmp(t.text, expected[i], strlen(expected[i])) == 0);
    int lines = 0;
    for (const char *c = t.text; *c; c++) lines += *c == '\n';
    CHECK_INT(lines, *expected[i] ? 1 : 0);
  }
}
