// SPDX-License-Identifier: Apache-2.0
#include "sched/poll.h"

namespace tulle::sched {

std::atomic<uint32_t> workers_wanted{0};
std::atomic<uint32_t> crowded{0};

}  // namespace tulle::sched
