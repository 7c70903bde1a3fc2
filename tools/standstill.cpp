// SPDX-License-Identifier: Apache-2.0
#include "standstill.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "trace_record.h"

namespace tulle::tools {
namespace {

constexpr double kIdle = 0.1;  // of a core: those that stand still may look about now and then
constexpr double kLooks = 4;   // in the time that makes a standstill

// proc(5): user and system time, words 14 and 15; the second word is in brackets and may have blanks.
double cpu_seconds(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return 0;
  std::istringstream words(text.substr(bracket + 1));
  std::string word;
  for (int i = 3; i < 14; ++i) words >> word;
  double user = 0, system = 0;
  words >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct Seen {
  std::uint64_t events = 0;
  double cpu = 0;
};

Seen look(const std::string& folder) {
  Seen seen;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".trace") continue;
    seen.events += events_so_far(entry.path());
    const std::string name = entry.path().filename().string();
    seen.cpu += cpu_seconds(name.substr(0, name.find('.')));
  }
  return seen;
}

}  // namespace

bool Standstill::has_come() {
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - looked_).count();
  if (passed < seconds_ / kLooks) return false;
  looked_ = now;
  const Seen seen = look(folder_);
  const bool moves = seen.events != events_ || seen.events == 0 || seen.cpu - cpu_ > kIdle * passed;
  events_ = seen.events;
  cpu_ = seen.cpu;
  if (moves) {
    since_ = now;
    told_ = false;
  }
  if (told_ || std::chrono::duration<double>(now - since_).count() < seconds_) return false;
  return told_ = true;
}

}  // namespace tulle::tools
