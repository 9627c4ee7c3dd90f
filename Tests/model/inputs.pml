/*
 * Signals that an operator subscribes to while it runs: where the scopes of their inputs are.
 * Sources/RAC/reactive/Signals/DynamicCore.swift and Input.swift. README.md says how to read this; scripts/check-model runs it.
 *
 * A thread subscribes to INPUTS signals, one after another, as who has got the word does of what is noted. Each signal
 * lets go of its input at any time after that, on a thread of its own, whether it ends it or not; with ENDLESS not
 * before it is disposed of. With CLOSES one more thread disposes of what is below: the scope below first, then what was
 * in it. A scope's word and list are here what they are to others: joining, leaving and closing are one step each.
 * Every atomic block is one access to memory that others see.
 */

#ifndef INPUTS
#define INPUTS 2
#endif
#ifndef CLOSES
#define CLOSES 0
#endif

#define NOWHERE   0   /* not yet, no more, or on its way */
#define BEGINNING 1
#define BELOW     2
byte spot[INPUTS];
byte refs[INPUTS];                  /* of each input's scope: the input's, that of who has it */
bool closed[INPUTS];                /* the input's scope is */
bool begun[INPUTS], gone[INPUTS];
bool below_closed, beginning_closed;
byte only = INPUTS;                 /* what is in `beginning`; INPUTS: nothing */
byte done;

inline drop(i) { atomic { assert(refs[i] > 0); refs[i]-- } }
/* Nobody touches a scope that is gone. */
inline look(i) { assert(refs[i] > 0) }

/* ---- who subscribes ---------------------------------------------------------------------------------- */
inline make_way() {
  resident = only;
  if
  :: resident < INPUTS ->
    atomic {
      ok = (only == resident && !beginning_closed);
      if :: ok -> only = INPUTS; look(resident); spot[resident] = NOWHERE :: else fi
    };
    if
    :: ok ->
      atomic { look(resident); leaving = closed[resident] };
      if
      :: leaving -> drop(resident)
      :: else ->
        /* Behind the lock of the list. */
        atomic {
#ifdef NO_LOOK
          ok = !below_closed;
#else
          ok = !below_closed && !closed[resident];
#endif
          if :: ok -> look(resident); spot[resident] = BELOW :: else fi
        };
        if
        :: !ok ->
#ifndef NO_DISPOSAL
          atomic { look(resident); closed[resident] = true };
#endif
          drop(resident)
        :: else
        fi
      fi
    :: else
    fi
  :: else
  fi
}

inline take_from_below(i) {
  atomic { look(i); ok = (spot[i] == BELOW); if :: ok -> spot[i] = NOWHERE :: else fi };
  if :: ok -> drop(i) :: else fi
}

inline begin(i) {
#ifndef NO_WAY
  make_way();
#endif
  atomic {
    ok = !beginning_closed;
    refs[i] = 2;
    if :: ok -> assert(only == INPUTS); only = i; spot[i] = BEGINNING :: else fi
  };
  if
  :: !ok -> atomic { look(i); closed[i] = true }; drop(i)
  :: else
  fi;
  begun[i] = true
}

proctype subscriber() {
  byte next, resident;
  bool ok, leaving;
  do
  :: next < INPUTS -> begin(next); next++
  :: else -> break
  od;
  done++
}

/* ---- a signal lets go of its input ------------------------------------------------------------------- */
proctype signal(byte i) {
  bool ok;
  begun[i];
#ifdef ENDLESS
  closed[i];
#endif
  /* With an end, or without. */
#ifndef NO_CLOSE
  atomic { look(i); closed[i] = true };
#endif
  atomic {
    look(i);
    ok = (only == i && !beginning_closed);
    if :: ok -> only = INPUTS; spot[i] = NOWHERE :: else fi
  };
  if
  :: ok -> drop(i)
  :: else ->
    /* Who has one has a reference: where there is none, nobody has. */
    atomic { look(i); ok = (refs[i] == 1) };
    if :: !ok -> take_from_below(i) :: else fi
  fi;
  gone[i] = true;
  drop(i);
  done++
}

/* ---- who disposes of what is below -------------------------------------------------------------------- */
proctype closer() {
  byte i;
  bool ok;
  atomic { below_closed = true };
  /* From the list, one after another; whoever leaves meanwhile is not there. */
  for (i : 0 .. INPUTS - 1) {
    atomic { ok = (spot[i] == BELOW); if :: ok -> look(i); spot[i] = NOWHERE :: else fi };
    if :: ok -> atomic { look(i); closed[i] = true }; drop(i) :: else fi
  };
  atomic { beginning_closed = true; i = only; if :: i < INPUTS -> look(i); spot[i] = NOWHERE :: else fi };
  if :: i < INPUTS -> atomic { look(i); closed[i] = true }; drop(i) :: else fi;
  done++
}

init {
  byte i;
  atomic {
    run subscriber();
    for (i : 0 .. INPUTS - 1) { run signal(i) }
    if :: CLOSES -> run closer() :: else fi
  };
  done == 1 + INPUTS + CLOSES;
  /* Neither scope keeps one that is over, and none of them is kept by anybody. */
  for (i : 0 .. INPUTS - 1) {
    assert(gone[i] && spot[i] == NOWHERE && refs[i] == 0)
  }
}
