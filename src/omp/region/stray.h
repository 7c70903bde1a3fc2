// SPDX-License-Identifier: Apache-2.0
// Regions that are entered on a stack which the program has switched to by itself. Under a host they are its
// guests' (sched/guest.h). Of others the runtime knows no more than that: it says so once, calls nothing on top of
// their frames, and ends the process where one of them is left while another is the current one, or none is on that
// OS thread, for what members of the first still use would be gone.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// The encountering thread's frames leave no room for calls on top. Returns who enters the region: a guest, where
// `outer` is only what else runs on its OS thread. The cached teams are made fit anew.
TULLE_COLD Thread* caller_without_room(Thread* outer);

// Of a team that was made fit: where the region is entered, if it is a stray one or inside of one.
TULLE_COLD void note_stray_slow(Team* team, Thread* outer);
inline void note_stray(Team* team, Thread* outer) {
  team->strayed_at = 0;
  if (TULLE_UNLIKELY(team->apart || outer->team->strayed_at != 0)) note_stray_slow(team, outer);
}

// At the join of a region that may be one of these, or none at all: the frames went on on another OS thread.
TULLE_COLD void expect_own_region(const Team* team);

}  // namespace tulle::omp
