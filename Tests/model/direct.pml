/*
 * A subscription that is one object: Sources/RAC/reactive/Signals/DirectSubscription.swift, with what SubjectCore.swift
 * does for it. README.md says how to read this; scripts/check-model runs it.
 *
 * One subject with one subscription. The threads run the programs P0, P1, P2; NEST is done inside the first
 * callback, by the thread that calls it. A gate, and a handle with its pins, are here what gate.pml proves of
 * them: one step in, one step out, a queue in between; an object is kept while a call is using it. Every atomic
 * block is one access to memory that others see.
 */

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define SEND     1    /* a value */
#define END      2    /* an end */
#define DROP     3    /* the subject's last reference goes */
#define DISPOSE  4    /* by the handle */
#define RELEASE  5    /* the handle's last reference goes */
/* ... and what else there is for the gate to apply. */
#define REMOVE   6

#ifndef THREADS
#define THREADS 3
#endif
#ifndef P0
#define P0 skip
#endif
#ifndef P1
#define P1 skip
#endif
#ifndef P2
#define P2 skip
#endif
#ifndef NEST
#define NEST 0
#endif

#ifdef NO_USERS
#define USE   skip
#define UNUSE false
#else
#define USE   users++
#define UNUSE (users == 1 && left); users--
#endif

/* ---- memory ---------------------------------------------------------------------------------------- */
chan prog[3] = [4] of { byte };
bool held;                          /* the subject's gate */
chan queue = [8] of { byte };
bool listed = true;                 /* in the subject's list; only inside the gate */
bool closed, left;                  /* the state of the subscription ... */
byte users;                         /* ... and the disposals that are using its source */
byte keepers = 2;                   /* of the object: the list, the handle, and what is queued */
bool released;                      /* the handle is */
byte pins;                          /* calls that are using it */

/* ---- what must hold -------------------------------------------------------------------------------- */
bool calling;                       /* a callback is running */
bool nested;                        /* NEST was done */
bool silenced;                      /* a disposal has returned */
bool gone;                          /* the object's memory */
byte destroyed, dropped;            /* the context, the source: how often */
byte done;

inline let_go() {
  atomic { assert(keepers > 0); keepers--; if :: keepers == 0 -> gone = true :: else fi }
}

/* ---- the callbacks' end ----------------------------------------------------------------------------- */
/* wasLeft: by who has taken it out of the list. */
inline was_left() {
  atomic { assert(!gone && !calling && destroyed == 0); destroyed++ };
  atomic { last = (users == 0); closed = true; left = true };
  drop_source();
  let_go()
}

inline drop_source() { if :: last -> atomic { assert(dropped == 0); dropped++ } :: else fi }

/* The first step of a disposal, and the last one. */
inline begin_use() {
  atomic {
    assert(!gone);
    if :: left -> ok = false :: else -> closed = true; USE; ok = true fi
  }
}
inline end_use() { atomic { last = UNUSE }; drop_source() }

/* A callback begins with the step that decides on it: none after a disposal has returned. */
inline decide(condition) { atomic { ok = (condition); assert(!(ok && silenced)) } }

/* next, error and completed: inside the gate. A callback that disposes finds the gate taken, by itself. */
inline call() {
  atomic { assert(!gone && !calling && destroyed == 0); calling = true };
  if
  :: NEST == DISPOSE && !nested ->
    nested = true;
    begin_use();
    if
    :: ok -> atomic { assert(held && dropped == 0); keepers++; queue!REMOVE }; end_use()
    :: else
    fi;
    silenced = true
  :: else
  fi;
  calling = false
}

/* ---- the subject, inside its gate ----------------------------------------------------------------- */
inline take_out() { mine = listed; listed = false }

inline apply(what) {
  if
#ifdef NO_LOOK
  :: what == SEND -> decide(listed); if :: ok -> call() :: else fi
#else
  :: what == SEND -> decide(listed && !closed); if :: ok -> call() :: else fi
#endif
  :: what == END ->
    take_out();
    if
    :: mine -> atomic { decide(!closed); closed = true }; if :: ok -> call() :: else fi; was_left()
    :: else
    fi
  :: what == DROP -> take_out(); if :: mine -> was_left() :: else fi
  :: what == REMOVE -> take_out(); if :: mine -> was_left() :: else fi; let_go()
  fi
}

inline leave() {
  do
  :: atomic { nempty(queue) -> queue?op }; apply(op)
  :: atomic { empty(queue) -> held = false; break }
  od
}

/* ---- threads --------------------------------------------------------------------------------------- */
inline submit(what) {
  atomic {
    inside = !held;
    if :: held -> queue!what; ok = false :: else -> held = true; decide(what == SEND && listed) fi
  };
  if
  :: inside && what == SEND -> if :: ok -> call() :: else fi; leave()
  :: inside && what != SEND -> apply(what); leave()
  :: else
  fi
}

/* letGo(of:). Of what is posted the queue is a keeper. */
inline leave_source() {
  atomic {
    assert(dropped == 0);
    inside = !held;
    if :: held -> keepers++; queue!REMOVE :: else -> held = true fi
  };
  if
  :: inside ->
    take_out();
#ifdef BOTH_DESTROY
    mine = true;
#endif
    won = mine;
    leave();
    if :: won -> was_left() :: else fi
#ifdef AT_ONCE
  :: else -> mine = listed; if :: mine -> was_left(); listed = false :: else fi
#else
  :: else
#endif
  fi;
  assert(dropped == 0)
}

inline dispose() {
  atomic { ok = !released; if :: ok -> pins++ :: else fi };
  if
  :: ok ->
    begin_use();
    if :: ok -> leave_source(); end_use() :: else fi;
    silenced = true;
    atomic { pins--; last = (pins == 0 && released) };
    if :: last -> let_go() :: else fi
  :: else
  fi
}

proctype thread(byte me) {
  byte action, op;
  bool ok, last, mine, won, inside;
  do
  :: atomic { nempty(prog[me]) -> prog[me]?action };
    if
    :: action == DISPOSE -> dispose()
    :: action == RELEASE ->
      atomic { last = (pins == 0); released = true };
      if :: last -> let_go() :: else fi
    :: else -> submit(action)
    fi
  :: atomic { empty(prog[me]) -> done++; break }
  od
}

init {
  atomic {
    P0; P1; P2;
    byte i;
    for (i : 0 .. THREADS - 1) { run thread(i) }
  };
  done == THREADS;
  assert(!held && empty(queue) && users == 0);
  assert(listed == (destroyed == 0) && destroyed == dropped && left == (destroyed == 1));
  assert(gone == (released && !listed))
}
