// SPDX-License-Identifier: Apache-2.0
// Who could have run and did not: threads that were not taken up at once when what they waited for had come, or when
// their region had begun; tasks that had nothing to wait for any more.
#pragma once

#include <functional>

#include "trace_lanes.h"

namespace tulle::tools {

// What the lane shows last is a thread that waited, in the implicit task (kNone) or in an explicit one, and was ready
// from `since` on: `ready_label` of a wait's label. What the thread did for other tasks meanwhile stays as it is.
void mark_ready(Picture& picture, Lane& lane, std::uint32_t task, std::int64_t since,
                const std::function<std::uint32_t(std::uint32_t)>& ready_label);

// A member of a region that began at `region` has begun at `time`.
void note_late_begin(Lane& lane, std::int64_t region, std::int64_t time, std::uint32_t ready_label);

// When tasks were ready of which nobody told: when the last one that they follow had ended.
void find_ready_tasks(Picture& picture);

}  // namespace tulle::tools
