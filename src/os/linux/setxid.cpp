// SPDX-License-Identifier: Apache-2.0
#include "os/errand.h"
#include "os/setxid.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <atomic>

#include "arch/cpu.h"
#include "arch/registers.h"
#include "arch/system_call.h"
#include "os/signal_mask.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

constexpr int kSetXid = 33;  // glibc's SIGSETXID, which sigaction() does not know, and which is never blocked
constexpr int kErrand = 0x7411f;  // in si_errno: the signal is one of ours

// The kernel's structure, whose fields keep what the C library has put there but for the handler, and the mask: a handler
// of the program's that interrupts it would run on the alternate stack, where its thread's frames are not.
struct Action {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

uintptr_t own_block_unknown() { return 0; }

// Relaxed in both: whoever installs the handler writes them before, others write the same again.
std::atomic<uintptr_t (*)()> find_own_block{own_block_unknown};
std::atomic<void (*)(int, siginfo_t*, void*)> handler_of_library{nullptr};
std::atomic<Errand> errand_of_runtime{nullptr};

bool run_errand(const siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || info->si_errno != kErrand) return false;
  auto& interrupted = *static_cast<ucontext_t*>(context);
  auto* mask = reinterpret_cast<uint64_t*>(&interrupted.uc_sigmask);
  // Acquire: pairs with set_errand.
  errand_of_runtime.load(std::memory_order_acquire)(mask, arch::stack_pointer(interrupted));
  return true;
}

void handle(int signal, siginfo_t* info, void* context) {
  if (run_errand(info, context)) return;
  uintptr_t own = find_own_block.load(std::memory_order_relaxed)();
  uintptr_t in_force = arch::tls_base();
  if (own != 0) arch::set_tls_base(own);
  handler_of_library.load(std::memory_order_relaxed)(signal, info, context);
  if (own != 0) arch::set_tls_base(in_force);
}

long action(const Action* wanted, Action* before) {
  return arch::system_call(SYS_rt_sigaction, kSetXid, reinterpret_cast<long>(wanted),
                           reinterpret_cast<long>(before), sizeof(uint64_t));
}

// The C library installs its own with the first pthread.
bool install() {
  Action now{};
  if (action(nullptr, &now) != 0 || now.handler == nullptr) return false;
  if (now.handler == handle) return true;
  handler_of_library.store(now.handler, std::memory_order_relaxed);
  now.handler = handle;
  now.mask = kAllAndErrands;
  return action(&now, nullptr) == 0;
}

}  // namespace

void serve_credential_changes(uintptr_t (*own_block)()) {
  find_own_block.store(own_block, std::memory_order_relaxed);
  install();
}

bool set_errand(Errand errand) {
  errand_of_runtime.store(errand, std::memory_order_release);  // pairs with run_errand
  return install();
}

bool send_errand(int kernel_thread_id) {
  siginfo_t info = {};
  info.si_signo = kSetXid;
  info.si_code = SI_QUEUE;
  info.si_errno = kErrand;
  return arch::system_call(SYS_rt_tgsigqueueinfo, process_id(), kernel_thread_id, kSetXid,
                           reinterpret_cast<long>(&info)) == 0;
}

}  // namespace tulle::os
