// SPDX-License-Identifier: Apache-2.0
// The TLS blocks of whole members. A member of an outermost team has one for good. One of a nested team, of which
// no value has to last from region to region (OpenMP 5.2 §5.2), has one while it runs, the one that was used last:
// many members that one worker calls one after the other run under one block, on one stack, in warm caches.
#pragma once

#include "omp/icv/icv.h"
#include "omp/thread/team.h"
#include "omp/tool/active.h"
#include "ult/identity.h"

namespace tulle::omp {

// Members are whole, by TULLE_TLS, the modules of the program, or a tool, which keeps data at threads.
inline bool carries_thread_locals() {
  TlsMode mode = global_icv().tls.value;
  bool found = ult::identity_use() != nullptr;  // which looks for the C++ runtime in any case
  return mode == TlsMode::automatic ? found || tool::active() : mode == TlsMode::whole;
}

// Before a region of n threads. Returns how many of them have a block or will find one.
TULLE_COLD uint32_t lend_blocks(Team* team, uint32_t n);

// A member begins that has no block, in a team that spares them. Without an OS thread for a new one it has none.
TULLE_COLD void borrow_block(Team* team, Thread* member);
// A member has ended whose block is in force nowhere, and nobody runs anything in its name.
TULLE_COLD void return_block(Team* team, Thread* member);

// Of a team whose region is over.
void end_spare_blocks(Team* team);

}  // namespace tulle::omp
