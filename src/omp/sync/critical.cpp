// SPDX-License-Identifier: Apache-2.0
#include "omp/sync/critical.h"

namespace tulle::omp {

TULLE_PAIR_ALIGNED constinit Lock unnamed_critical;
TULLE_PAIR_ALIGNED constinit Lock atomic_fallback;

}  // namespace tulle::omp
