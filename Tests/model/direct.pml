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
#define QUIT     7    /* both in one step, if nobody else is using the handle */
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

/* ---- memory ---------------------------------------------------------------------------------------- */
chan prog[3] = [4] of { byte };
bool held;                          /* the subject's gate */
chan queue = [8] of { byte };
bool listed = true;                 /* in the subject's list; only inside the gate */
bool closed, left;                  /* the word of the subscription: closed, done */
byte keepers = 2;                   /* of the object: the list, the handle, and what is queued */
bool released;                      /* the handle is */
byte pins;                          /* calls that are using it */

/* ---- what must hold -------------------------------------------------------------------------------- */
bool calling;                       /* a callback is running */
bool nested;                        /* NEST was done */
bool silenced;                      /* a disposal has returned */
bool gone;                          /* the object's memory */
byte destroyed;                     /* the context: how often */
bool dropped;                       /* the source, with the object */
byte done;

inline let_go() {
  atomic { assert(keepers > 0); keepers--; if :: keepers == 0 -> gone = true; dropped = true :: else fi }
}

/* ---- the callbacks' end ----------------------------------------------------------------------------- */
/* callbacksGo, and the list's reference: by who has taken it out of the list. */
inline was_left() {
  atomic { assert(!gone && !calling && destroyed == 0); destroyed++ };
#ifdef EARLY_DROP
  dropped = true;
#endif
  atomic { assert(!gone); left = true };
  let_go()
}

/* The same for QUIT, which has the handle's reference, too: mostly there are no others. */
inline was_left_with_handle() {
  atomic { assert(!gone && !calling && destroyed == 0); destroyed++ };
  alone = (keepers == 2);
  if
  :: alone -> atomic { assert(keepers == 2 && pins == 0); keepers = 1 }
  :: else -> left = true; let_go()
  fi
}

/* A callback begins with the step that decides on it: none after a disposal has returned. */
inline decide(condition) { atomic { ok = (condition); assert(!(ok && silenced)) } }

/* next, error and completed: inside the gate. A callback that disposes finds the gate taken, by itself. */
inline call() {
  atomic { assert(!gone && !calling && destroyed == 0); calling = true };
  if
  :: NEST == DISPOSE && !nested ->
    nested = true;
    if
    :: !left -> closed = true; atomic { assert(held && !dropped); keepers++; queue!REMOVE }
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
  won = false;
  atomic {
    assert(!gone && !dropped);
    inside = !held;
    if :: held -> skip :: else -> held = true fi
  };
  if
  :: inside ->
    take_out();
#ifdef BOTH_DESTROY
    mine = true;
#endif
    won = mine;
#ifndef NO_SAY
    if :: !mine -> closed = true :: else fi;
#endif
    leave()
#ifdef AT_ONCE
  :: else -> closed = true; won = listed; listed = false
#else
  :: else ->
#ifndef NO_CLOSE
    closed = true;
#endif
    atomic {
      keepers++; inside = !held;
      if :: held -> queue!REMOVE :: else -> held = true fi
    };
    if :: inside -> apply(REMOVE); leave() :: else fi
#endif
  fi;
  assert(!dropped)
}

inline dispose() {
  atomic { ok = !released; if :: ok -> pins++ :: else fi };
  if
  :: ok ->
    assert(!gone);
    if
    :: !left -> leave_source(); if :: won -> was_left() :: else fi
    :: else
    fi;
    assert(closed || left);
    silenced = true;
    atomic { pins--; last = (pins == 0 && released) };
    if :: last -> let_go() :: else fi
  :: else
  fi
}

inline release() {
  atomic { last = (pins == 0); released = true };
  if :: last -> let_go() :: else fi
}

inline quit() {
  atomic {
#ifdef BESIDE_PINS
    ok = !released;
#else
    ok = !released && pins == 0;
#endif
    if :: ok -> released = true :: else fi
  };
  if
  :: ok ->
    assert(!gone);
    if
    :: !left -> leave_source(); if :: won -> was_left_with_handle() :: else fi
    :: else
    fi;
    silenced = true;
    let_go()
  :: else -> dispose(); release()
  fi
}

proctype thread(byte me) {
  byte action, op;
  bool ok, last, mine, won, inside, alone;
  do
  :: atomic { nempty(prog[me]) -> prog[me]?action };
    if
    :: action == DISPOSE -> dispose()
    :: action == RELEASE -> release()
    :: action == QUIT -> quit()
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
  assert(!held && empty(queue));
  assert(listed == (destroyed == 0) && (gone || left == (destroyed == 1)));
  assert(gone == dropped && gone == (released && !listed))
}
