// SPDX-License-Identifier: Apache-2.0
#include "trace_clip.h"

#include <algorithm>

namespace tulle::tools {
namespace {

// New numbers of those that stay; kNone for others.
std::vector<std::uint32_t> clip_tasks(Picture& picture) {
  std::vector<std::uint32_t> numbers(picture.tasks.size(), kNone);
  std::vector<TaskLine> kept;
  for (std::size_t i = 0; i < picture.tasks.size(); ++i) {
    const TaskLine& task = picture.tasks[i];
    const bool goes_on = task.ended < 0 && (task.begun >= 0 || task.made >= 0);
    if (!goes_on && std::max({task.made, task.begun, task.ended}) < picture.begin) continue;
    numbers[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(task);
  }
  picture.tasks = std::move(kept);
  return numbers;
}

}  // namespace

void keep_last(Picture& picture, std::int64_t length) {
  picture.begin = std::max<std::int64_t>(picture.end - length, 0);
  const std::vector<std::uint32_t> numbers = clip_tasks(picture);
  for (Lane& lane : picture.lanes) {
    std::erase_if(lane.spans, [&](const Span& span) { return span.end <= picture.begin; });
    for (Span& span : lane.spans) {
      span.begin = std::max(span.begin, picture.begin);
      if (span.task != kNone) span.task = numbers[span.task];
    }
  }
  std::erase_if(picture.edges, [&](const Edge& edge) { return numbers[edge.before] == kNone || numbers[edge.after] == kNone; });
  for (Edge& edge : picture.edges) edge = {numbers[edge.before], numbers[edge.after]};
}

}  // namespace tulle::tools
