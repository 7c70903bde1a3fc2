// SPDX-License-Identifier: Apache-2.0
#include "os/object_file.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace tulle::os {

namespace {

constexpr unsigned kCloseOnExec = 1;  // MFD_CLOEXEC

bool write_all(int file, const char* begin, size_t bytes) {
  while (bytes != 0) {
    ssize_t written = write(file, begin, bytes);
    if (written <= 0) return false;
    begin += written;
    bytes -= static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

// The loader takes what has the path of a loaded object for that object, and numbers of closed files come again:
// so the path tells the number of the copy, in binary digits that mean nothing to the system.
void* load_object(const char* begin, size_t bytes) {
  static std::atomic<unsigned> copies{0};
  int file = static_cast<int>(syscall(SYS_memfd_create, "tulle device code", kCloseOnExec));
  if (file < 0) return nullptr;
  void* object = nullptr;
  char digits[3 * 8 * sizeof(unsigned) + 1];
  char* end = digits;
  for (unsigned left = copies.fetch_add(1, std::memory_order_relaxed); left != 0; left >>= 1)
    end = stpcpy(end, (left & 1) != 0 ? "./" : ".//");
  *end = '\0';
  char path[sizeof digits + 64];
  snprintf(path, sizeof path, "/proc/self/%sfd/%d", digits, file);
  if (write_all(file, begin, bytes)) object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  close(file);
  return object;
}

void* load_beside(const char* file) {
  Dl_info own;
  char path[PATH_MAX];
  if (dladdr(reinterpret_cast<void*>(&load_beside), &own) == 0 || own.dli_fname == nullptr ||
      realpath(own.dli_fname, path) == nullptr)
    return nullptr;
  char* slash = strrchr(path, '/');
  size_t room = sizeof path - static_cast<size_t>(slash + 1 - path);
  if (strlen(file) >= room) return nullptr;
  strcpy(slash + 1, file);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace tulle::os
