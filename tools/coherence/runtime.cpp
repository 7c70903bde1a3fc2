// SPDX-License-Identifier: Apache-2.0
// This runtime, through the functions that the compilers' entry points call.
#include <vector>

#include "coherence/protocols.h"
#include "omp/region/parallel.h"
#include "omp/sync/critical.h"
#include "omp/task/task.h"
#include "omp/task/task_submit.h"
#include "omp/thread/team.h"
#include "omp/worksharing/barrier.h"
#include "omp/worksharing/combine.h"
#include "omp/worksharing/loop.h"

namespace tulle::coherence {
namespace {

class Runtime : public Protocol {
 public:
  explicit Runtime(int threads) : threads_(static_cast<std::uint32_t>(threads)), own_(threads_) {}

  void region(void (*body)(void*, int), void* argument) override {
    call_ = {body, argument};
    omp::parallel(omp::self_or_attach(), {call_member, &call_, threads_});
  }

  void barrier(int) override { omp::barrier(omp::self()); }

  void reduce(int number) override {
    Value& own = own_[static_cast<std::size_t>(number)];
    own.of = 1;
    omp::Thread* thread = omp::self();
    if (!omp::combines_at_tree(thread->team) || omp::combine_at_tree(thread, &own, add_values)) add(sum_);
  }

  // Clang's dynamic loops are dealt out one by one, GCC's so that each thread has rising trips.
  void loop(std::uint64_t trips, Deal deal, void (*compute)(std::uint64_t)) override {
    omp::Thread* thread = omp::self();
    const omp::ScheduleKind kind = deal == Deal::shrinking ? omp::ScheduleKind::guided : omp::ScheduleKind::dynamic;
    omp::loop_begin(thread, {{0, 1, trips, trips}, {kind, deal == Deal::rising, 1}});
    for (omp::LoopChunk chunk; omp::loop_next(thread, chunk);) compute(chunk.end - chunk.first);
    omp::loop_end(thread);
  }

  void tasks(int count, int priority, void (*body)(void*)) override {
    for (int i = 0; i < count; ++i) {
      omp::Task* task = omp::new_task(omp::self(), body, 0, 1, 0);
      task->priority = priority;
      omp::submit_task(omp::self(), task);
    }
  }

  void nest(int threads, void (*body)(void*, int)) override {
    Call call{body, nullptr};
    omp::parallel(omp::self(), {call_member, &call, static_cast<std::uint32_t>(threads)});
  }

  void critical(void (*compute)()) override {
    omp::unnamed_critical.set();
    compute();
    omp::unnamed_critical.unset();
  }

 private:
  static void add_values(void* to, void* other) { add(*static_cast<Value*>(to), *static_cast<Value*>(other)); }

  struct Call {
    void (*body)(void*, int);
    void* argument;
  };

  static void call_member(void* data) {
    auto* call = static_cast<Call*>(data);
    call->body(call->argument, static_cast<int>(omp::self()->num));
  }

  std::uint32_t threads_;
  std::vector<Value> own_;
  Value sum_;
  Call call_{};
};

}  // namespace

std::unique_ptr<Protocol> make_runtime(int threads) { return std::make_unique<Runtime>(threads); }

}  // namespace tulle::coherence
