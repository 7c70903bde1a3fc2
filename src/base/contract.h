// SPDX-License-Identifier: Apache-2.0
// Contracts. TULLE_EXPECT states what holds; debug and sanitizer builds check it, release builds
// do not. TULLE_REQUIRE is checked in every build: what it guards cannot go on.
#pragma once

namespace tulle {

[[noreturn]] void contract_failed(const char* condition, const char* file, int line);

}  // namespace tulle

#define TULLE_REQUIRE(cond) \
  (__builtin_expect(!!(cond), 1) ? (void)0 : ::tulle::contract_failed(#cond, __FILE__, __LINE__))

#ifdef TULLE_CONTRACTS
#define TULLE_EXPECT(cond) TULLE_REQUIRE(cond)
#else
#define TULLE_EXPECT(cond) ((void)0)
#endif
