/*
 * Joining a subject with a memory: Sources/RAC/reactive/Signals/ReplayCore.swift, with what SubjectCore.swift and
 * Scope.swift do for it. README.md says how to read this; scripts/check-model runs it.
 *
 * One subject, whose values are 1, 2, 3 ... in the order in which it stores them, and up to two
 * subscribers, each with a scope of its own. The threads run the programs P0, P1, P2; inside its first
 * callback subscriber 0 does NEST0, subscriber 1 NEST1. A gate is here what gate.pml proves of it: one
 * step in, one step out, a queue in between. Every atomic block is one access to memory that others see.
 */

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define NEXT      1    /* sends a value */
#define END       2    /* sends the end */
#define DROP      3    /* lets go of the subject; the last of OWNERS closes it */
#define SUB0      4    /* subscriber 0 subscribes: attach */
#define SUB1      5
#define DEEP0     6    /* the same by a thread that is too deep in other gates */
#define DEEP1     7
#define DISPOSE0  8    /* its scope is closed, perhaps before it subscribes */
#define DISPOSE1  9
/* ... and what else there is for the gate to apply. */
#define REMOVE    10
#define CLOSE     11

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
#ifndef NEST0
#define NEST0 0
#endif
#ifndef NEST1
#define NEST1 0
#endif
#ifndef OWNERS
#define OWNERS 9
#endif
/* How many values are remembered, and how many there are before anything happens. */
#ifndef CAPACITY
#define CAPACITY 9
#endif
#ifndef INITIAL
#define INITIAL 0
#endif
/* Whether who comes after the end gets it: a replay subject; otherwise a behavior subject. */
#ifdef END_NOT_REPLAYED
#define REPLAYS_END 0
#else
#define REPLAYS_END 1
#endif
/* How often a thread leaves the gate with work undone. */
#ifndef PARKS
#define PARKS 0
#endif
#define WORKER (THREADS + S)

#define S        2         /* subscribers */
#define NOBODY   9
#define THE_END  99        /* among values */
#define BIT(s)   (1 << (s))
#define OLDEST   (stored > CAPACITY -> stored - CAPACITY + 1 : 1)

/* ---- memory ---------------------------------------------------------------------------------------- */
bool held;                          /* the subject's gate */
chan queue = [6] of { byte, byte };
bool locked;                        /* the short lock */
byte stored = INITIAL;              /* the newest value in the store */
bool ended;
byte joining;                       /* a set: who has a snapshot, but no place yet */
byte places;                        /* a set: who is delivered to; only inside the gate */
byte cut;                           /* those of them who missed a value, as disposed */
byte buffered;                      /* those that are delivered to through a ReplayBuffer */
bool bufferHeld[S];                 /* its gate */
chan buffer[S] = [6] of { byte };
bool closed[S];                     /* the subscriber's scope */
bool linked[S];                     /* ... has the sink in it */

/* ---- what the checker keeps besides ----------------------------------------------------------------- */
chan prog[THREADS + S + 1] = [4] of { byte };
byte owners = OWNERS;
byte jobs;                /* scheduled carryOnIfParked's */
byte parks = PARKS;
byte ended_threads;
bool nested[S];           /* whether NEST has begun */
bool returned[S];         /* ... and ended */
byte kept[S];             /* references to the sink: of its scope, of `joining`, the queue, a thread */
bool calling[S];
byte heard[S];            /* the last value */
bool hasEnd[S];
byte before[S];           /* what was stored when it began to subscribe */
bool subscribed[S];
byte owed;                /* a set: those who had subscribed when the end came */
byte storedAtEnd;

#ifdef WITHOUT_LOCK
#define LOCK   skip
#define UNLOCK skip
#else
#define LOCK   atomic { !locked -> locked = true }
#define UNLOCK locked = false
#endif

/* The subscriber's callback: one at a time, each value in its turn, nothing after the end. */
inline call(s, v) {
  atomic {
    assert(!calling[s] && !hasEnd[s]);
    calling[s] = true;
    if
    :: v == THE_END -> hasEnd[s] = true
    :: else ->
      assert(v == heard[s] + 1 || heard[s] == 0 && v <= OLDEST);
      heard[s] = v
    fi;
    if
    :: s == 0 && NEST0 != 0 && !nested[0] || s == 1 && NEST1 != 0 && !nested[1] ->
      nested[s] = true;
      run T(THREADS + s);
      mustWait = true
    :: else
    fi
  }
  if
  :: mustWait -> atomic { returned[s]; mustWait = false }
  :: else
  fi;
  atomic { calling[s] = false }
}

/* ReplayBuffer.apply, inside the buffer's gate. */
inline callIfActive(s, v) {
  if
  :: closed[s]
  :: else -> call(s, v)
  fi
}

/* Leaves the buffer's gate. */
inline leaveBuffer(s) {
  do
  :: atomic { nempty(buffer[s]) -> buffer[s]?v };
    callIfActive(s, v)
  :: atomic { empty(buffer[s]) -> bufferHeld[s] = false; v = 0; break }
  od
}

/* What the subject delivers to somebody in its list. */
inline deliver(s, value) {
  assert(kept[s] > 0);
  if
  :: (buffered & BIT(s)) == 0 -> v = value; call(s, v)
  :: else ->
    atomic {
      if
      :: !bufferHeld[s] -> bufferHeld[s] = true; v = value
      :: else -> buffer[s]!value; v = 0
      fi
    }
    if
    :: v != 0 -> callIfActive(s, v); leaveBuffer(s)
    :: else
    fi
  fi;
  v = 0
}

/* SubjectCore.join */
inline join(s) {
  if
  :: closed[s]
  :: atomic { !closed[s] -> mustJoin = true }
  fi;
  atomic {
    if
    :: mustJoin -> mustJoin = false; places = places | BIT(s)
    :: else
    fi
  }
}

/* joinAll; then the list of newcomers goes. */
inline joinAll() {
  i = 0;
  do
  :: i < S && (newcomers & BIT(i)) -> join(i); atomic { kept[i]--; i++ }
  :: i < S && !(newcomers & BIT(i)) -> i++
  :: i == S -> break
  od;
  atomic { newcomers = 0; i = 0 }
}

inline takeJoining() { atomic { newcomers = joining; joining = 0 } }

/* admit(nil) */
inline admit() {
  LOCK;
  takeJoining();
  UNLOCK;
  joinAll()
}

/* Scope.remove: no-op when whoever closed it is about to let go of the sink. */
inline unlink(s) {
  atomic {
    if
    :: linked[s] && !closed[s] -> linked[s] = false; kept[s]--
    :: else
    fi
  }
}

/* Who comes back to what. */
#define TO_NEXT     0
#define TO_HOLD     1
#define TO_REPLAY   2
#define TO_DISPOSED 3
#define TO_ATTACHED 4

proctype T(byte id) {
  byte op, who = NOBODY, s, i, v, number, from, upTo, newcomers, targets, after;
  bool isDeep, isQueued, isCareful, mustWait, mustJoin, willEnd;

next:
  atomic {
    isDeep = false; isQueued = false; after = TO_NEXT; who = NOBODY; s = 0; op = 0;
    assert(newcomers == 0 && v == 0);
    if
    :: id == WORKER -> goto work
    :: nempty(prog[id]) -> prog[id]?op
    :: empty(prog[id]) && id < WORKER ->
      ended_threads = ended_threads + (id < THREADS -> 1 : 0);
      if :: id >= THREADS -> returned[id - THREADS] = true :: else fi;
      goto finished
    fi;
    if
    :: op == NEXT || op == END -> goto submit
    :: op == DROP -> owners--;
      if :: owners == 0 -> op = CLOSE; goto submit :: else -> goto next fi
    :: op >= SUB0 && op <= DEEP1 -> isDeep = (op >= DEEP0); s = (op - SUB0) & 1; goto attach
    :: op >= DISPOSE0 -> s = op - DISPOSE0; goto dispose
    fi
  }

/* ---- the subject's gate: Core.submit ----------------------------------------------------------------- */
submit:
  atomic {
    if
    :: !held && empty(queue) && !isDeep -> held = true; isCareful = false; goto apply
    :: held || nempty(queue) || isDeep ->
      if :: who != NOBODY -> kept[who]++ :: else fi;
      if
      :: held -> queue!op,who; goto left
      :: !held && isDeep ->
        if :: empty(queue) -> jobs++ :: nempty(queue) fi;
        queue!op,who; goto left
      :: !held && !isDeep -> queue!op,who; held = true; goto carryOn
      fi
    fi
  }
carryOn:
  atomic {
    if
    :: empty(queue) -> held = false; goto left
    :: nempty(queue) && parks > 0 -> parks--; jobs++; held = false; goto left
    :: nempty(queue) -> queue?op,who; isQueued = true; isCareful = true
    fi
  }

/* ---- ReplayCore.apply --------------------------------------------------------------------------------- */
apply:
  if
  :: op == NEXT -> goto applyNext
  :: op == END -> goto applyEnd
  :: op == REMOVE -> goto applyRemove
  :: op == CLOSE -> goto applyClose
  fi;

applyNext:
#ifdef REMEMBER_LATE
  number = stored + 1;
  admit();
#else
#ifdef ADMIT_EARLY
  admit();
#endif
  LOCK;
  stored++;
#ifdef ADMIT_LATE
  UNLOCK;
  LOCK;
#endif
#ifndef ADMIT_EARLY
  takeJoining();
#endif
  UNLOCK;
  number = stored;
  joinAll();
#endif
  /* SubscriberList.deliver, or deliverCarefully */
  i = 0;
  do
  :: i < S && (places & BIT(i)) && !(cut & BIT(i)) ->
    if
    :: isCareful && closed[i] -> cut = cut | BIT(i)
    :: !isCareful || !closed[i] -> deliver(i, number)
    fi;
    atomic { isCareful = isCareful || nempty(queue); i++ }
  :: i < S && (!(places & BIT(i)) || (cut & BIT(i))) -> i++
  :: i == S -> break
  od;
#ifdef REMEMBER_LATE
  LOCK;
  stored++;
  UNLOCK;
#endif
  atomic { i = 0; number = 0; goto applied }

applyEnd:
#ifdef END_LATE
  admit();
#endif
  LOCK;
#ifndef END_LATE
#ifndef END_WITHOUT_ADMIT
  takeJoining();
#endif
#endif
  atomic {
    if :: !ended -> storedAtEnd = stored :: else fi;
    ended = true;
    i = 0;
    do
    :: i < S ->
      if :: subscribed[i] && !hasEnd[i] -> owed = owed | BIT(i) :: else fi;
      i++
    :: else -> break
    od
  }
  UNLOCK;
  joinAll();
  goto letGo;

applyClose:
  admit();

letGo:
  atomic {
    targets = places; places = 0; cut = 0; i = 0;
    do
    :: i < S ->
      if :: targets & BIT(i) -> assert(kept[i] > 0); kept[i]++ :: else fi;
      i++
    :: else -> i = 0; break
    od
  }
  do
  :: i < S && (targets & BIT(i)) ->
    unlink(i);
    if
    :: op == END && !closed[i] -> deliver(i, THE_END)
    :: op != END || closed[i]
    fi;
    atomic { kept[i]--; i++ }
  :: i < S && !(targets & BIT(i)) -> i++
  :: i == S -> break
  od;
  atomic { targets = 0; i = 0; goto applied }

applyRemove:
#ifndef LEAVE_WITHOUT_ADMIT
  admit();
#endif
  atomic { places = places & ~BIT(who); cut = cut & ~BIT(who) }

applied:
  atomic {
    if :: isQueued && who != NOBODY -> kept[who]-- :: else fi;
    isQueued = false; who = NOBODY; isCareful = false; op = 0;
    goto carryOn
  }

left:
  atomic {
    who = NOBODY; isQueued = false; op = 0;
    if
    :: after == TO_NEXT -> goto next
    :: after == TO_HOLD -> after = TO_NEXT; goto hold
    :: after == TO_REPLAY -> after = TO_NEXT; goto replay
    :: after == TO_DISPOSED -> after = TO_NEXT; goto disposed
    :: after == TO_ATTACHED -> after = TO_NEXT; goto attached
    fi
  }

/* ---- ReplayCore.attach ---------------------------------------------------------------------------------- */
attach:
  atomic {
    before[s] = stored;
    kept[s]++;
    if
    :: !held && empty(queue) && !isDeep -> held = true
    :: held || nempty(queue) || isDeep -> buffered = buffered | BIT(s); goto beside
    fi
  }

/* replayInside. The sink goes into its scope; into a closed one: it is disposed at once, which is posted. */
  atomic {
    if
    :: closed[s] -> kept[s]++; queue!REMOVE,s
    :: else -> linked[s] = true; kept[s]++
    fi
  }
  admit();
  from = OLDEST;
  do
  :: from <= stored && !closed[s] -> v = from; call(s, v); atomic { from++; v = 0 }
  :: from > stored || closed[s] -> break
  od;
  atomic { from = 0; willEnd = ended && REPLAYS_END }
  if
  :: closed[s]
  :: !closed[s] && willEnd -> unlink(s); v = THE_END; call(s, v)
  :: !closed[s] && !willEnd -> join(s)
  fi;
  atomic {
    willEnd = false; v = 0; kept[s]--; subscribed[s] = true; after = TO_ATTACHED;
    goto carryOn
  }

/* replayBeside */
beside:
  atomic {
    if
    :: closed[s] -> op = REMOVE; who = s; after = TO_HOLD; goto submit
    :: else -> linked[s] = true; kept[s]++
    fi
  }
hold:
#ifndef WITHOUT_HOLD
  atomic { assert(!bufferHeld[s]); bufferHeld[s] = true }
#endif
#ifdef REGISTER_EARLY
  LOCK;
  if
  :: ended && REPLAYS_END
  :: else -> atomic { joining = joining | BIT(s); kept[s]++; subscribed[s] = true }
  fi;
  UNLOCK;
#endif
  LOCK;
  atomic { from = OLDEST; upTo = stored }
#ifdef SNAPSHOT_APART
  UNLOCK;
  LOCK;
#endif
  atomic {
    willEnd = ended && REPLAYS_END;
#ifndef REGISTER_EARLY
    if
    :: willEnd
    :: else -> joining = joining | BIT(s); kept[s]++
    fi;
#endif
    subscribed[s] = true
  }
  UNLOCK;
#ifndef WITHOUT_SECOND_LOOK
  atomic {
    if
    :: closed[s] -> op = REMOVE; who = s; after = TO_REPLAY; goto submit
    :: else
    fi
  }
#endif
replay:
  do
  :: from <= upTo && !closed[s] -> v = from; call(s, v); atomic { from++; v = 0 }
  :: from <= upTo && closed[s] -> from++
  :: from > upTo -> break
  od;
  atomic { from = 0; upTo = 0 }
  if
  :: willEnd ->
    unlink(s);
    if
    :: closed[s]
    :: else -> v = THE_END; call(s, v); v = 0
    fi;
    willEnd = false
  :: else
  fi;
#ifndef WITHOUT_HOLD
  leaveBuffer(s);
#endif
  kept[s]--;

attached:
  atomic {
    /* The memory was replayed before subscribing returned. */
    assert(closed[s] || heard[s] >= before[s]);
    goto next
  }

/* ---- the end of a subscription: Scope.close ---------------------------------------------------------------- */
dispose:
  atomic {
    if
    :: closed[s] -> goto next
    :: else -> closed[s] = true
    fi;
    if
    :: linked[s] -> op = REMOVE; who = s; after = TO_DISPOSED; goto submit
    :: else -> goto next
    fi
  }
disposed:
  atomic { linked[s] = false; kept[s]--; goto next }

/* ---- a worker: carryOnIfParked, as often as one is scheduled --------------------------------------------- */
work:
end:
  atomic {
    jobs > 0 -> jobs--;
    if
    :: !held && nempty(queue) -> held = true; goto carryOn
    :: held || empty(queue) -> goto next
    fi
  }

finished:
  skip
}

init {
  byte s;
  atomic {
    P0; P1; P2;
    if :: NEST0 != 0 -> prog[THREADS]!NEST0 :: else fi;
    if :: NEST1 != 0 -> prog[THREADS + 1]!NEST1 :: else fi;
    run T(0);
#if THREADS > 1
    run T(1);
#endif
#if THREADS > 2
    run T(2);
#endif
  }
  atomic { run T(WORKER) }
  atomic {
    ended_threads == THREADS && jobs == 0 && !held;
    assert(empty(queue) && !locked);
    s = 0;
    do
    :: s < S ->
      assert(empty(buffer[s]) && !bufferHeld[s] && !calling[s]);
      if
      :: subscribed[s] && !closed[s] && !hasEnd[s] && owners > 0 ->
        assert(heard[s] == stored && kept[s] == 1 + ((joining & BIT(s)) != 0 -> 1 : 0));
        assert(!ended || !REPLAYS_END && !(owed & BIT(s)))
      :: subscribed[s] && !closed[s] && hasEnd[s] ->
        assert(ended && heard[s] >= storedAtEnd && kept[s] == 0)
      :: else ->
        /* Whoever was disposed is kept by nobody; nor is anybody once the subject is gone. */
        assert(kept[s] == 0 && !(joining & BIT(s)) && !(places & BIT(s)))
      fi;
      s++
    :: else -> break
    od
  }
}
