// SPDX-License-Identifier: Apache-2.0
#include "omp/sync/critical.h"

namespace tulle::omp {

alignas(kCacheLine) constinit Lock unnamed_critical;
alignas(kCacheLine) constinit Lock atomic_fallback;

}  // namespace tulle::omp
