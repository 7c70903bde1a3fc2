// SPDX-License-Identifier: Apache-2.0
#include "abi/gomp/dependences.h"

#include <cstdint>
#include <cstdlib>

#include "os/report.h"

namespace tulle::abi::gomp {

namespace {

size_t number(void* word) { return reinterpret_cast<size_t>(word); }

// omp_depend_t, as depobj constructs fill it in.
enum ObjectKind : uintptr_t { kIn = 1, kOut, kInout, kMutexinoutset, kInoutset };

}  // namespace

Dependences::Dependences(void** array) {
  using Kind = omp::DependenceKind;
  bool is_long = array[0] == nullptr;
  count_ = number(array[is_long ? 1 : 0]);
  if (count_ > kShort) {
    list_ = static_cast<omp::Dependence*>(malloc(count_ * sizeof(omp::Dependence)));
    if (list_ == nullptr) os::fatal("out of memory for %zu dependences", count_);
  }
  if (!is_long) {
    size_t outs = number(array[1]);
    add_all(array + 2, outs, Kind::out);
    add_all(array + 2 + outs, count_ - outs, Kind::in);
    return;
  }
  constexpr Kind kKinds[] = {Kind::out, Kind::mutexinoutset, Kind::in};
  void** items = array + 5;
  for (int i = 0; i < 3; ++i) {
    add_all(items, number(array[2 + i]), kKinds[i]);
    items += number(array[2 + i]);
  }
  while (filled_ < count_) add_object(static_cast<void**>(*items++));
}

Dependences::~Dependences() {
  if (list_ != short_) free(list_);
}

void Dependences::add_all(void** items, size_t count, omp::DependenceKind kind) {
  for (size_t i = 0; i < count; ++i) add(items[i], kind);
}

void Dependences::add_object(void** object) {
  switch (reinterpret_cast<uintptr_t>(object[1])) {
    case kIn: return add(object[0], omp::DependenceKind::in);
    case kOut:
    case kInout: return add(object[0], omp::DependenceKind::out);
    case kMutexinoutset: return add(object[0], omp::DependenceKind::mutexinoutset);
    case kInoutset: return add(object[0], omp::DependenceKind::inoutset);
    default: os::fatal("a depend object at %p was not initialised", static_cast<void*>(object));
  }
}

}  // namespace tulle::abi::gomp
