// SPDX-License-Identifier: Apache-2.0
// Displays that users ask for: the control variables (OMP_DISPLAY_ENV, omp_display_env) and
// the binding of threads (OMP_DISPLAY_AFFINITY, omp_display_affinity). Whole lines at a time, the variables to
// standard error. Any thread.
#pragma once

#include <string_view>

#include "omp/icv/icv.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {

// `verbose` adds the variables that are not OpenMP's own.
void display_environment(bool verbose);

struct Thread;

// One line about a thread that the caller carries, as the format that is set says, on the stream that the peer
// uses: libgomp standard error, libomp standard output.
void display_affinity_of(Thread* thread, Peer peer);

// One line about the calling thread, in the given format or, if that is empty, in the one set, or the peer's.
void capture_affinity(TextBuffer& out, std::string_view format, Peer peer);
void display_affinity(std::string_view format, Peer peer);

}  // namespace tulle::omp
