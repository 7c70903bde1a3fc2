// SPDX-License-Identifier: Apache-2.0
// Random graphs of tasks (tests/stress/task_graph.h) by the functions of this layer, without a
// compiler's code between: what the sanitizers see is the runtime and the order that it promises.
// TULLE_GRAPH_SEEDS says how many seeds other than the default; with OMP_CANCELLATION groups are
// cancelled, too.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "task_graph.h"
#include "in_region.h"
#include "omp/icv/icv.h"
#include "omp/task/depend_wait.h"
#include "omp/task/task_cancel.h"
#include "omp/task/task_end.h"
#include "omp/task/task_submit.h"
#include "omp/task/task_wait.h"

namespace tulle::omp {
namespace {

void end_and_fulfil(GraphTask* node, Task* event) {
  graph_end(node);
  fulfill_event(event);
}

// A thread that is none of OpenMP's.
class Foreign {
 public:
  Foreign() : thread_([this] { run(); }) {}
  ~Foreign() {
    push({nullptr, nullptr});
    thread_.join();
  }
  void push(std::pair<GraphTask*, Task*> event) {
    std::lock_guard guard(lock_);
    events_.push_back(event);
    more_.notify_one();
  }

 private:
  void run() {
    std::unique_lock guard(lock_);
    for (;;) {
      more_.wait(guard, [this] { return !events_.empty(); });
      auto [node, event] = events_.back();
      events_.pop_back();
      if (event == nullptr) return;
      guard.unlock();
      end_and_fulfil(node, event);
      guard.lock();
    }
  }

  std::mutex lock_;
  std::condition_variable more_;
  std::vector<std::pair<GraphTask*, Task*>> events_;
  std::thread thread_;
};

Foreign* foreign;

struct Body {
  GraphTask* node;
  Task* event;  // what a child fulfills; null: the node's body
};

void run_body_of(void* data) {
  auto* body = static_cast<Body*>(data);
  if (body->event != nullptr) {
    end_and_fulfil(body->node, body->event);
    return;
  }
  graph_run(body->node, reinterpret_cast<uintptr_t>(self()->task()));
  if (body->node->cancels) cancel_taskgroup(self());
}

Task* make(GraphTask* node, Task* event, uint32_t bits) {
  Task* task = new_task(self(), run_body_of, sizeof(Body), alignof(Body), bits);
  *static_cast<Body*>(task->data) = {node, event};
  return task;
}

size_t list_of(const GraphTask* node, Dependence* list) {
  static constexpr DependenceKind kKinds[] = {DependenceKind::in, DependenceKind::in,
                                              DependenceKind::out, DependenceKind::inoutset,
                                              DependenceKind::mutexinoutset, DependenceKind::out};
  for (int i = 0; i < node->depend_count; ++i) {
    GraphDepend item = node->depends[i];
    list[i] = {item.kind == DEPEND_ALL ? nullptr : &node->in->cells[item.cell], kKinds[item.kind]};
  }
  return static_cast<size_t>(node->depend_count);
}

void run_seeds(uint32_t threads, uint64_t first, uint64_t count) {
  std::vector<GraphTask> tasks(GRAPH_TASKS);
  Graph graph = {};
  graph.tasks = tasks.data();
  Foreign outsider;
  foreign = &outsider;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    graph_seed_in_hand = seed;
    graph_make(&graph, seed);
    graph_expect(&graph);
    test::in_region(threads, [&](Thread* thread) {
      int step = 0;
      if (thread->num == 0) graph_steps(graph.root, &step);
    });
    graph_check(&graph);
  }
}

class DependGraph : public testing::TestWithParam<uint32_t> {};

TEST_P(DependGraph, RunsAsInOrder) {
  const char* wish = getenv("TULLE_GRAPH_SEEDS");
  run_seeds(GetParam(), 1, wish == nullptr ? 60 : strtoull(wish, nullptr, 0));
}

INSTANTIATE_TEST_SUITE_P(Threads, DependGraph, testing::Values(1, 2, 4, 16, 64));

}  // namespace
}  // namespace tulle::omp

using namespace tulle;

static void graph_fulfil(GraphTask* node, uintptr_t handle) {
  auto* event = reinterpret_cast<omp::Task*>(handle);
  if (node->detach == DETACH_FOREIGN)
    omp::foreign->push({node, event});
  else if (node->detach == DETACH_SELF)
    omp::end_and_fulfil(node, event);
  else
    omp::submit_task(omp::self(), omp::make(node, event, 0));
}

static void graph_create(GraphTask* node) {
  omp::Dependence list[GRAPH_DEPENDS];
  uint32_t bits = 0;
  if (node->untied) bits |= omp::kTaskUntied;
  if (node->final) bits |= omp::kTaskFinal;
  if (node->undeferred) bits |= omp::kTaskUndeferred;
  if (node->detach != DETACH_NOT) bits |= omp::kTaskDetachable;
  omp::Task* task = omp::make(node, nullptr, bits);
  if (!node->undeferred) task->priority = node->priority;
  size_t count = omp::list_of(node, list);
  omp::submit_task(omp::self(), task, list, count);
}

static void graph_taskwait() { omp::taskwait(omp::self()); }

static void graph_taskyield() { omp::taskyield(omp::self()); }

static void graph_taskwait_depend(GraphTask* node, bool nowait) {
  omp::Dependence list[GRAPH_DEPENDS];
  size_t count = omp::list_of(node, list);
  if (count == 0) return;
  if (!nowait) {
    omp::taskwait(omp::self(), list, count);
    return;
  }
  omp::Task* task = omp::new_task(omp::self(), [](void*) {}, 0, 1, 0);
  omp::submit_task(omp::self(), task, list, count);
}

static void graph_taskgroup(GraphTask* node, int* step) {
  omp::TaskGroup group;
  omp::taskgroup_begin(omp::self(), &group);
  graph_steps(node, step);
  omp::taskgroup_end(omp::self());
}
