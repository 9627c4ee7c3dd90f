/*
 * How the sets of a batch become one change: Sources/RAC/parts/Bindings/BatchState.swift has the same phases and
 * events, and BatchCommit.swift does what they ask for. MutablePropertyCore.swift has what a property does
 * while a batch holds it, RootNode.swift how root nodes are made, here "taps". README.md says how to read
 * this; scripts/check-model runs it.
 *
 * Two roots, each with a gate, and one component. A batch sets both. It takes hold of a root by an operation
 * of the root's gate; what comes to a root that is held is kept until the batch lets go. Whoever takes
 * hold of the last one goes on to the component with it. The gates are taken for granted, as in turns.pml.
 *
 * A batch may first try to be made at once, as BatchAtOnce.swift does: inside both gates, if they are free.
 * If it may not, it goes the way above.
 *
 * Threads run the programs P0 to P2. Every atomic block is one step, but what is done under the lock
 * takes as many as it needs: who reads beside it sees the steps.
 */

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define BATCH   1   /* both roots, to the next number of the batches */
#define SET0    2   /* one root, as SET1 */
#define SET1    3
#define ATONCE  5   /* a batch that tries to be made at once first */
#define DERIVE  4   /* a property of both roots: it must never see them apart */

/* ---- the phases of a batch ------------------------------------------------------------------------- */
#define LINING_UP 0
#define HOLDING   1
#define PASSING   2
#define INSIDE    3
#define TELLING   4
#define OVER      5

/* ---- operations: of roots, then of the component -------------------------------------------------- */
#define HOLD    1
#define LETGO   2
#define VALUE   3
#define TAP     4
#define FEED    5
#define COMMIT  6
#define CONNECT 7

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

/* Gates 0 and 1 are the roots', gate 2 is the component's. */
#define COMPONENT 2
#define NOBODY 9
#define FREE   99

/* ---- gates ------------------------------------------------------------------------------------------ */
bool busy[3];
bool pending[3];
chan queue[3] = [8] of { byte, byte, byte };   /* operation, value or batch, thread */

bool lock;                    /* the one under which components are united, taps made, batches lined up */

/* ---- roots ------------------------------------------------------------------------------------------- */
byte cell[2];                 /* what everybody reads */
byte holder[2] = NOBODY;      /* the batch that has it */
byte inLine[2] = NOBODY;      /* the latest batch in line, until it is about to change the root: under the lock */
chan kept[2] = [6] of { byte, byte, byte };    /* operations that came meanwhile */
bool registered[2];           /* there is a tap: guarded by the lock */
bool feeds[2];                /* and the root feeds it */
byte sent[2];                 /* what it was fed with last: who owns the root owns this */

/* ---- the component ------------------------------------------------------------------------------------ */
byte epoch;
byte tap[2];                  /* for whoever is inside the component */
byte tapCell[2];              /* for everybody */
bool connected;
byte derivedOf[2];

/* ---- batches --------------------------------------------------------------------------------------------- */
byte batches;                 /* so many were lined up; their values begin at 100 */
byte phase[4], missing[4];    /* BatchState: where they are, and how many roots they lack */
bool listed[2];               /* the taps that the batch in the component computes with */

/* ---- what the checker keeps besides ------------------------------------------------------------------------ */
bool touched[3];              /* some thread is at the root, or in the component, this moment */
byte committed;
byte issued[6];               /* by thread and root: its own sets */
byte lastSet[6];              /* and the latest of them that was made */
byte before[24];              /* by batch, thread and root: what the thread had set before it joined the batch; FREE */
byte within[24];              /* and what it has set as a part of it; 0: nothing */
byte latest[3] = NOBODY;      /* by thread: its latest batch that went the general way */
byte ended;
chan prog[THREADS] = [6] of { byte };

#define touch(n)   assert(!touched[n]); touched[n] = true
#define untouch(n) touched[n] = false
#ifndef JOINABLE
#define JOINABLE == HOLDING
#endif
#define acquire    atomic { !lock -> lock = true }
#define release    lock = false

/* Every batch of 100 + n sets both roots to it; what is derived of both sees one number where only
 * batches set. */
#ifdef ONLY_BATCHES
#define together(a, b) assert((a) == (b))
#else
#define together(a, b) skip
#endif

#define push(g, operation, value) queue[g]!operation,value,me

/* The events of BatchState. */
#define linedUp(b)   missing[b]++
#define goOn(b)      phase[b] = (missing[b] == 0 -> PASSING : HOLDING); leaveLine(b, 0); leaveLine(b, 1)
#define leaveLine(b, r) inLine[r] = (phase[b] == PASSING && inLine[r] == b -> NOBODY : inLine[r])
/* A batch or a set becomes part of a batch that waits. */
#define join(b, r)   before[(b) * 6 + me * 2 + (r)] = (before[(b) * 6 + me * 2 + (r)] == FREE -> issued[me * 2 + (r)] : before[(b) * 6 + me * 2 + (r)])
#define knocked(b)   assert(phase[b] == LINING_UP); goOn(b)
#define took(b)      missing[b]--; if :: phase[b] == HOLDING -> goOn(b) :: else fi
#define entered(b)   assert(phase[b] == PASSING); phase[b] = INSIDE
#define published(b) assert(phase[b] == INSIDE); phase[b] = TELLING
#define told(b)      assert(phase[b] == TELLING); phase[b] = OVER

proctype thread(byte me) {
  byte action, operation, value, who, g, n, a, b, seen;
  byte nested[6], depth;          /* the gates this thread is inside of */
  bool isTrying;                  /* its batch may yet have to go the general way */
  byte due = NOBODY;              /* the batch that it has lined up, and is knocking for */
  chan knocks = [8] of { byte };  /* those at which it has to look, as it pushed something there */

again:
  atomic {
    action = 0; operation = 0; value = 0; who = 0; g = 0; n = 0; a = 0; b = 0; seen = 0;
    if
    :: prog[me]?action
    :: empty(prog[me]) -> ended++; goto done
    fi
  }
  if
  :: action == SET0 || action == SET1 ->
     atomic {
       operation = VALUE; g = action - SET0; who = me;
       issued[me * 2 + g]++;
       value = issued[me * 2 + g]
     }
     goto enter
  :: action == ATONCE ->
     atomic {
       isTrying = true; action = BATCH;
       n = batches % 2;
       if
       :: busy[n] -> goto back
       :: else -> busy[n] = true; nested[depth] = n; depth++
       fi
     }
     atomic {
       n = 1 - n;
       if
       :: busy[n] -> goto leave
       :: else -> busy[n] = true; nested[depth] = n; depth++
       fi
     }
#ifndef AT_ONCE_THOUGH_HELD
     if
     :: holder[0] != NOBODY || holder[1] != NOBODY -> goto leave
     :: else
     fi;
#endif
#ifndef AT_ONCE_WITHOUT_LOCK
     acquire;
#endif
#ifndef AT_ONCE_BESIDE_TAPS
     atomic {
       if
       :: registered[0] || registered[1] ->
#ifndef AT_ONCE_WITHOUT_LOCK
          release;
#endif
          goto leave
       :: else
       fi
     }
#endif
     atomic {
       isTrying = false;
       touch(0); touch(1);
       seen = batches; batches++; phase[seen] = OVER; committed++;
       /* All that the thread has left to others before is made. */
       assert(lastSet[me * 2] == issued[me * 2] && lastSet[me * 2 + 1] == issued[me * 2 + 1]);
       assert(latest[me] == NOBODY || phase[latest[me]] == OVER)
     };
     cell[0] = 100 + seen;
     cell[1] = 100 + seen;
     atomic { untouch(0); untouch(1) };
#ifndef AT_ONCE_WITHOUT_LOCK
     release;
#endif
     goto leave
  :: action == BATCH ->
general:
     isTrying = false;
     /* All of it is in line, in every root, before anybody else's: there is one order of batches. */
#ifndef NO_COMMON_ORDER
     acquire;
#endif
     atomic {
       if
       :: inLine[0] == inLine[1] && inLine[0] != NOBODY && phase[inLine[0]] JOINABLE ->
          value = inLine[0]; join(value, 0); join(value, 1); latest[me] = value;
#ifndef NO_COMMON_ORDER
          release;
#endif
          goto back
       :: else
       fi;
       value = batches; batches++; n = value % 2; latest[me] = value;
       join(value, 0); join(value, 1)
     };
     /* In whatever order the roots come. */
     atomic { push(n, HOLD, value); inLine[n] = value; linedUp(value); knocks!n };
     atomic { push(1 - n, HOLD, value); inLine[1 - n] = value; linedUp(value); knocks!(1 - n); due = value };
#ifndef NO_COMMON_ORDER
     release;
#endif
     goto back
  :: action == DERIVE ->
     acquire;
     n = 0;
     do
     :: n == 2 -> break
     :: n < 2 && !registered[n] ->
        a = cell[n];
        atomic {
          registered[n] = true; sent[n] = a; tap[n] = a; tapCell[n] = a;
          push(n, TAP, 0); knocks!n
        }
        n++
     :: n < 2 && registered[n] -> n++
     od;
     release;
     goto back
  fi;

/* The operation, if the gate is free; else it is left there. */
enter:
  atomic {
    if
    :: operation == VALUE && (busy[g] || holder[g] != NOBODY) && !lock && inLine[g] != NOBODY ->
       before[inLine[g] * 6 + me * 2 + g] = (before[inLine[g] * 6 + me * 2 + g] == FREE -> value - 1 : before[inLine[g] * 6 + me * 2 + g]);
       within[inLine[g] * 6 + me * 2 + g] = value;
       goto back
    :: operation == VALUE && (busy[g] || holder[g] != NOBODY) && !lock && inLine[g] == NOBODY && busy[g] ->
       pending[g] = true; queue[g]!operation,value,who; goto back
    :: operation != VALUE && busy[g] -> pending[g] = true; queue[g]!operation,value,who; goto back
    :: !busy[g] && !(operation == VALUE && holder[g] != NOBODY && inLine[g] != NOBODY) ->
       busy[g] = true; nested[depth] = g; depth++
    fi
  }

apply:
  if
  :: operation == 0 -> goto leave
  :: else
  fi;
  if
  :: g < COMPONENT && holder[g] != NOBODY && operation != LETGO ->
     kept[g]!operation,value,who; goto leave
  :: else
  fi;
  if
  :: operation == HOLD ->
     atomic {
       holder[g] = value; took(value);
       if
       :: phase[value] == PASSING -> operation = COMMIT; g = COMPONENT; who = me
       :: else -> goto leave
       fi
     }
     goto enter
  :: operation == LETGO ->
     holder[g] = NOBODY;
     goto leave
  :: operation == VALUE ->
     atomic { touch(g) };
     atomic {
       assert(value == lastSet[who * 2 + g] + 1);
       lastSet[who * 2 + g] = value;
       cell[g] = 10 * (who + 1) + value;
       untouch(g);
       if
       :: feeds[g] -> sent[g] = cell[g]; operation = FEED; value = cell[g]; who = g; g = COMPONENT
       :: else -> goto leave
       fi
     }
     goto enter
  :: operation == TAP ->
     atomic { touch(g) };
     atomic {
       feeds[g] = true;
       untouch(g);
       if
       :: sent[g] != cell[g] -> sent[g] = cell[g]; operation = FEED; value = cell[g]; who = g; g = COMPONENT
       :: else -> goto leave
       fi
     }
     goto enter
  :: operation == FEED ->
     atomic { touch(COMPONENT) };
     atomic {
       tap[who] = value;
       if
       :: connected -> derivedOf[who] = value; together(tap[0], tap[1])
       :: else
       fi
     }
     epoch++; tapCell[who] = value; epoch++;
     untouch(COMPONENT)
  :: operation == CONNECT ->
     atomic { touch(COMPONENT) };
     atomic {
       connected = true;
       derivedOf[0] = tap[0]; derivedOf[1] = tap[1];
       together(tap[0], tap[1]);
       untouch(COMPONENT)
     }
  :: operation == COMMIT ->
     atomic { entered(value); touch(COMPONENT); touch(0); touch(1); seen = value; value = 0 };
     acquire;
     atomic { listed[0] = registered[0]; listed[1] = registered[1] };
     release;
     atomic {
       /* A thread's own sets and batches are made in its order. */
       n = 0;
       do
       :: n < 6 ->
          assert(before[seen * 6 + n] == FREE || lastSet[n] == before[seen * 6 + n]);
          lastSet[n] = (within[seen * 6 + n] > 0 -> within[seen * 6 + n] : lastSet[n]);
          n++
       :: n == 6 -> break
       od;
       n = 0;
       do
       :: n < 2 && listed[n] -> tap[n] = 100 + seen; n++
       :: n < 2 && !listed[n] -> n++
       :: n == 2 -> break
       od;
       if
       :: connected -> derivedOf[0] = tap[0]; derivedOf[1] = tap[1]; together(tap[0], tap[1])
       :: else
       fi
     }
#ifndef PUBLISHED_WITHOUT_LOCK
     acquire;
#endif
     epoch++;
     n = 0;
     do
     :: n == 2 -> break
     :: n < 2 ->
        cell[n] = 100 + seen;
        sent[n] = 100 + seen;
        if
#ifdef LATE_TAPS_LEFT
        :: listed[n] -> tapCell[n] = 100 + seen
#else
        :: registered[n] -> atomic { tap[n] = 100 + seen; tapCell[n] = 100 + seen }
#endif
        :: else
        fi;
        n++
     od;
     epoch++;
     published(seen);
#ifndef PUBLISHED_WITHOUT_LOCK
     release;
#endif
     atomic {
       told(seen);
       untouch(0); untouch(1); untouch(COMPONENT); committed++;
       push(0, LETGO, 0); push(1, LETGO, 0); knocks!0; knocks!1
     }
  fi;

leave:
  atomic {
    g = nested[depth - 1];
    if
    :: g < COMPONENT ->
       if
       :: holder[g] == NOBODY ->
          if
          :: kept[g]?operation,value,who -> goto apply
          :: empty(kept[g])
          fi
       :: else
       fi
    :: else
    fi;
    if
    :: queue[g]?operation,value,who -> goto apply
    :: empty(queue[g]) -> pending[g] = false; busy[g] = false; depth--
    fi
  }
back:
  /* What was pushed: whoever is inside has it, or this thread goes in for it. */
  atomic {
    if
    :: knocks?g ->
       if
       :: busy[g] -> pending[g] = true; goto back
       :: else -> busy[g] = true; nested[depth] = g; depth++; operation = 0; goto apply
       fi
    :: empty(knocks)
    fi
  }
  if
  :: depth > 0 -> goto leave
  :: depth == 0 && due != NOBODY ->
     atomic {
       value = due; due = NOBODY; knocked(value);
       if
       :: phase[value] == PASSING -> operation = COMMIT; g = COMPONENT; who = me
       :: else -> goto again
       fi
     }
     goto enter
  :: depth == 0 && due == NOBODY && action == DERIVE -> goto derive
  :: depth == 0 && due == NOBODY && (action == SET0 || action == SET1) -> goto again
  :: depth == 0 && due == NOBODY && action == BATCH && isTrying -> goto general
  :: depth == 0 && due == NOBODY && action == BATCH && !isTrying -> goto again
  :: depth == 0 && due == NOBODY && action == 0 -> goto again
  fi;

/* The first value of the derived property, then its place in the graph. */
derive:
  atomic { epoch % 2 == 0 -> seen = epoch; a = tapCell[0] };
  b = tapCell[1];
  if
  :: epoch != seen -> goto derive
  :: else
  fi;
  together(a, b);
  atomic { action = 0; operation = CONNECT; value = 0; who = 0; g = COMPONENT };
  goto enter;
done:
  skip
}

init {
  byte i;
  atomic {
    do
    :: i < 24 -> before[i] = FREE; i++
    :: else -> break
    od;
    P0; P1; P2;
    i = 0;
    do
    :: i < THREADS -> run thread(i); i++
    :: else -> break
    od;
    i = 0
  }
  ended == THREADS;
  atomic {
    assert(committed == batches && !lock);
    do
    :: i < batches -> assert(phase[i] == OVER && missing[i] == 0); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < 3 -> assert(empty(queue[i]) && !busy[i]); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < 2 ->
       assert(holder[i] == NOBODY && empty(kept[i]));
       assert(!connected || derivedOf[i] == cell[i]);
       assert(!feeds[i] || tapCell[i] == cell[i]);
       i++
    :: else -> break
    od
  }
}
