/* Short lives: in every round a few threads send into a subject that is new,
 * or a subscriber of create, while others subscribe and dispose, subscribers
 * send from inside, and each thread gives back its reference when it is done,
 * whoever is last. So gates are made and closed all the time, and two threads
 * meet there at every moment. Then the handle is stale, and used all the same.
 *
 * RAC_STRESS_DIVISOR makes it smaller, RAC_STRESS_SECONDS says how long it is
 * to go on instead. */
#include "operators.h"
#include "witness.h"

enum { CHURNERS = 2, THREADS = SENDERS + CHURNERS, STAYING = 3 };
enum { SUBJECT, BEHAVIOR, REPLAY, CREATE, KINDS };
enum { NO_END, COMPLETION, ERROR, DISPOSAL, ENDS };

/* What the threads do in this round. */
typedef struct round {
  int kind, end;
  rac_subscriber *target; /* everybody has a reference */
  int64_t counts[SENDERS];
  int64_t sent[STREAMS]; /* of each stream, what was accepted */
  atomic_int sending;
  int stays;
  int resends; /* which of those who stay, or nobody */
  witness staying[STAYING];
  witness lingering[CHURNERS]; /* nobody disposes them */
  bool lingers[CHURNERS];
} round;

static round now;
static pthread_barrier_t gather;
static bool is_over;

/* Somewhere between nothing and a few microseconds. */
static void dawdle(uint64_t *random) {
  volatile int spin = (int)(check_random(random) % 256);
  if (spin % 4 == 0) spin *= 16;
  while (spin > 0) spin = spin - 1;
}

static void send_the_end(void) {
  if (now.end == COMPLETION) rac_subscriber_send_completed(now.target);
  if (now.end == ERROR) rac_subscriber_send_error(now.target, rac_value_nil());
}

static void send_counts(int name, uint64_t *random) {
  for (int64_t i = 0; i < now.counts[name]; i++) {
    if (check_random(random) % 16 == 0) dawdle(random);
    rac_status status = rac_subscriber_send(now.target, pack(name, i));
    if (status == RAC_EDONE) break;
    if (status < 0) check_fail(__FILE__, __LINE__, "a send failed");
    now.sent[name]++;
  }
  if (name == 0) send_the_end();
  atomic_fetch_sub(&now.sending, 1);
  CHECK_STATUS(rac_release(now.target), RAC_OK);
  /* The others may still have theirs. */
  for (int late = 0; late < 3; late++) {
    int64_t *sent = &now.sent[LATE + name];
    rac_status status =
        rac_subscriber_send(now.target, pack(LATE + name, *sent));
    if (status >= 0)
      ++*sent;
    else if (status != RAC_ESTALE && status != RAC_EDONE)
      check_fail(__FILE__, __LINE__, "a late send fails otherwise");
  }
}

static void come_and_go(int name, uint64_t *random) {
  rac_signal *signal = as_signal(now.target);
  now.lingers[name] = check_random(random) % 4 == 0;
  if (now.lingers[name]) witness_start(&now.lingering[name], signal, -1);
  for (int i = 0; i < 8; i++) {
    witness s;
    memset(&s, 0, sizeof s);
    if (i % 4 == 1) {
      owned rac_signal *some =
          rac_signal_take(signal, check_random(random) % 4);
      witness_start(&s, some, -1);
    } else {
      witness_start(&s, signal, -1);
    }
    dawdle(random);
    if (i % 3 == 0)
      CHECK_STATUS(rac_dispose_and_wait(s.subscription, -1), RAC_OK);
    else
      CHECK_STATUS(rac_dispose(s.subscription), RAC_OK);
    witness_gone(&s);
    if (atomic_load(&now.sending) == 0) break;
  }
}

static void nothing(void *context) { (void)context_target(context); }

static void leave_disposables(uint64_t *random) {
  for (int i = 0; i < 4; i++) {
    void *another = rac_retain(now.target);
    rac_disposable *disposable = rac_disposable_create(CALLBACK(nothing));
    rac_status status = rac_subscriber_add_disposable(another, disposable);
    if (status < 0 && status != RAC_EDONE)
      check_fail(__FILE__, __LINE__, "a disposable is refused");
    rac_release(disposable);
    dawdle(random);
    rac_subscriber_is_active(now.target);
    CHECK_STATUS(rac_release(another), RAC_OK);
  }
}

static void churn(int name, uint64_t *random) {
  if (now.kind == CREATE)
    leave_disposables(random);
  else
    come_and_go(name, random);
  if (name == 0 && now.end == DISPOSAL && now.stays > 0)
    rac_dispose(now.staying[0].subscription);
  CHECK_STATUS(rac_release(now.target), RAC_OK);
}

static void *work(void *argument) {
  int name = (int)(intptr_t)argument;
  uint64_t random = (uint64_t)name;
  rac_thread_attach();
  while (true) {
    pthread_barrier_wait(&gather);
    if (is_over) break;
    dawdle(&random);
    if (name < SENDERS)
      send_counts(name, &random);
    else
      churn(name - SENDERS, &random);
    pthread_barrier_wait(&gather);
  }
  rac_thread_detach();
  return NULL;
}

/* ---- A round ------------------------------------------------------------ */

static rac_status hand_out(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  (void)context_target(context), (void)out;
  now.target = rac_retain(subscriber);
  return RAC_OK;
}

static void stay(int i, rac_signal *signal, uint64_t *random) {
  witness *s = &now.staying[i];
  /* In a create callback there is no target yet. */
  if (i == now.resends && now.kind != CREATE) {
    s->resend_to = now.target;
    s->resend_every = 1 + (int64_t)(check_random(random) % 8);
  }
  witness_start(s, signal, 0);
}

static void begin(uint64_t *random) {
  memset(&now, 0, sizeof now);
  now.kind = (int)(check_random(random) % KINDS);
  now.end = (int)(check_random(random) % (2 * ENDS));
  if (now.end >= ENDS) now.end = NO_END;
  now.resends = (int)(check_random(random) % (STAYING + 1));
  atomic_store(&now.sending, SENDERS);
  for (int i = 0; i < SENDERS; i++)
    now.counts[i] = (int64_t)(check_random(random) % 40);
  if (now.kind == CREATE) {
    owned rac_signal *signal = rac_signal_create(CALLBACK(hand_out));
    now.stays = 1;
    stay(0, signal, random);
  } else {
    now.stays = (int)(check_random(random) % (STAYING + 1));
    rac_subject *subject = now.kind == BEHAVIOR
                               ? rac_behavior_subject_create(pack(INITIAL, 0))
                           : now.kind == REPLAY ? rac_replay_subject_create(3)
                                                : rac_subject_create();
    now.target = (rac_subscriber *)subject;
    for (int i = 0; i < now.stays; i++) {
      owned rac_signal *signal = rac_retain(subject),
                       *empty = rac_signal_empty();
      /* The last one has a gate of its own before it. */
      if (i == 2) APPLY(signal, merge_with, empty);
      stay(i, signal, random);
    }
  }
  for (int i = 0; i < THREADS; i++) rac_retain(now.target);
}

/* The subject is gone, or the subscriber of create. */
static void look(void) {
  CHECK_STATUS(rac_subscriber_send(now.target, I(0)), RAC_ESTALE);
  CHECK_STATUS(rac_release(now.target), RAC_ESTALE);
  CHECK(rac_retain(now.target) == NULL);
  for (int i = 0; i < CHURNERS; i++)
    if (now.lingers[i]) witness_gone(&now.lingering[i]);
  for (int i = 0; i < now.stays; i++) {
    witness *s = &now.staying[i];
    witness_gone(s);
    now.sent[RESENT] += s->resent;
    CHECK_INT(s->ended, now.end == COMPLETION || now.end == ERROR);
  }
  bool all = now.end == NO_END;
  for (int i = 0; i < now.stays; i++) {
    witness *s = &now.staying[i];
    if (i == 0 && now.end == DISPOSAL) continue;
    CHECK(s->order == now.staying[now.stays - 1].order);
    for (int stream = 0; stream < INITIAL; stream++) {
      if (all || now.end == DISPOSAL)
        CHECK_INT(s->next[stream], now.sent[stream]);
      else
        CHECK(s->next[stream] <= now.sent[stream]);
    }
    if (now.kind == BEHAVIOR) CHECK_INT(s->next[INITIAL], 1);
  }
}

TEST(short_lives) {
  pthread_t threads[THREADS];
  uint64_t random = 1, values = 0, rounds = 0;
  double seconds = check_seconds(), start = check_clock();
  uint64_t least = (uint64_t)check_scaled(20000);
  rac_thread_attach();
  uint64_t objects = rac_live_objects();
  pthread_barrier_init(&gather, NULL, THREADS + 1);
  is_over = false;
  for (intptr_t i = 0; i < THREADS; i++)
    threads[i] = check_spawn(work, (void *)i);
  while (seconds > 0 ? check_clock() - start < seconds : rounds < least) {
    begin(&random);
    pthread_barrier_wait(&gather);
    dawdle(&random);
    CHECK_STATUS(rac_release(now.target), RAC_OK);
    pthread_barrier_wait(&gather);
    look();
    WAIT_UNTIL(rac_live_objects() == objects);
    for (int i = 0; i < STREAMS; i++) values += (uint64_t)now.sent[i];
    rounds++;
  }
  is_over = true;
  pthread_barrier_wait(&gather);
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  pthread_barrier_destroy(&gather);
  rac_thread_detach();
  if (seconds > 0)
    printf("churn: %llu rounds, %llu values in %.0f s\n",
           (unsigned long long)rounds, (unsigned long long)values,
           check_clock() - start);
}
