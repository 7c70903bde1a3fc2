// SPDX-License-Identifier: Apache-2.0
// Tasks that a task makes in its parent's place.
#pragma once

namespace tulle::omp {

// new_task() for a child of the current task's parent, which waits at the end of a taskgroup meanwhile.
Task* new_sibling_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment,
                       uint32_t bits);

}  // namespace tulle::omp
