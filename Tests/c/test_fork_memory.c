/* A fork where the process may have no more addresses. */
#include "children.h"

#include <sys/resource.h>

#include "check.h"

/* Bytes of addresses that the process has, and some for what threads of its own
 * are still about to take: the table of handles has 4 GiB. */
enum { SPARE = 256 << 20 };
static rlim_t addresses(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) abort();
  fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + SPARE;
}

TEST(a_forked_child_needs_no_more_addresses) {
  rac_subject *subject = rac_subject_create();
  start_library_threads(); /* the child is to forget the parent's handles */
  struct rlimit before, limit;
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  limit = before;
  limit.rlim_cur = addresses();
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    CHILD(rac_subject_send(subject, I(1)) == RAC_EFORK);
    CHILD(rac_reinitialize() == RAC_OK);
    CHILD(rac_subject_send(subject, I(1)) == RAC_ESTALE);
    subject = rac_subject_create();
    CHILD(rac_subject_send(subject, I(1)) == RAC_OK);
    _exit(0);
  }
  CHECK_INT(await_child(child), 0);
  setrlimit(RLIMIT_AS, &before);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  rac_release(subject);
}
