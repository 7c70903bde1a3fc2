// SPDX-License-Identifier: Apache-2.0
#include "abi/gomp/dependences.h"

#include <cstdint>

#include "os/report.h"

namespace tulle::abi::gomp {

namespace {

using Kind = omp::DependenceKind;

size_t number(void* word) { return reinterpret_cast<size_t>(word); }

bool is_long(void** array) { return array[0] == nullptr; }

size_t items_in(void** array) { return number(array[is_long(array) ? 1 : 0]); }

// omp_depend_t, as depobj constructs fill it in.
enum ObjectKind : uintptr_t { kIn = 1, kOut, kInout, kMutexinoutset, kInoutset };

}  // namespace

Dependences::Dependences(void** array) : DependenceList(items_in(array)) {
  size_t total = items_in(array);
  if (!is_long(array)) {
    size_t outs = number(array[1]);
    add_all(array + 2, outs, Kind::out);
    add_all(array + 2 + outs, total - outs, Kind::in);
    return;
  }
  constexpr Kind kKinds[] = {Kind::out, Kind::mutexinoutset, Kind::in};
  void** items = array + 5;
  for (int i = 0; i < 3; ++i) {
    add_all(items, number(array[2 + i]), kKinds[i]);
    items += number(array[2 + i]);
  }
  while (count() < total) add_object(static_cast<void**>(*items++));
}

void Dependences::add_all(void** items, size_t count, Kind kind) {
  for (size_t i = 0; i < count; ++i) add(items[i], kind);
}

void Dependences::add_object(void** object) {
  switch (reinterpret_cast<uintptr_t>(object[1])) {
    case kIn: return add(object[0], Kind::in);
    case kOut:
    case kInout: return add(object[0], Kind::out);
    case kMutexinoutset: return add(object[0], Kind::mutexinoutset);
    case kInoutset: return add(object[0], Kind::inoutset);
    default: os::fatal("a depend object at %p was not initialised", static_cast<void*>(object));
  }
}

}  // namespace tulle::abi::gomp
