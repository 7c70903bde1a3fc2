// SPDX-License-Identifier: Apache-2.0
#include "ult/exception_state.h"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>

namespace tulle::ult {
namespace {

TEST(ExceptionState, GoesAlongWithWhoeverHandlesTheException) {
  find_exception_state();
  try {
    throw std::runtime_error("first");
  } catch (const std::exception& first) {
    ExceptionState mine;
    save_exception_state(mine);
    EXPECT_EQ(std::current_exception(), nullptr) << "others of the block handle nothing";
    try {
      throw std::runtime_error("second");
    } catch (const std::exception& second) {
      EXPECT_STREQ(second.what(), "second");
    }
    restore_exception_state(mine);
    EXPECT_STREQ(first.what(), "first");
    try {
      throw;  // what is handled here
    } catch (const std::exception& again) {
      EXPECT_STREQ(again.what(), "first");
    }
  }
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(ExceptionState, CountsWhatIsOnItsWay) {
  find_exception_state();
  struct Looks {
    int* seen;
    ~Looks() {
      ExceptionState mine;
      save_exception_state(mine);
      seen[0] = std::uncaught_exceptions();
      restore_exception_state(mine);
      seen[1] = std::uncaught_exceptions();
    }
  };
  int seen[2] = {-1, -1};
  try {
    Looks looks{seen};
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
}

}  // namespace
}  // namespace tulle::ult
