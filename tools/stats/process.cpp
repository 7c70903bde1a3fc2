// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "ticks.h"
#include "tulle/introspect.h"

namespace tulle::stats {

namespace {

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

}  // namespace

Cpus cpus() {
  Cpus cpus{static_cast<int>(std::thread::hardware_concurrency()), 0, 0, {}};
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

// cgroups(7): microseconds as throttled_usec in version 2, nanoseconds as throttled_time in version 1.
double throttled_seconds(const Cpus& cpus) {
  if (cpus.quota == 0) return 0;
  std::ifstream file(cpus.group + "/cpu.stat");
  double value = 0;
  for (std::string name; file >> name >> value;) {
    if (name == "throttled_usec") return value * 1e-6;
    if (name == "throttled_time") return value * 1e-9;
  }
  return 0;
}

Used used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
}

// proc(5): the 22nd word, in ticks since the system began; the second one is in brackets and may have blanks.
double age_seconds() {
  std::ifstream file("/proc/self/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return 0;
  std::istringstream words(text.substr(bracket + 1));
  std::string word;
  for (int i = 3; i <= 22; ++i) words >> word;
  const double began = std::strtod(word.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return clock_ns(CLOCK_BOOTTIME) * 1e-9 - began;
}

std::string command() {
  std::ifstream file("/proc/self/cmdline");
  std::string words((std::istreambuf_iterator<char>(file)), {});
  while (!words.empty() && words.back() == '\0') words.pop_back();
  for (char& c : words)
    if (c == '\0') c = ' ';
  return words;
}

}  // namespace tulle::stats
