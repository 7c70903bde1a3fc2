// SPDX-License-Identifier: Apache-2.0
#include "omp/region/lent_blocks.h"

#include "base/look.h"
#include "os/report.h"
#include "os/restartable.h"
#include "sched/workers.h"

namespace tulle::omp {

namespace {

void report_missing(uint32_t n, uint32_t lent) {
  static std::atomic<bool> reported{false};
  if (!reported.exchange(true, std::memory_order_relaxed))  // relaxed: it guards no data
    os::report("no OS thread for the thread-local data of a team of %u: %u threads instead", n, lent);
}

}  // namespace

uint32_t lend_blocks(Team* team, uint32_t n) {
  set_looked_at(team->thread_locals, true);
  set_looked_at(sched::members_are_whole, true);
  os::give_up_restartable_sequences();  // a spare may go on with member 0, under this block
  uint32_t lent = 1;
  for (; lent < n; ++lent) {  // the blocks' OS threads begin beside each other
    Thread* member = team->members[lent];
    if (member->block == nullptr && (member->block = ult::begin_tls_block()) == nullptr) break;
  }
  for (uint32_t i = 1; i < lent; ++i) {
    Thread* member = team->members[i];
    if (look(member->tls) != 0) continue;
    ult::wait_for_tls_block(member->block);
    set_looked_at(member->tls, member->block->base);
  }
  if (lent < n) report_missing(n, lent);
  return lent;
}

}  // namespace tulle::omp
