// SPDX-License-Identifier: Apache-2.0
// Which of the other ranks live. Those on this machine are watched by their processes; those elsewhere are
// mpirun's affair, which ends all when one dies. One thread.
#pragma once

#include "meeting.h"

// Host and devices tell each other who they are. False: no memory.
bool meet_peers(const Meeting& meeting);

// A rank that was lost and not told of so far; -1: none. Looks now and then.
int next_lost();
bool is_lost(int peer);
bool any_lost();

void tell(const char* line);
