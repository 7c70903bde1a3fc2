// SPDX-License-Identifier: Apache-2.0
// The items of the depend clauses of one construct, brought together from what a compiler passed. Lies in the
// caller's frame unless it is long. Owner: the caller.
#pragma once

#include <cstdlib>
#include <span>

#include "omp/task/task.h"

namespace tulle::omp {

class DependenceList {
 public:
  // With room for so many items.
  explicit DependenceList(size_t room) {
    if (TULLE_UNLIKELY(room > kInline)) items_ = allocate(room);
  }
  ~DependenceList() {
    if (TULLE_UNLIKELY(items_ != inline_)) free(items_);
  }
  DependenceList(const DependenceList&) = delete;
  DependenceList& operator=(const DependenceList&) = delete;

  void add(void* address, DependenceKind kind) { items_[count_++] = {address, kind}; }

  std::span<Dependence> all() { return {items_, count_}; }
  const Dependence* items() const { return items_; }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kInline = 16;

  static Dependence* allocate(size_t room);

  size_t count_ = 0;
  Dependence inline_[kInline];
  Dependence* items_ = inline_;
};

}  // namespace tulle::omp
