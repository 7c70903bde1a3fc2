// SPDX-License-Identifier: Apache-2.0
// CPUs that come and go while the process runs: somebody changes the mask of all its OS threads, or a
// core is switched off, which the kernel takes out of their masks. What counts is the union of the
// masks of the calling OS thread, the initial one and the pool's: a thread that the program binds by
// itself says nothing about the others. With TULLE_SHARE other processes that compute count too.
#include "sched/usable_cpus.h"

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/thread.h"
#include "sched/durations.h"
#include "sched/pool.h"
#include "sched/settings.h"
#include "sched/share.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

std::atomic<uint64_t> next_look{0};  // W: whoever looks next
TULLE_HELD_AT_FORK sync::Spinlock looking;
CpuSet known TULLE_GUARDED_BY(looking);
int usable TULLE_GUARDED_BY(looking) = 1;  // with the quota
os::Peers peers TULLE_GUARDED_BY(looking);

CpuSet granted_cpus() {
  CpuSet all, mask;
  auto add = [&](int kernel_id) {
    if (os::affinity_mask(kernel_id, mask)) all |= mask;
  };
  add(0);
  add(os::process_id());
  int size = pool_size_now();
  for (int i = 1; i <= size; ++i)
    add(pool_worker(i)->kernel_id.load(std::memory_order_relaxed));  // relaxed: set before it worked
  return all;
}

int count_of(const CpuSet& cpus) {
  int count = cpus.count(), quota = os::cpu_quota("").cpus();
  return quota < count ? quota : count;
}

// How many workers there should be; 0: as many as there are.
int wanted_workers(const CpuSet& granted) TULLE_UNDER(looking) {
  bool changed = granted != known;
  if (changed) usable = count_of(granted);
  if (cpus_are_shared) return share_of(usable, peers.look(granted));
  return changed ? usable : 0;
}

// Lets the lock go once it knows what to do: the pool ends and starts without it.
TULLE_COLD void look_at_cpus_locked() TULLE_RELEASES(looking) {
  CpuSet now = granted_cpus();
  int count = wanted_workers(now);
  looking.unlock();
  if (count == 0) return;
  // Another foreign OS thread may be in a region: then some other time.
  if (count != settings().workers && !stop_pool(1, count)) return;
  sync::Guard guard(looking);
  known = now;
}

}  // namespace

void remember_usable_cpus() {
  sync::Guard guard(looking);
  known = granted_cpus();
  usable = settings().workers;
}

void follow_usable_cpus() {
  if (!settings().follows_cpus) return;
  uint64_t time = os::now();
  // Relaxed: at worst two threads look.
  if (time < next_look.load(std::memory_order_relaxed) || !looking.try_lock()) return;
  next_look.store(time + durations::kBetweenLooksAtCpus, std::memory_order_relaxed);
  look_at_cpus_locked();
}

}  // namespace tulle::sched
