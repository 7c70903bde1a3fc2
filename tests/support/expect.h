// SPDX-License-Identifier: Apache-2.0
// How a conformance program fails: one line on standard error that says what was wrong, exit status 1.
// For C17 and C++20; may be used by any thread, inside and outside of regions. Of several threads
// that fail at once the first one reports.
#ifndef TULLE_TESTS_EXPECT_H
#define TULLE_TESTS_EXPECT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPECT(condition, ...) \
  ((condition) ? (void)0 : expect_failed(__FILE__, __LINE__, #condition " is false: " __VA_ARGS__))

#define EXPECT_EQ(actual, expected)                                                          \
  do {                                                                                       \
    long long expect_actual = (long long)(actual), expect_wanted = (long long)(expected);    \
    if (expect_actual != expect_wanted)                                                      \
      expect_failed(__FILE__, __LINE__, "%s is %lld, not %s = %lld", #actual, expect_actual, \
                    #expected, expect_wanted);                                               \
  } while (0)

// A directive written as tokens, so that macro arguments may be part of it.
#define PRAGMA(...) EXPECT_PRAGMA_TEXT(#__VA_ARGS__)
#define EXPECT_PRAGMA_TEXT(text) _Pragma(text)

__attribute__((noreturn, unused, noinline)) static void expect_failed(const char *file, int line,
                                                                      const char *format, ...) {
  static int reported;
  while (__atomic_exchange_n(&reported, 1, __ATOMIC_RELAXED) != 0) pause();
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  fflush(stderr);
  _Exit(1);
}

#endif
