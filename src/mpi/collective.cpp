// SPDX-License-Identifier: Apache-2.0
// Collectives that are under way in this process. Two threads in collectives of one communicator at once are an
// error of the program (MPI 3.1 section 5.13), which with blocking calls may go unseen: it is said, not mended.
#include <atomic>
#include <cstdint>

#include "entry.h"

namespace tulle::mpi {

namespace {

constexpr int kSlots = 64;
std::atomic<uintptr_t> under_way[kSlots];  // communicators; relaxed: only the message depends on it
std::atomic<bool> said{false};

uintptr_t word_of(MPI_Comm comm) { return static_cast<uintptr_t>((uint64_t)comm) + 1; }  // 0 is free

}  // namespace

// A call that finds its slot taken by another communicator is not looked at.
Collective::Collective(MPI_Comm comm) : slot_(-1) {
  uintptr_t word = word_of(comm);
  int slot = static_cast<int>((word * 0x9E3779B97F4A7C15u) >> 58);
  uintptr_t seen = 0;
  if (under_way[slot].compare_exchange_strong(seen, word, std::memory_order_relaxed))
    slot_ = slot;
  else if (seen == word && !said.exchange(true, std::memory_order_relaxed))
    report("two threads are in collective calls of one communicator at the same time, which MPI does not allow");
}

Collective::~Collective() {
  if (slot_ >= 0) under_way[slot_].store(0, std::memory_order_relaxed);
}

}  // namespace tulle::mpi
