// SPDX-License-Identifier: Apache-2.0
// The CPUs that a process uses where others share them (TULLE_SHARE): an equal part for each that computes, and what
// those leave that use less.
#pragma once

#include "base/cacheline.h"
#include "os/peers.h"

namespace tulle::sched {

// W: before configure().
extern TULLE_NEAR bool cpus_are_shared;

// At least one.
int share_of(int cpus, const os::PeersLook& peers);

}  // namespace tulle::sched
