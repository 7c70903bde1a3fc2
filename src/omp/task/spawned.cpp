// SPDX-License-Identifier: Apache-2.0
#include "omp/task/spawned.h"

#include "base/create.h"
#include "omp/task/blocking_task.h"
#include "omp/task/task_bare.h"
#include "os/clock.h"
#include "os/futex.h"
#include "os/thread.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

struct Spawned {
  explicit Spawned(const SpawnedBody& what) : body(what) {}
  SpawnedBody body;
  char label[16] = "";
  Task* task = nullptr;  // its handle; W: its thread, before it is listed
  Spawned* next = nullptr;
  Again again = Again::when_unblocked;  // W, R: its own thread, like the next two
  uint64_t argument = 0;
  bool is_called_again = false;
  uint64_t events = 0;                // under the lock
  std::atomic<uint32_t> came{0};      // changes when no events are left
};

TULLE_HELD_AT_FORK sync::Spinlock guarding;
Spawned* all_spawned = nullptr;  // under the lock

Spawned* find_locked(const Task* task) {
  Spawned* spawned = all_spawned;
  while (spawned != nullptr && spawned->task != task) spawned = spawned->next;
  return spawned;
}

template <class Act>
bool with(const Task* task, Act act) {
  sync::Guard guard(guarding);
  Spawned* spawned = find_locked(task);
  if (spawned != nullptr) act(*spawned);
  return spawned != nullptr;
}

void enlist(Spawned* spawned) {
  sync::Guard guard(guarding);
  spawned->next = all_spawned;
  all_spawned = spawned;
}

void delist(Spawned* spawned) {
  sync::Guard guard(guarding);
  Spawned** at = &all_spawned;
  while (*at != spawned) at = &(*at)->next;
  *at = spawned->next;
}

bool has_events(Spawned* spawned) {
  sync::Guard guard(guarding);
  return spawned->events != 0;
}

// `came` is read before the events: what comes between the two changes it.
void wait_for_events(Spawned* spawned) {
  for (;;) {
    uint32_t seen = spawned->came.load(std::memory_order_acquire);
    if (!has_events(spawned)) return;
    os::futex_wait(spawned->came, seen);
  }
}

TULLE_MAY_SUSPEND void wait_to_be_called(Spawned* spawned) {
  switch (spawned->again) {
    case Again::when_unblocked: return block_task(self(), spawned->task);
    case Again::at_once: return static_cast<void>(os::yield_core());
    case Again::after_time: return os::sleep_for(spawned->argument);
    case Again::without_events: return wait_for_events(spawned);
  }
}

TULLE_MAY_SUSPEND void* run(void* memory) {
  auto* spawned = static_cast<Spawned*>(memory);
  if (spawned->label[0] != '\0') os::name_thread(spawned->label);
  spawned->task = recorded_task(self_or_attach());
  enlist(spawned);
  for (;;) {
    spawned->is_called_again = false;
    spawned->body.body(spawned->body.data);
    if (!spawned->is_called_again) break;
    wait_to_be_called(spawned);
  }
  wait_for_events(spawned);
  delist(spawned);
  spawned->body.completed(spawned->body.completed_data);
  destroy(spawned);
  return nullptr;
}

}  // namespace

bool spawn(const SpawnedBody& body, const char* label) {
  auto* spawned = create<Spawned>(body);
  if (spawned == nullptr) return false;
  for (size_t i = 0; label != nullptr && label[i] != '\0' && i + 1 < sizeof spawned->label; ++i)
    spawned->label[i] = label[i];
  if (os::start_thread(run, spawned, os::Signals::blocked, os::kStackOfProgram) == 0) return true;
  destroy(spawned);
  return false;
}

bool set_again(const Task* task, Again again, uint64_t argument) {
  return with(task, [&](Spawned& spawned) {
    spawned.again = again;
    spawned.argument = argument;
  });
}

bool call_again(const Task* task) {
  return with(task, [](Spawned& spawned) { spawned.is_called_again = true; });
}

bool add_spawned_events(const Task* task, uint64_t count) {
  return with(task, [&](Spawned& spawned) { spawned.events += count; });
}

// Under the lock the record is there: its own thread asks for events under it before it goes.
bool drop_spawned_events(const Task* task, uint64_t count) {
  return with(task, [&](Spawned& spawned) {
    spawned.events -= count;
    if (spawned.events != 0) return;
    spawned.came.fetch_add(1, std::memory_order_release);
    os::futex_wake(spawned.came, 1);
  });
}

bool has_spawned_events(const Task* task, bool& has) {
  return with(task, [&](const Spawned& spawned) { has = spawned.events != 0; });
}

}  // namespace tulle::omp
