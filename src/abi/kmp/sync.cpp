// SPDX-License-Identifier: Apache-2.0
//
// Barriers, flush, master, masked and single of Clang, Flang and Intel's compilers.
#include <atomic>

#include "abi/kmp/layout.h"
#include "omp/thread/thread.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "omp/worksharing/single.h"
#include "omp/worksharing/told.h"

namespace tulle::kmp {
namespace {

omp::tool::SyncKind barrier_kind(const Ident* location) {
  constexpr int32_t kImplicit = 0x40;  // also part of the flags of implicit barriers of sections, single, workshare
  return location && (location->flags & kImplicit) ? omp::tool::SyncKind::barrier_workshare
                                                   : omp::tool::SyncKind::barrier_explicit;
}

int32_t begin_masked(uint32_t number, const void* code) {
  omp::Thread* thread = omp::self_or_attach();
  const bool executes = thread->num == number;
  if (omp::tool::active() && executes) omp::tool::masked(thread, omp::tool::Endpoint::begin, omp::tool::in_program(thread, code));
  return executes;
}

void end_masked(const void* code) {
  if (!omp::tool::active()) return;
  omp::Thread* thread = omp::self();
  omp::tool::masked(thread, omp::tool::Endpoint::end, omp::tool::in_program(thread, code));
}

}  // namespace

TULLE_KMP void __kmpc_barrier(Ident* location, int32_t) {
  omp::meet(barrier_kind(location));
}

// The primary thread goes on when all have arrived, the others when it calls the end.
TULLE_KMP int32_t __kmpc_barrier_master(Ident*, int32_t) {
  omp::Thread* thread = omp::self_or_attach();
  omp::barrier(thread);
  if (thread->num == 0) return 1;
  omp::barrier(thread);
  return 0;
}

TULLE_KMP void __kmpc_end_barrier_master(Ident*, int32_t) { omp::barrier(omp::self_or_attach()); }

TULLE_KMP int32_t __kmpc_barrier_master_nowait(Ident*, int32_t) {
  omp::Thread* thread = omp::self_or_attach();
  omp::barrier(thread);
  return thread->num == 0;
}

TULLE_KMP void __kmpc_flush(Ident*) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (omp::tool::active()) omp::tool::flush(omp::self_or_attach(), __builtin_return_address(0));
}

TULLE_KMP int32_t __kmpc_master(Ident*, int32_t) { return begin_masked(0, __builtin_return_address(0)); }
TULLE_KMP void __kmpc_end_master(Ident*, int32_t) { end_masked(__builtin_return_address(0)); }

TULLE_KMP int32_t __kmpc_masked(Ident*, int32_t, int32_t filter) {
  return begin_masked(static_cast<uint32_t>(filter), __builtin_return_address(0));
}
TULLE_KMP void __kmpc_end_masked(Ident*, int32_t) { end_masked(__builtin_return_address(0)); }

TULLE_KMP int32_t __kmpc_single(Ident*, int32_t) {
  TULLE_CALLED();
  return omp::take_told_single(omp::self_or_attach());
}
TULLE_KMP void __kmpc_end_single(Ident*, int32_t) {
  if (omp::tool::active()) omp::tool::end_work(omp::self());
}

// All threads call it after the single region; `did` on the one that executed it. `copy` assigns
// (to, from). The sender's variables live until the second barrier.
TULLE_KMP void __kmpc_copyprivate(Ident*, int32_t, size_t, void* data,
                                  void (*copy)(void* to, void* from), int32_t did) {
  omp::Thread* thread = omp::self_or_attach();
  if (did)
    omp::send_copyprivate(thread, data);
  else
    copy(data, omp::receive_copyprivate(thread));
  omp::barrier(omp::self());
}

// The caller copies by itself, and has the team meet at a barrier after that. Null on all threads
// but the one that executed the single region.
TULLE_KMP void* __kmpc_copyprivate_light(Ident*, int32_t, void* data) {
  omp::Thread* thread = omp::self_or_attach();
  if (data == nullptr) return omp::receive_copyprivate(thread);
  omp::send_copyprivate(thread, data);
  return data;
}

// Hooks around a scope construct; its clauses are compiled code.
TULLE_KMP void __kmpc_scope(Ident*, int32_t, void*) {}
TULLE_KMP void __kmpc_end_scope(Ident*, int32_t, void*) {}

}  // namespace tulle::kmp
