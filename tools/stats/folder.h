// SPDX-License-Identifier: Apache-2.0
// The folder that a tool of Tulle's leaves its records in, by its whole path: programs may change to another folder, and their
// environment.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tulle::stats {

// True: the variable names one that can be written to. What else it names is reported, in one line.
inline bool find_folder(const char* variable, char (&folder)[PATH_MAX]) {
  const char* named = std::getenv(variable);
  if (named == nullptr || *named == '\0') return false;
  struct stat status;
  if (realpath(named, folder) != nullptr && stat(folder, &status) == 0) {
    if (!S_ISDIR(status.st_mode))
      errno = ENOTDIR;
    else if (access(folder, W_OK | X_OK) == 0)
      return true;
  }
  std::fprintf(stderr, "tulle: %s: \"%s\" is not a folder that can be written to: %s\n", variable, named, std::strerror(errno));
  return false;
}

}  // namespace tulle::stats
