// SPDX-License-Identifier: Apache-2.0
#include "sched/settings.h"

namespace tulle::sched {

namespace {

Settings in_force;

}  // namespace

const Settings& settings() { return in_force; }
void set_settings(const Settings& settings) { in_force = settings; }
void set_spin(uint64_t spin_ns) { in_force.spin_ns = spin_ns; }
void set_workers(int workers) { in_force.workers = workers; }

}  // namespace tulle::sched
