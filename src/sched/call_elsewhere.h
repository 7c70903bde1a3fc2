// SPDX-License-Identifier: Apache-2.0
// A call on another stack than its caller's, which waits below it as if it lay on the same one.
#pragma once

#include "base/cacheline.h"
#include "memory/stack_pool.h"

namespace tulle::sched {

// Calls function(data) on `stack`, of which `top` is the end and on which nothing runs. Comes back to the
// caller's stack, maybe on another worker.
TULLE_MAY_SUSPEND void call_elsewhere(memory::Stack* stack, void* top, void (*function)(void*), void* data);

}  // namespace tulle::sched
