// SPDX-License-Identifier: Apache-2.0
// What is done for a thread of which nothing runs, by one that stands above it: a primary thread for the members of
// its team that have ended, a thread for those that its teams keep.
#pragma once

#include "omp/thread/team.h"
#include "sched/enter.h"

namespace tulle::omp::tool {

// Calls function() as `member`, under its TLS block, on top of the frames of `thread`, the calling one.
template <class Function>
void in_name_of(Thread* thread, Thread* member, Function function) {
  sched::Worker* w = thread->worker;
  sched::Frame* frame = thread->frame;
  const sched::Footing footing = sched::footing_of(thread);
  sched::enter(w, member, &member->implicit, {member->tls != 0 ? member->tls : footing.tls, footing.home});
  function();
  sched::enter(w, thread, frame, footing);
}

}  // namespace tulle::omp::tool
