// SPDX-License-Identifier: Apache-2.0
// This runtime, through the functions that the compilers' entry points call.
#include "coherence/protocols.h"
#include "omp/region/parallel.h"
#include "omp/thread/team.h"
#include "omp/worksharing/barrier.h"

namespace tulle::coherence {
namespace {

class Runtime : public Protocol {
 public:
  explicit Runtime(int threads) : threads_(static_cast<std::uint32_t>(threads)) {}

  void region(void (*body)(void*, int), void* argument) override {
    call_ = {body, argument};
    omp::parallel(omp::self_or_attach(), {call_member, &call_, threads_});
  }

  void barrier(int) override { omp::barrier(omp::self()); }

 private:
  struct Call {
    void (*body)(void*, int);
    void* argument;
  };

  static void call_member(void* data) {
    auto* call = static_cast<Call*>(data);
    call->body(call->argument, static_cast<int>(omp::self()->num));
  }

  std::uint32_t threads_;
  Call call_{};
};

}  // namespace

std::unique_ptr<Protocol> make_runtime(int threads) { return std::make_unique<Runtime>(threads); }

}  // namespace tulle::coherence
