// SPDX-License-Identifier: Apache-2.0
// Whether anybody in the process can tell OpenMP threads apart by what the C library keeps for each OS
// thread. Then each member of a team is whole: it has the record of an OS thread of its own
// (ult/tls_block.h). Else members are bare. Any thread.
#pragma once

#include <atomic>

#include "base/cacheline.h"
#include "os/modules.h"

namespace tulle::ult {

// What showed it first.
struct IdentityUse {
  char module[64];     // file name, the end of it if it is long
  const char* name;    // of the function that it imports; null: see the reason
  const char* reason;
};

// Null: every module that is loaded is known to be harmless. Looks again only when modules have come
// since; who was whole stays so, for addresses may be held.
const IdentityUse* identity_use();

// Whether there is one, by a few loads where no modules have come since. W: identity_use(), the second after the first.
extern TULLE_NEAR std::atomic<bool> identity_is_used;
extern TULLE_NEAR std::atomic<const link_map*> looked_up_to;
inline bool modules_are_known() {
  const link_map* last = os::last_module();
  return last != nullptr && looked_up_to.load(std::memory_order_acquire) == last;
}
inline bool uses_identity() {
  if (TULLE_LIKELY(modules_are_known())) return identity_is_used.load(std::memory_order_relaxed);
  return identity_use() != nullptr;
}

}  // namespace tulle::ult
