// SPDX-License-Identifier: Apache-2.0
#include "sched/memory_nodes.h"

#include <atomic>
#include <cstdlib>

#include "memory/stack_pool.h"
#include "os/memory.h"
#include "os/pages.h"
#include "sched/clusters.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"

namespace tulle::sched {

namespace {

// Fewer find theirs on the node where the program began, or near it, and to look costs system calls at each start.
constexpr int kFewWorkers = 4;
constexpr size_t kBlock = size_t{64} << 10;  // from which memory of one node is taken
constexpr int kMostNodes = 64;               // others come from where they are touched

std::atomic<bool> several{false};  // W: find_memory_nodes; relaxed: who looks too early places nothing

struct Block {
  char* next = nullptr;
  char* end = nullptr;
};
TULLE_HELD_AT_FORK sync::Spinlock lock;
Block blocks[kMostNodes] TULLE_GUARDED_BY(lock);

char* aligned(char* address, size_t alignment) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return address + ((alignment - at % alignment) % alignment);
}

}  // namespace

void find_memory_nodes(int workers) {
  // Those who look for leaks do so in the C library's memory.
  if (workers < kFewWorkers || ult::sanitized || several.load(std::memory_order_relaxed) || os::memory_node_count() == 1) return;
  memory::set_node_of_caller(os::current_memory_node);
  several.store(true, std::memory_order_relaxed);
}

int memory_node_here() { return several.load(std::memory_order_relaxed) ? os::current_memory_node() : kAnyNode; }

void* allocate_at_node(int node, size_t alignment, size_t bytes) {
  if (node < 0 || node >= kMostNodes || bytes > kBlock) return aligned_alloc(alignment, bytes);
  sync::Guard guard(lock);
  Block& block = blocks[node];
  char* memory = aligned(block.next, alignment);
  if (block.next == nullptr || static_cast<size_t>(block.end - memory) < bytes) {
    void* fresh = os::map_memory(kBlock);
    if (fresh == nullptr) return nullptr;
    os::put_at_node(fresh, kBlock, node);
    memory = static_cast<char*>(fresh);
    block.end = memory + kBlock;
  }
  block.next = memory + bytes;
  return memory;
}

void put_at_node(void* address, size_t bytes, int node) {
  if (node != kAnyNode) os::put_at_node(address, bytes, node);
}

WorkerNodes::WorkerNodes(const topology::Tree& machine, uint32_t workers) {
  for (uint32_t worker = 0; worker < workers; ++worker) {
    const int id = machine.ancestor(machine.leaf(position_of(worker, workers, machine)), topology::Kind::numa);
    const int node = id < 0 ? kAnyNode : machine[id].os_index;
    if (runs_ != 0 && run_[runs_ - 1].node == node) {
      ++run_[runs_ - 1].end;
    } else {
      if (runs_ == kMostRuns) return;
      run_[runs_++] = {worker, worker + 1, node};
    }
  }
}

WorkerNodes WorkerNodes::here(uint32_t workers) {
  if (TULLE_LIKELY(!several.load(std::memory_order_relaxed))) return {};
  const topology::TreePtr part = usable_part(workers);
  return {part != nullptr ? *part : topology::machine(), workers};
}

int WorkerNodes::of(uint32_t worker) const {
  for (uint32_t i = 0; i < runs_; ++i)
    if (worker < run_[i].end) return run_[i].node;
  return kAnyNode;
}

void* WorkerNodes::allocate(size_t alignment, size_t bytes_of_each, uint32_t count) const {
  if (runs_ == 0) return aligned_alloc(alignment, bytes_of_each * count);
  void* memory = os::map_memory(os::whole_pages(bytes_of_each * count));
  if (memory != nullptr) place(memory, bytes_of_each);
  return memory;
}

void WorkerNodes::place(void* records, size_t bytes_of_each) const {
  place(records, bytes_of_each, put_at_node);
}

}  // namespace tulle::sched
