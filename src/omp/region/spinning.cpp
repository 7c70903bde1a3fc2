// SPDX-License-Identifier: Apache-2.0
#include "omp/region/spinning.h"

#include <algorithm>
#include <atomic>

#include "arch/cpu.h"
#include "omp/thread/asked_size.h"
#include "omp/thread/team.h"
#include "sched/spares.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kRoom = 64;
constexpr uint32_t kFirstTrust = 64, kMostTrust = 1u << 20;  // regions

// A code that was seen to spin. W: the monitor; `left`: encountering threads too. Relaxed: hints.
struct Spinner {
  std::atomic<const void*> code{nullptr};
  bool asks = false;  // for the size of its team, before it spins; W: before it is published
  std::atomic<uint32_t> left{0};  // regions that it is still trusted to spin in
  uint32_t trust = kFirstTrust;   // how many, when it is seen next
};

// First come first; only ever added.
Spinner spinners[kRoom];
std::atomic<uint32_t> count{0};

Spinner* find(const void* code) {
  uint32_t known = count.load(std::memory_order_acquire);  // pairs with note_spinning
  for (uint32_t i = 0; i < known; ++i)
    if (spinners[i].code.load(std::memory_order_relaxed) == code) return &spinners[i];
  return nullptr;
}

Spinner* add(const void* code) {
  uint32_t known = count.load(std::memory_order_relaxed);
  if (known == kRoom) return nullptr;
  spinners[known].code.store(code, std::memory_order_relaxed);
  spinners[known].asks = has_asked_size(code);
  count.store(known + 1, std::memory_order_release);
  return &spinners[known];
}

// One region less that the code is trusted in.
bool use_trust(Spinner* spinner) {
  uint32_t left = spinner->left.load(std::memory_order_relaxed);
  if (left == 0) return false;
  spinner->left.store(left - 1, std::memory_order_relaxed);
  return true;
}

}  // namespace

void note_spinning(sched::Entity* entity) {
  // The thread may have gone on since; its record and its team's stay readable.
  Team* team = static_cast<Thread*>(entity)->team;
  if (team == nullptr || team->active_level < 1 || team->nthreads < 2) return;
  // It may have called tasks all the time, which count as no decision.
  if (team->may_reopen.load(std::memory_order_relaxed)) return;  // relaxed: the monitor looks again
  if (!global_icv().learns.value) return;
  const void* code = team->code;
  Spinner* spinner = find(code);
  if (spinner == nullptr) spinner = add(code);
  if (spinner == nullptr || spinner->left.load(std::memory_order_relaxed) != 0) return;
  spinner->left.store(spinner->trust, std::memory_order_relaxed);
  spinner->trust = std::min(2 * spinner->trust, kMostTrust);
}

bool is_known_to_spin(const Team* team) { return find(team->code) != nullptr; }

uint32_t size_if_spinning(Thread* outer, const RegionRequest& request, uint32_t n) {
  if (count.load(std::memory_order_relaxed) == 0 || icv_of(outer).sizes_fixed) return n;
  const void* code =
      request.code != nullptr ? request.code : reinterpret_cast<const void*>(request.function);
  const Spinner* spinner = find(code);
  return spinner != nullptr && spinner->asks ? 1 : n;
}

void start_together_if_spinning(Team* team) {
  if (TULLE_LIKELY(count.load(std::memory_order_relaxed) == 0)) return;
  Spinner* spinner = find(team->code);
  if (spinner != nullptr && use_trust(spinner))
    sched::call_spares(team->nthreads - team->seats_used.load(std::memory_order_relaxed));
}

}  // namespace tulle::omp
