// SPDX-License-Identifier: Apache-2.0
// Processes that this one forks for itself. Each is the child of a keeper, a process of its own that does nothing but
// wait for it: so neither is a child of this process, and the program's wait() knows of neither.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::os {

// Lies in memory that the processes share (os/shared_memory.h).
struct KeptChild {
  std::atomic<int> id{0};            // W: the keeper; -1: it could not be forked
  std::atomic<uint32_t> ended{0};    // 1 and the signal that ended it. W: the keeper
};

// As fork(): 0 in the child, whose number is then in `child` for all, -1 where the system refuses. What the program has
// written to its streams is written out before, so that it is not twice. A handler for SIGCHLD sees one end, of
// a process that is gone.
int fork_child(KeptChild& child);

// In a child: it ends when process `host` has ended, however that ended. False: the system refuses.
bool end_with_host(int host);
// What the child's code has printed is written out.
void flush_output();

// Whether the child has ended. The signal that ended it, or 0.
bool has_ended(const KeptChild& child, int& signal);
// Kills it and waits for its end.
void end_child(KeptChild& child);
[[noreturn]] void leave_child();

}  // namespace tulle::os
