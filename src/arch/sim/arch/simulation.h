// SPDX-License-Identifier: Apache-2.0
// What the runtime finds in place of a processor and an operating system when it runs on simulated cores
// (tools/coherence). One OS thread carries all of them, one at a time; time passes only where one of these
// functions, or an access to memory, says so. All of them are called on a simulated core.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

void tulle_sim_pause();
void tulle_sim_fence();
uint64_t tulle_sim_now();                    // ns
void tulle_sim_spend(double nanoseconds);
int tulle_sim_core();                        // 0: the one that began
struct TulleSimulatedShape {
  int cores, cluster, socket;  // in all, and in each
};
TulleSimulatedShape tulle_sim_shape();
int tulle_sim_start(void* (*entry)(void*), void* argument);  // 0, or no further core can be had

void tulle_sim_place(const void* address, size_t bytes, int socket);  // the home of these pages from now on

// As the system's futex, of whose sleepers those with one of the bits are woken. False: the time was over.
bool tulle_sim_wait(const void* word, uint32_t expected, uint64_t nanoseconds, uint32_t bits);
void tulle_sim_wake(const void* word, int count, uint32_t bits);
void tulle_sim_heavy_fence();

// What lies in thread-local storage otherwise, of the core at hand.
struct TulleSimulatedWords {
  void* current = nullptr;
  void* lent = nullptr;
  uintptr_t block = 0;  // in force
};
TulleSimulatedWords* tulle_sim_words();

}  // extern "C"

inline constexpr uint64_t kTulleSimEndless = UINT64_MAX;
