/*
 * How components of a graph of derived properties are united (union-find): Sources/RAC/parts/Bindings/Component.swift,
 * Propagation.swift, PropagationTask.swift and RootNode.swift. README.md says how to read this;
 * scripts/check-model runs it.
 *
 * A component has a gate, behind which all its nodes live. Here are three components with one root node
 * each, here a "tap", which stands for all that lives there. A property that is derived from two taps unites
 * their components. The gates are taken for granted (gate.pml has them): whoever finds one free is inside, whoever
 * does not leaves the operation in its queue, and who leaves applies first what is queued.
 *
 * Threads run the programs P0 to P2. Every atomic block is one step.
 */

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define SET0     1  /* a new value of root 0, 1, 2: only one thread sets a root, as its gate sees to */
#define SET1     2
#define SET2     3
#define UNITE01   4  /* a property derived from taps 0 and 1 */
#define UNITE12   5
#define UNITE20   6
#define LISTEN0  7  /* something wants to be done to a node that lives in the component of tap 0, 1, 2 */
#define LISTEN1  8
#define LISTEN2  9
#define LISTEN   10 /* and to the first derived property, if there is one */

/* ---- operations of a component ------------------------------------------------------------------------- */
#define FEED    1
#define CONNECT 2
#define ATTACH  3
#define LOOK    4   /* stands in a queue for all values that wait there */

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

#define COMPONENTS 3
#define DERIVED 3              /* at most so many; they are the nodes 3, 4, 5 */
#define NODES   6
#define NONE    9

/* ---- components ------------------------------------------------------------------------------------------ */
bool busy[COMPONENTS];
chan queue[COMPONENTS] = [6] of { byte, byte, byte };  /* operation, node, value */
byte parent[COMPONENTS] = NONE;     /* the component that this one was united with, for good */
bool drained[COMPONENTS];           /* somebody was inside since then */

/* ---- nodes ------------------------------------------------------------------------------------------ */
byte home[NODES];              /* the component in which the node was made */
byte route[COMPONENTS];             /* where a tap's values go; the tap's root owns it */
byte waiting[COMPONENTS];           /* a tap's value that waits for its turn; 0: none. Under the lock, as the next */
byte waitsAt[COMPONENTS] = NONE;    /* the component in whose list the tap is then */
byte underWay[COMPONENTS];          /* how many of a tap's values were left to others */
byte source1[NODES], source2[NODES];
bool connected[NODES];
byte seen1[NODES], seen2[NODES];  /* a derived node's latest of either tap */

/* ---- what the checker keeps besides ------------------------------------------------------------------ */
bool touched[NODES];           /* some thread is at the node this moment */
byte set[COMPONENTS], fed[COMPONENTS];   /* values of the root, and how many the tap has had */
byte listeners, attached;
byte made;
byte ended;
chan prog[THREADS] = [8] of { byte };

#define touch(n)   assert(!touched[n]); touched[n] = true
#define untouch(n) touched[n] = false

#ifdef DRAINED_WHEN_UNITED
#define united(t) drained[t] = true
#else
#define united(t) skip
#endif
#ifdef CONNECT_PASSES_ONE
#define SECOND_SOURCE false
#else
#define SECOND_SOURCE true
#endif

/* The component in which the node is to be found: drained ones are left out. */
inline findLive(n, t) {
  t = home[n];
  do
#ifdef ATTACH_AT_ROOT
  :: parent[t] != NONE -> t = parent[t]
#else
  :: drained[t] -> t = parent[t]
#endif
  :: else -> break
  od
}

/* Where a new node has to pass before it may act: the first component on the way of either source that
 * has a parent and is not drained; then the last one on the way. */
inline findPassage(n, t, from) {
  from = source1[n];
  t = home[from];
  do
  :: parent[t] == NONE && from == source1[n] && SECOND_SOURCE -> from = source2[n]; t = home[from]
  :: parent[t] == NONE && !(from == source1[n] && SECOND_SOURCE) -> break
  :: parent[t] != NONE && drained[t] -> t = parent[t]
  :: parent[t] != NONE && !drained[t] -> break
  od
}

inline findRoot(n, t) {
  t = home[n];
  do
  :: parent[t] != NONE -> t = parent[t]
  :: else -> break
  od
}

/* Under the lock: the components of two taps become one, either one being the other's parent. */
inline unite(n, a, b) {
  atomic {
    n = COMPONENTS + made;
    made++;
    source1[n] = a;
    source2[n] = b;
    findRoot(a, t);
    findRoot(b, next);
    if
    :: t == next
    :: t != next -> parent[t] = next; home[n] = next; united(t)
    :: t != next -> parent[next] = t; home[n] = t; united(next)
    fi;
    if
    :: t == next -> home[n] = t
    :: else
    fi;
    next = 0
  }
}

/* A value of the tap, and with it of all that is derived from it. */
inline feed() {
  touch(node);
  assert(value > fed[node]);
  fed[node] = value;
  n = COMPONENTS
  do
  :: n == NODES -> break
  :: n < NODES && connected[n] && source1[n] == node ->
     touch(n); touch(source2[n]); seen1[n] = value; n++
  :: n < NODES && connected[n] && source2[n] == node ->
     touch(n); touch(source1[n]); seen2[n] = value; n++
  :: n < NODES && !(connected[n] && (source1[n] == node || source2[n] == node)) -> n++
  od
}

inline fedAll() {
  untouch(node);
  n = COMPONENTS;
  do
  :: n == NODES -> break
  :: n < NODES && connected[n] && (source1[n] == node || source2[n] == node) ->
     untouch(n); untouch(source1[n]); untouch(source2[n]); n++
  :: n < NODES && !(connected[n] && (source1[n] == node || source2[n] == node)) -> n++
  od;
  n = 0
}

inline isListEmpty(at, answer) {
  answer = waitsAt[0] != at && waitsAt[1] != at && waitsAt[2] != at
}

/* Under the lock: the value waits; a later one takes its place. `LOOK` goes into the queue with it. */
inline wait(tap, at) {
  if
  :: waiting[tap] == 0 ->
     underWay[tap]++;
     isListEmpty(at, isFirst);
     waitsAt[tap] = at;
     if
     :: isFirst -> queue[at]!LOOK,0,0
     :: else
     fi;
     isFirst = false
  :: else
  fi
}

inline connect() {
  touch(node); touch(source1[node]); touch(source2[node]);
  seen1[node] = fed[source1[node]];
  seen2[node] = fed[source2[node]];
  connected[node] = true
}

proctype thread(byte me) {
  byte action, operation, node, value, t, next, n;
  bool isFirst;
  byte own = NONE;             /* the tap that this thread feeds */
  byte taken[COMPONENTS];      /* the values of a turn */
  byte held[4], depth;         /* the components this thread is inside of */

again:
  atomic {
    action = 0; operation = 0; node = 0; value = 0; t = 0; next = 0; n = 0; isFirst = false;
    if
    :: prog[me]?action
    :: empty(prog[me]) -> ended++; goto done
    fi
  }
  if
  :: action <= SET2 ->
     atomic {
       operation = FEED; node = action - SET0; set[node]++; value = set[node]; t = route[node];
       own = node;
       /* Straight through, where nobody is, and nothing was left. */
       if
       :: !busy[t] && empty(queue[t]) && parent[t] == NONE ->
          busy[t] = true; held[depth] = t; depth++; goto inside
       :: else
       fi
     }
     atomic {
       wait(node, t);
       waiting[node] = value;
       operation = 0; node = 0; value = 0;
       goto knock
     }
  :: action >= UNITE01 && action <= UNITE20 ->
     if
     :: action == UNITE01 -> unite(node, 0, 1)
     :: action == UNITE12 -> unite(node, 1, 2)
     :: action == UNITE20 -> unite(node, 2, 0)
     fi;
     atomic { operation = CONNECT; findPassage(node, t, next); next = 0 }
  :: action >= LISTEN0 ->
     atomic {
       if
       :: action == LISTEN && made == 0 -> goto again
       :: action == LISTEN && made > 0 -> node = COMPONENTS
       :: action < LISTEN -> node = action - LISTEN0
       fi;
       operation = ATTACH; listeners++
     };
     atomic { findLive(node, t) }
  fi;

submit:
#ifdef LOOK_BEFORE_ENTERING
  next = parent[t];
#endif
  atomic {
    if
    :: busy[t] -> queue[t]!operation,node,value; goto back
    :: else -> busy[t] = true; held[depth] = t; depth++
    fi
  }
  goto inside;
/* What was put into a queue under the lock: whoever is inside has it, or this thread goes in for it. */
knock:
  atomic {
    if
    :: busy[t] || empty(queue[t]) -> goto back
    :: else -> busy[t] = true; held[depth] = t; depth++; goto leave
    fi
  }
inside:
#ifndef LOOK_BEFORE_ENTERING
  next = parent[t];
#endif
  if
  :: operation == LOOK && next != NONE ->
     /* The lock: all of the list goes to the parent's. */
     atomic {
       drained[t] = true;
       isListEmpty(next, isFirst);
       n = 0;
       do
       :: n < COMPONENTS && waitsAt[n] == t -> waitsAt[n] = next; value = 1; n++
       :: n < COMPONENTS && waitsAt[n] != t -> n++
       :: n == COMPONENTS -> break
       od;
       if
       :: isFirst && value == 1 -> queue[next]!LOOK,0,0
       :: else
       fi;
       t = next; next = 0; n = 0; value = 0; isFirst = false
     }
     goto knock
  :: operation == FEED && next != NONE ->
     /* It was free, but is not the one that counts. */
     atomic { wait(node, t); waiting[node] = value; node = 0; value = 0; next = 0; goto leave }
  :: operation != LOOK && operation != FEED && next != NONE ->
     /* Handed on from inside, so what comes later to this component comes later to the next one. */
     atomic {
       drained[t] = true;
       if
       :: operation == CONNECT -> findPassage(node, t, next)
       :: else -> t = parent[t]
       fi;
       next = 0
     }
     goto submit
  :: else
  fi;
  next = 0;
  /* Live. */
  if
  :: operation == LOOK ->
     /* All values that wait here, at one time. */
     atomic {
       node = 0;
       do
       :: node < COMPONENTS && waitsAt[node] == t && waiting[node] != 0 ->
          taken[node] = waiting[node]; waiting[node] = 0; waitsAt[node] = NONE; node++
       :: node < COMPONENTS && !(waitsAt[node] == t && waiting[node] != 0) -> node++
       :: node == COMPONENTS -> break
       od;
       node = 0
     };
     do
     :: node < COMPONENTS && taken[node] != 0 ->
        atomic { value = taken[node]; feed() };
        atomic { fedAll(); taken[node] = 0; underWay[node]--; node++ }
     :: node < COMPONENTS && taken[node] == 0 -> node++
     :: node == COMPONENTS -> node = 0; value = 0; break
     od
  :: operation == FEED -> atomic { feed() }; atomic { fedAll() }
  :: operation == CONNECT ->
     atomic { connect() };
     atomic { untouch(node); untouch(source1[node]); untouch(source2[node]) }
  :: operation == ATTACH -> atomic { touch(node) }; atomic { untouch(node); attached++ }
  fi;
leave:
  atomic {
    t = held[depth - 1];
    if
    :: queue[t]?operation,node,value ->
#ifdef LOOK_BEFORE_ENTERING
       next = parent[t];
#endif
       goto inside
    :: empty(queue[t]) -> busy[t] = false; depth--
    fi
  }
back:
  if
  :: depth > 0 -> goto leave
  :: else
  fi;
  /* Nothing is under way: a shorter route. */
  atomic {
    if
    :: own == NONE
#ifdef ROUTE_ALWAYS_SHORT
    :: own != NONE ->
#else
    :: own != NONE && underWay[own] > 0 -> own = NONE
    :: own != NONE && underWay[own] == 0 ->
#endif
       findLive(own, t); route[own] = t; own = NONE
    fi
  }
  goto again;
done:
  skip
}

init {
  byte i;
  atomic {
    home[1] = 1; home[2] = 2;
    route[1] = 1; route[2] = 2;
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
    assert(attached == listeners);
    do
    :: i < COMPONENTS ->
       assert(empty(queue[i]) && !busy[i] && fed[i] == set[i]);
       assert(!drained[i] || parent[i] != NONE);
       i++
    :: else -> break
    od;
    do
    :: i < COMPONENTS + made ->
       assert(connected[i] && seen1[i] == fed[source1[i]] && seen2[i] == fed[source2[i]]);
       i++
    :: else -> break
    od
  }
}
