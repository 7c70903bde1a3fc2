// SPDX-License-Identifier: Apache-2.0
// OS threads that the C library does not know of: for the length of one signal (sched/visit.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::os {

// The OS thread runs `run` below `top`, under the TLS block `base`, with every signal blocked, and ends with it. `id` is
// its kernel's id from before its first step until its last one is over. False: the system gives none.
bool start_visitor(int (*run)(void*), void* top, uintptr_t base, std::atomic<uint32_t>& id);

// Sleeps until it is 0, which the kernel or leave_to_others() makes it.
void await_none(const std::atomic<uint32_t>& id);
void leave_to_others(std::atomic<uint32_t>& id);

}  // namespace tulle::os
