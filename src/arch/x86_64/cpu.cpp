// SPDX-License-Identifier: Apache-2.0
#include "arch/cpu.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "arch/system_call.h"

namespace tulle::arch {

bool has_fsgsbase = false;

void detect_features() {
  constexpr unsigned long kHwcap2Fsgsbase = 1ul << 1;  // Linux, arch/x86/include/uapi/asm/hwcap2.h
  has_fsgsbase = (getauxval(AT_HWCAP2) & kHwcap2Fsgsbase) != 0;
}

void set_tls_base_by_system_call(uintptr_t base) {
  system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(base));
}

}  // namespace tulle::arch
