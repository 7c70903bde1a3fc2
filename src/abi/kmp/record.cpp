// SPDX-License-Identifier: Apache-2.0
//
// Regions whose task graph is recorded and replayed, by the entry points that libomp 21 has behind a build
// option; no compiler emits them yet. What is written down of a task is its block to the end of the shareds: of one that
// comes in parts from the padding in front of its head on, of any other from the task on.
#include "abi/kmp/record.h"

#include <cstring>

#include "omp/replay/graph_region.h"
#include "omp/thread/thread.h"

namespace tulle::kmp {
namespace {

constexpr int32_t kRecordAnew = 2;  // of the entries' flags; 1, nowait, libomp does not heed either

size_t task_offset(const TaskHead* head) {
  return std::max(alignment_of(head->task_bytes), sizeof(TaskHead));
}

// A copy of a block whose task stands at `task_at`.
template <size_t task_at>
void run_recorded(void* block) {
  auto* task = reinterpret_cast<Task*>(static_cast<char*>(block) + task_at);
  TaskHead* head = head_of(task);
  head->progress = Progress::begun;
  head->enrolled = head->again = false;
  if (task->shareds != nullptr)
    task->shareds = reinterpret_cast<char*>(task) + shareds_offset(head->task_bytes);
  run_parts(head);
}

// A copy of a task that is its body and has no use for a head; it has no shareds, or `shareds` says how far behind it
// they are.
void run_tied(void* data) {
  auto* task = static_cast<Task*>(data);
  task->entry(static_cast<int32_t>(omp::self()->gtid), task);
}
void run_tied_sharing(void* data) {
  auto* task = static_cast<Task*>(data);
  task->shareds = reinterpret_cast<char*>(task) + reinterpret_cast<uintptr_t>(task->shareds);
  run_tied(task);
}

omp::TaskFunction runner_for(size_t task_at) {
  return task_at == sizeof(TaskHead) ? &run_recorded<sizeof(TaskHead)>
                                     : &run_recorded<omp::ClosedGraph::kAlignment>;
}

// Null: it can be repeated.
const char* obstacle(const TaskHead* head) {
  if (head->flags & (kTaskDetachable | kTaskProxy)) return "a task of it has an event";
  if (head->flags & kTaskDestructors) return "a task of it copies an object by a function";
  if (task_offset(head) > omp::ClosedGraph::kAlignment) return "a task's data are aligned too far";
  return nullptr;
}

constexpr size_t kMostTied = 4096;  // bytes that are copied once more to be written down

void record_tied(omp::GraphRecording* recording, const TaskHead* head, size_t bytes, const omp::Dependence* list,
                 size_t count) {
  alignas(Task) char copy[kMostTied];
  memcpy(copy, task_of(head), bytes);
  auto* task = reinterpret_cast<Task*>(copy);
  const bool shares = task->shareds != nullptr;
  if (shares) task->shareds = reinterpret_cast<void*>(shareds_offset(head->task_bytes));
  recording->add({shares ? run_tied_sharing : run_tied, bare_bits(head->flags), static_cast<uint32_t>(bytes),
                  static_cast<uint32_t>(std::max(alignment_of(head->task_bytes), alignof(Task)))},
                 copy, list, count);
}

}  // namespace

void record_task(omp::Thread* thread, TaskHead* head, const omp::Dependence* list, size_t count) {
  omp::GraphRecording* recording = omp::recording_of(thread);
  if (recording == nullptr) return;
  if (const char* why = obstacle(head)) return recording->leave_out(why);
  const size_t task_at = task_offset(head), task_bytes = shareds_offset(head->task_bytes) + head->shareds_bytes;
  if ((head->flags & kTaskTied) != 0 && task_bytes <= kMostTied)
    return record_tied(recording, head, task_bytes, list, count);
  const size_t bytes = task_at + task_bytes;
  recording->add({runner_for(task_at), bare_bits(head->flags), static_cast<uint32_t>(bytes),
                  static_cast<uint32_t>(std::max(alignment_of(head->task_bytes), alignof(TaskHead)))},
                 reinterpret_cast<char*>(task_of(head)) - task_at, list, count);
}

void record_undeferred(omp::Thread* thread, TaskHead* head) {
  record_task(thread, head, nullptr, 0);
  if (omp::GraphRecording* recording = omp::recording_of(thread)) recording->wait_for_last();
}

// 1: the caller runs the region's code; 0: its graph was replayed.
TULLE_KMP int32_t __kmpc_start_record_task(Ident*, int32_t, int32_t flags, int32_t number) {
  return omp::begin_graph_region(omp::self_or_attach(),
                                 {omp::GraphNames::compiler, static_cast<uint32_t>(number)},
                                 (flags & kRecordAnew) != 0);
}

TULLE_KMP void __kmpc_end_record_task(Ident*, int32_t, int32_t, int32_t) {
  omp::end_graph_region(omp::self_or_attach());
}

}  // namespace tulle::kmp
