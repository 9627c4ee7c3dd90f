/* Plays cases of the differential test: builds the signal that a case
 * describes, lets virtual time pass, and writes down what is heard. player.c
 * says how a case and a recording look; run.py makes and reads them. */
#ifndef RAC_DIFFERENTIAL_PLAYER_H
#define RAC_DIFFERENTIAL_PLAYER_H

#include <rac.h>
#include <stdint.h>

enum { MAX_PARAMETERS = 8, MAX_SIGNALS = 8, MAX_EVENTS = 32 };

/* What stands in the place of RAC_EVENT_NEXT, … for a call of a callback that
 * looks on, such as that of do_next. */
enum { CALLED = 4 };

/* An event of a source: so long after its subscription, or during it. */
struct event {
  int64_t time; /* -1: while it is being subscribed to */
  int64_t kind; /* RAC_EVENT_NEXT, … */
  rac_value value;
};

struct marble {
  size_t count;
  struct event events[];
};

/* A signal of the case, about to be built. Its marble goes to whoever sends
 * it; the signals are those of the nodes below. */
struct node {
  int64_t parameters[MAX_PARAMETERS];
  size_t parameter_count;
  rac_signal *signals[MAX_SIGNALS];
  size_t count;
  struct marble *marble;
};

/* The case that is being played. */
extern rac_scheduler *virtual_time;
void connect_later(rac_connection *connection);
void keep(void *handle); /* released at the end of the case */
extern rac_signal *first_made;
extern rac_subject *hot; /* the last one made */
extern int64_t contexts; /* made and not yet destroyed */

/* values.c */
rac_value read_value(const int64_t **from);
int64_t number_of(rac_value value);
void write_value(rac_value value);

/* player.c */
void write_down(int64_t number);
void write_event(int64_t kind, rac_value value);

/* sources.c */
struct marble *read_marble(const int64_t **from);
void free_marble(void *marble);
rac_status begin(void *marble, rac_subscriber *subscriber,
                 rac_disposable **out);
rac_status start(void *marble, rac_subscriber *subscriber);
rac_signal *make_hot(struct node *node);
rac_signal *make_values(struct node *node);

/* operators.c */
rac_signal *make(int64_t operator_number, struct node *node);

#endif /* RAC_DIFFERENTIAL_PLAYER_H */
