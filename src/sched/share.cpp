// SPDX-License-Identifier: Apache-2.0
#include "sched/share.h"

#include <algorithm>

namespace tulle::sched {

bool cpus_are_shared = false;

namespace {

// A tenth more than whole cores is what the kernel's accounts are uncertain by.
int cores_of(uint32_t used) { return used < os::kSomeUse ? 0 : std::max(1, static_cast<int>((used + 899) / 1000)); }

}  // namespace

// Those that are content with less than an equal part have it, the most modest first; the others divide what is left.
// Who began first has one more where it does not divide.
int share_of(int cpus, const os::PeersLook& peers) {
  int wanted[os::kMaxPeers], count = 0;
  for (uint32_t i = 0; i < peers.count; ++i)
    if (int cores = cores_of(peers.used[i])) wanted[count++] = cores;
  std::sort(wanted, wanted + count);
  int left = cpus, sharers = count + 1;
  for (int i = 0; i < count && wanted[i] <= left / sharers; ++i, --sharers) left -= wanted[i];
  int share = left / sharers + (static_cast<int>(peers.before) < left % sharers ? 1 : 0);
  return std::max(1, share);
}

}  // namespace tulle::sched
