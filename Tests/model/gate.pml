/*
 * The emission gate: Sources/RAC/core/Gate/Gate.swift, Handles.swift, and what Slots.swift does when a slot
 * is given back. README.md says how to read this; scripts/check-model runs it.
 *
 * One slot, which two gates use one after the other. The threads run the programs P0, P1, P2, and
 * inside the first callback they get NEST0, NEST1, NEST2. Every atomic block is one access to memory
 * that others see.
 */

/* ---- enum Word, with fewer bits for the counters ------------------------------------------------- */
#define BUSY      1
#define PENDING   2
#define CLOSING   4
#define PUBLISHED 8
#define FLAGS     15
#define ONE_PIN   16
#define PINS      (7 * 16)
#define ONE_REF   128
#define REFS      (7 * 128)
#define ONE_GEN   1024
#define GEN(w)    ((w) >> 10)
#define HAS(w, f) (((w) & (f)) != 0)

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define SEND_H   1   /* a next by handle 1 */
#define SEND_H2  2   /* a next by the handle of the second gate */
#define DEEP_H   3   /* a next by handle 1 of a thread that is too deep in other gates */
#define SEND     4   /* any operation by way of the core, of which the thread owns a reference */
#define DEEP     5   /* the same by a thread that is too deep in other gates */
#define DROP     6   /* gives back the thread's reference of the core */
#define RELEASE  7   /* gives back a reference of handle 1 */
#define RELEASE2 8
#define RETAIN   9   /* one more reference of handle 1 if it is not stale; then RELEASE */
#define PIN      10  /* a call that uses the object of handle 1, and not its gate */
#define MAKE     11  /* a gate in the slot, if that is free, with handle 2 */
#define WORK     12  /* a worker: carryOnIfParked, as often as one is scheduled */
#define CLOSE    13  /* the end of finalize: the object is told, then let go */
#define GUESS    14  /* a next by handle 2, whether it was made already or not */
#define SEAL     15  /* the library is closed: handle 1 is sealed, and whoever is there waited for */

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
#ifndef NEST2
#define NEST2 0
#endif
/* How many references handle 1 has, and how many threads own the core besides, at the start. */
#ifndef HANDLES
#define HANDLES 1
#endif
#ifndef OWNERS
#define OWNERS 0
#endif
/* Operations of others that a thread delivers before it parks the rest. */
#ifndef PATIENCE
#define PATIENCE 99
#endif

/* ---- memory ---------------------------------------------------------------------------------------- */
int  word;
byte object;                         /* the slot's: the life it belongs to */
chan queue = [5] of { byte, byte };  /* a stack that is taken whole and reversed: a FIFO */
chan parked = [5] of { byte, byte };
bool slotIsFree;
bool isClosed;
bool isQuiet;                        /* nobody was there any more after the seal */
byte parkers;                        /* threads that have yet to schedule a job of theirs, or have one in hand */

/* ---- what the checker keeps besides ----------------------------------------------------------------- */
byte life = 1;          /* which gate lives in the slot; 0: none */
byte lives = 1;
byte arc;               /* strong references of the core; the handle's object counts as one */
byte handle2;           /* the generation of handle 2; 0: not made */
byte inside;            /* threads between entering and leaving */
byte finalized[3];      /* by life */
byte freed[3];
byte posted[THREADS];
byte applied[THREADS];
byte jobs;              /* scheduled carryOnIfParked's */
byte ended;
chan prog[THREADS] = [8] of { byte };

/* Compare-and-swap of the word, inside an atomic block: from w; ok says whether it was done, and w is
   the word then. */
#define CAS(to) if :: word == w -> word = (to); assert(LEGAL(word)); w = word; ok = true :: else -> ok = false; w = word fi
/* A handle is good while it has references, unless it is sealed; afterwards it is closing, while somebody is there. */
#define LEGAL(w) ((HAS(w, PUBLISHED) == HAS(w, REFS) || isClosed && !HAS(w, PUBLISHED)) && (!HAS(w, CLOSING) || !HAS(w, PUBLISHED) && HAS(w, BUSY | PINS)))

#define ENTERED inside++; assert(inside == 1); assert(life == myLife && arc > 0); depth++; entered = w & ~BUSY
#define LEFT    assert(inside == 1); inside--; depth--
#ifdef WITHOUT_PUBLISHED
#define STALE(w) (GEN(w) != gen)
#define IS_FREE(w) (((w) & FLAGS & ~PUBLISHED) == 0)
#else
#define STALE(w) (GEN(w) != gen || !HAS(w, PUBLISHED))
/* What a handle's usual way in expects of the word. */
#define IS_FREE(w) (((w) & FLAGS) == PUBLISHED)
#endif
/* Who releases does not ask whether the handle is sealed. */
#ifdef RELEASE_ASKS_PUBLISHED
#define GONE(w) STALE(w)
#else
#define GONE(w) (GEN(w) != gen || !HAS(w, REFS))
#endif
/* What the closer waits for. */
#ifdef CLOSE_IGNORES_PINS
#define IS_QUIET (!HAS(word, BUSY) && jobs == 0 && parkers == 0)
#else
#ifdef CLOSE_IGNORES_HOLDER
#define IS_QUIET (!HAS(word, PINS) && jobs == 0 && parkers == 0)
#else
#ifdef CLOSE_IGNORES_PARKERS
#define IS_QUIET (!HAS(word, BUSY | PINS) && jobs == 0)
#else
#define IS_QUIET (!HAS(word, BUSY | PINS) && jobs == 0 && parkers == 0)
#endif
#endif
#endif
#ifdef LEAVE_IGNORES_PINS
#define DROPS(w) HAS(w, CLOSING)
#else
#define DROPS(w) (HAS(w, CLOSING) && !HAS(w, PINS))
#endif
#ifdef KEEP_CLOSING
#define CLOSED 0
#else
#define CLOSED CLOSING
#endif
/* Who keeps a gate from being finalised by the last release. */
#ifdef RELEASE_IGNORES_HOLDER
#define IN_USE PINS
#else
#ifdef RELEASE_IGNORES_PINS
#define IN_USE BUSY
#else
#define IN_USE (BUSY | PINS)
#endif
#endif
#ifdef RELEASE_KEEPS_GENERATION
#define NEXT_GEN 0
#else
#define NEXT_GEN ONE_GEN
#endif
/* Who is refused by enter. */
#ifdef ENTER_PARKED
#define TAKEN BUSY
#else
#define TAKEN (BUSY | PENDING)
#endif

/* Whether a job owns the core. */
#ifdef JOB_WITHOUT_CORE
#define JOBS_CORE 0
#else
#define JOBS_CORE 1
#endif

/* What comes after a callback. */
#define THEN_LEAVE 1
#define THEN_DRAIN 2

proctype T(byte id) {
  int  w;           /* the word as last seen */
  int  entered;     /* the word as it was when this thread entered */
  bool ok;
  byte depth;
  byte act;
  byte gen;         /* of the handle that is used; 0: by way of the core */
  byte myLife;      /* the gate that is meant */
  byte seen;        /* the slot's object as read before the last step of an end */
  byte then;
  bool isDeep, pinned, hasQueued, mustClose, closing, parking;
  byte foreign;
  chan taken = [5] of { byte, byte };
  byte from, number;
  bool atWork;
  bool nested, hasNested, outerPinned, outerClosing;
  byte outerAct, outerGen, outerThen, outerLife;

next:
  atomic {
    gen = 0; isDeep = false; w = 0; ok = false; act = 0; myLife = 0; seen = 0;
    from = 0; number = 0; hasQueued = false; foreign = 0; then = 0;
    assert(depth == 0 && !pinned && empty(taken));
    if
    :: mustClose -> mustClose = false; act = CLOSE
    :: !mustClose && nempty(prog[id]) -> prog[id]?act
    :: !mustClose && empty(prog[id]) -> ended++; goto finished
    fi
  }
dispatch:
  atomic {
    if
    :: act == SEND_H -> gen = 1; myLife = 1; goto enterByHandle
    :: act == SEND_H2 && handle2 != 0 -> gen = handle2; myLife = 2; goto enterByHandle
    :: act == GUESS -> gen = 2; myLife = 2; goto enterByHandle
    :: act == DEEP_H -> gen = 1; myLife = 1; isDeep = true; goto enterByHandle
    :: act == SEND -> myLife = 1; goto enter
    :: act == DEEP -> myLife = 1; isDeep = true; goto enter
    :: act == DROP -> goto drop
    :: act == RELEASE -> gen = 1; myLife = 1; goto release
    :: act == RELEASE2 && handle2 != 0 -> gen = handle2; myLife = 2; goto release
    :: (act == SEND_H2 || act == RELEASE2) && handle2 == 0 -> goto done
    :: act == RETAIN -> gen = 1; goto retain
    :: act == PIN -> gen = 1; myLife = 1; goto pin
    :: act == MAKE -> goto make
    :: act == WORK -> goto work
    :: act == SEAL -> gen = 1; goto seal
    :: act == CLOSE -> myLife = life; closing = true; goto enter
    fi
  }

/* ---- Gate.enter(by:) -------------------------------------------------------------------------------- */
enterByHandle:
  atomic { w = word; if :: GEN(w) == gen && IS_FREE(w) && !isDeep :: else -> goto pin fi }
  atomic {
#ifdef NO_GENERATION
    if :: IS_FREE(word) -> word = word | BUSY; w = word; ok = true :: else -> ok = false fi;
#else
    CAS(w | BUSY);
#endif
    if :: ok -> ENTERED; goto direct :: else -> goto pin fi
  }

/* ---- Handles.acquire: keeps the object for the length of the call, which goes by way of the core ------- */
pin:
  atomic { w = word; ok = false }
pinOnce:
  atomic {
    if :: STALE(w) -> goto done :: else fi;
    CAS(w + ONE_PIN);
    if
    :: ok -> pinned = true; assert(life == myLife && object == myLife)
    :: else -> goto pinOnce
    fi
  }
  atomic {
    assert(life == myLife && arc > 0);
    if :: act == PIN -> w = word; goto unpin :: else -> goto enter fi
  }

/* ---- Gate.enter ------------------------------------------------------------------------------------ */
enter:
  atomic {
    assert(life == myLife && arc > 0);
    if :: isDeep -> goto post :: else -> w = word fi
  }
enterOnce:
  atomic {
    if :: HAS(w, TAKEN) -> goto post :: else fi;
    CAS(w | BUSY);
    if :: ok -> ENTERED; goto direct :: else -> goto enterOnce fi
  }

/* ---- inside ------------------------------------------------------------------------------------------ */
direct:
  atomic {
    assert(!nested && life == myLife && arc > 0);
    posted[id]++; applied[id]++;
    assert(posted[id] == applied[id]);  /* later than all that this thread had queued */
    then = THEN_LEAVE
  }
/* The operation was applied; its callback sends, releases ... */
callback:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0);
    assert(!isQuiet || gen == 0 && act != WORK);  /* but by way of the core: a release */
    if
    :: !hasNested && id == 0 && NEST0 != 0 -> outerAct = act; act = NEST0
    :: !hasNested && id == 1 && NEST1 != 0 -> outerAct = act; act = NEST1
    :: !hasNested && id == 2 && NEST2 != 0 -> outerAct = act; act = NEST2
    :: else -> goto called
    fi;
    hasNested = true; nested = true;
    outerPinned = pinned; outerGen = gen; outerThen = then; outerLife = myLife; outerClosing = closing;
    pinned = false; gen = 0; isDeep = false; closing = false;
    goto dispatch
  }
called:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0);
    if
    :: then == THEN_LEAVE -> goto leave
    :: then == THEN_DRAIN -> goto drain
    fi
  }

/* ---- Gate.Hold.leave, from the word as it was entered; Gate.leave --------------------------------------- */
leave:
  atomic {
    hasQueued = false; w = entered | BUSY;
#ifdef LEAVE_BY_STORE
    word = entered; ok = true;
#else
#ifdef LEAVE_BY_AND
    word = word & ~BUSY; ok = true;
#else
    CAS(entered);
#endif
#endif
    entered = 0;
    if :: ok -> LEFT; goto left :: else fi
  }
  atomic { w = word }
leaveOnce:
  atomic {
    if :: HAS(w, PENDING | CLOSING) -> goto carryOn :: else fi;
    CAS(w & ~BUSY);
    if :: ok -> LEFT; goto left :: else -> goto leaveOnce fi
  }

/* ---- Gate.carryOn ---------------------------------------------------------------------------------------- */
carryOn:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0 && empty(taken));
    foreign = 0;
    do
    :: nempty(parked) -> parked?from,number; taken!from,number
    :: empty(parked) -> break
    od;
    from = 0; number = 0
  }
drain:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0);
    if
    :: empty(taken) -> goto carryAgain
    :: nempty(taken) ->
      taken?<from,number>;
      if :: from != id && foreign == PATIENCE -> goto park :: else fi;
      taken?from,number;
      if :: from != id && PATIENCE < 99 -> foreign++ :: else fi;
      applied[from]++; assert(number == applied[from]);
      from = 0; number = 0;
      then = THEN_DRAIN; goto callback
    fi
  }
carryAgain:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0);
    w = word;
    if
    :: hasQueued || HAS(w, PENDING) -> hasQueued = false
    :: else -> goto leaveHeld
    fi
  }
#ifndef CLEAR_PENDING_LATE
  atomic { word = word & ~PENDING }
#endif
  atomic {
    do
    :: nempty(queue) -> queue?from,number; taken!from,number
    :: empty(queue) -> break
    od;
    from = 0; number = 0
  }
#ifdef CLEAR_PENDING_LATE
  atomic { word = word & ~PENDING }
#endif
  goto drain;

/* ---- Gate.leave(word, keeping:): whoever drops the object reads it first ------------------------------------ */
leaveHeld:
  atomic { seen = object }
  atomic {
    if
    :: DROPS(w) -> CAS(w & ~(BUSY | CLOSED)); if :: ok -> LEFT; goto finalize :: else -> goto carryAgain fi
    :: else -> CAS(w & ~BUSY); if :: ok -> LEFT; goto left :: else -> goto carryAgain fi
    fi
  }

/* ---- Gate.park --------------------------------------------------------------------------------------------- */
park:
  atomic {
    from = 0; number = 0;
    do
    :: nempty(taken) -> taken?from,number; parked!from,number
    :: empty(taken) -> break
    od;
    from = 0; number = 0;
    arc = arc + JOBS_CORE;
#ifdef SCHEDULE_EARLY
    jobs++
#else
    parking = true; parkers++
#endif
  }
#ifdef PARK_WITHOUT_PENDING
#define PARKED 0
#else
#define PARKED PENDING
#endif
parkAgain:
  atomic { w = word; seen = object }
  atomic {
    if
    :: DROPS(w) -> CAS((w & ~(BUSY | CLOSED)) | PARKED); if :: ok -> LEFT; goto finalize :: else -> goto parkAgain fi
    :: else -> CAS((w & ~BUSY) | PARKED); if :: ok -> LEFT; goto left :: else -> goto parkAgain fi
    fi
  }

/* ---- Gate.carryOnIfParked: a worker; it ends when nobody can park any more --------------------------------- */
work:
  atomic {
    if
    :: jobs > 0 -> jobs--; parkers++; atWork = true; myLife = life; w = word; prog[id]!WORK
    :: jobs == 0 && ended == THREADS - 1 -> goto done
    fi
  }
workOnce:
  atomic {
    if
#ifdef WORK_IGNORES_HOLDER
    :: HAS(w, PENDING) ->
#else
    :: !HAS(w, BUSY) && HAS(w, PENDING) ->
#endif
      CAS(w | BUSY);
      if :: ok -> ENTERED; entered = 0; hasQueued = true; goto carryOn :: else -> goto workOnce fi
    :: else -> goto left
    fi
  }

/* ---- Gate.post ---------------------------------------------------------------------------------------------- */
post:
  atomic {
    assert(life == myLife && arc > 0);
    posted[id]++;
    queue!id,posted[id]
  }
  atomic { w = word }
postOnce:
  atomic {
    assert(life == myLife && arc > 0);
#ifdef POST_WITHOUT_CAS
    if :: HAS(w, BUSY) -> word = word | PENDING; goto left :: else fi;
#endif
    if
    :: HAS(w, BUSY) -> CAS(w | PENDING); if :: ok -> goto left :: else -> goto postOnce fi
    :: !HAS(w, BUSY) && isDeep ->
      if
      :: HAS(w, PENDING) -> CAS(w); if :: ok -> goto left :: else -> goto postOnce fi
      :: else ->
        CAS(w | PENDING);
#ifdef DEEP_WITHOUT_JOB
        if :: ok -> goto left :: else -> goto postOnce fi
#else
        if :: ok -> arc = arc + JOBS_CORE; jobs++; goto left :: else -> goto postOnce fi
#endif
      fi
    :: !HAS(w, BUSY) && !isDeep ->
      CAS(w | BUSY);
      if :: ok -> assert(!nested); ENTERED; entered = 0; hasQueued = true; goto carryOn :: else -> goto postOnce fi
    fi
  }

/* ---- Handles.release(handle:), retain ------------------------------------------------------------------------- */
release:
  atomic { w = word }
releaseOnce:
  atomic { if :: GONE(w) -> goto done :: else -> seen = object fi }
  atomic {
    if
    :: (w & REFS) != ONE_REF ->
      CAS(w - ONE_REF); if :: ok -> goto done :: else -> goto releaseOnce fi
    :: (w & REFS) == ONE_REF && HAS(w, IN_USE) ->
      CAS((w - ONE_REF + NEXT_GEN + CLOSING) & ~PUBLISHED); if :: ok -> goto done :: else -> goto releaseOnce fi
    :: (w & REFS) == ONE_REF && !HAS(w, IN_USE) ->
      CAS((w - ONE_REF + NEXT_GEN) & ~PUBLISHED); if :: ok -> goto finalize :: else -> goto releaseOnce fi
    fi
  }
retain:
  atomic { w = word }
retainOnce:
  atomic {
    if :: STALE(w) -> goto done :: else fi;
    CAS(w + ONE_REF);
    if :: ok -> assert(life == 1); prog[id]!RELEASE; goto done :: else -> goto retainOnce fi
  }

/* ---- Handles.seal, and what Closing waits for --------------------------------------------------------------- */
seal:
  atomic { isClosed = true; w = word }
sealOnce:
  atomic {
    if :: !HAS(w, PUBLISHED) || GEN(w) != gen -> goto sealed :: else fi;
    if
    :: HAS(w, BUSY) -> CAS((w & ~PUBLISHED) | PENDING); if :: ok -> goto sealed :: else -> goto sealOnce fi
    :: else -> CAS(w & ~PUBLISHED); if :: ok -> goto sealed :: else -> goto sealOnce fi
    fi
  }
sealed:
  atomic { IS_QUIET -> isQuiet = true; goto done }

/* ---- the end of a call ---------------------------------------------------------------------------------------- */
finalize:
  atomic {
    assert(life == myLife && arc > 0 && seen == myLife);
    finalized[myLife]++; assert(finalized[myLife] == 1);
    assert(!mustClose); mustClose = true
  }
left:
  atomic {
    if :: parking -> parking = false; parkers--; jobs++ :: else fi;
    if :: atWork && !nested -> atWork = false; parkers-- :: else fi;
    if
    :: pinned -> w = word; goto unpin
    :: !pinned && !nested && (closing || act == WORK && JOBS_CORE) -> closing = false; goto drop
    :: else -> goto done
    fi
  }
/* Handles.release(slot) */
unpin:
  atomic { assert(life == myLife && HAS(w, PINS)); seen = object }
  atomic {
    if
#ifdef UNPIN_IGNORES_HOLDER
    :: HAS(w, CLOSING) && (w & PINS) == ONE_PIN ->
#else
    :: HAS(w, CLOSING) && !HAS(w, BUSY) && (w & PINS) == ONE_PIN ->
#endif
      CAS((w - ONE_PIN) & ~CLOSED);
      if :: ok -> pinned = false; goto finalize :: else -> goto unpin fi
    :: else ->
      CAS(w - ONE_PIN);
      if :: ok -> pinned = false; goto done :: else -> goto unpin fi
    fi
  }
drop:
  atomic {
    assert(arc > 0);
    arc--;
    if
    :: arc > 0 -> goto done
    :: else -> goto free
    fi
  }
done:
  atomic {
    if
    :: !nested -> goto next
    :: nested ->
      nested = false; then = outerThen; act = outerAct; gen = outerGen; pinned = outerPinned; myLife = outerLife;
      closing = outerClosing;
      outerPinned = false; outerGen = 0; outerAct = 0; outerThen = 0; outerLife = 0; outerClosing = false;
      goto called
    fi
  }

/* ---- Gate.free, Slots.free, and the slot's next gate ---------------------------------------------------------------- */
free:
  atomic {
    assert(inside == 0 && empty(queue) && empty(parked));
    freed[life]++; assert(freed[life] == 1 && finalized[life] == 1);
    life = 0; object = 0;
    w = word;
    assert(!HAS(w, REFS | PINS | PUBLISHED | BUSY | PENDING | CLOSING))
  }
  atomic { slotIsFree = true; goto done }
make:
  atomic {
    if
    :: slotIsFree -> slotIsFree = false; lives++; life = lives; arc = 1; object = life
    :: else -> goto done
    fi
  }
  atomic { word = word + ONE_REF + PUBLISHED; handle2 = GEN(word); goto done }

finished:
  skip
}

init {
  atomic {
    word = ONE_GEN + HANDLES * ONE_REF + PUBLISHED;
    object = 1;
    arc = 1 + OWNERS;
    P0; P1; P2;
    run T(0);
#if THREADS > 1
    run T(1);
#endif
#if THREADS > 2
    run T(2);
#endif
  }
  atomic {
    ended == THREADS;
    assert(empty(queue) && empty(parked) && inside == 0 && jobs == 0);
    assert(!HAS(word, BUSY | PENDING | CLOSING | PINS));
    assert(posted[0] == applied[0]);
#if THREADS > 1
    assert(posted[1] == applied[1]);
#endif
#if THREADS > 2
    assert(posted[2] == applied[2]);
#endif
    assert(isClosed || (HAS(word, REFS) != 0) == HAS(word, PUBLISHED));
    assert(lives == 1 && HAS(word, REFS) || finalized[1] == 1);
    assert(arc == 0 && freed[lives] == 1 || arc > 0 && freed[lives] == 0);
#ifdef ALL_GONE
    assert(life == 0)
#endif
  }
}
