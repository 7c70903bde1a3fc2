// SPDX-License-Identifier: Apache-2.0
#include "coherence/cores.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <queue>
#include <vector>

#include "arch/context.h"
#include "coherence/lines.h"

namespace tulle::coherence {
namespace {

constexpr std::size_t kStack = 256 * 1024;
constexpr int kBesideTheMachine = 8;  // OS threads that are no workers, the monitor for one
// ns: into the kernel and back, from a wake-up to the sleeper's next step, a membarrier, which others wait for
constexpr double kSystemCall = 500, kWakeUp = 3000, kHeavyFence = 3000;

struct Turn {
  double time;
  int number;
  std::uint64_t turn;
  bool operator>(const Turn& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

Machine the_machine;
std::vector<std::unique_ptr<Core>> cores;
std::vector<std::unique_ptr<char[]>> stacks;
std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
constinit Core outside;  // before the cores begin: constructors of the program
constinit Core* running = &outside;
double kernel_busy_until;
Counts counted;

void queue_at(Core& core, double time) { turns.push({time, core.number, ++core.turn}); }

Core& next_core() {
  for (;;) {
    if (turns.empty()) {
      std::fputs("coherence: every simulated core sleeps\n", stderr);
      std::exit(3);
    }
    Turn turn = turns.top();
    turns.pop();
    Core& core = *cores[static_cast<std::size_t>(turn.number)];
    if (core.turn != turn.turn) continue;
    core.time = std::max(core.time, turn.time);
    return core;
  }
}

void go_on_with_next() {
  Core* from = running;
  running = &next_core();
  if (running != from) arch::tulle_context_switch(&from->context, running->context, nullptr, nullptr);
}

void run_core(void* argument) {
  auto* core = static_cast<Core*>(argument);
  core->entry(core->argument);
  core->blocked = true;  // for good
  ++core->turn;
  go_on_with_next();
}

Core* new_core() {
  if (cores.size() >= static_cast<std::size_t>(the_machine.cores + kBesideTheMachine)) return nullptr;
  cores.push_back(std::make_unique<Core>());
  Core* core = cores.back().get();
  core->number = static_cast<int>(cores.size()) - 1;
  core->words.block = reinterpret_cast<std::uintptr_t>(&core->words);
  return core;
}

}  // namespace

void begin_cores(const Machine& machine) {
  the_machine = machine;
  the_machine.misses = std::min(machine.misses, Core::kMostMisses);
  running = new_core();
}

const Machine& machine() { return the_machine; }
const Counts& counts() { return counted; }
Core& self() { return *running; }
bool have_begun() { return running != &outside; }

Core* start_core(void* (*entry)(void*), void* argument) {
  Core* core = new_core();
  if (core == nullptr) return nullptr;
  stacks.push_back(std::make_unique<char[]>(kStack));
  auto top = reinterpret_cast<std::uintptr_t>(stacks.back().get() + kStack) & ~std::uintptr_t{63};
  core->entry = entry;
  core->argument = argument;
  core->context = arch::make_context(reinterpret_cast<void*>(top), run_core, core);
  queue_at(*core, running->time);
  return core;
}

void keep_order() {
  if (turns.empty() || turns.top().time >= running->time) return;
  queue_at(*running, running->time);
  go_on_with_next();
}

void wait_for_loads() {
  for (int i = 0; i < running->loads; ++i)
    running->time = std::max(running->time, running->under_way[static_cast<std::size_t>(i)].until);
  running->loads = 0;
}

void wait_for_load_of(std::uintptr_t line) {
  for (int i = 0; i < running->loads; ++i)
    if (running->under_way[static_cast<std::size_t>(i)].line == line) return wait_for_loads();
}

void wait_for_stores() { running->time = std::max(running->time, running->stores_until); }

}  // namespace tulle::coherence

using namespace tulle::coherence;

extern "C" {

void tulle_sim_pause() {
  wait_for_loads();
  self().time += machine().pause;
  keep_order();  // nobody else may have touched so far what is polled
}

void tulle_sim_fence() {
  wait_for_loads();
  wait_for_stores();
  self().time += machine().atomic;
}

std::uint64_t tulle_sim_now() {
  wait_for_loads();
  return static_cast<std::uint64_t>(self().time);
}

void tulle_sim_spend(double nanoseconds) { self().time += nanoseconds; }

int tulle_sim_core() { return self().number; }

// Before the cores begin there is one.
TulleSimulatedShape tulle_sim_shape() {
  if (the_machine.cores == 0) return {1, 1, 1};
  return {the_machine.cores, the_machine.cluster, the_machine.socket};
}

int tulle_sim_start(void* (*entry)(void*), void* argument) {
  tulle_sim_spend(kSystemCall);
  return start_core(entry, argument) != nullptr ? 0 : 1;
}

void tulle_sim_place(const void* address, std::size_t bytes, int socket) {
  tulle_sim_spend(kSystemCall);
  place_pages(address, bytes, socket);
}

TulleSimulatedWords* tulle_sim_words() { return &self().words; }

bool tulle_sim_wait(const void* word, std::uint32_t expected, std::uint64_t nanoseconds, std::uint32_t bits) {
  tulle_sim_fence();
  tulle_sim_spend(kSystemCall);
  keep_order();
  if (*static_cast<const volatile std::uint32_t*>(word) != expected) return true;
  Core& core = self();
  ++counted.sleeps;
  core.blocked = true;
  core.woken = false;
  core.word = word;
  core.bits = bits;
  ++core.turn;  // nothing that was queued holds
  if (nanoseconds != kTulleSimEndless) queue_at(core, core.time + static_cast<double>(nanoseconds));
  go_on_with_next();
  core.blocked = false;
  core.word = nullptr;
  return core.woken;
}

void tulle_sim_wake(const void* word, int count, std::uint32_t bits) {
  tulle_sim_fence();
  tulle_sim_spend(kSystemCall);
  keep_order();
  ++counted.wakes;
  for (auto& core : cores) {
    if (count <= 0) return;
    if (!core->blocked || core->word != word || (core->bits & bits) == 0 || core->woken) continue;
    core->woken = true;
    queue_at(*core, self().time + kWakeUp);
    --count;
  }
}

// The kernel lets one after the other do it.
void tulle_sim_heavy_fence() {
  tulle_sim_fence();
  keep_order();
  ++counted.heavy_fences;
  self().time = std::max(self().time, kernel_busy_until) + kHeavyFence;
  kernel_busy_until = self().time;
}

}  // extern "C"
