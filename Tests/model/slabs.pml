/*
 * A slab: Sources/CRACShims/slabs.c, and of caches.c who takes and gives back. README.md says how to
 * read this; scripts/check-model runs it.
 *
 * One slab of a few blocks, which its range gives out again and again. Each thread takes blocks and gives
 * blocks back, its own and others', as often as STEPS says, in every order; then all that is left is given
 * back. Every line outside an atomic block is one access to memory that others see.
 */

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STEPS
#define STEPS 4
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#define WORTH (BLOCKS / 2)   /* so many free ones are worth taking the slab */
#define NOBODY 255
#define NONE   255

/* The word `returned`. */
byte first = NONE
byte count = 0
bool shared = false

byte after[BLOCKS]           /* the links of the lists */
byte owner = NOBODY
byte stock = NONE            /* the owner's list, and how many are not in it */
byte taken = 0

bool listed = false
bool in_range = true         /* empty, and nobody's */
bool used[BLOCKS]            /* given out */
bool locked = false
byte done = 0
bool goes_on = false

inline lock()   { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* rac_slab_range_give: everything has come back, and once. */
inline give_to_range() {
  atomic {
    assert(!in_range && !listed && owner == NOBODY && !shared && count == 0);
    i = 0;
    do
    :: i < BLOCKS -> assert(!used[i]); i++
    :: else -> break
    od;
    in_range = true;
    stock = NONE;
    i = 0
  }
}

inline settle() {
  is_empty = false;
#ifndef WITHOUT_LOCK
  lock();
#endif
  if
#ifdef WITHOUT_LOOK
  :: true ->
#else
  :: shared ->
#endif
     if
     :: atomic { count == BLOCKS -> is_empty = true; listed = false }
        atomic { first = NONE; count = 0; shared = false }
     :: atomic { count < BLOCKS && count >= WORTH -> listed = true }
     :: atomic { count < BLOCKS && count < WORTH -> skip }
     fi
#ifndef WITHOUT_LOOK
  :: else
#endif
  fi;
#ifndef WITHOUT_LOCK
  unlock();
#endif
  if
  :: is_empty -> give_to_range()
  :: else
  fi
}

/* rac_slab_send, of one block. */
inline send(block) {
  do
  :: atomic { seen_first = first; seen_count = count; seen_shared = shared }
     after[block] = (seen_count == 0 -> NONE : seen_first);
     atomic {
       if
       :: first == seen_first && count == seen_count && shared == seen_shared ->
          first = block; count++;
          break
       :: else
       fi
     }
  od;
  if
  :: seen_shared && seen_count + 1 == WORTH -> settle()
#ifndef EMPTY_UNNOTICED
  :: seen_shared && seen_count + 1 == BLOCKS && BLOCKS != WORTH -> settle()
#endif
  :: else
  fi
}

/* Under its owner's eyes only. */
inline gather() {
  if
  :: count > 0 ->
     atomic { got = first; seen_count = count; first = NONE; count = 0 }
     atomic {
       i = got;
       do
       :: after[i] != NONE -> i = after[i]
       :: else -> break
       od;
       after[i] = stock;
       stock = got;
       assert(taken >= seen_count);
       taken = taken - seen_count;
       i = 0
     }
  :: else
  fi
}

inline let_go() {
  owner = NOBODY;
  do
  :: gather();
     if
     :: taken == 0 -> give_to_range(); break
     :: else
     fi;
     atomic {
#ifdef LET_GO_BLINDLY
       if
       :: true ->
#else
       if
       :: count == 0 ->
#endif
          seen_count = BLOCKS - taken;
          first = (seen_count == 0 -> NONE : stock);
          count = seen_count;
          shared = true;
          stock = NONE
       :: else -> seen_count = NONE
       fi
     }
     if
     :: seen_count == NONE
     :: seen_count != NONE && seen_count >= WORTH ->
#ifndef LET_GO_UNLISTED
        settle();
#endif
        break
     :: else -> break
     fi
  od
}

/* rac_slab_find. There may be none; without memory one is taken that is not listed. */
inline find() {
  lock();
  if
  :: listed || shared && count > 0 ->
     listed = false;
     atomic {
       assert(shared && owner == NOBODY);
       stock = first; taken = BLOCKS - count;
       if
       :: count == 0 -> stock = NONE
       :: else
       fi;
       first = NONE; count = 0; shared = false;
     }
     owner = _pid;
     unlock()
  :: atomic { !listed && in_range ->
       assert(first == NONE && count == 0 && !shared);
       in_range = false;
       taken = 0;
       stock = 0;
       i = 0;
       do
       :: i < BLOCKS - 1 -> after[i] = i + 1; i++
       :: else -> break
       od;
       after[BLOCKS - 1] = NONE;
       i = 0
     }
     unlock();
     owner = _pid
  :: else -> unlock()
  fi
}

inline take() {
  if
  :: owner != _pid -> find()
  :: else
  fi;
  if
  :: owner == _pid && stock == NONE ->
     if
     :: count > 0 -> gather()
     :: else -> let_go()
     fi
  :: else
  fi;
  if
  :: atomic { owner == _pid && stock != NONE ->
       mine = stock;
       stock = after[mine];
       taken++;
       assert(!used[mine]);
       used[mine] = true
     }
  :: else
  fi
}

inline give(block) {
  if
  :: atomic { owner == _pid -> after[block] = stock; stock = block; taken-- }
  :: else -> send(block)
  fi
}

/* Some block that is in use, for this thread to give back. */
inline pick() {
  atomic {
    mine = NONE;
    i = 0;
    do
    :: i < BLOCKS && used[i] -> mine = i; used[i] = false; break
    :: i < BLOCKS && (!used[i] || i < BLOCKS - 1 && used[i + 1]) -> i++
    :: i == BLOCKS -> break
    od;
    i = 0
  }
}

proctype worker() {
  byte steps = 0, i = 0, mine = NONE, got = NONE;
  byte seen_first, seen_count;
  bool seen_shared, is_empty;
  do
  :: steps < STEPS ->
     steps++;
     if
     :: take()
     :: pick();
        if
        :: mine != NONE -> give(mine)
        :: else
        fi
     fi
  :: steps == STEPS -> break
  od;
  if
  :: owner == _pid -> let_go()
  :: else
  fi;
  done++;
  /* What nobody gave back. */
  goes_on;
  do
  :: pick();
     if
     :: mine != NONE -> send(mine)
     :: else -> break
     fi
  od;
  done++
}

init {
  byte i = 0;
  atomic {
    do
    :: i < THREADS -> run worker(); i++
    :: else -> break
    od
  }
  done == THREADS;
  /* Whoever needs a slab will find it. */
  assert(!shared || (count >= WORTH) == listed);
  goes_on = true;
  done == 2 * THREADS;
  assert(in_range && !listed && !shared && owner == NOBODY)
}
