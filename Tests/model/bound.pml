// Senders that wait for room: Sources/RAC/reactive/Signals/Bound.swift, BoundedStore.swift (sleep, call, close) and
// BoundedLine.swift (admit, arrive). See README.md.
//
// There are SENDERS senders, each at one of ENTRIES entries, and a store below with room for CAPACITY. Each sender
// brings VALUES values: it is admitted, or sleeps until it is; puts each value into the store; and arrives. A taker
// takes them out. With LEAVERS some senders' time may pass while they wait; with DISPOSAL the store is closed at
// some moment, after which everybody has room and nothing more is put in.
//
// With WATCHERS who comes where nobody sleeps may wait awake first, as long as it likes: whoever calls it then wakes
// nobody.
//
// A futex is modelled as it is: sleeping compares the word once more in the step that falls asleep, and a wake
// chooses one of those who sleep on that word, or all.

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef ENTRIES
#define ENTRIES 1
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#ifndef VALUES
#define VALUES 2
#endif
#ifndef LEAVERS
#define LEAVERS 0
#endif
#ifndef DISPOSED
#define DISPOSED 0
#endif

// Under the lock.
bool locked;
byte count;        // values in the store
byte underWay;
byte sleepers[ENTRIES];
byte calls[ENTRIES];
bool isCalled[ENTRIES];  // somebody was, and has yet to look
bool isWatched[ENTRIES];  // one of those who wait is awake
bool isClosed;
// With STUCK: what waits at entry 0 itself leaves it no room, until all others have finished.
#ifdef STUCK
bool isStuck = true;
#else
#define isStuck false
#endif

// Not under the lock: who sleeps, and on what.
bool asleep[SENDERS];

byte put, taken, gaveUp, finished;

#define entryOf(s) (s % ENTRIES)
#define hasRoom (isClosed || !(isStuck && entryOf(s) == 0) && count + underWay < CAPACITY)

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

// One of those who sleep at an entry is woken; nobody if nobody does.
inline wakeOne(e) {
  atomic {
    if
    :: asleep[0] && entryOf(0) == e -> asleep[0] = false
#if SENDERS > 1
    :: asleep[1] && entryOf(1) == e -> asleep[1] = false
#endif
#if SENDERS > 2
    :: asleep[2] && entryOf(2) == e -> asleep[2] = false
#endif
    :: else -> skip
    fi
  }
}

inline wakeAll(e) {
  atomic {
    if :: entryOf(0) == e -> asleep[0] = false :: else fi;
#if SENDERS > 1
    if :: entryOf(1) == e -> asleep[1] = false :: else fi;
#endif
#if SENDERS > 2
    if :: entryOf(2) == e -> asleep[2] = false :: else fi;
#endif
  }
}

// Under the lock: the call is made here, the wake comes when it is free.
inline call(e, who) {
  if
  :: sleepers[e] > 0 && !isCalled[e] ->
    isCalled[e] = true;
    calls[e]++;
    if :: !isWatched[e] -> who = who | (1 << e) :: else fi
  :: else
  fi
}

// As many senders as there are places, of entries that have room of their own. The code takes the entries in turn;
// here it is any of them.
#if ENTRIES > 2
#define called (isCalled[0] + isCalled[1] + isCalled[2])
#elif ENTRIES > 1
#define called (isCalled[0] + isCalled[1])
#else
#define called isCalled[0]
#endif
#define isPlaceLeft (count + underWay + called < CAPACITY)
#ifdef OWN_ROOM_UNSEEN
// The mistake: whoever is called may not be the one who can go.
#define hasOwnRoom(e) true
#else
#define hasOwnRoom(e) (!(isStuck && e == 0))
#endif
#define awaitsPlace(e) (sleepers[e] > 0 && !isCalled[e] && hasOwnRoom(e))
inline madeRoom(who) {
  do
  :: isPlaceLeft && awaitsPlace(0) -> call(0, who)
#if ENTRIES > 1
  :: isPlaceLeft && awaitsPlace(1) -> call(1, who)
#endif
#if ENTRIES > 2
  :: isPlaceLeft && awaitsPlace(2) -> call(2, who)
#endif
  :: else -> break
  od
}

inline wake(who) {
  if :: who & 1 -> wakeOne(0) :: else fi;
#if ENTRIES > 1
  if :: who & 2 -> wakeOne(1) :: else fi;
#endif
#if ENTRIES > 2
  if :: who & 4 -> wakeOne(2) :: else fi;
#endif
  who = 0
}

proctype sender(byte s) {
  byte left = VALUES;
  byte now;
  byte who;
  bool inTime, slept, mayWatch;
  do
  :: left > 0 ->
    // admit
    lock();
    inTime = true;
    slept = false;
    if
    :: hasRoom
    :: else ->
#ifdef WATCHERS
      mayWatch = sleepers[entryOf(s)] == 0;
#endif
      sleepers[entryOf(s)]++;
      slept = true;
      do
      :: inTime && !hasRoom && mayWatch ->
        mayWatch = false;
        isWatched[entryOf(s)] = true;
        unlock();
        lock();
#ifndef WATCHES_ASLEEP
        isWatched[entryOf(s)] = false;
#endif
        isCalled[entryOf(s)] = false
      :: inTime && !hasRoom && !mayWatch ->
#ifdef CHOSEN_LATE
        unlock();
        now = calls[entryOf(s)];
#else
        now = calls[entryOf(s)];
        unlock();
#endif
        // The futex: it sleeps if nobody has called since.
        atomic {
          if
          :: calls[entryOf(s)] == now -> asleep[s] = true
          :: else
          fi
        }
        if
        :: !asleep[s]
#ifdef GIVES_UP_UNSEEN
        // The mistake: it goes by the clock, though it was woken.
        :: s < LEAVERS -> atomic { asleep[s] = false; sleepers[entryOf(s)]--; gaveUp++; left--; goto next }
#else
        :: atomic { s < LEAVERS && asleep[s] -> asleep[s] = false; inTime = false }
#endif
        fi;
        lock();
        isCalled[entryOf(s)] = false
      :: else -> break
      od;
      sleepers[entryOf(s)]--
    fi;
    if
    :: hasRoom ->
      underWay++;
      if
      :: slept -> madeRoom(who)
      :: else
      fi;
      slept = false;
      unlock();
      wake(who)
    :: else ->
      // Its time has passed. Who was woken is in time, so it takes no call with it.
      slept = false;
      unlock();
      gaveUp++;
      left--;
      goto next
    fi;
    // Delivered: the store takes it, unless it is closed.
    lock();
    if
    :: !isClosed -> count++; put++; assert(count <= CAPACITY)
    :: else
    fi;
    unlock();
    // arrive
    lock();
    underWay--;
#ifndef ARRIVES_SILENTLY
    madeRoom(who);
#endif
    unlock();
    wake(who);
    left--;
next:
    skip
  :: else -> break
  od;
  finished++
}

proctype taker() {
  byte who;
  do
  :: atomic { count > 0 && !locked -> locked = true };
    count--;
    taken++;
    madeRoom(who);
    unlock();
#ifndef FORGETS_TO_WAKE
    wake(who)
#endif
  :: isClosed && finished == SENDERS -> break
  :: finished == SENDERS && count == 0 -> break
  od
}

#ifdef STUCK
proctype gate() {
  byte who;
  finished == SENDERS - 1;
  lock();
  isStuck = false;
  if
  :: isPlaceLeft -> call(0, who)
  :: else
  fi;
  unlock();
  wake(who)
}
#endif

#ifdef DISPOSAL
// At any moment, or never.
proctype disposer() {
  byte who;
  lock();
  isClosed = true;
  count = 0;
#ifndef CLOSES_SILENTLY
  if :: sleepers[0] > 0 -> calls[0]++ :: else fi;
#if ENTRIES > 1
  if :: sleepers[1] > 0 -> calls[1]++ :: else fi;
#endif
#if ENTRIES > 2
  if :: sleepers[2] > 0 -> calls[2]++ :: else fi;
#endif
#endif
  unlock();
#ifndef CLOSES_SILENTLY
  wakeAll(0);
#if ENTRIES > 1
  wakeAll(1);
#endif
#if ENTRIES > 2
  wakeAll(2)
#endif
#endif
}
#endif

init {
  atomic {
    run sender(0);
#if SENDERS > 1
    run sender(1);
#endif
#if SENDERS > 2
    run sender(2);
#endif
#ifdef DISPOSAL
    run disposer();
#endif
#ifdef STUCK
    run gate();
#endif
#ifndef NO_TAKER
    run taker();
#endif
  }
  // With a deadlock this is never reached: everybody has got through.
  finished == SENDERS;
  assert(DISPOSED || put + gaveUp == SENDERS * VALUES);
  assert(underWay == 0 && sleepers[0] == 0)
}
