// SPDX-License-Identifier: Apache-2.0
#include "os/restartable.h"

#include <dlfcn.h>
#include <linux/rseq.h>
#include <stddef.h>
#include <sys/syscall.h>

#include <cstdint>

#include "arch/system_call.h"
#include "arch/cpu.h"

namespace tulle::os {

namespace {

ptrdiff_t area_from_base = 0;  // W: when the library is loaded
bool registered = false;       // the same: the C library does so for each thread

// Since glibc 2.35, and not linked by name: the library is to be loaded by older ones, too. Not at the first
// use: that is in a new thread, while its creator may hold the dynamic linker's lock.
__attribute__((constructor)) void find_area() {
  auto* size = static_cast<const unsigned*>(dlvsym(RTLD_DEFAULT, "__rseq_size", "GLIBC_2.35"));
  auto* offset = static_cast<const ptrdiff_t*>(dlvsym(RTLD_DEFAULT, "__rseq_offset", "GLIBC_2.35"));
  if (size == nullptr || offset == nullptr || *size == 0) return;
  area_from_base = *offset;
  registered = true;
}

}  // namespace

void give_up_restartable_sequences() {
  constexpr long kSignature = 0x53053053;  // glibc's for x86-64
  constexpr long kBytes = 32;              // that glibc registers, also where it says less
  if (!registered) return;
  auto* area = reinterpret_cast<struct rseq*>(arch::tls_base() + static_cast<uintptr_t>(area_from_base));
  if (static_cast<int32_t>(area->cpu_id) < 0) return;  // there are none any more
  arch::system_call(SYS_rseq, reinterpret_cast<long>(area), kBytes, RSEQ_FLAG_UNREGISTER, kSignature);
}

}  // namespace tulle::os
