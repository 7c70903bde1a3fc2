// SPDX-License-Identifier: Apache-2.0
#include "trace_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tulle::tools {

std::vector<Lane> worker_lanes(const Picture& picture, std::uint32_t process) {
  std::map<std::uint32_t, std::vector<Span>> spans;
  for (const Lane& lane : picture.lanes) {
    if (lane.process != process) continue;
    for (const Span& span : lane.spans)
      if (span.worker != trace::kNoWorker && !is_waiting(picture.labels[span.label].doing)) spans[span.worker].push_back(span);
  }
  std::vector<Lane> lanes;
  for (auto& [worker, list] : spans) {
    std::ranges::stable_sort(list, {}, &Span::begin);
    // A thread that was taken off its worker without a word is taken to have run until another one did.
    for (std::size_t i = 1; i < list.size(); ++i) list[i - 1].end = std::min(list[i - 1].end, list[i].begin);
    lanes.push_back({process, fmt::format("worker {}", worker), std::move(list)});
  }
  return lanes;
}

}  // namespace tulle::tools
