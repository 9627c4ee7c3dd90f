// Sources that rest while a place is full: Sources/RAC/reactive/Schedulers/PausableJob.swift (ask, rest, resume, Brake)
// and Sources/RAC/reactive/Signals/Input.swift (holds, waitInLine). See README.md.
//
// SOURCES sources, each on a thread of its own, send VALUES values each through the gate of a merge into a place with
// room for CAPACITY. A taker takes them out. Before each value a source asks: while one of its values waits in the
// gate's queue it leaves a sign behind that; while the place is full it goes into the brake's line. Then it rests,
// and is run again.
//
// With COUNTED a source that has been told that there is room asks again when a brake has been put on anywhere since,
// or a value has come into the queue: the count of these is here a flag of each source. Else it asks each time.
//
// The gate itself is gate.pml's: here publishing an operation and leaving are one step each.
//
// With TIDYING the line is taken as a whole at some moments, as when a hold is taken back, and those in it stand in it
// again.
//
// With LINE the source asks for somebody else, whose line is in no scope: a disposal wakes it, and it lets go of what
// it has. With UNLOCKED the place counts without a lock, as a line of events between two threads does.

#ifndef SOURCES
#define SOURCES 2
#endif
#ifndef VALUES
#define VALUES 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

#define NONE 0
// A value, or the sign of a source.
#define VALUE 1
#define SIGN 2

// The hold of each job.
#define goes 0
#define asks 1
#define rests 2
byte hold[SOURCES];
// It has its turn, or is on its way to it.
bool runs[SOURCES];

// The brake: one word.
bool on;
bool inLine[SOURCES];

// Another brake has been put on since the source was told that there is room.
#ifdef COUNTED
bool news[SOURCES];
#endif
inline countAnother() {
#ifdef COUNTED
#ifndef COUNTS_NO_BRAKE
  news[0] = true;
#if SOURCES > 1
  news[1] = true;
#endif
#if SOURCES > 2
  news[2] = true;
#endif
#endif
#endif
  skip
}

// The gate, with its queue: who, and what.
bool busy;
byte behind;
chan queue = [8] of { byte, byte };

byte count;
byte sent, taken, done;
bool disposed;

// An exchange. Once for each rest.
inline resume(j) {
  d_step {
    if
    :: hold[j] == rests -> hold[j] = goes; assert(!runs[j]); runs[j] = true
    :: else -> hold[j] = goes
    fi
  }
}

// All that are in line, in one step; then one after another.
inline release(line0, line1, line2) {
  d_step {
    line0 = inLine[0]; inLine[0] = false;
#if SOURCES > 1
    line1 = inLine[1]; inLine[1] = false;
#endif
#if SOURCES > 2
    line2 = inLine[2]; inLine[2] = false;
#endif
    on = false
  }
}
inline resumeAll(line0, line1, line2) {
  if :: line0 -> line0 = false; resume(0) :: else fi;
#if SOURCES > 1
  if :: line1 -> line1 = false; resume(1) :: else fi;
#endif
#if SOURCES > 2
  if :: line2 -> line2 = false; resume(2) :: else fi;
#endif
}

// A value comes to the place.
inline put(line0, line1, line2) {
#ifdef UNLOCKED
  // The taker may release the brake a little late, when the place is full again: one more for each source.
  d_step { count++; assert(disposed || count <= CAPACITY + 2 * SOURCES - 1) };
  if
  :: count >= CAPACITY ->
    on = true;
    d_step { countAnother() };
#ifndef LOOKS_ONCE
    // The taker may have found it off, and nothing more to take.
    if
    :: count <= CAPACITY / 2 -> release(line0, line1, line2); resumeAll(line0, line1, line2)
    :: else
    fi
#endif
  :: else
  fi
#else
  d_step {
    if
    :: !disposed ->
      count++;
      assert(count <= CAPACITY + SOURCES - 1);
      if :: count >= CAPACITY -> on = true; countAnother() :: else fi
    :: else -> taken++
    fi
  }
#endif
}

proctype source(byte j) {
  byte left = VALUES;
  bool asked = true;
  bool held, line0, line1, line2, leads;
  byte who, what;
  do
  :: runs[j] ->
    if
    :: left == 0 || disposed -> sent = sent - left; break
    :: else
    fi;
    // The question.
    held = false;
#ifdef COUNTED
    d_step { asked = news[j]; news[j] = false };
#endif
    if
#ifndef QUEUE_UNSEEN
    :: asked && behind > 0 ->
      held = true;
#ifdef COUNTED
      news[j] = true;
#endif
      hold[j] = asks;
      atomic {
        queue!SIGN, j;
        leads = !busy;
        busy = true
      }
#endif
    :: else ->
      leads = false;
      if
      :: asked && on ->
#ifndef ASKS_LATE
        hold[j] = asks;
#endif
        atomic {
          if
          :: on -> assert(!inLine[j]); inLine[j] = true; held = true
          :: else
          fi
        };
#ifdef ASKS_LATE
        if :: held -> hold[j] = asks :: else fi;
#else
        if :: !held -> resume(j) :: else fi
#endif
      :: else
      fi;
#ifdef COUNTED
      if :: held -> news[j] = true :: else fi;
#endif
#ifdef LINE
      // The subscription may have been over before the job was in line.
      if :: held && disposed -> resume(j) :: else fi;
#endif
      if
      :: !held ->
        left--;
        atomic {
          if
          :: !busy -> busy = true; leads = true
          :: else -> queue!VALUE, j; behind++; countAnother()
          fi
        };
        if :: leads -> put(line0, line1, line2) :: else fi
      :: else
      fi
    fi;
    // Leaves the gate, after what has come meanwhile.
    do
    :: leads ->
      atomic {
        if
        :: nempty(queue) -> queue?what, who
        :: empty(queue) -> busy = false; leads = false; what = NONE
        fi
      };
      if
      :: what == VALUE -> put(line0, line1, line2); behind--
      :: what == SIGN -> resume(who)
      :: else
      fi
    :: else -> break
    od;
    // The last thing of the turn.
    if
    :: held ->
      atomic {
#ifdef RESTS_IN_ANY_CASE
        runs[j] = false;
        hold[j] = rests
#else
        if
        :: hold[j] == asks -> runs[j] = false; hold[j] = rests
        :: else
        fi
#endif
      }
    :: else
    fi
  // A scope takes back a job that waits.
#ifndef LINE
  :: disposed && !runs[j] -> sent = sent - left; break
#endif
  od;
  done++
}

proctype taker() {
  bool line0, line1, line2;
  do
#ifdef UNLOCKED
  :: count > 0 ->
    d_step { count--; taken++ };
    if
    :: count <= CAPACITY / 2 && on -> release(line0, line1, line2)
    :: else
    fi;
    resumeAll(line0, line1, line2)
#else
  :: atomic {
      !disposed && count > 0 ->
      count--;
      taken++;
      if
      :: count <= CAPACITY / 2 && on -> release(line0, line1, line2)
      :: else
      fi
    };
    resumeAll(line0, line1, line2)
#endif
  :: done == SOURCES && count == 0 -> break
  od
}

#ifdef DISPOSAL
// Closes the scope, empties the place, and releases its brake; or, of a place that is not told, wakes what is in no
// scope.
proctype disposer() {
  bool line0, line1, line2;
  d_step { disposed = true };
  d_step { taken = taken + count; count = 0 };
#ifndef LINE
  release(line0, line1, line2);
  resumeAll(line0, line1, line2)
#else
#ifndef SLEEPS_ON
  resume(0);
#if SOURCES > 1
  resume(1)
#endif
#endif
#endif
}
#endif

#ifdef TIDYING
inline push(j) {
  atomic {
    if
#ifdef TIDIES_LATE
    :: inLine[j] = true
#else
    :: on -> inLine[j] = true
    :: else -> resume(j)
#endif
    fi
  }
}

proctype tidier() {
  byte turns = TIDYING;
  bool line0, line1, line2;
  do
  :: turns > 0 ->
    turns--;
    d_step {
      line0 = inLine[0]; inLine[0] = false;
#if SOURCES > 1
      line1 = inLine[1]; inLine[1] = false;
#endif
#if SOURCES > 2
      line2 = inLine[2]; inLine[2] = false
#endif
    };
    if :: line0 -> line0 = false; push(0) :: else fi;
#if SOURCES > 1
    if :: line1 -> line1 = false; push(1) :: else fi;
#endif
#if SOURCES > 2
    if :: line2 -> line2 = false; push(2) :: else fi
#endif
  :: else -> break
  od
}
#endif

init {
  atomic {
    sent = SOURCES * VALUES;
    countAnother();
    runs[0] = true; run source(0);
#if SOURCES > 1
    runs[1] = true; run source(1);
#endif
#if SOURCES > 2
    runs[2] = true; run source(2);
#endif
    run taker()
#ifdef DISPOSAL
    ; run disposer()
#endif
#ifdef TIDYING
    ; run tidier()
#endif
  };
  // Reaching this says that none rests for ever.
  done == SOURCES && count == 0 && empty(queue) && !busy;
  assert(taken == sent)
}
