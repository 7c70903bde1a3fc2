// SPDX-License-Identifier: Apache-2.0
// The error directive at execution time (OpenMP 5.2 §8.5). A C string comes with the length -1, a
// Fortran one with its own; without a message the pointer is null.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "abi/gomp/entry.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "os/report.h"

namespace omp = tulle::omp;

using omp::tool::Severity;

namespace {

TULLE_COLD void tell(Severity severity, const char* message, size_t length, const void* code) {
  omp::tool::error(omp::self_or_attach(), severity, message, message != nullptr ? strnlen(message, length) : 0, code);
}

void report_directive(const char* severity, const char* message, size_t length) {
  constexpr size_t kLongest = 900;  // os::report writes one line of bounded length
  if (message == nullptr) {
    tulle::os::report("%serror directive encountered", severity);
    return;
  }
  int shown = static_cast<int>(strnlen(message, std::min(length, kLongest)));
  tulle::os::report("%serror directive encountered: %.*s", severity, shown, message);
}

}  // namespace

TULLE_GOMP void GOMP_warning(const char* message, size_t length) {
  if (omp::tool::active()) tell(Severity::warning, message, length, TULLE_CALLER());
  report_directive("", message, length);
}

TULLE_GOMP [[noreturn]] void GOMP_error(const char* message, size_t length) {
  if (omp::tool::active()) tell(Severity::fatal, message, length, TULLE_CALLER());
  report_directive("fatal error: ", message, length);
  exit(EXIT_FAILURE);
}
