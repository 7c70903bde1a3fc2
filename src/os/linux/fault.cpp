// SPDX-License-Identifier: Apache-2.0
#include "os/fault.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "os/keep_errno.h"

namespace tulle::os {

namespace {

constexpr size_t kAlternate = 32 * 1024;

bool (*answer_fault)(const Fault&) = nullptr;  // W: before the handler is installed

// The instruction faults again when the handler returns: then the default action ends the process.
void handle_fault(int signal, siginfo_t* info, void* context) {
  if (info->si_code > 0) {  // sent by the kernel, not by kill()
    KeepErrno keep;
    const auto& registers = *static_cast<const ucontext_t*>(context);
    if (answer_fault({info->si_addr, arch::stack_pointer(registers),
                      info->si_addr == arch::instruction_pointer(registers)}))
      return;
  }
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (info->si_code <= 0) raise(signal);
}

}  // namespace

void answer_faults(bool (*answer)(const Fault& fault)) {
  KeepErrno keep;
  struct sigaction before;
  if (sigaction(SIGSEGV, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 ||
      before.sa_handler != SIG_DFL)
    return;
  answer_fault = answer;
  struct sigaction ours = {};
  ours.sa_sigaction = handle_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, &ours, nullptr);
}

size_t alternate_stack_size() {
  // The kernel's frame grows with the processor's registers.
  long least = sysconf(_SC_MINSIGSTKSZ);
  size_t frame = least > 0 ? static_cast<size_t>(least) : 0;
  return frame + kAlternate;
}

void set_alternate_stack(void* memory) {
  KeepErrno keep;
  stack_t now;
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  stack_t ours = {};
  ours.ss_sp = memory;
  ours.ss_size = alternate_stack_size();
  sigaltstack(&ours, nullptr);
}

bool lies_on_alternate_stack(const void* address) {
  stack_t used = {};
  arch::system_call(SYS_sigaltstack, 0, reinterpret_cast<long>(&used));
  return (used.ss_flags & SS_DISABLE) == 0 &&
         reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(used.ss_sp) < used.ss_size;
}

void drop_alternate_stack(void* memory) {
  KeepErrno keep;
  stack_t now;
  if (sigaltstack(nullptr, &now) != 0 || now.ss_sp != memory) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

}  // namespace tulle::os
