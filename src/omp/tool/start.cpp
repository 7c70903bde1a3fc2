// SPDX-License-Identifier: Apache-2.0
#include "omp/tool/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <string_view>

#include "base/look.h"
#include "base/probe.h"
#include "omp/icv/icv.h"
#include "omp/queue/task_memory.h"
#include "omp/tool/events.h"
#include "os/modules.h"
#include "os/report.h"
#include "os/secure.h"

namespace tulle::omp::tool {

const Lookup* lookups = nullptr;
int (*count_devices)() = nullptr;

namespace {

constexpr unsigned kOpenMP = 202111;
constexpr const char* kRuntime = "Tulle " TULLE_VERSION_STRING;
constexpr const char* kStartTool = "ompt_start_tool";

enum Progress : uint32_t { kNobodyAsked, kAsking, kAsked };
std::atomic<uint32_t> progress{kNobodyAsked};

// W: before anything else is called. Whoever watches the probes of tasks and waits when the library is loaded has threads
// go the way on which tools are told, where those are.
bool tools_allowed = false;
bool probes_watched = false;

StartTool start_tool_in(void* library) { return reinterpret_cast<StartTool>(dlsym(library, kStartTool)); }

bool names_log(const char* where) { return where != nullptr && strcasecmp(where, "disabled") != 0; }

// Where OMP_TOOL_VERBOSE_INIT wants to be told: one line for each step.
class Log {
 public:
  explicit Log(const char* where) {
    if (!names_log(where)) return;
    if (strcasecmp(where, "stdout") == 0)
      file_ = stdout;
    else if (strcasecmp(where, "stderr") == 0)
      file_ = stderr;
    else if ((file_ = own_ = fopen(where, "we")) == nullptr)
      os::report("OMP_TOOL_VERBOSE_INIT: cannot write to '%s': %s", where, strerror(errno));
  }
  ~Log() {
    if (own_ != nullptr) fclose(own_);
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  __attribute__((format(printf, 2, 3))) void say(const char* format, ...) const {
    if (file_ == nullptr) return;
    va_list list;
    va_start(list, format);
    fputs("tulle: tools: ", file_);
    vfprintf(file_, format, list);
    fputc('\n', file_);
    va_end(list);
    fflush(file_);
  }
  bool is_off() const { return file_ == nullptr; }

 private:
  FILE* file_ = nullptr;
  FILE* own_ = nullptr;
};

// Relaxed: who sees them still tells of one event more.
void forget_callbacks(Tool& tool) {
  for (auto& callback : tool.callbacks) callback.store(nullptr, std::memory_order_relaxed);
}

// Whose functions answer for it is told by its number, so it has that before it is initialised.
bool register_tool(StartTool start, const char* name, const Log& log) {
  const uint32_t number = tool_count.load(std::memory_order_relaxed);
  if (number == kTools) {
    os::report("only %u tools can be used at once: '%s' is not", kTools, name);
    return false;
  }
  StartResult* result = start(kOpenMP, kRuntime);
  log.say("%s: %s", name, result != nullptr ? "found" : "does not want to be used");
  if (result == nullptr) return false;
  tools[number].result = result;
  const bool stays = result->initialize(lookups[number], 0, &result->tool_data) != 0;
  log.say("%s: %s", name, stays ? "registered" : "does not stay");
  if (!stays) {
    forget_callbacks(tools[number]);
    tools[number].result = nullptr;
    return false;
  }
  tool_count.store(number + 1, std::memory_order_release);  // pairs with tell
  return true;
}

// Of a library that was named and is no tool the user hears in any case.
__attribute__((format(printf, 2, 3))) void refuse(const Log& log, const char* format, ...) {
  char problem[PATH_MAX + 256];
  va_list list;
  va_start(list, format);
  vsnprintf(problem, sizeof problem, format, list);
  va_end(list);
  if (log.is_off())
    os::report("OMP_TOOL_LIBRARIES: %s", problem);
  else
    log.say("%s", problem);
}

void register_library(const char* path, const Log& log) {
  void* library = dlopen(path, RTLD_LAZY);
  if (library == nullptr) {
    refuse(log, "%s", dlerror());  // which begins with the name
    return;
  }
  StartTool start = start_tool_in(library);
  if (start == nullptr)
    refuse(log, "%s: has no %s", path, kStartTool);
  else if (register_tool(start, path, log))
    return os::note_last_module();
  dlclose(library);
}

void register_libraries(const char* list, const Log& log) {
  char path[PATH_MAX];
  for (std::string_view left = list; !left.empty();) {
    const size_t length = left.find(':');
    const std::string_view name = left.substr(0, length);
    left.remove_prefix(length == left.npos ? left.size() : length + 1);
    if (name.empty() || name.size() >= sizeof path) continue;
    memcpy(path, name.data(), name.size());
    path[name.size()] = '\0';
    register_library(path, log);
  }
}

// After this no thread is told anything.
void end_tools() {
  Thread* thread = self();
  if (!active() || progress.load(std::memory_order_acquire) != kAsked) return;
  if (thread != nullptr) end_threads(thread);
  set_looked_at(active_word, false);
  const uint32_t count = tool_count.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i) finalize(i);
}

void ask() {
  const GlobalIcv& icv = global_icv();
  const Log log(icv.tool_verbose_init.value);
  const bool may_come = tools_allowed && lookups != nullptr;
  if (!tools_allowed) log.say("OMP_TOOL=disabled");
  StartTool start = may_come ? start_tool_in(RTLD_DEFAULT) : nullptr;
  if (start != nullptr) register_tool(start, "the program", log);
  if (may_come && icv.tool_libraries.value != nullptr) register_libraries(icv.tool_libraries.value, log);
  const bool none = tool_count.load(std::memory_order_relaxed) == 0;
  if (none) log.say("none is used");
  if (none && !probes_watched) {
    set_looked_at(active_word, false);
    return;
  }
  watch_switches(true);
  note_wishes();
  if (none) return;
  // Behind the tools' own handlers, which they have made by now, and before their destructors.
  atexit(end_tools);
}

// Whether there may be a tool is known before anything else is called.
__attribute__((constructor)) void look_for_tools() {
  const char* use = getenv("OMP_TOOL");
  tools_allowed = use == nullptr || strcasecmp(use, "disabled") != 0;
  probes_watched = look(tulle_probe_watchers) != 0;
  const bool logged = names_log(getenv("OMP_TOOL_VERBOSE_INIT"));  // that there is none, too
  if (!tools_allowed && !probes_watched && !logged) return;
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  // Of a stranger's variables that name files the environment's reader says that they are ignored.
  const bool named = libraries != nullptr && *libraries != '\0' && !os::has_more_rights_than_caller();
  active_word = tools_may_come = probes_watched || logged || named || start_tool_in(RTLD_DEFAULT) != nullptr;
  storage_for_tools = [](Task* task) -> TaskStorage* { return &of(task); };
}

// From here on constructs are as short as they were, if the last tool has gone.
void note_gone() {
  const bool any = std::any_of(tools, tools + kTools, [](const Tool& tool) { return tool.result != nullptr; });
  if (any || probes_watched || progress.load(std::memory_order_acquire) != kAsked) return;  // pairs with attached
  note_wishes();
  watch_switches(false);
  set_looked_at(left_word, true);
  set_looked_at(tools_have_gone, true);
  set_looked_at(active_word, false);
}

}  // namespace

void finalize(uint32_t number) {
  forget_callbacks(tools[number]);
  StartResult* result = tools[number].result;
  tools[number].result = nullptr;
  if (result != nullptr && result->finalize != nullptr) result->finalize(&result->tool_data);
  note_gone();
}

void leave_to_parent() {
  for (Tool& tool : tools) {
    forget_callbacks(tool);
    tool.result = nullptr;
  }
  note_gone();
}

void attached(Thread* thread) {
  uint32_t nobody = kNobodyAsked;
  if (progress.compare_exchange_strong(nobody, kAsking, std::memory_order_acq_rel)) {
    ask();
    progress.store(kAsked, std::memory_order_release);  // pairs with end_tools
  }
  if (active() && tool_count.load(std::memory_order_acquire) != 0) known(thread);
}

}  // namespace tulle::omp::tool
