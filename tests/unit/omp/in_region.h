// SPDX-License-Identifier: Apache-2.0
// Runs a function object on each thread of a parallel region, which has that many.
#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "omp/region/parallel.h"
#include "omp/worksharing/barrier.h"

namespace tulle::omp::test {

template <class Body>
void in_region(uint32_t threads, Body body) {
  struct Region {
    Body* body;
    std::atomic<uint32_t> began{0};
  } region{&body};
  auto call = [](void* data) {
    auto* shared = static_cast<Region*>(data);
    ++shared->began;
    (*shared->body)(self());
  };
  parallel(self_or_attach(), {call, &region, threads});
  ASSERT_EQ(region.began.load(), threads);
}

}  // namespace tulle::omp::test
