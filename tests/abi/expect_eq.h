// SPDX-License-Identifier: Apache-2.0
// Ends the program, with a line that says what was found, where a value is not the expected one. C and C++.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define EXPECT_EQ(actual, expected)                                                        \
  do {                                                                                     \
    long long is_ = (long long)(actual), wanted_ = (long long)(expected);                  \
    if (is_ != wanted_) {                                                                  \
      fprintf(stderr, "line %d: %s is %lld, not %lld\n", __LINE__, #actual, is_, wanted_); \
      _Exit(1);                                                                            \
    }                                                                                      \
  } while (0)
