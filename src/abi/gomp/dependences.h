// SPDX-License-Identifier: Apache-2.0
// GCC's array for depend clauses. Short form: word 0 = number of items, word 1 = how many of them
// are out or inout (they come first), items from word 2. Long form: word 0 = 0, word 1 = number,
// words 2 to 4 = how many are out or inout, mutexinoutset, in, items in that order from word 5, and
// the rest are addresses of depend objects {address, kind}. Items of iterators are written out.
// A null address with kind out is omp_all_memory (GCC 13).
#pragma once

#include <cstddef>

#include "omp/task.h"

namespace tulle::abi::gomp {

// Holds the list for one call; on the stack unless it is long.
class Dependences {
 public:
  explicit Dependences(void** array);
  ~Dependences();
  Dependences(const Dependences&) = delete;
  Dependences& operator=(const Dependences&) = delete;

  const omp::Dependence* list() const { return list_; }
  size_t count() const { return count_; }

 private:
  void add(void* address, omp::DependenceKind kind) { list_[filled_++] = {address, kind}; }
  void add_all(void** items, size_t count, omp::DependenceKind kind);
  void add_object(void** object);

  static constexpr size_t kShort = 16;
  omp::Dependence short_[kShort];
  omp::Dependence* list_ = short_;
  size_t count_;
  size_t filled_ = 0;
};

}  // namespace tulle::abi::gomp
