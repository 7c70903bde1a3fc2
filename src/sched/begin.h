// SPDX-License-Identifier: Apache-2.0
// The scheduler as a whole: how it begins, in a process and in the child after fork().
#pragma once

#include "sched/settings.h"

namespace tulle::sched {

struct Entity;

// Once, before anything else here, by the first thread that needs the runtime.
void configure(const Settings& settings);

// In the child after fork(): only the calling OS thread is left. Its entity, which may be null, and
// the worker that carries it stay; all others and what they ran are forgotten.
void reset_after_fork(Entity* entity);

}  // namespace tulle::sched
