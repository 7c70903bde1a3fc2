// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ticks.h"
#include "tulle/introspect.h"

namespace tulle::stats {

namespace {

// What is in a file; "" if it cannot be read.
std::string text_of(const char* path) {
  std::string text;
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return text;
  char part[1024];
  while (const size_t length = std::fread(part, 1, sizeof part, file)) text.append(part, length);
  std::fclose(file);
  return text;
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

}  // namespace

Cpus cpus() {
  Cpus cpus{static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), 0, 0, {}};
  auto* ask = reinterpret_cast<decltype(&tulle_ask_cpus)>(dlsym(RTLD_DEFAULT, "tulle_ask_cpus"));
  if (ask == nullptr) return cpus;
  ask(
      [](void* context, const tulle_cpus* given) {
        *static_cast<Cpus*>(context) = {given->usable, given->quota, given->quota_version,
                                        given->quota_group != nullptr ? given->quota_group : ""};
      },
      &cpus);
  return cpus;
}

Blocking blocking() {
  Blocking blocking;
  if (auto* ask = reinterpret_cast<decltype(&tulle_ask_blocking)>(dlsym(RTLD_DEFAULT, "tulle_ask_blocking")))
    ask(
        [](void* context, const tulle_blocking* told) {
          *static_cast<Blocking*>(context) = {static_cast<double>(told->spares), told->seconds};
        },
        &blocking);
  return blocking;
}

// cgroups(7): microseconds as throttled_usec in version 2, nanoseconds as throttled_time in version 1.
double throttled_seconds(const Cpus& cpus) {
  if (cpus.quota == 0) return 0;
  const std::string text = text_of((cpus.group + "/cpu.stat").c_str());
  if (const char* found = std::strstr(text.c_str(), "throttled_usec ")) return std::strtod(found + 15, nullptr) * 1e-6;
  if (const char* found = std::strstr(text.c_str(), "throttled_time ")) return std::strtod(found + 15, nullptr) * 1e-9;
  return 0;
}

Used used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
}

// proc(5): the 22nd word, in ticks since the system began; the second one is in brackets and may have blanks.
double age_seconds() {
  const std::string text = text_of("/proc/self/stat");
  const size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return 0;
  const char* at = text.c_str() + bracket + 1;
  for (int word = 3; word < 22 && at != nullptr; ++word) at = std::strchr(at + 1, ' ');
  if (at == nullptr) return 0;
  const double began = static_cast<double>(std::strtoull(at, nullptr, 10)) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return clock_ns(CLOCK_BOOTTIME) * 1e-9 - began;
}

std::string command() {
  std::string words = text_of("/proc/self/cmdline");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  for (char& c : words)
    if (c == '\0') c = ' ';
  return words;
}

}  // namespace tulle::stats
