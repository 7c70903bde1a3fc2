// SPDX-License-Identifier: Apache-2.0
// What the runtime makes once and never frees, made by a test: it stays in reach of leak checkers.
#pragma once

#include <vector>

namespace tulle {

template <class T>
T* kept(T* object) {
  static auto& all = *new std::vector<T*>;
  all.push_back(object);
  return object;
}

}  // namespace tulle
