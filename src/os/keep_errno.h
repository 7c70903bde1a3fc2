// SPDX-License-Identifier: Apache-2.0
// Leaves errno as it was: it belongs to the program, not to the runtime's own system calls.
#pragma once

#include <cerrno>

namespace tulle::os {

struct KeepErrno {
  int saved = errno;
  ~KeepErrno() { errno = saved; }
};

}  // namespace tulle::os
