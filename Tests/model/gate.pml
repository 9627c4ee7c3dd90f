/*
 * The emission gate: Sources/RAC/Memory/Gate.swift, Bias.swift, Handles.swift, and what Slots.swift does
 * when a slot is given back. README.md says how to read this; scripts/check-model runs it.
 *
 * One slot, which two gates use one after the other. The threads run the programs P0, P1, P2, and
 * inside the first callback they get NEST0, NEST1, NEST2. Every atomic block is one access to memory
 * that others see. Plain stores go through the thread's store buffer (TSO): loads may overtake them. A
 * read-modify-write empties the buffer of its thread first, membarrier empties everybody's.
 */

/* ---- enum Word, with fewer bits for the counters ------------------------------------------------- */
#define BUSY      1
#define PENDING   2
#define CLOSING   4
#define BIASED    16
#define REVOKING  32
#define OWNERHELD 64
#define SHARED    128
#define PUBLISHED 256
#define FLAGS     511
#define STATE     255
#define ONE_PIN   512
#define PINS      (7 * 512)
#define ONE_REF   4096
#define REFS      (7 * 4096)
#define ONE_GEN   32768
#define GEN(w)    ((w) >> 15)
#define HAS(w, f) (((w) & (f)) != 0)

/* ---- what a thread can be told to do ------------------------------------------------------------- */
#define SEND_H   1   /* a next by handle 1 */
#define SEND_H2  2   /* a next by the handle of the second gate */
#define SEND     3   /* a next by way of the core, of which the thread owns a reference */
#define SUBMIT   4   /* an add or remove by way of the core: does not claim */
#define FULL     5   /* the same by a thread whose record is full */
#define DEEP     6   /* the same by a thread that is too deep in other gates */
#define DROP     7   /* gives back the thread's reference of the core */
#define RELEASE  8   /* gives back a reference of handle 1 */
#define RELEASE2 9
#define RETAIN   10  /* one more reference of handle 1 if it is not stale; then RELEASE */
#define UNCLAIM  11  /* the create callback has returned */
#define MAKE     12  /* a gate in the slot, if that is free, with handle 2 */
#define WORK     13  /* a worker: carryOnIfParked, if something was parked */
#define EXIT     14  /* the thread ends, its index is free */
#define START    15  /* waits for a free index */
#define CLOSE    16  /* the end of finalize: the object is told, then let go */

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
/* The index of the thread that the gate is biased to at the start; 0: it is unclaimed. */
#ifndef BIASED_TO
#define BIASED_TO 0
#endif
/* Operations of others that a thread delivers before it parks the rest. */
#ifndef PATIENCE
#define PATIENCE 99
#endif

/* ---- memory ---------------------------------------------------------------------------------------- */
int  word;
byte owner;                          /* the index of a thread record, from 1 */
bool holds[THREADS];                 /* by index - 1: whether the record notes the slot */
chan queue = [5] of { byte, byte };  /* a stack that is taken whole and reversed: a FIFO */
chan parked = [5] of { byte, byte };
bool slotIsFree;

/* Store buffers: what, and the value. */
#define ST_HOLD  0  /* index * 2 + whether it holds */
#define ST_OWNER 1
#define ST_WORD  2
#define ST_FREE  3
chan buffer[THREADS] = [3] of { byte, int };

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
byte freeIndex;
byte ended;
chan prog[THREADS] = [8] of { byte };

inline flush(t) {
  d_step {
    buffer[t]?what,value;
    if
    :: what == ST_HOLD -> holds[value / 2 - 1] = value & 1
    :: what == ST_OWNER -> owner = value
    :: what == ST_WORD -> word = value
    :: what == ST_FREE -> slotIsFree = true
    fi;
    what = 0; value = 0
  }
}

active proctype memory() {
  byte what; int value;
end:
  do
  :: nempty(buffer[0]) -> flush(0)
#if THREADS > 1
  :: nempty(buffer[1]) -> flush(1)
#endif
#if THREADS > 2
  :: nempty(buffer[2]) -> flush(2)
#endif
  od
}

/* The beginning of every read-modify-write. */
#define FENCE empty(buffer[id])
/* Compare-and-swap of the word, inside an atomic block: from w; ok says whether it was done, and w is
   the word then. */
#define CAS(to) FENCE; if :: word == w -> word = (to); w = word; ok = true :: else -> ok = false; w = word fi
/* Bias.swift's exchange: out of the bias in one step. */
#define EXCHANGE(flags) CAS((w & ~(BIASED | REVOKING)) | (flags))

#define ENTERED inside++; assert(inside == 1); assert(life == myLife && arc > 0)
#define LEFT    assert(inside == 1); inside--
#define HOLD    nfull(buffer[id]); assert(!held); held = true; buffer[id]!ST_HOLD,(me * 2 + 1)
#define UNHOLD  nfull(buffer[id]); assert(held); held = false; buffer[id]!ST_HOLD,(me * 2)
#define MINE    (owner == me)
#ifdef NO_OWNER_CHECK
#define STILL_MINE true
#else
#define STILL_MINE (owner == me)
#endif
/* What the fast path of a handle expects, with one of BIASED and SHARED. */
#define EXPECTS(w, f) (GEN(w) == gen && ((w) & FLAGS) == ((f) | PUBLISHED))
#define STALE(w) (GEN(w) != gen || !HAS(w, PUBLISHED))

/* Where unbias comes back to. */
#define TO_ENTER 1
#define TO_ENTER_AGAIN 2
#define TO_POST 3
#define TO_POST_AGAIN 4
#define TO_RELEASE 5
#define TO_WORKER 6
/* What comes after a callback. */
#define THEN_LEAVE 1
#define THEN_DRAIN 2

proctype T(byte id) {
  byte me;          /* the index of the thread's record */
  int  w;           /* the word as last seen */
  bool ok;
  bool held;        /* the record's note, as this thread sees it */
  byte depth;
  byte act;
  byte gen;         /* of the handle that is used; 0: by way of the core */
  byte myLife;      /* the gate that is meant */
  byte back;
  byte then;
  byte o;
  bool seen;
  bool isNext, isFull, isDeep, pinned, hasQueued, mustClose, closing;
  byte foreign;
  chan taken = [5] of { byte, byte };
  byte from, number;
  bool parking;
  bool nested, hasNested, outerPinned;
  byte outerAct, outerGen, outerThen, outerLife;

  me = id + 1;

next:
  atomic {
    gen = 0; isNext = false; isFull = false; isDeep = false; w = 0; ok = false; act = 0; myLife = 0;
    from = 0; number = 0; hasQueued = false; foreign = 0; then = 0; back = 0;
    assert(!held && depth == 0 && !pinned && empty(taken));
    if
    :: mustClose -> mustClose = false; act = CLOSE
    :: !mustClose && nempty(prog[id]) -> prog[id]?act
    :: !mustClose && empty(prog[id]) && empty(buffer[id]) -> ended++; goto finished
    fi
  }
dispatch:
  atomic {
    if
    :: act == SEND_H -> gen = 1; isNext = true; myLife = 1; goto nextByHandle
    :: act == SEND_H2 && handle2 != 0 -> gen = handle2; isNext = true; myLife = 2; goto nextByHandle
    :: act == SEND -> isNext = true; myLife = 1; goto enter
    :: act == SUBMIT -> myLife = 1; goto enter
    :: act == FULL -> myLife = 1; isFull = true; goto enter
    :: act == DEEP -> myLife = 1; isDeep = true; goto enter
    :: act == DROP -> goto drop
    :: act == RELEASE -> gen = 1; myLife = 1; goto release
    :: act == RELEASE2 && handle2 != 0 -> gen = handle2; myLife = 2; goto release
    :: (act == SEND_H2 || act == RELEASE2) && handle2 == 0 -> goto done
    :: act == RETAIN -> gen = 1; goto retain
    :: act == UNCLAIM -> myLife = 1; goto unclaim
    :: act == MAKE -> goto make
    :: act == WORK -> goto work
    :: act == EXIT -> FENCE; freeIndex = me; me = 0; goto next
    :: act == START -> freeIndex != 0; me = freeIndex; freeIndex = 0; goto next
    :: act == CLOSE -> myLife = life; closing = true; goto enter
    fi
  }

/* ---- Sending.nextSound, Bias.enterAlone --------------------------------------------------------------------------- */
nextByHandle:
  atomic {
    w = word;
    if
    :: EXPECTS(w, BIASED) && !held -> goto nextByHandleBiased
    :: EXPECTS(w, SHARED) -> goto enterShared
    :: else -> goto pin
    fi
  }
nextByHandleBiased:
  atomic {
    if
    :: MINE -> goto enterByBias
    :: else -> goto pin
    fi
  }
enterShared:
  atomic {
    CAS(w | BUSY);
    if
    :: ok -> depth++; ENTERED; goto direct
    :: else -> goto pin
    fi
  }
/* Border.check: keeps the object for the length of the call, which goes by way of the core. */
pin:
  atomic { w = word; ok = false }
  do
  :: atomic { !ok && STALE(w) -> goto done }
  :: atomic {
      !ok && !STALE(w) ->
      CAS(w + ONE_PIN);
      if :: ok -> pinned = true; assert(life == myLife); goto enter :: else fi
    }
  od;

/* ---- Gate.enter ------------------------------------------------------------------------------------ */
enter:
  atomic {
    assert(life == myLife && arc > 0);
    w = word;
    if
    :: (w & STATE) == BIASED && !held && !isFull -> goto enterOwned
    :: (w & STATE & ~SHARED) == 0 && !isNext && !isDeep -> goto enterFree
    :: else -> goto enterSlowly
    fi
  }
enterOwned:
  atomic {
    if
    :: MINE -> goto enterByBias
    :: else -> goto enterSlowly
    fi
  }

enterFree:
  atomic {
    CAS(w | BUSY);
    if
    :: ok -> depth++; ENTERED; goto direct
    :: else -> goto enterSlowly
    fi
  }

/* ---- Bias.enterByBias: a plain store, a load -------------------------------------------------------- */
enterByBias:
  atomic { HOLD }
  atomic {
#ifndef NO_LOOK_ENTERING
    w = word;
#endif
    if
    :: gen != 0 && !pinned && EXPECTS(w, BIASED) -> ENTERED; goto direct
    :: (gen == 0 || pinned) && (w & STATE) == BIASED -> ENTERED; goto direct
    :: else -> goto resolveEntry
    fi
  }
resolveEntry:
  atomic { w = word; if :: !HAS(w, BIASED | OWNERHELD) -> goto backOut :: else fi }
  atomic {
    if
    :: !STILL_MINE -> goto backOut
#ifdef IGNORE_OWNERHELD_ENTERING
    :: STILL_MINE && HAS(w, OWNERHELD) -> goto backOut
#else
    :: STILL_MINE && HAS(w, OWNERHELD) -> ENTERED; goto direct
#endif
    :: STILL_MINE && !HAS(w, OWNERHELD)
    fi
  }
  atomic {
    EXCHANGE(SHARED | BUSY);
    if
    :: ok -> ENTERED
    :: else -> goto resolveEntry
    fi
  }
  atomic { UNHOLD; depth++; goto direct }
backOut:
  atomic {
    UNHOLD;
    if
    :: gen != 0 && !pinned -> goto pin
    :: else -> goto enterSlowly
    fi
  }

/* ---- Gate.enterSlowly ------------------------------------------------------------------------------ */
enterSlowly:
  atomic {
    if
    :: isDeep -> goto post
    :: isNext && !isDeep -> goto claim
    :: else -> back = TO_ENTER; goto unbias
    fi
  }
claim:
  atomic {
    w = word;
    if
    :: (w & STATE) == 0
    :: else -> back = TO_ENTER; goto unbias
    fi
  }
  atomic {
    FENCE;
    if
    :: owner == 0 -> owner = me
    :: owner == me
    :: else -> back = TO_ENTER; goto unbias
    fi
  }
  atomic { w = word }
claimAgain:
  atomic {
    if
    :: (w & STATE) == 0
    :: else -> back = TO_ENTER; goto unbias
    fi;
    CAS(w | BIASED);
    if
    :: ok -> isNext = false; goto enter   /* claims once a call */
    :: else -> goto claimAgain
    fi
  }
enterAgain:
  atomic { w = word }
enterOnce:
  atomic {
    if
    :: HAS(w, BUSY | PENDING) -> goto post
    :: !HAS(w, BUSY | PENDING) && HAS(w, BIASED) -> back = TO_ENTER_AGAIN; goto unbias
    :: else
    fi;
    if
    :: isNext -> CAS(w | BUSY | SHARED)
    :: else -> CAS(w | BUSY)
    fi;
    if
    :: ok -> depth++; ENTERED; goto direct
    :: else -> goto enterOnce
    fi
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
    if
    :: !hasNested && id == 0 && NEST0 != 0 -> outerAct = act; act = NEST0
    :: !hasNested && id == 1 && NEST1 != 0 -> outerAct = act; act = NEST1
    :: !hasNested && id == 2 && NEST2 != 0 -> outerAct = act; act = NEST2
    :: else -> goto called
    fi;
    hasNested = true; nested = true;
    outerPinned = pinned; outerGen = gen; outerThen = then; outerLife = myLife;
    pinned = false; gen = 0; isNext = false; isFull = false; isDeep = false;
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

/* ---- Gate.leave --------------------------------------------------------------------------------------- */
leave:
  atomic {
    w = word;
    if
    :: (w & STATE) == BIASED -> parking = false; goto leaveByBias
    :: !HAS(w, PENDING | CLOSING | OWNERHELD | BIASED) -> goto leaveShared
    :: else -> hasQueued = false; goto carryOn
    fi
  }
leaveShared:
  atomic {
    CAS(w & ~BUSY);
    if
    :: ok -> LEFT; depth--; goto left
    :: else -> hasQueued = false; goto carryOn
    fi
  }

/* ---- Bias.leaveByBias: a plain store, a load ----------------------------------------------------------- */
leaveByBias:
  atomic { LEFT; UNHOLD }
#ifdef NO_LOOK_LEAVING
  goto left;
#endif
  atomic { w = word; if :: (w & STATE) == BIASED -> goto left :: else fi }
resolveExit:
  atomic { w = word; if :: !HAS(w, BIASED | OWNERHELD) -> goto left :: else fi }
  atomic {
    if
    :: !STILL_MINE -> goto left
#ifdef IGNORE_OWNERHELD_LEAVING
    :: STILL_MINE && HAS(w, OWNERHELD) -> goto left
#else
    :: STILL_MINE && HAS(w, OWNERHELD) ->
      ENTERED; depth++;
      if
      :: parking -> goto parkAgain
      :: !parking -> hasQueued = false; goto carryAgain
      fi
#endif
    :: STILL_MINE && !HAS(w, OWNERHELD | REVOKING) -> goto left
    :: STILL_MINE && !HAS(w, OWNERHELD) && HAS(w, REVOKING)
    fi
  }
  atomic {
    EXCHANGE(SHARED);
    if
    :: ok -> goto left
    :: else -> goto resolveExit
    fi
  }

/* ---- Gate.carryOn ---------------------------------------------------------------------------------------- */
carryOn:
  atomic {
    assert(life == myLife && inside == 1 && arc > 0 && empty(taken));
    foreign = 0; parking = false;
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
      if
      :: from != id && foreign == PATIENCE -> goto park
      :: else
      fi;
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
    :: !hasQueued && !HAS(w, PENDING) && HAS(w, BIASED) -> goto leaveByBias
    :: !hasQueued && !HAS(w, PENDING) && !HAS(w, BIASED) -> goto leaveHeld
    fi
  }
#ifndef CLEAR_PENDING_LATE
  atomic { FENCE; word = word & ~PENDING }
#endif
  atomic {
    FENCE;
    do
    :: nempty(queue) -> queue?from,number; taken!from,number
    :: empty(queue) -> break
    od;
    from = 0; number = 0
  }
#ifdef CLEAR_PENDING_LATE
  atomic { FENCE; word = word & ~PENDING }
#endif
  goto drain;
leaveHeld:
  atomic {
    if
    :: HAS(w, CLOSING) && !HAS(w, PINS) ->
      CAS(w & ~(BUSY | OWNERHELD | CLOSING));
      if :: ok -> LEFT; mustClose = true :: else -> goto carryAgain fi
    :: else ->
#ifdef KEEP_OWNERHELD
      CAS(w & ~BUSY);
#else
      CAS(w & ~(BUSY | OWNERHELD));
#endif
      if :: ok -> LEFT :: else -> goto carryAgain fi
    fi
  }
surface:
  atomic {
    if
    :: held -> UNHOLD
    :: else -> depth--
    fi;
    if
    :: mustClose -> goto finalize
    :: else -> goto left
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
    arc++; parking = true
  }
#ifndef PARK_BIASED
parkShare:
  atomic { w = word; if :: !HAS(w, BIASED) -> goto parkAgain :: else fi }
  atomic { EXCHANGE(SHARED | BUSY | OWNERHELD); if :: ok :: else -> goto parkShare fi }
#endif
parkAgain:
  atomic {
    w = word;
    if
    :: HAS(w, BIASED) -> goto leaveByBias
    :: HAS(w, CLOSING) && !HAS(w, PINS) ->
      CAS((w & ~(BUSY | OWNERHELD | CLOSING)) | PENDING);
      if :: ok -> LEFT; mustClose = true; goto surface :: else -> goto parkAgain fi
    :: else ->
      CAS((w & ~(BUSY | OWNERHELD)) | PENDING);
      if :: ok -> LEFT; goto surface :: else -> goto parkAgain fi
    fi
  }
/* A worker: it ends when nobody can park any more. */
work:
  atomic {
    if
    :: jobs > 0 -> jobs--; myLife = life; w = word; prog[id]!WORK
    :: jobs == 0 && ended == THREADS - 1 -> goto done
    fi
  }
carryOnIfParked:
  atomic {
    if
    :: !HAS(w, BUSY | BIASED) && HAS(w, PENDING) ->
      CAS(w | BUSY);
      if
      :: ok -> ENTERED; depth++; hasQueued = true; goto carryOn
      :: else -> goto carryOnIfParked
      fi
    :: else -> goto left
    fi
  }

/* ---- Gate.post ---------------------------------------------------------------------------------------------- */
post:
  atomic { back = TO_POST; goto unbias }
postOwn:
  atomic { FENCE; posted[id]++; queue!id,posted[id] }
  atomic { FENCE; word = word | PENDING; goto left }
postShared:
  atomic {
    FENCE;
    assert(life == myLife && arc > 0);
    posted[id]++;
    queue!id,posted[id];
    if :: isDeep -> back = TO_WORKER; goto unbias :: else fi
  }
postAgain:
  atomic { w = word }
postOnce:
  atomic {
    assert(life == myLife && arc > 0);
    if
    :: HAS(w, BIASED) -> back = TO_POST_AGAIN; goto unbias
    :: !HAS(w, BIASED) && HAS(w, BUSY) -> CAS(w | PENDING); if :: ok -> goto left :: else fi
    :: !HAS(w, BIASED | BUSY) ->
      CAS(w | BUSY);
      if
      :: ok -> assert(!nested); depth++; ENTERED; hasQueued = true; goto carryOn
      :: else
      fi
    fi;
    goto postOnce
  }
postToWorker:
  atomic {
    w = word;
    if :: HAS(w, BIASED) -> back = TO_WORKER; goto unbias :: else fi
  }
  atomic {
    CAS(w | PENDING);
    if :: ok -> arc++; jobs++; goto left :: else -> goto postToWorker fi
  }

/* ---- Bias.unbias, revoke: the caller keeps the gate alive ------------------------------------------------------- */
unbias:
  atomic {
    w = word;
    if
    :: !HAS(w, BIASED) -> goto unbiased
    :: else
    fi
  }
  atomic {
    if
    :: !MINE && HAS(w, REVOKING) -> goto barrier
    :: !MINE && !HAS(w, REVOKING) -> goto revoke
    :: MINE && held -> goto notUnbiased
    :: MINE && !held
    fi
  }
  atomic { EXCHANGE(SHARED); goto unbias }
revoke:
  atomic {
    CAS(w | REVOKING);
    if
    :: ok
    :: else -> goto unbias
    fi
  }
barrier:
  skip;
#ifndef NO_BARRIER
  empty(buffer[0]);
#if THREADS > 1
  empty(buffer[1]);
#endif
#if THREADS > 2
  empty(buffer[2]);
#endif
#endif
  atomic { o = owner }
  atomic { seen = (o != 0 && holds[o - 1]); o = GEN(w) }
exchange:
  atomic {
    w = word;
    if
    :: !HAS(w, REVOKING) -> o = 0; seen = false; goto unbias
#ifndef NO_GENERATION_CHECK
    :: HAS(w, REVOKING) && GEN(w) != o -> o = 0; seen = false; goto unbias
#endif
    :: else
    fi
  }
  atomic {
#ifdef NO_OWNERHELD
    seen = false;
#endif
    if
    :: seen -> EXCHANGE(SHARED | BUSY | OWNERHELD)
    :: else -> EXCHANGE(SHARED)
    fi;
    if
    :: ok -> o = 0; seen = false; goto unbias
    :: else -> goto exchange
    fi
  }
unbiased:
  atomic {
    if
    :: back == TO_ENTER || back == TO_ENTER_AGAIN -> goto enterAgain
    :: back == TO_POST -> goto postShared
    :: back == TO_POST_AGAIN -> goto postAgain
    :: back == TO_RELEASE -> goto release
    :: back == TO_WORKER -> goto postToWorker
    fi
  }
notUnbiased:
  atomic {
    assert(inside == 1);
    if
    :: back == TO_ENTER -> goto post
    :: back == TO_POST -> goto postOwn
    :: back == TO_RELEASE -> goto share
    :: back == TO_ENTER_AGAIN || back == TO_POST_AGAIN || back == TO_WORKER -> assert(false)
    fi
  }
/* Bias.share by the owner, inside. */
share:
  atomic { w = word; if :: !HAS(w, BIASED) -> goto release :: else fi }
  atomic { EXCHANGE(SHARED | BUSY | OWNERHELD); if :: ok -> goto release :: else -> goto share fi }

/* ---- Handles.release(handle:), retain ------------------------------------------------------------------------- */
release:
  atomic { w = word }
releaseOnce:
  atomic {
    if
    :: STALE(w) -> goto done
    :: !STALE(w) && (w & REFS) != ONE_REF ->
      CAS(w - ONE_REF);
      if :: ok -> goto done :: else -> goto releaseOnce fi
    :: !STALE(w) && (w & REFS) == ONE_REF && HAS(w, BIASED) && !(MINE && !held) ->
#ifdef NO_REVOKE_RELEASING
      skip
#else
      back = TO_RELEASE; goto unbias
#endif
    :: else
    fi;
    if
    :: HAS(w, BUSY | PINS) ->
      CAS(((w - ONE_REF + ONE_GEN - PUBLISHED + CLOSING) & ~(BIASED | REVOKING)) | (HAS(w, BIASED) -> SHARED : 0));
      if :: ok -> goto done :: else -> goto releaseOnce fi
    :: else ->
      CAS(((w - ONE_REF + ONE_GEN - PUBLISHED) & ~(BIASED | REVOKING)) | (HAS(w, BIASED) -> SHARED : 0));
      if :: ok -> goto finalize :: else -> goto releaseOnce fi
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

/* ---- the end of a call ---------------------------------------------------------------------------------------- */
finalize:
  atomic {
    assert(!nested);
    assert(life == myLife && arc > 0);
    finalized[myLife]++; assert(finalized[myLife] == 1);
    mustClose = true
  }
left:
  atomic {
    if :: parking -> parking = false; jobs++ :: else fi;
    if
    :: nested && !pinned -> goto done
    :: pinned -> w = word; goto unpin
    :: !nested && !pinned && (closing || act == WORK) -> closing = false; goto drop
    :: else -> goto done
    fi
  }
/* Handles.release(slot) */
unpin:
  atomic {
    assert(life == myLife && HAS(w, PINS));
    if
    :: HAS(w, CLOSING) && !HAS(w, BUSY) && (w & PINS) == ONE_PIN ->
      CAS((w - ONE_PIN) & ~CLOSING);
      if :: ok -> pinned = false; goto finalize :: else -> goto unpin fi
    :: else ->
      CAS(w - ONE_PIN);
      if :: ok -> pinned = false; goto done :: else -> goto unpin fi
    fi
  }
drop:
  atomic {
    FENCE;
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
      outerPinned = false; outerGen = 0; outerAct = 0; outerThen = 0; outerLife = 0;
      goto called
    fi
  }

/* ---- Gate.free, Slots.free: plain stores ------------------------------------------------------------------------- */
free:
  atomic {
    assert(inside == 0 && empty(queue) && empty(parked));
    freed[life]++; assert(freed[life] == 1 && finalized[life] == 1);
    life = 0;
    w = word;
    assert(!HAS(w, REFS | PINS | PUBLISHED | BUSY | PENDING | CLOSING | OWNERHELD | REVOKING));
    buffer[id]!ST_OWNER,0;
    buffer[id]!ST_WORD,((w & ~(FLAGS | REFS | PINS)) + ONE_GEN);
    buffer[id]!ST_FREE,0
  }
  atomic { FENCE; goto done }
make:
  atomic {
    FENCE;
    if
    :: slotIsFree ->
      assert(owner == 0 && (word & STATE) == 0);
      slotIsFree = false;
      lives++; life = lives; arc = 1;
      word = word + ONE_REF + PUBLISHED; handle2 = GEN(word)
    :: else
    fi;
    goto done
  }

/* ---- Bias.unclaim: the thread keeps the core -------------------------------------------------------------------- */
unclaim:
  atomic { assert(life == myLife && arc > 0 && !held); if :: MINE :: else -> goto done fi }
  atomic { w = word }
unclaimOnce:
  atomic {
    if :: (w & STATE) == BIASED :: else -> goto done fi;
    CAS(w & ~BIASED);
    if :: ok :: else -> goto unclaimOnce fi
  }
  atomic { FENCE; assert(MINE); owner = 0; goto done }

finished:
  skip
}

init {
  atomic {
    word = ONE_GEN + HANDLES * ONE_REF + PUBLISHED;
    if :: BIASED_TO != 0 -> owner = BIASED_TO; word = word | BIASED :: else fi;
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
    assert(!HAS(word, BUSY | PENDING | CLOSING | OWNERHELD | PINS | REVOKING));
    assert(posted[0] == applied[0]);
#if THREADS > 1
    assert(posted[1] == applied[1]);
#endif
#if THREADS > 2
    assert(posted[2] == applied[2]);
#endif
    assert((HAS(word, REFS) != 0) == HAS(word, PUBLISHED));
    assert(lives == 1 && HAS(word, REFS) || finalized[1] == 1);
    assert(arc == 0 && freed[lives] == 1 || arc > 0 && freed[lives] == 0);
#ifdef ALL_GONE
    assert(life == 0)
#endif
  }
}
