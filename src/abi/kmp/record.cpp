// SPDX-License-Identifier: Apache-2.0
//
// Regions whose task graph is recorded and replayed, by the entry points that libomp 21 has behind a build
// option; no compiler emits them yet. What is written down of a task is its block, from the padding in front of
// its head to the end of the shareds.
#include "abi/kmp/record.h"

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

}  // namespace

void record_task(omp::Thread* thread, TaskHead* head, const omp::Dependence* list, size_t count) {
  omp::GraphRecording* recording = omp::recording_of(thread);
  if (recording == nullptr) return;
  if (const char* why = obstacle(head)) return recording->leave_out(why);
  const size_t task_at = task_offset(head);
  const size_t bytes = task_at + shareds_offset(head->task_bytes) + head->shareds_bytes;
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
