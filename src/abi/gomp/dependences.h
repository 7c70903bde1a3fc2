// SPDX-License-Identifier: Apache-2.0
// GCC's array for depend clauses. Short form: word 0 = number of items, word 1 = how many of them
// are out or inout (they come first), items from word 2. Long form: word 0 = 0, word 1 = number,
// words 2 to 4 = how many are out or inout, mutexinoutset, in, items in that order from word 5, and
// the rest are addresses of depend objects {address, kind}. Items of iterators are written out.
// A null address with kind out is omp_all_memory (GCC 13).
#pragma once

#include "omp/task/dependence_list.h"

namespace tulle::abi::gomp {

class Dependences : public omp::DependenceList {
 public:
  explicit Dependences(void** array);

 private:
  void add_all(void** items, size_t count, omp::DependenceKind kind);
  void add_object(void** object);
};

}  // namespace tulle::abi::gomp
