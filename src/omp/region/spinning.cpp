// SPDX-License-Identifier: Apache-2.0
#include "omp/region/spinning.h"

#include <algorithm>
#include <atomic>

#include "arch/cpu.h"
#include "base/look.h"
#include "omp/region/publish.h"
#include "omp/task/task_wait.h"
#include "omp/thread/asked_size.h"
#include "omp/thread/team.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/poll.h"
#include "sched/sleepers.h"
#include "sched/spares.h"
#include "sched/workers.h"

namespace tulle::omp {

std::atomic<uint32_t> known_spinners{0};

namespace {

constexpr uint32_t kRoom = 64;
constexpr uint32_t kFirstTrust = 64, kMostTrust = 1u << 20;  // regions

// A code that was seen to spin, or to sleep. W: the monitor; `left`: encountering threads too. Relaxed: hints.
struct Spinner {
  std::atomic<const void*> code{nullptr};
  std::atomic<bool> spins{false};  // else it was seen to sleep alone
  bool asks = false;  // for the size of its team, before it spins; W: before it is known to
  std::atomic<uint32_t> left{0};  // regions that it is still trusted to spin in
  uint32_t trust = kFirstTrust;   // how many, when it is seen next
  // How often one after the other gangs of it waited in vain for others, and when last. W: encountering threads.
  std::atomic<uint32_t> waited_in_vain{0};
  std::atomic<uint64_t> in_vain_at{0};
};

// First come first; only ever added.
Spinner spinners[kRoom];

// {gangs that have ended, workers that gangs have been promised}. Relaxed: a hint.
std::atomic<uint64_t> gangs{0};
constexpr uint64_t kOneEnded = uint64_t{1} << 32;

Spinner* find(const void* code) {
  uint32_t known = known_spinners.load(std::memory_order_acquire);  // pairs with note_spinning
  for (uint32_t i = 0; i < known; ++i)
    if (spinners[i].code.load(std::memory_order_relaxed) == code) return &spinners[i];
  return nullptr;
}

Spinner* find_spinning(const void* code) {
  Spinner* spinner = find(code);
  return spinner != nullptr && spinner->spins.load(std::memory_order_acquire) ? spinner : nullptr;  // pairs with note_spinning
}

Spinner* add(const void* code) {
  uint32_t known = known_spinners.load(std::memory_order_relaxed);
  if (known == kRoom) return nullptr;
  spinners[known].code.store(code, std::memory_order_relaxed);
  known_spinners.store(known + 1, std::memory_order_release);
  return &spinners[known];
}

// One region less that the code is trusted in.
bool use_trust(Spinner* spinner) {
  uint32_t left = spinner->left.load(std::memory_order_relaxed);
  if (left == 0) return false;
  spinner->left.store(left - 1, std::memory_order_relaxed);
  return true;
}

uint32_t gangs_ended() { return static_cast<uint32_t>(gangs.load(std::memory_order_relaxed) / kOneEnded); }

bool engage(uint32_t more, uint32_t workers) {
  uint64_t seen = gangs.load(std::memory_order_relaxed);
  while (static_cast<uint32_t>(seen) + more <= workers)
    if (gangs.compare_exchange_weak(seen, seen + more, std::memory_order_relaxed)) return true;
  return false;
}

// A team's wait for other gangs has been in vain. Of many that wait at once one counts: one member without a core holds all of them up.
void note_in_vain(Spinner* spinner, uint64_t now) {
  uint64_t last = spinner->in_vain_at.load(std::memory_order_relaxed);
  if (now - last < sched::durations::kGangsInVain) return;
  if (spinner->in_vain_at.compare_exchange_strong(last, now, std::memory_order_relaxed))
    spinner->waited_in_vain.fetch_add(1, std::memory_order_relaxed);
}

// Members of several teams wait for each other: no gang ends before others have begun.
bool meets_other_teams(const Spinner* spinner) {
  constexpr uint32_t kProof = 4;
  return spinner->waited_in_vain.load(std::memory_order_relaxed) >= kProof;
}

bool all_taken(const Team* team) {
  const sched::Seat* seats = seats_of(team);
  for (uint32_t i = 0; i < seat_count(team); ++i)
    if (seats[i].left() != 0) return false;
  return true;
}

// Where members spin on OS threads of their own already, workers wait for time slices: gangs that give up would add more of these.
uint64_t patience(uint64_t standard, uint64_t beside_spares) {
  return TULLE_UNLIKELY(sched::spares_are_awake()) ? beside_spares : standard;
}

// Waits for a moment.
bool all_come(const Team* team) {
  using namespace sched::durations;
  const uint64_t grace = patience(kGangGrace, kGangGraceBesideSpares);
  sched::workers_wanted.fetch_add(1, std::memory_order_relaxed);
  bool taken = false;
  for (const uint64_t start = os::now(); !taken && os::now() - start < grace;)
    for (int round = 0; !taken && round < 32; ++round) {
      arch::pause();
      taken = all_taken(team);
    }
  sched::workers_wanted.fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

// Null: it is not to be known.
Spinner* known_from_now_on(sched::Entity* entity, uint32_t deepest) {
  // The thread may have gone on since; its record and its team's stay readable.
  Team* team = __atomic_load_n(&static_cast<Thread*>(entity)->team, __ATOMIC_ACQUIRE);  // pairs with add_member
  if (team == nullptr || look(team->nthreads) < 2) return nullptr;
  const uint32_t level = look(team->active_level);
  if (level < 1 || level > deepest) return nullptr;
  // It may have called tasks all the time, which count as no decision.
  if (team->may_reopen.load(std::memory_order_relaxed)) return nullptr;  // relaxed: the monitor looks again
  if (!global_icv().learns.value) return nullptr;
  const void* code = look(team->code);
  Spinner* spinner = find(code);
  if (spinner == nullptr) spinner = add(code);
  if (spinner == nullptr || spinner->left.load(std::memory_order_relaxed) != 0) return spinner;
  spinner->left.store(spinner->trust, std::memory_order_relaxed);
  spinner->waited_in_vain.store(0, std::memory_order_relaxed);
  spinner->trust = std::min(2 * spinner->trust, kMostTrust);
  return spinner;
}

}  // namespace

void note_spinning(sched::Entity* entity) {
  Spinner* spinner = known_from_now_on(entity, UINT32_MAX);
  if (spinner == nullptr || spinner->spins.load(std::memory_order_relaxed)) return;
  spinner->asks = has_asked_size(spinner->code.load(std::memory_order_relaxed));
  spinner->spins.store(true, std::memory_order_release);  // pairs with find_spinning
}

void note_sleeping(sched::Entity* entity) { known_from_now_on(entity, 1); }

bool is_known_to_spin(const Team* team) { return find_spinning(team->code) != nullptr; }

uint32_t size_if_spinning(Thread* outer, const RegionRequest& request, uint32_t n) {
  if (icv_of(outer).sizes_fixed) return n;
  const void* code =
      request.code != nullptr ? request.code : reinterpret_cast<const void*>(request.function);
  const Spinner* spinner = find_spinning(code);
  return spinner != nullptr && spinner->asks ? 1 : n;
}

void start_together_if_spinning(Team* team) {
  Spinner* spinner = find(team->code);
  if (spinner == nullptr || (team->gang != 0 && all_come(team))) return;
  if (use_trust(spinner)) sched::call_spares(team->nthreads - team->seats_used.load(std::memory_order_relaxed), team->crew);
}

void enter_gang(Team* team) {
  using namespace sched::durations;
  Spinner* spinner = find_spinning(team->code);
  const uint32_t workers = static_cast<uint32_t>(sched::workers_now(team->crew)) + 1;
  if (spinner == nullptr || spinner->left.load(std::memory_order_relaxed) == 0 || team->nthreads > workers) return;
  if (TULLE_UNLIKELY(meets_other_teams(spinner))) return;
  // The last of many waits for all others: no longer than they go on.
  const uint64_t start = os::now();
  uint64_t ended_at = start;
  bool waited = false;
  for (uint32_t ended = gangs_ended(); !engage(team->nthreads, workers);) {
    const uint64_t now = os::now();
    const uint32_t ended_now = gangs_ended();
    if (ended_now != ended) ended_at = now;
    ended = ended_now;
    if (now - ended_at > patience(kGangPatience, kGangPatienceBesideSpares) || now - start > kAllGangsPatience) {
      note_in_vain(spinner, now);
      return;
    }
    if (!give_way()) return;
    waited = true;
  }
  if (waited) spinner->waited_in_vain.store(0, std::memory_order_relaxed);
  team->gang = team->nthreads;
}

void leave_gang(Team* team) {
  gangs.fetch_add(kOneEnded - team->gang, std::memory_order_relaxed);
  team->gang = 0;
}

void forget_gangs() {
  gangs.store(0, std::memory_order_relaxed);
  sched::workers_wanted.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::omp
