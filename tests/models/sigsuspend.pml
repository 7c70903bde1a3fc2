// SPDX-License-Identifier: Apache-2.0
/* A thread waits in sigsuspend(), in a handler that blocks the signal otherwise: member_sigsuspend and take_signal in
 * src/abi/libc/members.cpp, against errands (src/sched/signals.cpp), of which two come: one for the signal, and one that
 * has nothing to give. Errands run between any two steps of the thread, and end a system call. The thread goes on when
 * the signal has been handled, and not before.
 * variant BY_KERNEL: the signal is sent by the kernel, and no errand brings it
 * mutant BY_ERRANDS: it waits in sigsuspend() itself, and goes on if no errand has come meanwhile
 * mutant NO_ERRANDS: the same, and goes on whatever has come
 * mutant NO_LOOK: it does not look whether the signal has been handled
 * mutant OPEN: handlers may begin while the signal is taken */
#if defined(BY_ERRANDS) || defined(NO_ERRANDS)
#define IN_PLACE
#endif

bool pending, in_kernel; /* the signal, where the runtime keeps it, and raised or sent to the OS thread */
bool disturbed;
byte errands, handled;

inline handle_signal() {
  in_kernel = false;
  handled++
}

inline errand() {
  atomic {
    errands--;
    in_kernel = in_kernel || pending;
    pending = false;
    disturbed = true
  }
}

inline maybe_errand() {
  if
  :: errands > 0 -> errand()
  :: true
  fi
}

/* Where both have come the kernel begins with either: the signal's handler, in which the errand interrupts it, or the
 * errand's, after which all are blocked again. */
inline suspend() {
  if
  :: in_kernel ->
     handle_signal();
     maybe_errand()
  :: errands > 0 -> errand()
  fi
}

inline raise_what_is_pending() {
  atomic {
    in_kernel = in_kernel || pending;
    pending = false
  }
}

inline take_signal() {
  do
  :: maybe_errand();
     raise_what_is_pending();
     maybe_errand();
     if
     :: in_kernel ->
        in_kernel = false;
        break
#ifdef OPEN
     :: in_kernel -> handle_signal()
#endif
     :: errands > 0 -> errand()
     fi
  od
}

proctype waiter() {
#ifdef IN_PLACE
  do
  :: disturbed = false;
     raise_what_is_pending();
     suspend();
     maybe_errand();
     if
#ifdef BY_ERRANDS
     :: disturbed && !in_kernel
#endif
     :: in_kernel
     :: else -> break
     fi
  od;
#else
  take_signal();
  maybe_errand();
  in_kernel = true;
  do
  :: suspend();
     maybe_errand();
#ifdef NO_LOOK
     break
#else
     if
     :: in_kernel
     :: else -> break
     fi
#endif
  od;
#endif
  assert(handled == 1)
}

proctype sender() {
#ifdef BY_KERNEL
  in_kernel = true
#else
  pending = true;
  errands++
#endif
}

proctype another() { errands++ }

init {
  atomic {
    run waiter();
    run sender();
    run another()
  }
}
