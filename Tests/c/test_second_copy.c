/* Several copies of the library in one process: none takes the others' handles. */
#include "process.h"
#include "second_library.h"
#include "shared_callbacks.h"

enum { COPIES = 4, HANDLES = 300 };

typedef struct copy {
  void *library;
  rac_subject *(*subject_create)(void);
  rac_scheduler *(*scheduler_main)(void);
  rac_status (*release)(void *);
  rac_subject *subjects[HANDLES];
} copy;

static bool load(copy *self, int number) {
  self->library = number == 0 ? dlopen(NULL, RTLD_NOW) : load_second_library();
  if (self->library == NULL) return false;
  LOOK_UP(self->subject_create, self->library, "rac_subject_create");
  LOOK_UP(self->scheduler_main, self->library, "rac_scheduler_main");
  LOOK_UP(self->release, self->library, "rac_release");
  return true;
}

static void nothing(void *context) { (void)context; }

/* Law 20: to this copy a handle of another one is a stale one, whatever is asked
 * of it. */
static void is_refused(rac_subject *foreign) {
  CHECK_STATUS(rac_subject_send(foreign, rac_value_int64(1)), RAC_ESTALE);
  CHECK_STATUS(rac_subject_send_completed(foreign), RAC_ESTALE);
  CHECK_STATUS(rac_release(foreign), RAC_ESTALE);
  CHECK(rac_retain(foreign) == NULL);
  CHECK(rac_subscribe_next(rac_subject_as_signal(foreign), NULL, NULL, NULL) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
}

TEST(a_handle_of_another_copy_is_stale) {
  static copy copies[COPIES];
  for (int i = 0; i < COPIES; i++) {
    /* Only where ctest says where the library is. */
    if (!load(&copies[i], i)) return;
    for (int h = 0; h < HANDLES; h++)
      copies[i].subjects[h] = copies[i].subject_create();
  }
  int heard = 0;
  rac_disposable *subscriptions[HANDLES];
  for (int h = 0; h < HANDLES; h++) {
    subscriptions[h] =
        rac_subscribe_next(rac_subject_as_signal(copies[0].subjects[h]), &heard,
                           count_value, NULL);
    CHECK(subscriptions[h] != NULL);
  }
  for (int i = 1; i < COPIES; i++) {
    for (int h = 0; h < HANDLES; h++) is_refused(copies[i].subjects[h]);
    CHECK(rac_schedule(copies[i].scheduler_main(), NULL, nothing, NULL) ==
          NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
    /* Nor do they take each other's. */
    for (int other = 0; other < COPIES; other++) {
      if (other == i) continue;
      CHECK_STATUS(copies[i].release(copies[other].subjects[0]), RAC_ESTALE);
    }
  }
  CHECK_INT(heard, 0);
  for (int h = 0; h < HANDLES; h++) {
    rac_subject_send(copies[0].subjects[h], rac_value_int64(1));
    rac_dispose(subscriptions[h]);
    rac_release(subscriptions[h]);
  }
  CHECK_INT(heard, HANDLES);
  for (int i = 0; i < COPIES; i++) {
    for (int h = 0; h < HANDLES; h++) {
      CHECK(((uintptr_t)copies[i].subjects[h] >> 53) == 0);
      CHECK_STATUS(copies[i].release(copies[i].subjects[h]), RAC_OK);
    }
  }
}
