// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/reduction.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/cacheline.h"
#include "base/contract.h"
#include "omp/thread/team.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

const ReductionItem* item_of_original(const ReductionPart& part, const void* address) {
  for (size_t i = 0; i < part.count; ++i)
    if (part.items[i].original == address) return &part.items[i];
  return nullptr;
}

const ReductionItem* item_at_offset(const ReductionPart& part, uintptr_t offset) {
  const ReductionItem* end = part.items + part.count;
  const ReductionItem* found =
      std::lower_bound(part.items, end, offset, [](const ReductionItem& item, uintptr_t wanted) {
        return item.offset < wanted;
      });
  return found != end && found->offset == offset ? found : nullptr;
}

// A copy's offset names the item; an address inside a copy is not a list item.
const ReductionItem* item_of_copy(const ReductionPart& part, const void* address) {
  if (!part.holds(address)) return nullptr;
  size_t position = static_cast<size_t>(static_cast<const char*>(address) - part.copies);
  return item_at_offset(part, position % part.share);
}

}  // namespace

ReductionSet* new_reduction_set(ReductionSet* outer, size_t count) {
  void* memory = malloc(sizeof(ReductionSet) + count * sizeof(ReductionPart));
  if (memory == nullptr) os::fatal("out of memory for a task reduction");
  auto* set = static_cast<ReductionSet*>(memory);
  set->outer = outer;
  set->count = count;
  return set;
}

void free_reduction_set(ReductionSet* set) { free(set); }

char* new_reduction_copies(size_t alignment, size_t share, unsigned threads) {
  alignment = std::max(alignment, kCacheLinePair);
  size_t bytes = (share * threads + alignment - 1) & ~(alignment - 1);
  void* copies = aligned_alloc(alignment, bytes);
  if (copies == nullptr) os::fatal("out of memory for the copies of a task reduction");
  memset(copies, 0, bytes);
  return static_cast<char*>(copies);
}

void free_reduction_copies(char* copies) { free(copies); }

ReductionSet* reductions_of(const Thread* thread) {
  for (const TaskGroup* group = thread->task()->group; group != nullptr; group = group->outer)
    if (group->reductions != nullptr) return static_cast<ReductionSet*>(group->reductions);
  return static_cast<ReductionSet*>(thread->team->task_reductions);
}

ReductionCopy find_reduction_copy(const ReductionSet* innermost, void* address, unsigned thread) {
  for (const ReductionSet* set = innermost; set != nullptr; set = set->outer) {
    for (size_t i = 0; i < set->count; ++i) {
      const ReductionPart& part = set->parts[i];
      const ReductionItem* item = item_of_original(part, address);
      if (item == nullptr) item = item_of_copy(part, address);
      if (item == nullptr) continue;
      TULLE_EXPECT(thread * part.share < part.bytes);
      return {part.copies + thread * part.share + item->offset, item->original, part.ready};
    }
  }
  return {nullptr, nullptr, false};
}

}  // namespace tulle::omp
