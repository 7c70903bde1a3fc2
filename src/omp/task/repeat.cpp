// SPDX-License-Identifier: Apache-2.0
#include "omp/task/repeat.h"

#include "base/create.h"
#include "omp/task/depend_table.h"
#include "omp/task/graph_run.h"
#include "omp/task/graph_store.h"
#include "omp/task/task.h"
#include "omp/task/task_bare.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// Lies at the creating task's table. At most one of the parts is there.
struct Phase {
  const void* code;  // of the first task
  uint32_t barrier;  // before which it began
  bool waits;        // something waits for a part of it, which no pass does
  bool as_recorded = true;
  GraphRun* run = nullptr;
  PatternRecording* recording = nullptr;
  bool watches = false;
  GraphPrint print;
  Phase* next_written = nullptr;  // among those that are to be written down, under `writing`
  bool kept = false;              // as it was at the program's end; under `writing`

  Phase(const void* first, uint32_t before) : code(first), barrier(before), waits(false) {}
  ~Phase();
};

namespace {

// Where all phases are written down, those that have not ended when the program does are as well: whatever thread
// ends it takes them. A table outlives its region until its task begins anew.
TULLE_HELD_AT_FORK sync::Spinlock writing;
Phase* written;  // under `writing`, as their recordings

void keep_open_recordings();

void begin_recording(Phase* phase) {
  phase->recording = create<PatternRecording>();
  if (graph_mode != GraphMode::record || phase->recording == nullptr) return;
  before_writing.store(keep_open_recordings, std::memory_order_release);  // pairs with write_graphs
  sync::Guard guard(writing);
  phase->next_written = written;
  written = phase;
}

// False: it is not to be written, or was taken.
bool take_written_locked(const Phase* phase) {
  Phase** link = &written;
  while (*link != nullptr && *link != phase) link = &(*link)->next_written;
  if (*link == nullptr) return false;
  *link = phase->next_written;
  return true;
}

void record(Phase* phase, const void* code, std::span<const Dependence> list) {
  if (TULLE_LIKELY(graph_mode != GraphMode::record)) return phase->recording->add(code, list);
  sync::Guard guard(writing);
  if (!phase->kept) phase->recording->add(code, list);
}

void keep_recording(const Phase* phase) {
  const char* why = nullptr;
  RepeatedGraph* graph = phase->recording->finish(&why);
  if (graph != nullptr && phase->waits && !graphs_see_all()) {
    free_graph(graph);
    graph = nullptr;
    why = "it waits for some of its tasks";
  }
  keep_graph(phase->code, graph, why);
}

// The program ends: phases that are written down and have not ended are kept as they are.
void keep_open_recordings() {
  sync::Guard guard(writing);
  for (; written != nullptr; written = written->next_written) {
    written->kept = true;
    keep_recording(written);
  }
}

void end_recording(const Phase* phase) {
  if (graph_mode == GraphMode::record) {
    sync::Guard guard(writing);
    if (!take_written_locked(phase)) return;
  }
  keep_recording(phase);
}

// Null: no memory, and nothing is repeated.
Phase* begin_phase(Thread* thread, const void* code) {
  auto* phase = create<Phase>(code, thread->next_barrier);
  if (phase == nullptr) return nullptr;
  PhasePlan plan = plan_phase(code);
  phase->watches = plan.watches;
  if (plan.graph != nullptr) {
    phase->run = GraphRun::make(plan.graph);
    if (phase->run == nullptr)
      give_back_graph(plan.graph, true);
    else if (graph_mode == GraphMode::replay)
      look_at_tasks(true);
  } else if (plan.records) {
    begin_recording(phase);
  }
  return phase;
}

// The phase of the table, unless all of its tasks were awaited.
Phase*& live_phase(const Thread* thread, DependenceTable* table) {
  if (table->phase != nullptr && table->phase->barrier != thread->next_barrier) {
    end_phase(table->phase);
    table->phase = nullptr;
  }
  return table->phase;
}

// The phase to which the current task's next child belongs.
Phase* phase_for(Thread* thread, const void* code) {
  Phase*& phase = live_phase(thread, table_for_children(thread));
  if (phase == nullptr) phase = begin_phase(thread, code);
  return phase;
}

}  // namespace

Phase::~Phase() {
  if (recording != nullptr) destroy(recording);
}

bool pass_goes_on(Thread* thread) {
  Task* task = thread->task();
  if (is_bare(task) || task->table == nullptr) return false;
  const Phase* phase = live_phase(thread, task->table);
  return phase != nullptr && phase->run != nullptr && phase->as_recorded && !phase->run->at_end();
}

Entrance see_task(Thread* thread, const void* code, std::span<const Dependence> list) {
  Phase* phase = phase_for(thread, code);
  if (phase == nullptr) return {};
  if (TULLE_LIKELY(phase->run != nullptr)) {
    if (!phase->as_recorded) return {};
    phase->as_recorded = phase->run->match(code, list);
    return {phase->run, phase->as_recorded};
  }
  if (phase->watches) phase->print.add(code, list);
  if (phase->recording != nullptr) record(phase, code, list);
  return {};
}

Entrance see_wait(Thread* thread, const void* code, std::span<const Dependence> list) {
  Phase* phase = code != nullptr ? phase_for(thread, code) : table_for_children(thread)->phase;
  if (phase == nullptr) return {};
  phase->waits = true;
  if (phase->watches && code != nullptr) phase->print.add(code, list);
  if (phase->recording != nullptr && code != nullptr) record(phase, code, list);
  if (phase->run == nullptr || !phase->as_recorded) return {};
  phase->as_recorded = false;
  return {phase->run, false};
}

void end_phase(Phase* phase) {
  if (phase->run != nullptr) {
    RepeatedGraph* graph = phase->run->graph();
    phase->run->leave_graph();
    count_replayed(phase->run->entered());
    bool same = phase->as_recorded && phase->run->at_end();
    GraphRun::free(phase->run);
    if (graph_mode == GraphMode::replay) look_at_tasks(false);
    give_back_graph(graph, same);
  } else if (phase->recording != nullptr) {
    end_recording(phase);
  } else if (phase->watches) {
    keep_print(phase->code, phase->print.value());
  }
  destroy(phase);
}

}  // namespace tulle::omp
