// SPDX-License-Identifier: Apache-2.0
// This runtime, through the functions that the compilers' entry points call.
#include <vector>

#include "coherence/protocols.h"
#include "omp/region/parallel.h"
#include "omp/thread/team.h"
#include "omp/worksharing/barrier.h"
#include "omp/worksharing/combine.h"

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
