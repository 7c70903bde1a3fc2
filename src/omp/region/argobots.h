// SPDX-License-Identifier: Apache-2.0
// Argobots as a host of guests (tulle/host.h), where the program brings it and has described no host itself.
#pragma once

namespace tulle::omp {

// Once, before the first thread is attached.
void look_for_argobots();

}  // namespace tulle::omp
