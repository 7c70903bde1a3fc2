// SPDX-License-Identifier: Apache-2.0
// Few different values in the order in which they first came, and their numbers. Tasks of one construct come after
// each other, so the last one is looked at first. Owner: one thread.
#pragma once

#include "base/array.h"

namespace tulle::omp {

template <class T>
class Numbering {
 public:
  uint32_t number_of(const T& value) {
    if (last_ < values_.size() && values_[last_] == value) return last_;
    for (last_ = 0; last_ < values_.size(); ++last_)
      if (values_[last_] == value) return last_;
    values_.push(value);
    return last_;
  }

  Array<T>& values() { return values_; }

 private:
  Array<T> values_;
  uint32_t last_ = 0;
};

}  // namespace tulle::omp
