// SPDX-License-Identifier: Apache-2.0
// Task reductions (OpenMP 5.2 §5.5.9-5.5.11): where a participating task finds the copy of a list
// item that belongs to the thread it runs on. A construct that starts a reduction registers a set;
// the taskgroup (or the team) points to its innermost set, which leads to the enclosing ones.
// The registering code initialises and combines the copies, and keeps list items and set alive
// until all tasks of the construct are complete. Sets never change once registered, so lookups
// need no lock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::omp {

struct Thread;

// Laid out by compilers; a part's items are sorted by offset.
struct ReductionItem {
  void* original;
  uintptr_t offset;  // of the item's copy in each thread's share
  uintptr_t spare;
};

// List items that share one block of copies: thread t's copies are at `copies + t * share`.
struct ReductionPart {
  const ReductionItem* items;
  size_t count;
  char* copies;
  size_t share;
  size_t bytes;
  bool ready = false;  // the copies are initialised, whoever comes; else by GCC's code on first use

  bool holds(const void* address) const {
    return static_cast<size_t>(static_cast<const char*>(address) - copies) < bytes;
  }
};

struct ReductionSet {
  ReductionSet* outer;  // of the enclosing construct
  size_t count;
  ReductionPart parts[];
};

// Room for `count` parts, which the caller fills in.
ReductionSet* new_reduction_set(ReductionSet* outer, size_t count);
void free_reduction_set(ReductionSet* set);

// Zeroed copies for `threads` threads; the process ends if there is no memory.
char* new_reduction_copies(size_t alignment, size_t share, unsigned threads);
void free_reduction_copies(char* copies);

// The innermost set that tasks of the thread's current task take part in; null: none.
ReductionSet* reductions_of(const Thread* thread);

struct ReductionCopy {
  void* copy;      // null if no set knows the address
  void* original;
  bool ready;      // of its part
};

// `address` is an original list item or any thread's copy of it; answers for `thread`.
ReductionCopy find_reduction_copy(const ReductionSet* innermost, void* address, unsigned thread);

}  // namespace tulle::omp
