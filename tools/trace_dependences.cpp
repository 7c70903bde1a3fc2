// SPDX-License-Identifier: Apache-2.0
#include "trace_dependences.h"

namespace tulle::tools {
namespace {

enum Kind { kIn = 1, kMutexSet = 4, kInoutSet = 7 };  // of ompt_dependence_type_t

bool beside_each_other(int kind) { return kind == kIn || kind == kMutexSet || kind == kInoutSet; }

}  // namespace

void Dependences::add(std::uint64_t maker, std::uint32_t task, int kind, std::uint64_t address, std::vector<Edge>& edges) {
  Last& last = last_[{maker, address}];
  if (last.kind != kind || !beside_each_other(kind)) {
    last.before = std::move(last.tasks);
    last.tasks.clear();
    last.kind = kind;
  }
  for (std::uint32_t before : last.before)
    if (before != task) edges.push_back({before, task});
  last.tasks.push_back(task);
}

}  // namespace tulle::tools
