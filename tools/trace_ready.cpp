// SPDX-License-Identifier: Apache-2.0
#include "trace_ready.h"

#include <algorithm>

namespace tulle::tools {

void mark_ready(Picture& picture, Lane& lane, std::uint32_t task, std::int64_t since,
                const std::function<std::uint32_t(std::uint32_t)>& ready_label) {
  std::vector<Span>& spans = lane.spans;
  for (std::size_t i = spans.size(); i-- > 0 && spans[i].end > since;) {
    Span& span = spans[i];
    const Doing doing = picture.labels[span.label].doing;
    if (span.task != task || !is_waiting(doing) || doing == Doing::ready) continue;
    Span ready = span;
    ready.label = ready_label(span.label);
    ready.begin = std::max(span.begin, since);
    if (ready.begin == span.begin) {
      span = ready;
    } else {
      span.end = ready.begin;
      spans.insert(spans.begin() + static_cast<std::ptrdiff_t>(i) + 1, ready);
    }
  }
}

void note_late_begin(Lane& lane, std::int64_t region, std::int64_t time, std::uint32_t ready_label) {
  const std::int64_t since = std::max(region, lane.spans.empty() ? 0 : lane.spans.back().end);
  if (since < time) lane.spans.push_back({since, time, ready_label, kNone, trace::kNoWorker});
}

void find_ready_tasks(Picture& picture) {
  std::vector<std::int64_t> after(picture.tasks.size(), 0);
  for (const Edge& edge : picture.edges) {
    const std::int64_t ended = picture.tasks[edge.before].ended;
    after[edge.after] = std::max(after[edge.after], ended < 0 ? INT64_MAX : ended);
  }
  for (std::size_t i = 0; i < picture.tasks.size(); ++i) {
    TaskLine& task = picture.tasks[i];
    if (task.ready >= 0 || task.made < 0) continue;
    task.ready = std::max(task.made, after[i]);
    if (task.begun >= 0) task.ready = std::min(task.ready, task.begun);
    if (task.ready == INT64_MAX) task.ready = -1;
  }
}

}  // namespace tulle::tools
