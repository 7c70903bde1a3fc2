// SPDX-License-Identifier: Apache-2.0
#include "omp/environment_print.h"

#include "omp/allocator_names.h"

namespace tulle::omp {
namespace {

std::string_view bind_name(ProcBind bind) {
  constexpr std::string_view kNames[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
  return kNames[static_cast<int>(bind)];
}

}  // namespace

void print_value(TextBuffer& out, bool value) { out.put(value ? "TRUE" : "FALSE"); }
void print_value(TextBuffer& out, int32_t value) { out.put_number(value); }
void print_value(TextBuffer& out, uint32_t value) { out.put_unsigned(value); }
void print_value(TextBuffer& out, const char* value) {
  if (value != nullptr) out.put(value);
}

void print_value(TextBuffer& out, size_t bytes) {
  constexpr char kUnits[] = {'B', 'K', 'M', 'G'};
  int unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit < 3) {
    bytes /= 1024;
    ++unit;
  }
  out.put_unsigned(bytes);
  out.put(kUnits[unit]);
}

void print_value(TextBuffer& out, const NumThreadsList& list) {
  for (uint32_t i = 0; i < list.count; ++i) {
    if (i != 0) out.put(',');
    out.put_unsigned(list.values[i]);
  }
}

void print_value(TextBuffer& out, const ProcBindList& list) {
  for (uint32_t i = 0; i < list.count; ++i) {
    if (i != 0) out.put(',');
    out.put(bind_name(list.values[i]));
  }
}

void print_value(TextBuffer& out, const RunSchedule& schedule) {
  constexpr std::string_view kNames[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  if (schedule.monotonic) out.put("MONOTONIC:");
  out.put(kNames[static_cast<int>(schedule.kind)]);
  int implied = schedule.kind == ScheduleKind::fixed || schedule.kind == ScheduleKind::automatic
                    ? 0 : 1;
  if (schedule.chunk == implied) return;
  out.put(',');
  out.put_number(schedule.chunk);
}

void print_value(TextBuffer& out, WaitPolicy value) {
  constexpr std::string_view kNames[] = {"BOUNDED", "ACTIVE", "PASSIVE"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, TargetOffload value) {
  constexpr std::string_view kNames[] = {"DEFAULT", "MANDATORY", "DISABLED"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, DisplayEnv value) {
  constexpr std::string_view kNames[] = {"FALSE", "TRUE", "VERBOSE"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, ToolUse value) {
  out.put(value == ToolUse::enabled ? "ENABLED" : "DISABLED");
}

void print_value(TextBuffer& out, TlsMode value) {
  constexpr std::string_view kNames[] = {"AUTO", "OWN", "SHARED"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, TaskCreation value) {
  constexpr std::string_view kNames[] = {"ADAPTIVE", "BREADTH_FIRST", "WORK_FIRST"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, TaskQueues value) {
  out.put(value == TaskQueues::partitioned ? "PARTITIONED" : "GLOBAL");
}

void print_value(TextBuffer& out, TaskDistribution value) {
  constexpr std::string_view kNames[] = {"OWN", "ROUND_ROBIN", "ADAPTIVE"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_value(TextBuffer& out, TaskCutoff value) {
  constexpr std::string_view kNames[] = {"ADAPTIVE", "YIELD", "WORK_FIRST", "NONE"};
  out.put(kNames[static_cast<int>(value)]);
}

void print_duration(TextBuffer& out, uint64_t microseconds) {
  if (microseconds == kEndless) return out.put("INFINITE");
  out.put_unsigned(microseconds);
  out.put("us");
}

void print_spin_count(TextBuffer& out, uint64_t count) {
  if (count == kEndless) return out.put("INFINITY");
  out.put_unsigned(count);
}

void print_allocator(TextBuffer& out, uintptr_t handle) {
  for (const AllocatorName& allocator : kAllocatorNames)
    if (allocator.handle == handle) return out.put(allocator.name);
  out.put("0x");
  out.put_unsigned(handle, 16);
}

}  // namespace tulle::omp
