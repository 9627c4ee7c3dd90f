// A scheduler over a queue of the host's: Sources/RAC/reactive/Schedulers/HostedScheduler.swift (wake, takeTurn,
// lastHandleReleased, dropIfLost), TurnState.swift (begin, end) and JobQueue.swift (push, gather, fallAsleep). See README.md.
//
// PUSHERS threads schedule JOBS each; HOSTS threads take the turns that were asked for, which hold the only
// references, and give them back. Up to DISCARDS turns are not kept. UNASKED: one turn that nobody asked for,
// through a reference of its own; PINNED: one whose reference goes while the call is under way.

#ifndef PUSHERS
#define PUSHERS 1
#endif
#ifndef JOBS
#define JOBS 2
#endif
#ifndef HOSTS
#define HOSTS 1
#endif
#ifndef DISCARDS
#define DISCARDS 0
#endif
#ifndef LIMIT
#define LIMIT 2
#endif

#define IDLE 0
#define RUNNING 1
#define ASKED 2

byte stacked, ready;  // jobs that came, and those gathered
bool awake;           // what is at the bottom of the stack
byte ran, dropped;
// Of those, the jobs that came when a turn was over behind which no other was lost: they may not go.
byte lateStacked, lateReady;
bool late;
byte state = IDLE;

// Handles by their number; those without references are stale for ever.
#define MOST 12
byte references[MOST];
byte known;  // the latest
byte lent;
byte discarded;
byte working;  // threads that are not done

chan line = [8] of { byte };

inline makeHandle(handle) {
  d_step {
    if
    :: references[known] == 0 -> known++; assert(known < MOST)
    :: else
    fi;
    references[known]++;
    handle = known
  }
}

inline enqueue(handle) {
  if
  :: atomic { references[handle]++; line!handle }
  :: discarded < DISCARDS -> discarded++
  fi
}

inline release(handle, isLast) {
  d_step {
    references[handle]--;
    isLast = references[handle] == 0;
    handle = 0
  }
}

inline begin(mine) {
  d_step {
    if
    :: state == IDLE -> state = RUNNING; mine = true
    :: else -> state = ASKED; mine = false
    fi
  }
}

// `over`: false when a turn came meanwhile, and is this one's to take.
inline end(over) {
  d_step {
    over = state == RUNNING;
    if
    :: over -> state = IDLE
    :: else -> state = RUNNING
    fi
  }
}

inline ask(handle) {
  makeHandle(handle);
#ifdef LENDS_FIRST
  enqueue(handle);
  lent = handle
#else
  lent = handle;
  enqueue(handle)
#endif
}

inline gather() {
  d_step {
    if
    :: ready == 0 ->
      ready = stacked; stacked = 0; awake = true;
      lateReady = lateStacked; lateStacked = 0
    :: else
    fi
  }
}

inline fallAsleep(slept) {
  d_step {
    slept = ready == 0 && stacked == 0 && awake;
    if :: slept -> awake = false :: else fi
  }
}

inline dropIfLost(isLost) {
#ifdef DROPS_ALWAYS
  isLost = true;
#else
  d_step { isLost = lent != 0 && references[lent] == 0 }
#endif
  if
  :: isLost ->
    lent = 0;
    do
    :: gather();
#ifndef DROPS_ON
      if :: state == ASKED -> break :: else fi;
#endif
      d_step { assert(lateReady == 0); dropped = dropped + ready; ready = 0 }
      fallAsleep(isLost);
      if :: isLost -> break :: else fi
    od
  :: else
  fi
}

// Both of wake, and of the release that may be the last: until a wake's reference is not.
inline wake(handle, flag, came) {
  do
  :: ask(handle);
    release(handle, flag);
    if :: flag -> lastReleased(flag, came) :: else -> break fi;
    if :: came -> came = false :: else -> break fi
  od
}

inline lastReleased(flag, came) {
#ifdef DROPS_ALWAYS
  flag = true;
#else
  d_step { flag = lent != 0 && references[lent] == 0 }
#endif
  if :: flag -> begin(flag) :: else fi;
  if
  :: flag ->
    do
    :: dropIfLost(flag);
      end(flag);
      if :: flag -> break :: else -> came = true fi
    od
  :: else
  fi;
#ifdef FORGETS_TURN
  came = false
#endif
}

inline lastHandleReleased(handle, flag, came) {
  lastReleased(flag, came);
  if :: came -> came = false; wake(handle, flag, came) :: else fi
}

proctype pusher() {
  byte left = JOBS, handle;
  bool flag, came;
  do
  :: left > 0 ->
    left--;
    d_step {
      flag = stacked == 0 && !awake;
      stacked++;
      if :: late -> lateStacked++ :: else fi
    }
    if
    :: flag ->
      wake(handle, flag, came)
    :: else
    fi
  :: else -> break
  od;
  working--
}

proctype host(byte handle) {
  byte another, left;
  bool flag, came, isUnasked = handle != 0, isLast;
  do
  :: 
    if
    :: handle != 0
    :: handle == 0 && !isUnasked ->
end_waiting:
      line?handle
    :: handle == 0 && isUnasked -> break
    fi;
    isLast = isUnasked && discarded == DISCARDS;
#ifndef BEGINS_FIRST
    lent = 0;
#endif
    begin(flag);
    if
    :: flag ->
      do
      :: lent = 0;
        left = LIMIT;
        do
        :: left > 0 ->
          gather();
          if
          :: d_step {
              ready > 0 -> ready--; ran++; left--;
              if :: lateReady > ready -> lateReady = ready :: else fi
            }
          :: else -> break
          fi
        :: else -> break
        od;
        left = 0;
        fallAsleep(flag);
        if
        :: !flag ->
          ask(another);
          release(another, flag);
          // Nobody keeps it: this turn hears of it when it ends.
          if
          :: flag -> begin(flag); assert(!flag)
          :: else
          fi
        :: else
        fi;
        end(flag);
        if :: flag -> break :: else fi
      od
    :: else
    fi;
    if :: isLast -> late = true :: else fi;
#ifdef PINNED
    if :: isUnasked -> break :: else fi;
#endif
    release(handle, flag);
    if
    :: flag -> lastHandleReleased(another, flag, came)
    :: else
    fi
  od;
  working--
}

// When nothing can happen any more.
active proctype judge() {
  timeout ->
    assert(working == 0 && len(line) == 0 && state == IDLE);
    assert(ready + stacked == 0 && !awake);
    assert(ran + dropped == PUSHERS * JOBS);
    assert(DISCARDS > 0 || dropped == 0)
}

init {
  byte i;
  atomic {
    for (i : 1 .. PUSHERS) { working++; run pusher() }
    for (i : 1 .. HOSTS) { run host(0) }
#ifdef UNASKED
    known = 1;
#ifndef PINNED
    references[1] = 1;
#endif
    working++;
    run host(1)
#endif
  }
}
