// SPDX-License-Identifier: Apache-2.0
#include "omp/critical.h"

namespace tulle::omp {

constinit Lock unnamed_critical;
constinit Lock atomic_fallback;

}  // namespace tulle::omp
