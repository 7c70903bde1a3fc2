// SPDX-License-Identifier: Apache-2.0
#include "ult/tls_block.h"

#include <link.h>
#include <string.h>

#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "arch/current.h"
#include "base/cacheline.h"
#include "os/futex.h"
#include "os/thread.h"
#include "sync/spinlock.h"
#include "ult/exception_state.h"
#include "ult/sanitizer.h"

namespace tulle::ult {

namespace {

enum State : uint32_t { kStarting, kParked, kEnding };

// A caller of pthread_exit under a block unwinds to the frames in which the block's OS thread began,
// and says from there that this ends the process: what that OS thread does meanwhile lies far below.
constexpr size_t kRoomForLastWords = 32 * 1024;

TULLE_NOINLINE void lend(TlsBlock* block) {
  block->state.store(kParked, std::memory_order_release);  // pairs with take_tls_block's load
  os::futex_wake(block->state, 1);
  while (block->state.load(std::memory_order_acquire) != kEnding)  // pairs with give_tls_block
    os::futex_wait(block->state, kParked);
}

void* park(void* argument) {
  auto* block = static_cast<TlsBlock*>(argument);
  block->base = arch::tls_base();
  happens_before(block);  // what the C library initialised
  void* room = __builtin_alloca(kRoomForLastWords);
  asm volatile("" : : "r"(room));
  lend(block);
  happens_after(block);
  free(block);
  // Destructors of thread_local objects run now, as on a pthread that never entered the runtime.
  arch::set_current_pointer(nullptr);
  return nullptr;
}

// The runtimes whose thread-local state the scheduler carries by value or that hold none between
// calls (libudev and libOpenCL come with hwloc, libnuma, libucs and librdmacm with MPI), in which no call
// suspends: a program that has no more than these shares its workers' blocks.
bool is_system_module(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash == nullptr ? path : slash + 1;
  static constexpr const char* kSystem[] = {"libc.so",      "libc-2",     "ld-linux",   "libm.so",
                                            "libstdc++.so", "libgcc_s.so", "libc++.so",
                                            "libc++abi.so", "libudev.so", "libOpenCL.so", "libnuma.so",
                                            "libucs.so",    "librdmacm.so", "libopen-rte.so",
                                            "libmpich.so",  "libmpi.so", "libtulle-mpi"};
  for (const char* prefix : kSystem)
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  return false;
}

// The runtime's own pointer does not count: it is set anew at each switch.
bool is_this_library(const dl_phdr_info* info) {
  auto here = reinterpret_cast<uintptr_t>(&is_system_module);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& segment = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && here >= begin && here < begin + segment.p_memsz) return true;
  }
  return false;
}

int look_at_module(dl_phdr_info* info, size_t, void* argument) {
  if (is_system_module(info->dlpi_name) || is_this_library(info)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_phdr[i].p_memsz != 0)
      *static_cast<bool*>(argument) = true;
  return *static_cast<bool*>(argument) ? 1 : 0;
}

int read_adds(dl_phdr_info* info, size_t, void* argument) {
  *static_cast<unsigned long long*>(argument) = info->dlpi_adds;
  return 1;
}

// The C library does not free its own lock of the list of modules in a child.
TULLE_HELD_AT_FORK sync::Spinlock walking;
std::atomic<unsigned long long> scanned_adds{0};
std::atomic<bool> found_thread_locals{false};

}  // namespace

TlsBlock* take_tls_block() {
  void* memory = malloc(sizeof(TlsBlock));
  if (memory == nullptr) return nullptr;
  auto* block = new (memory) TlsBlock;
  if (os::start_thread(park, block, os::Signals::blocked) != 0) {
    free(memory);
    return nullptr;
  }
  while (block->state.load(std::memory_order_acquire) == kStarting)
    os::futex_wait(block->state, kStarting);
  happens_after(block);
  return block;
}

void give_tls_block(TlsBlock* block) {
  happens_before(block);
  block->state.store(kEnding, std::memory_order_release);  // pairs with park's load
  os::futex_wake(block->state, 1);
}

bool program_has_thread_locals() {
  // Once a program has shown thread-local data it keeps its blocks: addresses may be held.
  if (found_thread_locals.load(std::memory_order_relaxed)) return true;
  sync::Guard guard(walking);
  if (found_thread_locals.load(std::memory_order_relaxed)) return true;  // while we waited
  unsigned long long adds = 0;
  dl_iterate_phdr(read_adds, &adds);
  if (adds == scanned_adds.load(std::memory_order_relaxed)) return false;
  bool found = false;
  dl_iterate_phdr(look_at_module, &found);
  if (found) found_thread_locals.store(true, std::memory_order_relaxed);
  scanned_adds.store(adds, std::memory_order_relaxed);  // a repeated scan finds the same
  find_exception_state();
  return found;
}

}  // namespace tulle::ult
