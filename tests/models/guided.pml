// SPDX-License-Identifier: Apache-2.0
/* A guided loop of a large team: ChunkNumbers in src/omp/worksharing/guided.cpp. Two clusters of two members each, which take
 * the numbers of chunks from a counter, two at once, and deal them out. Each chunk goes to one member, and each member
 * has its chunks in rising order.
 * variant LONG: a cluster's first member takes one number at a time, its second two
 * mutant UNLOCKED: whoever finds none left adds to the counter before it has the lock
 * mutant KEEPS_REST: whoever takes two keeps the second for itself, and looks at the cluster's first
 * mutant NO_LOCK: members of a cluster deal without the lock
 * mutant LOADS: the counter is read and written, and not added to */
#define MEMBERS 4
#define CLUSTERS 2
#define CHUNKS 5
#define NOTHING 255

byte counter;
bool held[CLUSTERS];
byte next[CLUSTERS], end[CLUSTERS];
byte taken[CHUNKS];
byte through;

inline add_to_counter(from) {
#ifdef LOADS
  from = counter;
  counter = from + at_once;
#else
  atomic { from = counter; counter = counter + at_once }
#endif
}

inline lock_numbers() {
#ifndef NO_LOCK
  atomic { !held[cluster]; held[cluster] = true }
#else
  skip
#endif
}

inline unlock_numbers() { held[cluster] = false }

proctype member(byte number) {
  byte cluster = number / 2, at_once = 2, chunk, last = NOTHING, own = NOTHING;
#ifdef LONG
  at_once = 1 + number % 2;
#endif
  do
  :: true ->
#ifdef UNLOCKED
     if
     :: next[cluster] == end[cluster] ->
        add_to_counter(chunk);
        lock_numbers();
        next[cluster] = chunk;
        end[cluster] = chunk + at_once
     :: else -> lock_numbers()
     fi;
#else
     lock_numbers();
     if
     :: next[cluster] == end[cluster] ->
        add_to_counter(next[cluster]);
        end[cluster] = next[cluster] + at_once
     :: else
     fi;
#endif
#ifdef KEEPS_REST
     /* From the cluster's while it has some; with its last one the own rest is behind. */
     if
     :: own == NOTHING && end[cluster] - next[cluster] == 2 ->
        chunk = next[cluster];
        own = chunk + 1;
        next[cluster] = end[cluster]
     :: else ->
        chunk = next[cluster];
        next[cluster]++;
        if
        :: chunk >= CHUNKS && own != NOTHING -> chunk = own; own = NOTHING
        :: else
        fi
     fi;
#else
     chunk = next[cluster];
     next[cluster]++;
#endif
     unlock_numbers();
     if
     :: chunk >= CHUNKS -> break
     :: else
     fi;
     taken[chunk]++;
     assert(taken[chunk] == 1);
     assert(last == NOTHING || chunk > last);
     last = chunk
  od;
  through++
}

init {
  byte i;
  atomic {
    do
    :: i < MEMBERS -> run member(i); i++
    :: else -> break
    od
  }
  (through == MEMBERS);
  i = 0;
  do
  :: i < CHUNKS -> assert(taken[i] == 1); i++
  :: else -> break
  od
}
