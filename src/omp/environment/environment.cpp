// SPDX-License-Identifier: Apache-2.0
#include "omp/environment/environment.h"

#include <cstdio>
#include <cstring>

#include "base/contract.h"
#include "omp/data/allocator.h"
#include "omp/environment/environment_unknown.h"
#include "omp/environment/environment_values.h"
#include "omp/places/kmp_affinity.h"

namespace tulle::omp {
namespace {

constexpr uint64_t kStandardBlocktimeUs = 500;
constexpr uint64_t kPollsPerUs = 50;  // of one pause instruction each
constexpr uint64_t kStandardMonitorTickUs = 2000;
constexpr uint32_t kStandardStackLimit = 16000;  // two mappings each; Linux allows 65,530 by default
constexpr uint32_t kStandardTaskLimit = 1000000;
constexpr std::size_t kMaxVariables = 96;
constexpr const char* kStandardAffinityFormat = "level %L thread %i affinity %A";  // libgomp's

void set_standard_values(GlobalIcv& icv) {
  icv.num_threads.value = {1, {1}};
  icv.proc_bind.value = {1, {ProcBind::off}};
  icv.learns.value = true;
  icv.schedule.value = {0, ScheduleKind::unset, false};
  icv.max_active_levels.value = 1;
  icv.thread_limit.value = kUnlimitedThreads;
  icv.allocator.value = kDefaultMemAlloc;
  icv.affinity_format.value = kStandardAffinityFormat;
  icv.blocktime_us.value = kStandardBlocktimeUs;
  icv.monitor_tick_us.value = kStandardMonitorTickUs;
  icv.waits.value = true;
  icv.stack_limit.value = kStandardStackLimit;
  icv.task_limit.value = kStandardTaskLimit;
  icv.policy.value = kStandardPolicy;
  icv.warnings.value = true;
  icv.teams_bind.value = ProcBind::spread;
}

bool is_standard(const Source& source) { return source.origin == Origin::standard; }

void resolve_threads(const Environment& environment, GlobalIcv& icv) {
  icv.cpus = environment.cpus;
  Source source{environment.cpus_origin, nullptr};
  if (icv.kmp_hw_subset.value != nullptr) {
    icv.cpus = environment.cpus_within(icv.kmp_hw_subset.value);
    source = icv.kmp_hw_subset.source;
  }
  if (icv.serial_library.value) icv.thread_limit = {1, icv.serial_library.source};
  if (is_standard(icv.num_threads.source)) {
    int threads = icv.cpus;
    if (threads > icv.thread_limit.value) {
      threads = icv.thread_limit.value;
      source = icv.thread_limit.source;
    }
    icv.num_threads = {{1, {static_cast<uint32_t>(threads)}}, source};
  }
  // OpenMP 5.2 §21.1.5: lists ask for as many levels as there can be.
  if (!is_standard(icv.max_active_levels.source)) return;
  if (icv.num_threads.value.count > 1)
    icv.max_active_levels = {kMaxActiveLevels, icv.num_threads.source};
  else if (icv.proc_bind.value.count > 1)
    icv.max_active_levels = {kMaxActiveLevels, icv.proc_bind.source};
}

// As in libomp, `disabled` goes before KMP_HW_SUBSET too, and with `none` threads may run on all that it
// leaves.
void resolve_kmp_affinity(GlobalIcv& icv) {
  KmpAffinity affinity;
  if (!parse_kmp_affinity(icv.kmp_affinity.value, affinity)) return;
  icv.unbinds = {affinity.reset, icv.kmp_affinity.source};
  if (is_standard(icv.display_affinity.source) && affinity.verbose)
    icv.display_affinity = {true, icv.kmp_affinity.source};
  if (affinity.type == AffinityType::unset) return;
  if (affinity.type == AffinityType::disabled) icv.kmp_hw_subset = {};
  icv.proc_bind = {{1, {bind_of(affinity)}}, icv.kmp_affinity.source};
  if (affinity.type == AffinityType::none && icv.kmp_hw_subset.value != nullptr)
    icv.proc_bind = {{1, {ProcBind::on}}, icv.kmp_hw_subset.source};
}

// Places imply binding (OpenMP leaves it open; libgomp and libomp do so).
void resolve_binding(GlobalIcv& icv) {
  if (icv.kmp_affinity.value != nullptr) resolve_kmp_affinity(icv);
  if (!is_standard(icv.proc_bind.source)) return;
  for (const Setting<const char*>* given : {&icv.places, &icv.cpu_affinity, &icv.kmp_hw_subset}) {
    if (given->value == nullptr) continue;
    icv.proc_bind = {{1, {ProcBind::on}}, given->source};
    return;
  }
}

// A number of polls is a time: the weaker of the two variables follows from the stronger.
void resolve_waiting(GlobalIcv& icv) {
  if (is_standard(icv.blocktime_us.source)) {
    if (!is_standard(icv.spin_count.source)) {
      uint64_t polls = icv.spin_count.value;
      icv.blocktime_us.value = polls == kEndless ? kEndless : (polls + kPollsPerUs - 1) / kPollsPerUs;
      icv.blocktime_us.source = icv.spin_count.source;
      return;
    }
    if (icv.wait_policy.value == WaitPolicy::active)
      icv.blocktime_us = {kEndless, icv.wait_policy.source};
    else if (icv.wait_policy.value == WaitPolicy::passive)
      icv.blocktime_us = {0, icv.wait_policy.source};
  }
  uint64_t polls = kEndless;
  if (icv.blocktime_us.value > kEndless / kPollsPerUs ||
      __builtin_mul_overflow(icv.blocktime_us.value, kPollsPerUs, &polls))
    polls = kEndless;
  icv.spin_count = {polls, icv.blocktime_us.source};
}

// The value for `variable`, and the name that it was given under.
const char* look_up(const Environment& environment, const Variable& variable) {
  const char* text = environment.get(variable.name);
  if (text != nullptr || !variable.per_device) return text;
  char name[64];
  std::snprintf(name, sizeof name, "%s_ALL", variable.name);
  return environment.get(name);
}

void report_bad(const Environment& environment, const Variable& variable, const char* text,
                const GlobalIcv& icv) {
  char line[512];
  TextBuffer out(line, sizeof line);
  out.put(variable.name);
  out.put("=\"");
  std::string_view value(text);
  out.put(value.size() > 100 ? std::string_view(text, 100) : value);
  out.put("\" is not valid (accepted: ");
  out.put(variable.accepts);
  out.put("); using \"");
  variable.print(icv, out);
  out.put('"');
  environment.report(line);
}

// A program that runs with rights of its own writes no file and loads no code for who started it.
bool is_strangers_file(const Environment& environment, const Variable& variable, std::string_view text) {
  return environment.of_stranger && variable.names_file != nullptr && variable.names_file(text);
}

void report_refused(const Environment& environment, const Variable& variable) {
  char line[256];
  TextBuffer out(line, sizeof line);
  out.put(variable.name);
  out.put(" names a file and is ignored: the process has rights that who started it may lack");
  environment.report(line);
}

// libomp says so when it starts, and takes 1; libgomp takes the number.
void report_chunk_of_auto(const Environment& environment, const GlobalIcv& icv) {
  const RunSchedule& schedule = icv.schedule.value;
  if (schedule.kind != ScheduleKind::automatic || schedule.chunk == 1) return;
  if (environment.asks_as_libomp != nullptr && environment.asks_as_libomp())
    environment.report("OMP_SCHEDULE: AUTO takes no chunk, which code of Clang and Intel ignores");
}

}  // namespace

void read_environment(const Environment& environment, GlobalIcv& icv) {
  std::span<const Variable> variables = environment_variables();
  const char* bad[kMaxVariables] = {};
  TULLE_REQUIRE(variables.size() <= kMaxVariables);
  icv = GlobalIcv{};
  set_standard_values(icv);
  bool refused[kMaxVariables] = {};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const char* text = look_up(environment, variables[i]);
    refused[i] = text != nullptr && is_strangers_file(environment, variables[i], text);
    if (text != nullptr && !refused[i] && !variables[i].assign(text, variables[i].name, icv)) bad[i] = text;
  }
  resolve_binding(icv);
  resolve_threads(environment, icv);
  resolve_waiting(icv);
  if (!icv.warnings.value) return;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (bad[i] != nullptr) report_bad(environment, variables[i], bad[i], icv);
    if (refused[i]) report_refused(environment, variables[i]);
  }
  report_chunk_of_auto(environment, icv);
  report_unknown_variables(environment.entries, environment.report);
}

bool assign_variable(std::string_view name, std::string_view text, GlobalIcv& icv) {
  for (const Variable& variable : environment_variables())
    if (name == variable.name) return variable.assign(text, variable.name, icv);
  return false;
}

}  // namespace tulle::omp
