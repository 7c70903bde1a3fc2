// SPDX-License-Identifier: Apache-2.0
// The addresses of Fortran allocatables whose memory came from an OpenMP allocator: code that frees
// one cannot tell by its type, so it asks here. Any thread may call; one lock guards the set, which
// holds a few entries for the life of an allocatable and is on nobody's hot path.
#pragma once

namespace tulle::omp {

// Null is ignored.
void remember_allocated(void* block);

// Whether `block` is in the set; takes it out.
bool forget_allocated(void* block);

}  // namespace tulle::omp
