// SPDX-License-Identifier: Apache-2.0
/* An untied task's ULT, which goes to its team when it is ready: depart and make_ready in
 * src/sched/suspend.cpp, Ult::handshake. It suspends twice, and two workers resume it.
 * It is handed over once for each suspension, and nobody looks at the record of one that runs.
 * mutant NO_HANDSHAKE: its waker hands it over at once
 * mutant BOTH: whoever comes second hands it over, and so does who comes first if it is the waker */
mtype = { departing, departed, ready };
mtype handshake;
bool saved, registered, happened;
byte rounds, running, handed; /* handed: times in the team's list */

/* The record lies in the waiting frame: gone as soon as that runs on. */
inline touch() { assert(saved) }

inline divert() {
  atomic { touch(); assert(handed == 0); handed++ }
}

active [2] proctype worker() {
  mtype seen;
end:
  do
  :: atomic { handed > 0; handed--; assert(saved && running == 0); saved = false; running++ }
     if
     :: rounds == 2 -> running--; break
     :: else
     fi;
     rounds++;
     /* It suspends: on another stack its worker commits and departs. */
     handshake = departing;
     happened = false;
     atomic { running--; saved = true; registered = true }
     atomic { touch(); seen = handshake; handshake = departed }
     if
     :: seen == ready -> divert()
     :: else
     fi
  od
}

active proctype waker() {
  mtype seen;
end:
  do
  :: registered ->
     registered = false;
     happened = true;
#ifdef NO_HANDSHAKE
     divert()
#else
     atomic { touch(); seen = handshake; handshake = ready }
     if
     :: seen == departed -> divert()
#ifdef BOTH
     :: seen == departing -> divert()
#else
     :: else
#endif
     fi
#endif
  od
}

init {
  atomic { saved = true; handed = 1 }
  timeout;
  assert(rounds == 2 && running == 0 && handed == 0 && !saved)
}
