// SPDX-License-Identifier: Apache-2.0
// The TLS blocks of whole members. A member of an outermost team has one for good. One of a nested team, of which
// no value has to last from region to region (OpenMP 5.2 §5.2), has one while it runs, the one that was used last:
// many members that one worker calls one after the other run under one block, on one stack, in warm caches.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// Members are whole, by TULLE_TLS, the modules of the program, or a tool, which keeps data at threads.
bool carries_thread_locals();

// Before a region of n threads. Returns how many of them have a block or will find one.
uint32_t lend_blocks(Team* team, uint32_t n);

// A member begins that has no block, in a team that spares them. Without an OS thread for a new one it has none.
void borrow_block(Team* team, Thread* member);
// A member has ended whose block is in force nowhere, and nobody runs anything in its name.
void return_block(Team* team, Thread* member);

// Of a team whose region is over.
void end_spare_blocks(Team* team);

}  // namespace tulle::omp
