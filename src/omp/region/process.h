// SPDX-License-Identifier: Apache-2.0
// State of the process as a whole.
#pragma once

namespace tulle::omp {

// Gives back OS threads and, unless `soft`, what the calling thread's regions have cached, the data
// of its threads included. False: inside a region (OpenMP 5.2 §18.6).
bool pause(bool soft);

}  // namespace tulle::omp
