// SPDX-License-Identifier: Apache-2.0
// The file of this process, in the folder that TULLE_TRACE names, mapped for writing. It is always whole: nothing has
// to be written at the end, and nothing is lost with a process that is killed.
#pragma once

#include "format.h"

namespace tulle::trace {

// Reports, in one line, why there is none where the variable is set. In a child of fork() it replaces the parent's, at the
// same address.
bool open_file();
// The process ends: it says so in the file, and notes what is mapped where.
void close_file();

// For the thread's next events, zero but for its first fields; null: there is no room. The one that it had before is full.
Chunk* take_chunk(Chunk* before, uint32_t thread, uint32_t sequence);

// The number of a place; 0 if there is no room.
uint32_t site_of(const void* code);

}  // namespace tulle::trace
