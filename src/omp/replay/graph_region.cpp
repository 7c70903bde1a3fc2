// SPDX-License-Identifier: Apache-2.0
// A region is found through its task's table of dependences, which it observes: what runs on top of the task, and
// tasks of tasks, have tables of their own.
#include "omp/replay/graph_region.h"

#include "base/create.h"
#include "omp/replay/graph_registry.h"
#include "omp/replay/graph_replay.h"
#include "omp/task/depend.h"
#include "omp/task/depend_table.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_wait.h"
#include "os/report.h"

namespace tulle::omp {

std::atomic<uint32_t> graph_recordings{0};

namespace {

// One that its task has begun and not ended. Owner: that task.
struct GraphRegion : ChildrenObserver {
  GraphRegion* outer = nullptr;  // of the same task
  GraphName name{};
  bool records = false;
  TaskPool* pool = nullptr;  // of the team, where it records
  bool waits = false;        // its tasks stand in `group`
  TaskGroup group;
  GraphRecording recording;
};

// Makers of tasks look at the number from the first recording on, until the last.
void count_recordings(bool begins) {
  graph_recordings.fetch_add(begins ? 1u : static_cast<uint32_t>(-1), std::memory_order_relaxed);
  look_at_tasks(begins);
}

// The innermost one of the current task; null: none.
GraphRegion* region_of(Thread* thread) {
  Task* task = thread->task();
  return is_bare(task) || task->table == nullptr ? nullptr
                                                 : static_cast<GraphRegion*>(task->table->observer);
}

void begin_recording(Thread* thread, GraphRegion* region) {
  region->records = true;
  region->pool = &thread->team->tasks;
  region->pool->recorded.fetch_add(1, std::memory_order_relaxed);  // its own thread looks
  count_recordings(true);
  // Tasks that can be cancelled run or do not run.
  if (global_icv().cancellation.value) region->recording.leave_out("OMP_CANCELLATION is on");
}

void end_recording(GraphRegion* region) {
  const char* why = nullptr;
  ClosedGraph* graph = region->recording.finish(&why);
  count_recordings(false);
  region->pool->recorded.fetch_sub(1, std::memory_order_relaxed);
  keep_graph(region->name, graph, why);
}

void waited(ChildrenObserver* observer) {
  auto* region = static_cast<GraphRegion*>(observer);
  if (region->records) region->recording.wait_for_all();
}

// Its group is awaited by what waits for the task's children; the last of them may come after this.
void ended(ChildrenObserver* observer) {
  auto* region = static_cast<GraphRegion*>(observer);
  region->recording.leave_out("the task that began it did not end it");
  if (region->records) end_recording(region);
}

GraphRegion* new_region(GraphName name, GraphRegion* outer) {
  auto* region = create<GraphRegion>();
  if (region == nullptr) os::fatal("no memory for a task graph");
  region->waited = &waited;
  region->ended = &ended;
  region->outer = outer;
  region->name = name;
  return region;
}

void run_code(Thread* thread, GraphRegion* region, bool records) {
  region->group.hidden = true;
  taskgroup_begin(thread, &region->group);
  region->waits = true;
  if (records) begin_recording(thread, region);
}

}  // namespace

GraphRecording* recording_of(Thread* thread) {
  GraphRegion* region = region_of(thread);
  return region != nullptr && region->records ? &region->recording : nullptr;
}

void record_taskwait(Thread* thread) {
  if (GraphRecording* recording = recording_of(thread)) recording->wait_for_all();
}

void record_taskwait(Thread* thread, const Dependence* list, size_t count) {
  if (GraphRecording* recording = recording_of(thread)) recording->wait_for(list, count);
}

void record_empty_task(Thread* thread, const Dependence* list, size_t count) {
  if (GraphRecording* recording = recording_of(thread)) recording->add_empty(list, count);
}

bool begin_graph_region(Thread* thread, GraphName name, bool anew) {
  recorded_task(thread);
  stay_in_thread(thread);
  GraphRegion* region = new_region(name, region_of(thread));
  GraphPlan plan{};
  if (region->outer != nullptr)
    leave_out_of_graph(thread, "it has another one inside");
  else
    plan = plan_graph(name, anew);
  if (plan.graph != nullptr) {
    replay(thread, *plan.graph);
    drop(plan.graph);
    thread = self();
  } else {
    run_code(thread, region, plan.records);
  }
  table_for_children(thread)->observer = region;
  return plan.graph == nullptr;
}

void end_graph_region(Thread* thread) {
  GraphRegion* region = region_of(thread);
  if (region == nullptr) {
    if (global_icv().warnings.value) os::report("the current task ends a task graph that it did not begin");
    return;
  }
  thread->task()->table->observer = region->outer;
  if (region->waits) taskgroup_end(thread);
  if (region->records) end_recording(region);
  destroy(region);
}

}  // namespace tulle::omp
