// SPDX-License-Identifier: Apache-2.0
/* Memory as x86 has it (total store order): each OS thread's stores wait in a buffer of its own, in
 * order; an atomic read-modify-write and a full fence wait until that is empty. A light fence needs no
 * step. heavy_fence is a full one, then membarrier: every thread's buffer is seen empty once. With FALLBACK the kernel
 * has no membarrier, and the hot fence is a full one (os/fence.h).
 * With WEAK it is aarch64's memory in what matters to who changes something and then looks: a read-modify-write, too,
 * is a store that waits in the buffer, during which the variable is this thread's, and what is loaded next may be
 * older. A fence after it (arch::fence_after_atomic, nothing on x86) waits. No other reordering is shown.
 * The including file defines THREADS, VARIABLES. */
#define slot(t, v) ((t) * VARIABLES + (v))

byte memory[VARIABLES];
chan buffer[THREADS] = [5] of { byte, byte };
byte pending[THREADS * VARIABLES];  /* stores of a variable in a thread's buffer */
byte newest[THREADS * VARIABLES];   /* the last of them */
#ifdef WEAK
byte owner[VARIABLES];              /* 1 + the thread whose read-modify-write of it is on the way */
byte on_the_way[VARIABLES];         /* stores of it in any buffer */
#endif

active [THREADS] proctype drain() {
  byte v, x;
end:
  do
  :: atomic {
#ifdef WEAK
       buffer[_pid]?<v,x>;
       owner[v] == 0 || owner[v] == _pid + 1;
       on_the_way[v]--;
#endif
       buffer[_pid]?v,x;
       memory[v] = x;
       pending[slot(_pid, v)]--;
       if
       :: pending[slot(_pid, v)] == 0 ->
          newest[slot(_pid, v)] = 0;
#ifdef WEAK
          if
          :: owner[v] == _pid + 1 -> owner[v] = 0
          :: else
          fi
#endif
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
#ifdef WEAK
    on_the_way[v]++;
#endif
    pending[slot(t, v)]++;
    newest[slot(t, v)] = value
  }
}

inline full_fence(t) { empty(buffer[t]) }

#ifdef WEAK
/* value may name old, what was there before. */
inline update(t, v, value, old) {
  atomic {
    on_the_way[v] == pending[slot(t, v)] && nfull(buffer[t]);
    old = seen_by(t, v);
    owner[v] = t + 1;
    store(t, v, value)
  }
}

inline fence_after_atomic(t) { full_fence(t) }

inline lock(t, v) {
  atomic { memory[v] == 0; memory[v] = 1 }
}
#else
inline update(t, v, value, old) {
  atomic { empty(buffer[t]); old = memory[v]; memory[v] = value }
}

inline fence_after_atomic(t) { skip }

inline lock(t, v) {
  atomic { empty(buffer[t]) && memory[v] == 0; memory[v] = 1 }
}
#endif

/* Their users are shown as x86 runs them. */
inline exchange(t, v, value, old) {
  atomic { empty(buffer[t]); old = memory[v]; memory[v] = value }
}

inline add(t, v, amount) {
  atomic { empty(buffer[t]); memory[v] = memory[v] + (amount) }
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
