// SPDX-License-Identifier: Apache-2.0
// Processes that this one forks for itself.
#pragma once

namespace tulle::os {

// As fork(). What the program has written to its streams is written out before, so that it is not twice.
int fork_child();

// In a child: it is killed when its parent has ended, however that ended. False: the system refuses.
bool end_with_parent(int parent);
// What the child's code has printed is written out.
void flush_output();

// Whether the child has ended; from then on nothing is left of it. The signal that ended it, or 0.
bool has_ended(int child, int& signal);
// Kills it and waits for its end.
void end_child(int child);
[[noreturn]] void leave_child();

}  // namespace tulle::os
