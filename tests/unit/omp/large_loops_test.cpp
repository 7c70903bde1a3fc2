// SPDX-License-Identifier: Apache-2.0
// Loops of teams that meet at a tree. Guided ones take chunks by number, a cluster several at once: the same chunks as of a
// counter of trips. Those whose chunks rise for each thread take batches from a counter of the loop's own.
#include "omp/worksharing/loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "in_region.h"
#include "large_teams.h"
#include "os/clock.h"
#include "ult/sanitizer.h"

namespace tulle::omp {
namespace {

using Guided = test::LargeTeams;
using Rising = test::LargeTeams;

struct Range {
  uint64_t begin, end;
};
using Ranges = std::vector<Range>;

// What is left, divided by the threads and rounded up; no less than the chunk but at the end.
Ranges chunks_by_rule(uint64_t trips, uint64_t chunk, uint64_t threads) {
  Ranges ranges;
  for (uint64_t from = 0, size; from < trips; from += size) {
    const uint64_t left = trips - from;
    size = std::min(left, std::max(chunk, left / threads + (left % threads != 0)));
    ranges.push_back({from, from + size});
  }
  return ranges;
}

LoopRequest rising(uint64_t trips, uint64_t chunk) {
  return {space_until<uint64_t>(0, trips, 1, true), {ScheduleKind::dynamic, true, chunk}};
}

LoopRequest guided(uint64_t trips, uint64_t chunk) {
  return {space_until<uint64_t>(0, trips, 1, true), {ScheduleKind::guided, false, chunk}};
}

// In order; each thread had its own in order.
Ranges all_of(const std::vector<Ranges>& of_threads) {
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  Ranges all;
  for (const Ranges& own : of_threads) {
    EXPECT_TRUE(std::is_sorted(own.begin(), own.end(), before));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end(), before);
  return all;
}

void expect_whole(const std::vector<Ranges>& of_threads, uint64_t trips) {
  uint64_t from = 0;
  for (const Range& range : all_of(of_threads)) {
    ASSERT_EQ(range.begin, from);
    from = range.end;
  }
  EXPECT_EQ(from, trips);
}

void expect_rule(const std::vector<Ranges>& of_threads, uint64_t trips, uint64_t chunk) {
  const Ranges all = all_of(of_threads);
  const Ranges rule = chunks_by_rule(trips, chunk, of_threads.size());
  ASSERT_EQ(all.size(), rule.size());
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].begin, rule[i].begin) << i;
    ASSERT_EQ(all[i].end, rule[i].end) << i;
  }
}

void run_loop(Ranges& own, const LoopRequest& request, uint64_t pause) {
  loop_begin(self(), request);
  for (LoopChunk chunk; loop_next(self(), chunk);) {
    own.push_back({chunk.first, chunk.end});
    if (pause != 0) os::sleep_for(pause);
  }
  loop_end(self());
}

// Loops of many lengths and chunks by teams of several sizes: check(what each thread had, trips, chunk).
template <class Request, class Check>
void run_many(Request request, Check check) {
  for (uint32_t members : {9u, 16u, 33u}) {
    test::LargeTeams::use(static_cast<int>(members));
    for (uint64_t chunk : {1, 3, 50})
      for (uint64_t trips : {0u, 1u, members - 1, members, 7 * members + 1, 100000u}) {
        SCOPED_TRACE(testing::Message() << members << " threads, chunk " << chunk << ", trips " << trips);
        std::vector<Ranges> of_threads(members);
        // To move what is kept would make one block so long that its member is taken to be stuck in it.
        for (Ranges& own : of_threads) own.reserve(trips);
        test::in_region(members, [&](Thread* thread) { run_loop(of_threads[thread->num], request(trips, chunk), 0); });
        if (!ult::race_detector) { ASSERT_EQ(self()->inner->meets_at, MeetAt::tree); }
        check(of_threads, trips, chunk);
      }
  }
}

TEST_F(Guided, ChunksAreThoseOfTheRule) { run_many(guided, expect_rule); }

// Long chunks are taken one by one; and what none may be as long as is never divided out.
TEST_F(Guided, LongChunksAndLongLoops) {
  use(12);
  std::vector<Ranges> of_threads(12);
  test::in_region(12, [&](Thread* thread) { run_loop(of_threads[thread->num], guided(200, 1), 200000); });
  expect_rule(of_threads, 200, 1);
  for (uint64_t trips : {(uint64_t{1} << 48) - 1, uint64_t{1} << 48, UINT64_MAX}) {
    SCOPED_TRACE(trips);
    const uint64_t chunk = trips / 100;
    of_threads.assign(12, {});
    test::in_region(12, [&](Thread* thread) { run_loop(of_threads[thread->num], guided(trips, chunk), 0); });
    expect_rule(of_threads, trips, chunk);
  }
}

// Loops whose members are several of them apart, one after the other in one region; what each thread had of each.
template <class Request>
std::vector<std::vector<Ranges>> run_apart(Request request) {
  constexpr size_t kLoops = 30;
  test::LargeTeams::use(16);
  std::vector<std::vector<Ranges>> loops(kLoops, std::vector<Ranges>(16));
  for (auto& of_threads : loops)
    for (Ranges& own : of_threads) own.reserve(500 + kLoops);  // as in run_many
  test::in_region(16, [&](Thread* thread) {
    const uint32_t number = thread->num;
    for (size_t i = 0; i < kLoops; ++i) {
      if (i % 16 == number) os::sleep_for(300000);
      run_loop(loops[i][number], request(i), 0);
    }
  });
  return loops;
}

TEST_F(Guided, SeveralLoopsAreUnderWay) {
  const auto loops = run_apart([](size_t i) { return guided(500 + i, 1); });
  for (size_t i = 0; i < loops.size(); ++i) expect_rule(loops[i], 500 + i, 1);
}

TEST_F(Rising, EachTripOnce) {
  run_many(rising, [](const std::vector<Ranges>& of_threads, uint64_t trips, uint64_t) { expect_whole(of_threads, trips); });
}

TEST_F(Rising, SeveralLoopsAreUnderWay) {
  const auto loops = run_apart([](size_t i) { return i % 2 == 0 ? rising(300 + i, 2) : guided(300 + i, 1); });
  for (size_t i = 0; i < loops.size(); ++i) expect_whole(loops[i], 300 + i);
}

}  // namespace
}  // namespace tulle::omp
