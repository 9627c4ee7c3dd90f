/*
 * The subscription of callbacks to a create signal, which is one object: Sources/RAC/reactive/Signals/DirectSubscriber.swift.
 * README.md says how to read this; scripts/check-model runs it.
 *
 * Thread 0 subscribes: P0 is what the create callback does with the subscriber it is lent; then it finishes. P1 and
 * P2 are of threads to which that callback has given a reference of the subscriber's handle each, if they are among
 * the first RETAINERS, and which dispose of the subscription when there is a handle for that. NEST is done inside the
 * first callback of the subscription's, by the thread that calls it; CLEANING by what is cleaned up. A gate, and a
 * handle with its pins, are here what gate.pml proves of them. Every atomic block is one access to memory that others
 * see.
 *
 * With INNER it is that of an operator: Sources/RAC/reactive/Signals/InnerSubscriber.swift. It has a link instead of a handle of
 * the subscription's, which is in a scope of the core's, `beginning`, while the create callback runs, and if it goes on
 * in the scope below. Disposing closes these two, in this order: below, beginning.
 */

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define SEND     1    /* a value */
#define END      2    /* an end */
#define DROP     3    /* a reference of the subscriber's handle goes */
#define ADD      4    /* something to clean up */
#define DISPOSE  5    /* by the subscription's handle, once there is one */
#define RELEASE  6    /* that handle's last reference goes */
/* ... and what else there is for the gate to apply. */
#define CLOSE    7
#define REMOVE   8
/* A disposal where the stack is short: whoever is in the gate does the rest. */
#define HUSH     9

#ifndef THREADS
#define THREADS 2
#endif
#ifndef RETAINERS
#define RETAINERS 0
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
#ifndef CLEANING
#define CLEANING 0
#endif

#ifdef INNER
#define HOME      0   /* nowhere: the core has it, or it is gone */
#define BEGINNING 1
#define BELOW     2
#define NEW       0
#define LINKED    1
#define OVER      2
byte spot = BEGINNING;              /* where the link is */
bool below_closed, beginning_closed;
byte state_of_link = NEW;           /* what the subscriber knows of it */
byte link_refs = 1;                 /* the scope's, or whoever took it from there; the subscriber's */
byte holders;                       /* who took it from there to dispose */
/* The link's reference to the object. */
#define FIRST_KEEPERS 2
#else
#define FIRST_KEEPERS 1
#endif

/* ---- memory ---------------------------------------------------------------------------------------- */
chan prog[3] = [5] of { byte };
bool held;                          /* the gate */
chan queue = [8] of { byte };
bool leaf = true;                   /* only inside the gate */
bool closed, laden, disposed;       /* the state */
bool drained;
bool cleanup;                       /* there is something in the list, under its lock */
byte refs = 1 + RETAINERS;          /* of the subscriber's handle */
bool closing;                       /* they are gone, while somebody was using it */
byte pins;                          /* calls that are using it */
byte keepers = FIRST_KEEPERS;       /* of the object: the handle, the subscription's disposable or link */
bool given, made;                   /* subscribing has returned; with a disposable */
bool released;                      /* the handle of that is */

/* ---- what must hold -------------------------------------------------------------------------------- */
bool calling;                       /* a callback is running */
bool nested;                        /* NEST was done */
bool silenced;                      /* a disposal has returned */
bool gone;                          /* the object's memory */
byte destroyed, cleaned, ends, done;

inline let_go() {
  atomic { assert(keepers > 0); keepers--; if :: keepers == 0 -> gone = true :: else fi }
}

#ifdef INNER
/* A disposal that finds the link in neither scope, because it is on its way, has closed the one below all the same: who
 * is below looks at that. */
inline fall_silent() { skip }

/* The last reference to the link is one to the object, too. */
inline drop_link() {
  atomic {
    assert(link_refs > 0 && !gone);
    link_refs--;
    if
    :: link_refs == 0 -> keepers--; if :: keepers == 0 -> gone = true :: else fi
    :: else
    fi
  }
}
/* Who closes the scopes has the link they held; who finds them closed assists. */
inline close_scopes() {
  atomic {
    found = (spot == BELOW);
    if :: found -> spot = HOME; holders++ :: else fi;
    below_closed = true
  };
  atomic {
    if :: !found && spot == BEGINNING -> found = true; spot = HOME; holders++ :: else fi;
    beginning_closed = true
  };
  atomic {
    if :: !found && holders > 0 -> found = true; holders++; link_refs++ :: else fi
  }
}
inline leave_link() { atomic { holders--; drop_link() } }
inline take_from_below() {
  atomic { found = (spot == BELOW); if :: found -> spot = HOME :: else fi };
  if :: found -> drop_link() :: else fi
}
#else
inline fall_silent() { silenced = true }
#endif

/* A callback begins with the step that decides on it: none after a disposal has returned. */
inline decide(condition) { atomic { ok = (condition); assert(!(ok && silenced)) } }

/* ---- inside the gate ------------------------------------------------------------------------------- */
/* A disposal from inside: the gate is taken, by this thread. */
inline dispose_inside() {
  if
  :: !drained ->
    atomic { assert(!gone); disposed = true };
    atomic { inner = !closed && laden; closed = true };
    if :: inner -> atomic { cleanup = false; cleaned++ }; laden = false :: else fi;
    queue!REMOVE
  :: else
  fi
}

inline dispose_nested() {
#ifdef INNER
  close_scopes();
  if :: found -> dispose_inside(); leave_link() :: else fi
#else
  if :: made -> dispose_inside() :: else fi
#endif
}

inline call(is_end) {
  atomic {
    assert(!gone && !calling && !drained && destroyed == 0 && (!is_end || !cleanup));
    calling = true; ends = ends + is_end
  };
  if
#ifdef INNER
  :: NEST == DISPOSE && !nested -> nested = true; dispose_nested()
#else
  :: NEST == DISPOSE && made && !nested -> nested = true; dispose_nested(); fall_silent()
#endif
  :: else
  fi;
  calling = false
}

/* The one who closes cleans up, if there is something. What it disposes of runs outside the lock. */
inline close_it() {
  atomic { mine = !closed; ok = mine && laden; closed = true };
  if
  :: ok ->
    atomic { assert(cleanup && destroyed == 0); cleanup = false; cleaned++ };
    if :: CLEANING == DISPOSE && held -> dispose_nested() :: else fi;
#ifdef NO_WAIT
    skip
#else
    assert(destroyed == 0)
#endif
    ;
    laden = false
  :: else
  fi
}

/* The callbacks go. */
inline leave_callbacks() {
  atomic { assert(!gone && !calling && destroyed == 0); destroyed++ };
#ifdef INNER
#ifndef NO_HANDSHAKE
  atomic { found = (state_of_link == LINKED); state_of_link = OVER };
  if :: found -> take_from_below(); drop_link() :: else fi;
#endif
#endif
  atomic { assert(!gone && !drained); drained = true }
}

inline let_callbacks_go() {
#ifdef NO_LOOK_BACK
  if
#else
  if
  :: drained
#endif
  :: else ->
    leaf = false;
    close_it();
    /* Somebody else closed it, and cleans up: that one comes by. */
#ifdef NO_WAIT
    leave_callbacks()
#else
    if :: mine || !laden -> leave_callbacks() :: else fi
#endif
  fi
}

inline apply(what) {
  if
#ifdef NO_LOOK
  :: what == SEND -> decide(leaf); if :: ok -> call(0) :: else fi
#else
  :: what == SEND -> decide(leaf && !closed && !disposed); if :: ok -> call(0) :: else leaf = false fi
#endif
  :: what == END ->
    if
    :: drained
    :: else ->
      leaf = false;
      /* The usual one, with nothing to clean up, is one compare-and-swap. */
      close_it();
      if
      :: mine -> decide(!disposed); if :: ok -> call(1) :: else fi; leave_callbacks()
      :: else
      fi
    fi
  :: what == CLOSE -> if :: closed || disposed :: else -> let_callbacks_go() fi
  :: what == REMOVE -> let_callbacks_go()
  fi
}

/* The gate: who gets in, and with what. By the handle that is one step, which pins it where somebody is inside. */
inline enter() {
  atomic {
    assert(!gone || (by_handle && refs == 0));
    inside = !held;
    if
    :: by_handle && refs == 0 -> inside = false   /* stale */
    :: !held && (!by_handle || refs > 0) ->
      held = true; ok = (what == SEND && leaf); assert(!(ok && silenced))
    :: held && by_handle && refs > 0 -> pins++; pinned = true
    :: else -> queue!what
    fi
  };
  if
  :: !inside && pinned -> assert(!gone); atomic { inside = !held; if :: held -> queue!what :: else -> held = true; ok = false fi }
  :: else
  fi
}

/* What it came with, and what has come meanwhile. Who leaves a handle that is gone last sees to the rest. */
inline pass() {
  if
  :: what == SEND && !pinned -> if :: ok -> call(0) :: else fi; what = 0
  :: else
  fi;
  do
  :: what != 0 -> op = what; what = 0; apply(op)
  :: what == 0 && nempty(queue) -> atomic { queue?op }; apply(op)
  :: atomic { what == 0 && empty(queue) -> held = false; last_one(); break }
  od
}

/* In one step with what made it so. */
inline last_one() { if :: closing && pins == 0 && !held -> closing = false; closings++ :: else fi }
inline unpin() { atomic { pins--; last_one() } }
inline drop() { atomic { assert(refs > 0); refs--; if :: refs == 0 -> closing = true :: else fi; last_one() } }

/* ---- threads --------------------------------------------------------------------------------------- */
inline begin_disposal() {
  if
  :: drained
  :: else ->
    atomic { assert(!gone); disposed = true };
    if :: action == DISPOSE -> close_it() :: else mine = true fi;
#ifdef NO_SECOND
    if :: mine -> what = REMOVE :: else fi
#else
    what = REMOVE
#endif
  fi
}

/* The create callback has returned. */
inline finish() {
  atomic {
#ifdef NO_PINS
    ok = (refs == 1 && !held && empty(queue));
#else
    ok = (refs == 1 && !held && empty(queue) && pins == 0);
#endif
    if :: ok -> refs = 0 :: else fi
  };
  finished = true;
#ifdef INNER
  if
  :: ok -> if :: !drained && !closed && !disposed -> what = CLOSE :: else fi; after = RELEASE
  :: else -> drop()
  fi
#else
  if
  :: ok -> if :: !drained -> what = CLOSE :: else fi; after = RELEASE
  :: else ->
    atomic { assert(!gone); pins++ };
    if :: !drained -> atomic { keepers++; made = true } :: else fi;
    given = true;
    unpin();
    drop()
  fi
#endif
}

#ifdef INNER
/* ... and what it was lent is given back. One that goes on joins the scope below. */
inline settle() {
  settled = true;
  atomic { ok = (spot == BEGINNING); if :: ok -> spot = HOME :: else fi };
  if
  :: ok && drained -> atomic { assert(link_refs == 1); link_refs = 0 }; let_go()
  :: ok && !drained ->
    /* The subscriber's, and the scope's beside this thread's own. */
    atomic { link_refs = link_refs + 2 };
    atomic { found = below_closed; if :: !found -> spot = BELOW :: else fi };
    if
    :: found -> action = DISPOSE; begin_disposal(); after = ADD
    :: else -> know_link()
    fi
  :: else
  fi
}
inline know_link() {
#ifdef NO_HANDSHAKE
  ok = true
#else
  atomic { ok = (state_of_link == NEW); if :: ok -> state_of_link = LINKED :: else fi }
#endif
  ;
  if :: !ok -> take_from_below(); drop_link() :: else fi;
  drop_link()
}
#endif

proctype thread(byte me) {
  byte action, op, what, after, closings;
  bool ok, mine, inner, inside, by_handle, pinned, finished = (me != 0);
#ifdef INNER
  bool found, settled = (me != 0);
#endif
  do
  :: closings > 0 -> closings--; after = CLOSE; what = (closed || disposed -> 0 : CLOSE); goto through
  :: closings == 0 && nempty(prog[me]) ->
    atomic { prog[me]?action };
    if
    :: action == SEND || action == END -> what = action; by_handle = true
    :: action == DROP -> drop()
    :: action == ADD ->
      atomic { assert(!gone); if :: closed -> cleaned++ :: else -> laden = true; cleanup = true fi }
#ifdef INNER
    :: action == DISPOSE || action == HUSH ->
      close_scopes();
      if :: found -> begin_disposal(); after = DISPOSE :: else fi
    :: action == RELEASE -> skip
#else
    :: action == DISPOSE || action == HUSH ->
      given;
      atomic { ok = made && !released; if :: ok -> keepers++; after = DISPOSE :: else fi };
      if :: ok -> begin_disposal() :: else fi
    :: action == RELEASE -> given; if :: made -> released = true; let_go() :: else fi
#endif
    fi;
through:
    if :: what != 0 -> enter(); if :: inside -> pass() :: else what = 0 fi :: else fi;
    if :: pinned -> pinned = false; unpin() :: else fi;
    if
    :: after == 0
#ifdef INNER
    :: after == DISPOSE -> leave_link()
    :: after == ADD -> drop_link(); know_link()
    :: after == RELEASE -> let_go()
#else
    :: after == DISPOSE -> fall_silent(); let_go()
    :: after == RELEASE -> assert(drained); given = true; let_go()
#endif
    :: after == CLOSE -> let_go()
    fi;
    after = 0; by_handle = false
  :: closings == 0 && empty(prog[me]) && !finished -> finish(); goto through
#ifdef INNER
  :: closings == 0 && empty(prog[me]) && finished && !settled -> settle(); goto through
  :: closings == 0 && empty(prog[me]) && finished && settled -> done++; break
#else
  :: closings == 0 && empty(prog[me]) && finished -> done++; break
#endif
  od
}

init {
  atomic {
    P0; P1; P2;
    byte i;
    for (i : 0 .. THREADS - 1) { run thread(i) }
  };
  done == THREADS;
  assert(!held && empty(queue) && !calling && ends <= 1 && pins == 0);
  /* Nobody can send any more, so it is over. */
  assert(refs == 0 && drained && destroyed == 1 && closed && !cleanup);
#ifdef INNER
  /* Only the core has the link, or nobody. */
  assert(keepers == 0 && link_refs == 0 && holders == 0 && spot == HOME);
#endif
  assert(gone == (keepers == 0))
}
