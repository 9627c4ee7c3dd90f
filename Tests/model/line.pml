// Senders that wait for room where values enter, until there is much of it: Sources/RAC/reactive/Signals/BoundedStore.swift
// (call, close) and BoundedLine.swift (admit, sleep, offer, takeNext, finish, arrive). See README.md.
//
// There are SENDERS senders, which send VALUES values each into a gate with a line of CAPACITY. Who finds the gate
// free delivers, and then what is in the line; who finds it taken puts its value into the line, and waits for room
// first. Who sleeps is called when there is room for ENOUGH, or for any where somebody is in a hurry; that is whoever
// has slept for a while: a nap ends at any moment.
//
// With BELOW each value goes on into a store with room for so many, out of which a taker takes it.
//
// With MERGED each sender has an entry of its own, and the gate between these and the store below is that of an
// operator: a value that finds it taken waits in its queue.
//
// With BLOCKS a callback waits, as long as there is room and somebody sleeps who might take it. With LEAVERS some
// senders' time may pass; with DISPOSAL the line is closed at some moment. With WATCHERS who comes where nobody sleeps
// may wait awake first.

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef ENOUGH
#define ENOUGH (CAPACITY / 2)
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
byte count;
byte sleepers;
byte hurried;
byte calls;
bool isCalled;
bool isWatched;
bool isClosed;

bool inside;  // somebody is in the gate
byte queued;  // in the gate's own queue
bool asleep[SENDERS];

byte heard, gaveUp, finished;

#ifdef BELOW
byte below;     // values in the store below
byte underWay;  // to there
#define hasRoom (isClosed || count < CAPACITY && below + underWay < BELOW)
#define callsNext true
#define isPlaceLeft (below + underWay + isCalled < BELOW)
inline begin() { underWay++ }
inline arrive() { lock(); underWay--; madeRoom(); unlock(); wake() }
#else
#define isPlaceLeft true
#define hasRoom (isClosed || count < CAPACITY)
#define callsNext (count == 0 || hurried > 0 || ENOUGH == 1)
inline begin() { skip }
inline arrive() { skip }
#endif
#define isEnough (CAPACITY - count >= ENOUGH)

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline wakeOne() {
  atomic {
    if
    :: asleep[0] -> asleep[0] = false
#if SENDERS > 1
    :: asleep[1] -> asleep[1] = false
#endif
#if SENDERS > 2
    :: asleep[2] -> asleep[2] = false
#endif
    :: else -> skip
    fi
  }
}

inline wakeAll() {
  atomic {
    asleep[0] = false;
#if SENDERS > 1
    asleep[1] = false;
#endif
#if SENDERS > 2
    asleep[2] = false
#endif
  }
}

inline call() {
  if
  :: sleepers > 0 && !isCalled ->
    isCalled = true;
    calls++;
    if :: !isWatched -> who = true :: else fi
  :: else
  fi
}

// By a change below.
inline madeRoom() {
  if
  :: isPlaceLeft && count < CAPACITY -> call()
  :: else
  fi
}

inline wake() {
  if :: who -> wakeOne() :: else fi;
  who = false
}

inline callback() {
#ifdef BELOW
  lock();
  if
  :: !isClosed -> below++; assert(below <= BELOW)
  :: else
  fi;
  unlock();
#endif
  heard++;
#ifdef BLOCKS
  atomic { sleepers == 0 || isCalled && !hasRoom || !hasRoom }
#endif
}

proctype sender(byte s) {
  byte left = VALUES;
  byte now;
  bool who, slept, isHurried, inTime, mayWatch, delivers;
  do
  :: left > 0 ->
again:
    // admit
    lock();
    inTime = true;
    slept = false;
    isHurried = (ENOUGH == 1);
    if
    :: hasRoom
    :: else ->
#ifdef WATCHERS
      mayWatch = sleepers == 0;
#endif
      sleepers++;
      slept = true;
      do
      :: inTime && !hasRoom && mayWatch ->
        mayWatch = false;
        isWatched = true;
        unlock();
        lock();
        isWatched = false;
        isCalled = false
      :: inTime && !hasRoom && !mayWatch ->
        now = calls;
        unlock();
        atomic {
          if
          :: calls == now -> asleep[s] = true
          :: else
          fi
        }
        if
        :: !asleep[s]
        :: atomic { s < LEAVERS && asleep[s] -> asleep[s] = false; inTime = false }
#ifndef NO_NAPS
        :: atomic { !isHurried && asleep[s] -> asleep[s] = false }
#endif
        fi;
        lock();
        if
        :: calls == now && !isHurried -> isHurried = true; hurried++
        :: else
        fi;
        isCalled = false
      :: else -> break
      od;
      sleepers--;
      if :: isHurried && ENOUGH > 1 -> hurried-- :: else fi
    fi;
    if
    :: hasRoom ->
      begin();
      if
#ifdef CALLS_NOBODY_ON
      :: false
#else
      :: slept && hasRoom && callsNext && isPlaceLeft -> call()
#endif
      :: else
      fi;
      slept = false;
      unlock();
      wake()
    :: else ->
      slept = false;
      unlock();
      gaveUp++;
      left--;
      goto next
    fi;
    // give
    delivers = false;
#ifdef MERGED
    atomic {
      if
      :: !inside -> inside = true; delivers = true
      :: else
      fi
    };
    if
    :: delivers -> callback()
    :: else ->
#ifndef UNCOUNTED
      lock(); begin(); unlock();
#endif
      atomic {
        queued++;
        if
        :: !inside -> inside = true; delivers = true
        :: else
        fi
      }
    fi;
    do
    :: delivers ->
      atomic {
        if
        :: queued > 0 -> queued--
        :: else -> inside = false; delivers = false
        fi
      };
      if
      :: delivers ->
        callback();
#ifndef UNCOUNTED
        arrive()
#endif
      :: else
      fi
    :: else -> break
    od;
#else
    if
    :: atomic { !inside && count == 0 -> inside = true }; callback(); delivers = true
    :: atomic { else -> skip };
      lock();
      if
      :: isClosed -> unlock(); heard++
      :: !isClosed && count < CAPACITY ->
        count++;
        begin();
        // The gate's word, one step: left for who is inside, or entered.
        if
        :: !inside -> inside = true; delivers = true
        :: else
        fi;
        unlock()
      :: else -> unlock(); arrive(); goto again
      fi
    fi;
    do
    :: delivers ->
      lock();
      if
      :: count > 0 ->
        count--;
        if
        :: (isWatched || hurried > 0 || isEnough) && isPlaceLeft -> call()
        :: else
        fi;
        unlock();
        wake();
        callback();
        arrive()
      :: else -> inside = false; unlock(); delivers = false
      fi
    :: else -> break
    od;
#endif
    arrive();
    left--;
next:
    skip
  :: else -> break
  od;
  finished++
}

#ifdef DISPOSAL
proctype disposer() {
  lock();
  isClosed = true;
  if :: sleepers > 0 -> isCalled = true; calls++ :: else fi;
  unlock();
  wakeAll()
}
#endif

#ifdef BELOW
proctype taker() {
  bool who;
  do
  :: atomic { below > 0 && !locked -> locked = true };
    below--;
    madeRoom();
    unlock();
    wake()
  :: finished == SENDERS && below == 0 -> break
  od
}
#endif

init {
  atomic {
#ifdef BELOW
    run taker();
#endif
    run sender(0);
#if SENDERS > 1
    run sender(1);
#endif
#if SENDERS > 2
    run sender(2);
#endif
#ifdef DISPOSAL
    run disposer()
#endif
  }
  finished == SENDERS;
  assert(heard + gaveUp == SENDERS * VALUES);
  assert(sleepers == 0 && hurried == 0 && count == 0 && queued == 0 && !inside);
#ifdef BELOW
  assert(underWay == 0)
#endif
}
