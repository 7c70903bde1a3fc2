// SPDX-License-Identifier: Apache-2.0
#include "sched/guest.h"

#include "os/fence.h"
#include "sched/alarm.h"
#include "sched/enter.h"
#include "sched/host.h"
#include "sched/pool.h"
#include "sched/sleepers.h"
#include "sched/spares.h"
#include "sched/worker.h"

namespace tulle::sched {

namespace {

// Calls may stand on top of a guest's frames where the host tells of its stack, and that is no smaller than what
// others may expect to begin on.
void measure_stack(memory::Stack& stack) {
  void* lowest = nullptr;
  size_t bytes = 0;
  bool known = host().stack != nullptr && host().stack(host().self(), &lowest, &bytes) != 0;
  stack.lowest = nullptr;
  bool large = known && bytes >= memory::stack_size() / 2;
  stack.middle = large ? reinterpret_cast<uintptr_t>(lowest) + bytes / 2 : UINTPTR_MAX;
  stack.room = 0;  // for members; tasks look at the middle alone
}

// 1: the OS thread that the guest runs on is a spare's, which a member of a region made the host's.
uint32_t carried_by_spare() {
  Entity* beside = current_of_os_thread();
  return beside != nullptr && beside->worker->kind == WorkerKind::spare;
}

}  // namespace

void begin_guest(Worker* w, Entity* root, Frame* frame) {
  set_looked_at(w->guests, Guests::itself);
  w->enters_plainly = false;
  w->forks = forks_so_far();
  w->own_tls = 0;
  follow_guest(w);
  measure_stack(w->native_stack);
  w->stack = &w->native_stack;
  set_looked_at(w->root, root);
  root->tls = 0;  // that of whichever OS thread runs it
  root->begin_call();
  enter(w, root, frame, {w->tls, w});
  host().set(w);
}

void end_guest(Worker* w) {
  host().set(nullptr);
  give_guest(w);
}

void sleep_as_guest(Worker* w) {
  // Relaxed: the monitor looks again.
  if (start_pool() == 0 && stand_ins.spares.load(std::memory_order_relaxed) <= carried_by_spare()) call_spares(1, nullptr);
  w->waiter = host().waiter();
  set_looked_at(w->bed, Bed::host);
  w->asleep.store(kAsleep, std::memory_order_release);  // pairs with claim
  os::heavy_fence();
  if (w->queue.has_entities()) wake(w);
  host().wait(w->waiter);
  note_awake();
}

}  // namespace tulle::sched
