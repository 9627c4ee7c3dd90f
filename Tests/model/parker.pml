// A thread that parks in a call of the host's: Sources/RAC/core/Memory/Parker.swift (sleep) and
// Sources/RAC/core/Values/Parking.swift (park, wait). See README.md.
//
// A waiter waits until something is there, with a deadline that passes at any moment (DEADLINE), and says why it
// stopped. A waker brings that (BRINGS); with DISTRACTED it wakes it for nothing before. With CLOSES the library is
// closed; with FORKS the hook before the sleep may fork, and the waiter goes on in the child, where there is no other
// thread; with INTERRUPTS the host stops the call at some moment, for which no thread wakes it: so it asks after a
// while.

mtype = { none, woken, moment, timedOut, closed, forked, interrupted };

bool isThere;      // what it waits for
byte word;
bool asleep;
bool record;       // names the word: sleeps_at
bool isClosed, isChild, stops;
bool outside;      // the waiter has left its call
bool inTime;       // what it waits for was there when it last woke
mtype end = none;

#define futexWake() asleep = false

inline over() {
  if
  :: isChild -> end = forked
  :: !isChild && isClosed -> end = closed
  :: else
  fi
}

// In the order of Parking.swift.
inline park(n) {
  end = none;
  over();
  if
  :: end != none -> skip
  :: else ->
#ifdef LOOKS_FOR_CHILD_FIRST
    if :: isChild -> end = forked :: else fi;
#endif
#ifdef FORKS
    if
    :: isChild = true
    :: skip
    fi;
#endif
#ifndef LOOKS_FOR_CHILD_FIRST
    if :: isChild -> end = forked :: else fi;
#endif
    if
    :: end == none ->
      record = true;
      atomic {
        if
        :: word == n -> asleep = true
        :: else
        fi
      }
      if
      :: !asleep -> end = woken
#ifdef DEADLINE
      :: atomic { asleep -> asleep = false; end = timedOut }
#endif
#ifdef INTERRUPTS
#ifndef NEVER_ASKS
      :: atomic { asleep -> asleep = false; end = moment }
#endif
#endif
      fi;
      record = false;
      inTime = isThere
    :: else
    fi;
    over();
    if
    :: end != closed && end != forked && stops -> end = interrupted
    :: else
    fi
  fi
}

proctype waiter() {
  byte n;
  end = woken;
  do
  :: true ->
    // look
#ifdef LOOKS_FIRST
    if :: isThere -> end = woken; break :: else fi;
    n = word;
#else
    n = word;
    if :: isThere -> end = woken; break :: else fi;
#endif
    if
    :: end != woken && end != moment -> break
    :: else
    fi;
    park(n);
    if
    :: end == forked -> break
#ifdef GOES_BY_THE_END
    :: end != woken && end != moment && end != forked -> break
#endif
    :: else
    fi
  od;
  outside = true
}

// Other threads do nothing in a child.
#define elsewhere(step) if :: atomic { !isChild -> step } :: isChild -> goto gone fi

proctype waker() {
#ifdef DISTRACTED
  elsewhere(word++);
  elsewhere(futexWake());
#endif
#ifdef BRINGS
  elsewhere(isThere = true);
  elsewhere(word++);
  elsewhere(futexWake());
#endif
gone:
  skip
}

#ifdef CLOSES
proctype closer() {
  elsewhere(isClosed = true);
#ifdef WAKES_ONCE
  atomic { if :: record -> futexWake() :: else fi };
#else
  do
  :: atomic { !isChild && record && asleep -> futexWake() }
  :: outside -> break
  od;
#endif
gone:
  skip
}
#endif

#ifdef INTERRUPTS
proctype host() { stops = true }
#endif

init {
  atomic {
    run waiter();
    run waker();
#ifdef CLOSES
    run closer();
#endif
#ifdef INTERRUPTS
    run host();
#endif
  }
  // It comes out, whatever happens.
  outside;
  assert(end != none && end != moment);
  assert(end != woken || isThere);
  assert(end != closed || isClosed);
  assert(end != forked || isChild);
  assert(end != interrupted || stops);
  // What came in time is taken.
  assert(!inTime || end == woken || end == forked)
}
