// SPDX-License-Identifier: Apache-2.0
// The TLS blocks of whole members. Each has one for good.
#pragma once

#include "omp/icv/icv.h"
#include "omp/thread/team.h"
#include "omp/tool/active.h"
#include "omp/tool/tools.h"
#include "ult/identity.h"

namespace tulle::omp {

// Members are whole, by TULLE_TLS, the modules of the program, or a tool, which keeps data at threads.
inline bool carries_thread_locals() {
  TlsMode mode = global_icv().tls.value;
  const bool found = ult::uses_identity();  // which looks for the C++ runtime in any case
  return mode == TlsMode::automatic ? found || (tool::active() && tool::keeps_thread_locals()) : mode == TlsMode::whole;
}

// Before a region of n threads. Returns how many of them have a block: without one a member would see another
// one's data.
TULLE_COLD uint32_t lend_blocks(Team* team, uint32_t n);

}  // namespace tulle::omp
