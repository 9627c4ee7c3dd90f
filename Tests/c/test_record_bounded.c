/* Recordings of programs that make very much: the file stays as it is. */
#include "recording.h"

#include "children.h"
#include "operators.h"

static void begin_recording(void) {
  rac_record_stop();
  CHECK_STATUS(rac_record_start(recording_path(), 0), RAC_OK);
}

static recording end_recording(void) {
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  recording made = recording_of(recording_path());
  unlink(recording_path());
  return made;
}

static rac_status one_value(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  owned rac_signal *made = rac_signal_return(value);
  *out = rac_signal_skip(made, 0);
  return RAC_OK;
}

TEST(a_million_inner_signals_take_no_more_room) {
  int64_t count = check_scaled(1000000);
  begin_recording();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *flat =
      rac_signal_flatten_map(as_signal(subject), CALLBACK(one_value));
  rac_signal_set_name(flat, "flat");
  owned rac_disposable *d = rac_subscribe_next(flat, NULL, NULL, NULL);
  for (int64_t i = 0; i < count; i++) rac_subject_send(subject, I(i));
  rac_dispose(d);
  read_recording file = end_recording();
  REQUIRE(recording_is_sound(&file));
  const file_slot *found = recording_find(&file, 1, "flat");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, count);
  CHECK(file.header->nodes >= count);
  CHECK_INT(file.header->lost_nodes, 0);
  CHECK_INT(file.header->lost_definitions, 0);
  CHECK(file.header->definitions_used < 20000);
  CHECK_INT(file.header->rings_used, 1);
}

static void *send_from_here(void *subject) {
  rac_subject_send(subject, I(1));
  return NULL;
}

TEST(threads_that_follow_each_other_share_a_ring) {
  int64_t count = check_scaled(1000);
  begin_recording();
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "many");
  RECORDER(r, as_signal(subject));
  for (int64_t i = 0; i < count; i++)
    check_join(check_spawn(send_from_here, subject));
  read_recording file = end_recording();
  REQUIRE(recording_is_sound(&file));
  const file_slot *found = recording_find(&file, 1, "many");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, count);
  CHECK(file.header->rings_used <= 4);
  CHECK_INT(recording_count(&file, 3, found->node), count);
  CHECK_INT(file.header->lost_events, 0);
}

static pthread_barrier_t all;

static void *send_together(void *subject) {
  rac_subject_send(subject, I(1));
  pthread_barrier_wait(&all);
  return NULL;
}

TEST(more_threads_than_rings_lose_events_and_say_so) {
  enum { THREADS = 150 };
  pthread_t threads[THREADS];
  begin_recording();
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "crowd");
  RECORDER(r, as_signal(subject));
  pthread_barrier_init(&all, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    threads[i] = check_spawn(send_together, subject);
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  pthread_barrier_destroy(&all);
  read_recording file = end_recording();
  REQUIRE(recording_is_sound(&file));
  CHECK(file.header->rings_used <= file.header->rings_room);
  const file_slot *found = recording_find(&file, 1, "crowd");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, THREADS);
  int seen = recording_count(&file, 3, found->node);
  CHECK(seen < THREADS ? file.header->lost_events > 0
                       : file.header->lost_events == 0);
}

TEST(a_ring_that_went_round_has_the_latest) {
  begin_recording();
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "round");
  owned rac_disposable *d =
      rac_subscribe_next(as_signal(subject), NULL, NULL, NULL);
  for (int64_t i = 0; i < 40000; i++) rac_subject_send(subject, I(i));
  rac_dispose(d);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 1, "round");
  REQUIRE(found != NULL);
  const file_event *oldest = recording_first(&file, 3, found->node);
  REQUIRE(oldest != NULL);
  CHECK(oldest->bits > 5000);
  CHECK_INT(found->values, 40000);
}

/* ---- Processes ----------------------------------------------------------- */

static void send_and_die(void *context) {
  (void)context;
  rac_record_stop();
  CHILD(rac_record_start(recording_path(), 0) == RAC_OK);
  rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "killed");
  rac_disposable *d = rac_subscribe_next(as_signal(subject), NULL, NULL, NULL);
  CHILD(d != NULL);
  for (int i = 0; i < 50; i++) rac_subject_send(subject, I(i));
  kill(getpid(), SIGKILL);
}

TEST(what_a_killed_process_wrote_is_there) {
  recording_path();
  CHECK_INT(in_child(send_and_die, NULL), -SIGKILL);
  read_recording file = recording_of(recording_path());
  unlink(recording_path());
  REQUIRE(recording_is_sound(&file));
  CHECK_INT(file.header->state, 1);
  const file_slot *found = recording_find(&file, 1, "killed");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, 50);
  CHECK_INT(recording_count(&file, 3, found->node), 50);
  CHECK_INT(found->flags, 0);
}

static void send_in_child(void *subject) {
  CHILD(rac_subject_send(subject, I(2)) == RAC_OK);
}

TEST(a_forked_child_has_a_file_of_its_own) {
  char path[300];
  begin_recording();
  owned rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "forked");
  RECORDER(r, as_signal(subject));
  rac_subject_send(subject, I(1));
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    send_in_child(subject);
    _exit(0);
  }
  CHECK_INT(await_child(pid), 0);
  snprintf(path, sizeof path, "%s.%ld", recording_path(), (long)pid);
  rac_subject_send(subject, I(3));
  read_recording file = end_recording();
  read_recording child = recording_of(path);
  unlink(path);
  REQUIRE(recording_is_sound(&file) && recording_is_sound(&child));
  const file_slot *found = recording_find(&file, 1, "forked");
  const file_slot *copied = recording_find(&child, 1, "forked");
  REQUIRE(found != NULL && copied != NULL);
  CHECK_INT(found->values, 2);
  CHECK_INT(copied->values, 2);
  CHECK_INT(recording_count(&file, 3, found->node), 2);
  CHECK_INT(recording_count(&child, 3, copied->node), 1);
  CHECK_INT(child.header->parent, getpid());
  CHECK_INT(child.header->pid, pid);
}

TEST(a_child_that_does_nothing_leaves_no_file) {
  char path[300];
  begin_recording();
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) LEAVE(0);
  CHECK_INT(await_child(pid), 0);
  snprintf(path, sizeof path, "%s.%ld", recording_path(), (long)pid);
  CHECK(access(path, F_OK) != 0);
  read_recording file = end_recording();
  CHECK(recording_is_sound(&file));
}
