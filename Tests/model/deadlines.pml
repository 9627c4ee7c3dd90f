// Two threads that take turns at waiting for deadlines: Sources/RAC/reactive/Schedulers/TimerThread.swift (lead, serve, run,
// wake) and StandIn.swift (begin, end, expect, takeOver). See README.md.
//
// QUICK deadlines and BLOCKING ones are inserted, each by a thread of its own. The job of a blocking one goes on
// until all quick ones were fired; one that goes to a worker is none of the model's. A deadline may pass at any
// time after it was inserted, an alarm ring at any time after it was set.

#ifndef QUICK
#define QUICK 1
#endif
#ifndef BLOCKING
#define BLOCKING 1
#endif
#ifndef OWN
#define OWN 0
#endif

// What `first` and `sleepsUntil` may be: awake, the time of a deadline, never.
#define MIN 0
#define TIME 1
#define MAX 2
#define first (waiting + blocking + own > 0 -> TIME : MAX)

// Whose deadlines wait, and whose jobs run.
#define NOBODY 0
#define QUICKS 1
#define BLOCKERS 2
#define SEVERAL 3

byte waiting, blocking, own;  // in the queue, under its lock
byte owner = NOBODY;
byte fired;
byte sleepsUntil = MIN;
byte rung;

byte busy;  // the thread that runs jobs
byte home = NOBODY;
bool isThere;
bool alarm;  // it is set
bool locked;
byte standing;

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline takeDue(took, blocks) {
  d_step {
    took = waiting + blocking + own > 0;
    blocks = blocking > 0;
    runs = (blocking + own > 0 -> BLOCKERS : QUICKS);
    fired = fired + waiting;
    waiting = 0;
    blocking = 0;
    own = 0;
    owner = NOBODY
  }
}

#define awaitsOthers(mine) (owner != NOBODY && owner != mine)

inline begin(me) {
#ifdef LOOKS_FIRST
  next = (awaitsOthers(runs) -> first : MAX);
#endif
#ifndef HOME_LAST
  home = runs;
#endif
  busy = me;
  lock();
#ifndef LOOKS_FIRST
  next = (awaitsOthers(runs) -> first : MAX);
#endif
  alarm = next == TIME;
#ifdef HOME_LAST
  home = runs;
#endif
  unlock()
}

// Also what takes the lead away: a compare-and-swap.
inline replace(leader, done) {
  d_step {
    done = busy == leader;
    if :: done -> busy = 0 :: else fi
  }
}

proctype thread(byte me; bool leads) {
  byte next, heard, leader, runs;
  bool took, blocks, done;
  if :: leads :: else -> goto stand fi;

lead:
  takeDue(took, blocks);
  if
  :: took && isThere ->
    begin(me);
    if :: blocks -> fired == QUICK :: else fi;
    replace(me, done);
    if :: done :: else -> goto stand fi
  :: else
  fi;
  atomic { took = false; blocks = false; done = false; next = 0; runs = 0 };
  heard = rung;
  next = first;
  sleepsUntil = next;
  if
  :: first >= next ->
end_asleep:
    if
    :: rung != heard
    :: next == TIME
    fi
  :: else
  fi;
  sleepsUntil = MIN;
  atomic { next = 0; heard = 0 };
  goto lead;

stand:
  atomic { took = false; blocks = false; next = 0; runs = 0; standing++ };
again:
  atomic { leader = 0; done = false };
  isThere = true;
end_standing:
  atomic { alarm -> alarm = false };
#ifndef FLAG_LATE
  isThere = false;
#endif
  leader = busy;
  if
  :: leader != 0 ->
    replace(leader, done);
    if :: done :: else -> goto again fi
  :: else -> goto again
  fi;
#ifdef FLAG_LATE
  isThere = false;
#endif
  atomic { standing--; leader = 0; done = false };
  goto lead
}

proctype inserter(byte whose; bool blocks) {
  byte until;
  bool isNews, done;
  d_step {
#ifdef JOINS_SILENTLY
    isNews = waiting + blocking + own == 0;
#else
    isNews = waiting + blocking + own == 0 || (owner != whose && owner != SEVERAL);
#endif
    if
    :: blocks -> blocking++
    :: else -> if :: whose == QUICKS -> waiting++ :: else -> own++ fi
    fi;
    if
    :: owner == NOBODY -> owner = whose
    :: owner != NOBODY && owner != whose -> owner = SEVERAL
    :: else
    fi
  }
  if
  :: isNews ->
    until = sleepsUntil;
    if
    :: until == MIN ->
#ifndef EXPECTS_NOTHING
      if
      :: busy != 0 ->
        if
        :: awaitsOthers(home) -> lock(); alarm = true; unlock()
        :: else
        fi
      :: else
      fi
#else
      skip
#endif
    :: until == MAX ->
      d_step {
        done = sleepsUntil == until;
        if :: done -> sleepsUntil = MIN :: else fi
      }
      if :: done -> rung++ :: else fi
    :: else
    fi
  :: else
  fi
}

// When nothing can happen any more.
active proctype judge() {
  timeout ->
    assert(waiting + blocking + own == 0 && fired == QUICK && busy == 0);
    assert(standing == 1 && isThere)
}

init {
  byte i;
  atomic {
    run thread(1, true);
    run thread(2, false);
    for (i : 1 .. QUICK) { run inserter(QUICKS, false) }
    for (i : 1 .. BLOCKING) { run inserter(BLOCKERS, true) }
#if OWN > 0
    for (i : 1 .. OWN) { run inserter(BLOCKERS, false) }
#endif
  }
}
