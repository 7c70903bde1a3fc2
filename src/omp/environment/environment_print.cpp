// SPDX-License-Identifier: Apache-2.0
#include "omp/environment/environment_print.h"

#include "omp/environment/allocator_names.h"

namespace tulle::omp {

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
    print_value(out, list.values[i]);
  }
}

void print_value(TextBuffer& out, const RunSchedule& schedule) {
  constexpr std::string_view kNames[] = {"DYNAMIC", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  if (schedule.monotonic) out.put("MONOTONIC:");
  out.put(schedule.kind == ScheduleKind::trapezoidal ? "TRAPEZOIDAL"
                                                     : kNames[static_cast<int>(schedule.kind)]);
  bool none = schedule.kind == ScheduleKind::fixed || schedule.kind == ScheduleKind::unset;
  if (schedule.chunk == (none ? 0 : 1)) return;
  out.put(',');
  out.put_number(schedule.chunk);
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
