// SPDX-License-Identifier: Apache-2.0
// Simulated cores: contexts that one OS thread carries, each with a clock of its own. The one whose clock is
// behind all others runs, so that what they do to shared memory happens in the order of time.
//
// A core has loads and stores under way. Loads by one instruction overlap, up to the outstanding misses of the
// machine: that is a scan. A load by another instruction waits for those before it, as if each depended on them.
// Stores become visible in order; the core goes on meanwhile.
#pragma once

#include <array>
#include <cstdint>

#include "arch/simulation.h"
#include "coherence/machine.h"

namespace tulle::coherence {

struct Pending {
  uintptr_t line;
  double until;
};

struct Core {
  static constexpr int kMostMisses = 16;

  int number = 0;
  double time = 0;           // ns
  double stores_until = 0;   // when all of them are visible
  const void* instruction = nullptr;  // whose loads are under way
  int loads = 0;
  std::array<Pending, kMostMisses> under_way{};
  std::uint64_t misses = 0;  // so far

  void* context = nullptr;
  bool blocked = false, woken = false;
  const void* word = nullptr;  // that it sleeps on
  std::uint32_t bits = 0;      // its bits there
  std::uint64_t turn = 0;      // of its entries in the queue: the last one holds
  TulleSimulatedWords words;
  void* (*entry)(void*) = nullptr;
  void* argument = nullptr;
};

// Call once, on the OS thread and the stack of core 0.
void begin_cores(const Machine& machine);
const Machine& machine();
bool have_begun();

Core& self();
Core* start_core(void* (*entry)(void*), void* argument);  // null: no more can be had

// Gives way to cores that are behind.
void keep_order();

void wait_for_loads();
void wait_for_load_of(uintptr_t line);
void wait_for_stores();

struct Counts {
  std::uint64_t sleeps, wakes, heavy_fences;
};
const Counts& counts();

}  // namespace tulle::coherence
