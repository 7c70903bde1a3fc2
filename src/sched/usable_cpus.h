// SPDX-License-Identifier: Apache-2.0
// CPUs that come and go while the process runs.
#pragma once

namespace tulle::sched {

// Looks, now and then, whether the process may use other CPUs than before, its OS threads' masks taken
// together; if so, ends the pool, which starts again with as many workers as there are CPUs now. The
// caller is outside of all regions.
void follow_usable_cpus();

// What they are now; before the first look.
void remember_usable_cpus();

}  // namespace tulle::sched
