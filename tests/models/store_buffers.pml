// SPDX-License-Identifier: Apache-2.0
/* Memory as x86 has it (total store order): each OS thread's stores wait in a buffer of its own, in
 * order; an atomic read-modify-write and a full fence wait until that is empty. A light fence needs no
 * step. heavy_fence is a full one, then membarrier: every thread's buffer is seen empty once. With FALLBACK the kernel
 * has no membarrier, and the hot fence is a full one (os/fence.h).
 * The including file defines THREADS, VARIABLES. */
#define slot(t, v) ((t) * VARIABLES + (v))

byte memory[VARIABLES];
chan buffer[THREADS] = [5] of { byte, byte };
byte pending[THREADS * VARIABLES];  /* stores of a variable in a thread's buffer */
byte newest[THREADS * VARIABLES];   /* the last of them */

active [THREADS] proctype drain() {
  byte v, x;
end:
  do
  :: atomic {
       buffer[_pid]?v,x;
       memory[v] = x;
       pending[slot(_pid, v)]--;
       if
       :: pending[slot(_pid, v)] == 0 -> newest[slot(_pid, v)] = 0
       :: else
       fi;
       v = 0; x = 0
     }
  od
}

/* A thread sees its own stores at once. */
#define seen_by(t, v) (pending[slot(t, v)] > 0 -> newest[slot(t, v)] : memory[v])

inline load(t, v, into) { into = seen_by(t, v) }

inline store(t, v, value) {
  atomic {
    buffer[t]!v,value;
    pending[slot(t, v)]++;
    newest[slot(t, v)] = value
  }
}

inline full_fence(t) { empty(buffer[t]) }

inline exchange(t, v, value, old) {
  atomic { empty(buffer[t]); old = memory[v]; memory[v] = value }
}

inline add(t, v, amount) {
  atomic { empty(buffer[t]); memory[v] = memory[v] + (amount) }
}

inline lock(t, v) {
  atomic { empty(buffer[t]) && memory[v] == 0; memory[v] = 1 }
}

inline unlock(t, v) { store(t, v, 0) }

#ifdef FALLBACK
inline hot_fence(t) { full_fence(t) }
inline heavy_fence(t, i) { full_fence(t) }
#else
inline hot_fence(t) { skip }
inline heavy_fence(t, i) {
  full_fence(t);
  i = 0;
  do
  :: i < THREADS -> empty(buffer[i]); i++
  :: else -> break
  od;
  i = 0
}
#endif
