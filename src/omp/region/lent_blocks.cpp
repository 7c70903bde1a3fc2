// SPDX-License-Identifier: Apache-2.0
#include "omp/region/lent_blocks.h"

#include "base/look.h"
#include "os/report.h"
#include "os/restartable.h"
#include "ult/identity.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

namespace {

void report_missing(uint32_t n, uint32_t lent) {
  static std::atomic<bool> reported{false};
  if (!reported.exchange(true, std::memory_order_relaxed))  // relaxed: it guards no data
    os::report("no OS thread for the thread-local data of a team of %u: %u threads instead", n, lent);
}

// The blocks' OS threads begin beside each other.
uint32_t lend_for_good(Team* team, uint32_t n) {
  uint32_t lent = 1;
  for (; lent < n; ++lent) {
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

ult::TlsBlock* take_spare(Team* team) {
  sync::Guard guard(team->sparing);
  ult::TlsBlock* block = team->spare_blocks;
  if (block == nullptr) return nullptr;
  team->spare_blocks = block->next;
  ult::happens_after(block);  // what the member before did with its data
  return block;
}

void give_spare(Team* team, ult::TlsBlock* block) {
  sync::Guard guard(team->sparing);
  ult::happens_before(block);
  block->next = team->spare_blocks;
  team->spare_blocks = block;
}

// One is enough where members run one after the other.
uint32_t keep_one_to_spare(Team* team, uint32_t n) {
  ult::TlsBlock* block = n == 1 ? nullptr : take_spare(team);
  if (n > 1 && block == nullptr) block = ult::take_tls_block();
  if (block != nullptr) give_spare(team, block);
  if (block != nullptr || n == 1) return n;
  report_missing(n, 1);
  return 1;
}

}  // namespace

uint32_t lend_blocks(Team* team, uint32_t n) {
  set_looked_at(team->thread_locals, true);
  os::give_up_restartable_sequences();  // a spare may go on with member 0, under this block
  team->spares_blocks = team->parent->team->active_level > 0;
  return team->spares_blocks ? keep_one_to_spare(team, n) : lend_for_good(team, n);
}

void borrow_block(Team* team, Thread* member) {
  ult::TlsBlock* block = take_spare(team);
  if (block == nullptr) block = ult::take_tls_block();
  if (block == nullptr) {
    static std::atomic<bool> reported{false};
    if (!reported.exchange(true, std::memory_order_relaxed))  // relaxed: it guards no data
      os::report("no OS thread for the thread-local data of a nested team: its threads share their worker's");
    return;
  }
  member->block = block;
  set_looked_at(member->tls, block->base);
}

void return_block(Team* team, Thread* member) {
  ult::TlsBlock* block = member->block;
  member->block = nullptr;
  set_looked_at(member->tls, uintptr_t{0});
  give_spare(team, block);
}

void end_spare_blocks(Team* team) {
  while (ult::TlsBlock* block = take_spare(team)) ult::give_tls_block(block);
}

}  // namespace tulle::omp
