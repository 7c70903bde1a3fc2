// SPDX-License-Identifier: Apache-2.0
#include "os/setxid.h"

#include <signal.h>
#include <sys/syscall.h>

#include "arch/cpu.h"
#include "arch/system_call.h"

namespace tulle::os {

namespace {

constexpr int kSetXid = 33;  // glibc's SIGSETXID, which sigaction() does not know

// The kernel's structure, whose fields keep what the C library has put there but for the handler.
struct Action {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

uintptr_t (*find_own_block)() = nullptr;                // W: before the handler is installed
void (*handler_of_library)(int, siginfo_t*, void*) = nullptr;  // the same

void handle(int signal, siginfo_t* info, void* context) {
  uintptr_t own = find_own_block();
  uintptr_t in_force = arch::tls_base();
  if (own != 0) arch::set_tls_base(own);
  handler_of_library(signal, info, context);
  if (own != 0) arch::set_tls_base(in_force);
}

long action(const Action* wanted, Action* before) {
  return arch::system_call(SYS_rt_sigaction, kSetXid, reinterpret_cast<long>(wanted),
                           reinterpret_cast<long>(before), sizeof(uint64_t));
}

}  // namespace

void serve_credential_changes(uintptr_t (*own_block)()) {
  Action now{};
  if (action(nullptr, &now) != 0 || now.handler == nullptr || now.handler == handle) return;
  find_own_block = own_block;
  handler_of_library = now.handler;
  now.handler = handle;
  action(&now, nullptr);
}

}  // namespace tulle::os
