// SPDX-License-Identifier: Apache-2.0
#include "os/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/contract.h"
#include "os/keep_errno.h"

namespace tulle {

namespace os {

namespace {

void write_line(const char* format, va_list arguments) {
  KeepErrno keep;
  char line[1024] = "tulle: ";
  constexpr int kPrefix = 7;
  int length = vsnprintf(line + kPrefix, sizeof line - kPrefix - 1, format, arguments);
  if (length < 0) length = 0;
  length += kPrefix;
  if (length > static_cast<int>(sizeof line) - 2) length = sizeof line - 2;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, static_cast<size_t>(length)) < 0) length = 0;  // nobody listens
}

}  // namespace

void report(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void fatal(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
  abort();
}

}  // namespace os

void contract_failed(const char* condition, const char* file, int line) {
  os::fatal("internal contract broken: %s (%s:%d)", condition, file, line);
}

}  // namespace tulle
