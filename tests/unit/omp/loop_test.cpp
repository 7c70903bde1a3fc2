// SPDX-License-Identifier: Apache-2.0
// Loops against brute force: every schedule, extreme bounds, stealing, several loops in flight.
#include "omp/task/task_icv.h"
#include "omp/worksharing/loop.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "in_region.h"

namespace tulle::omp {
namespace {

using test::in_region;

constexpr ScheduleKind kKinds[] = {ScheduleKind::fixed, ScheduleKind::dynamic, ScheduleKind::guided,
                                   ScheduleKind::automatic};

LoopRequest request_of(uint64_t trips, Schedule schedule) {
  return {space_until<uint64_t>(0, trips, 1, true), schedule};
}

// Values of the space, taken in chunks of three through both forms of an end.
template <class T>
std::vector<T> values_of(const LoopSpace& space) {
  std::vector<T> values;
  for (uint64_t trip = 0; trip < space.trips; ++trip) values.push_back(T(space.value(trip)));
  return values;
}

TEST(LoopSpace, SignedExclusive) {
  EXPECT_EQ(values_of<int64_t>(space_until(0, 10, 3)), (std::vector<int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(values_of<int64_t>(space_until(10, 0, -4)), (std::vector<int64_t>{10, 6, 2}));
  EXPECT_EQ(space_until(5, 5, 1).trips, 0u);
  EXPECT_EQ(space_until(6, 5, 1).trips, 0u);
  EXPECT_EQ(space_until(5, 6, -1).trips, 0u);
}

TEST(LoopSpace, SignedExtremes) {
  constexpr int64_t low = INT64_MIN, high = INT64_MAX;
  EXPECT_EQ(space_until(low, high, 1).trips, UINT64_MAX);
  EXPECT_EQ(space_until(high, low, -1).trips, UINT64_MAX);
  EXPECT_EQ(space_until(high, low, low).trips, 2u);
  EXPECT_EQ(values_of<int64_t>(space_until(low, high, high)), (std::vector<int64_t>{low, -1, high - 1}));
  LoopSpace space = space_until(high - 5, high, 4);
  EXPECT_EQ(values_of<int64_t>(space), (std::vector<int64_t>{high - 5, high - 1}));
  EXPECT_EQ(int64_t(space.end_of(2)), high) << "not past the type's end";
}

TEST(LoopSpace, UnsignedExclusive) {
  constexpr uint64_t high = UINT64_MAX;
  EXPECT_EQ(values_of<uint64_t>(space_until<uint64_t>(high - 4, high, 3, true)),
            (std::vector<uint64_t>{high - 4, high - 1}));
  EXPECT_EQ(values_of<uint64_t>(space_until<uint64_t>(4, 0, -uint64_t{3}, false)),
            (std::vector<uint64_t>{4, 1}));
  EXPECT_EQ(space_until<uint64_t>(0, high, 1, true).trips, high);
  EXPECT_EQ(space_until<uint64_t>(0, high, 1, false).trips, 0u);
  EXPECT_EQ(space_until<uint64_t>(high, 0, -uint64_t{1}, false).trips, high);
}

TEST(LoopSpace, Inclusive) {
  EXPECT_EQ(values_of<int32_t>(space_through<int32_t>(INT32_MAX - 3, INT32_MAX, 2)),
            (std::vector<int32_t>{INT32_MAX - 3, INT32_MAX - 1}));
  EXPECT_EQ(space_through<int32_t>(INT32_MIN, INT32_MAX, 1).trips, uint64_t{1} << 32);
  EXPECT_EQ(space_through<int32_t>(INT32_MAX, INT32_MIN, -1).trips, uint64_t{1} << 32);
  EXPECT_EQ(values_of<uint32_t>(space_through<uint32_t>(7, 0, -3)), (std::vector<uint32_t>{7, 4, 1}));
  EXPECT_EQ(values_of<uint32_t>(space_through<uint32_t>(UINT32_MAX, UINT32_MAX, 5)),
            (std::vector<uint32_t>{UINT32_MAX}));
  EXPECT_EQ(space_through<int32_t>(1, 0, 1).trips, 0u);
  EXPECT_EQ(space_through<int64_t>(INT64_MAX, INT64_MIN, INT64_MIN).trips, 2u);
  EXPECT_EQ(space_through<uint64_t>(3, 3, -1).trips, 1u);
}

// How a loop came out: how often each trip ran, and the chunks in the order of each thread.
struct Outcome {
  explicit Outcome(uint64_t trips, uint32_t threads) : runs(trips), chunks(threads) {}

  void run(Thread* thread, const LoopRequest& request) {
    loop_begin(thread, request);
    LoopChunk chunk;
    while (loop_next(thread, chunk)) add(self(), chunk);
    loop_end(self());
  }

  void add(Thread* thread, const LoopChunk& chunk) {
    chunks[thread->num].push_back(chunk);
    for (uint64_t i = chunk.first; i != chunk.end; ++i) runs[i].fetch_add(1);
    if (chunk.last) lasts.fetch_add(1);
  }

  // Whoever runs the loop's last trip does so in its own last chunk: GCC's lastprivate needs it.
  void expect_complete() {
    for (size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i].load(), 1) << "trip " << i;
    EXPECT_EQ(lasts.load(), runs.empty() ? 0 : 1);
    for (auto& mine : chunks)
      for (size_t i = 0; i + 1 < mine.size(); ++i) EXPECT_FALSE(mine[i].last);
  }

  std::vector<std::atomic<int>> runs;
  std::vector<std::vector<LoopChunk>> chunks;
  std::atomic<int> lasts{0};
};

class Loop : public testing::TestWithParam<uint32_t> {};

TEST_P(Loop, EachTripOnceInEverySchedule) {
  uint32_t threads = GetParam();
  for (ScheduleKind kind : kKinds)
    for (bool monotonic : {false, true})
      for (uint64_t chunk : {0, 1, 3, 1000})
        for (uint64_t trips : {0, 1, 2, 7, 64, 1001}) {
          SCOPED_TRACE(testing::Message() << "kind " << int(kind) << " monotonic " << monotonic
                                          << " chunk " << chunk << " trips " << trips);
          Outcome outcome(trips, threads);
          LoopRequest request = request_of(trips, {kind, monotonic, chunk});
          in_region(threads, [&](Thread* thread) { outcome.run(thread, request); });
          outcome.expect_complete();
          if (threads == 1) continue;
          for (auto& chunks : outcome.chunks)
            for (const LoopChunk& c : chunks) {
              EXPECT_EQ(c.unit, 1u);
              uint64_t size = c.end - c.first, least = std::max<uint64_t>(chunk, 1);
              if (c.last) continue;
              if (kind == ScheduleKind::dynamic) { EXPECT_EQ(size, least); }
              if (kind == ScheduleKind::guided) { EXPECT_GE(size, least); }
            }
        }
}

TEST_P(Loop, MonotonicChunksGoUp) {
  uint32_t threads = GetParam();
  for (ScheduleKind kind : kKinds) {
    Outcome outcome(500, threads);
    LoopRequest request = request_of(500, {kind, true, 2});
    in_region(threads, [&](Thread* thread) { outcome.run(thread, request); });
    outcome.expect_complete();
    for (auto& chunks : outcome.chunks)
      for (size_t i = 1; i < chunks.size(); ++i) EXPECT_GT(chunks[i].first, chunks[i - 1].first);
  }
}

TEST_P(Loop, StaticPartsAreWhereTheyMustBe) {
  uint32_t threads = GetParam();
  if (threads == 1) return;
  Outcome chunked(100, threads);
  in_region(threads, [&](Thread* thread) {
    chunked.run(thread, request_of(100, {ScheduleKind::fixed, false, 3}));
  });
  for (uint32_t t = 0; t < threads; ++t)
    for (const LoopChunk& c : chunked.chunks[t]) EXPECT_EQ(c.first / 3 % threads, t);
  Outcome even(100, threads);
  in_region(threads, [&](Thread* thread) {
    even.run(thread, request_of(100, {ScheduleKind::fixed, false, 0}));
  });
  uint64_t next = 0;
  for (uint32_t t = 0; t < threads; ++t) {
    ASSERT_EQ(even.chunks[t].size(), t < 100 ? 1u : 0u);
    if (t >= 100) break;
    const LoopChunk& c = even.chunks[t][0];
    EXPECT_EQ(c.first, next);
    EXPECT_EQ(c.end - c.first, 100 / threads + (t < 100 % threads ? 1 : 0));
    next = c.end;
  }
}

// Threads get many loops apart; each still deals its own trips.
TEST_P(Loop, ManyInFlightWithoutBarriers) {
  uint32_t threads = GetParam();
  constexpr int kLoops = 60;
  std::vector<std::unique_ptr<Outcome>> outcomes;
  for (int i = 0; i < kLoops; ++i) outcomes.push_back(std::make_unique<Outcome>(i % 23, threads));
  in_region(threads, [&](Thread* thread) {
    std::mt19937 random(thread->num);
    for (int i = 0; i < kLoops; ++i) {
      Schedule schedule{kKinds[i % 4], i % 3 == 0, uint64_t(i % 5)};
      outcomes[i]->run(self(), request_of(i % 23, schedule));
      if (random() % 8 == 0) sched_yield();
    }
  });
  for (auto& outcome : outcomes) outcome->expect_complete();
}

TEST_P(Loop, ManyRegionsOfChangingSize) {
  uint32_t threads = GetParam();
  for (int i = 0; i < 40; ++i) {
    uint32_t n = 1 + (threads + i * 7) % (2 * threads);
    Outcome first(50, n), second(3, n);
    in_region(n, [&](Thread* thread) {
      first.run(thread, request_of(50, {ScheduleKind::dynamic, i % 2 == 0, 1}));
      second.run(self(), request_of(3, {ScheduleKind::guided, false, 1}));
    });
    first.expect_complete();
    second.expect_complete();
  }
}

TEST_P(Loop, PreparedByTheRegion) {
  uint32_t threads = GetParam();
  Outcome outcome(200, threads);
  LoopRequest request = request_of(200, {ScheduleKind::dynamic, false, 4});
  auto body = [](void* data) {
    LoopChunk chunk;
    while (loop_next(self(), chunk)) static_cast<Outcome*>(data)->add(self(), chunk);
    loop_end(self());
  };
  auto before = [](Thread* master, void* argument) {
    loop_prepare(master, *static_cast<LoopRequest*>(argument));
  };
  for (int i = 0; i < 2; ++i) {
    fork(self_or_attach(), {body, &outcome, threads}, threads, before, &request);
    body(&outcome);
    join();
  }
  for (auto& runs : outcome.runs) EXPECT_EQ(runs.load(), 2);
}

TEST_P(Loop, ExtremeBounds) {
  uint32_t threads = GetParam();
  constexpr int64_t high = INT64_MAX;
  for (ScheduleKind kind : kKinds)
    for (bool monotonic : {false, true}) {
      std::atomic<uint64_t> sum{0}, chunks{0};
      LoopRequest request{space_until(INT64_MIN, high, 1),
                          {kind, monotonic, uint64_t{1} << 62}};
      in_region(threads, [&](Thread* thread) {
        loop_begin(thread, request);
        LoopChunk chunk;
        while (loop_next(thread, chunk)) {
          EXPECT_LT(int64_t(chunk.first), int64_t(chunk.end));
          sum += chunk.end - chunk.first;
          ++chunks;
        }
        loop_end(self());
      });
      EXPECT_EQ(sum.load(), UINT64_MAX) << int(kind) << monotonic;
      EXPECT_LE(chunks.load(), std::max(4u, threads));
    }
}

TEST_P(Loop, LongLoopsDealChunksFromBlocks) {
  uint32_t threads = GetParam();
  constexpr uint64_t kTrips = 3'000'017;
  std::atomic<uint64_t> sum{0}, chunks{0};
  in_region(threads, [&](Thread* thread) {
    loop_begin(thread, request_of(kTrips, {ScheduleKind::dynamic, false, 1}));
    LoopChunk chunk;
    uint64_t mine = 0, count = 0;
    while (loop_next(thread, chunk)) {
      for (uint64_t i = chunk.first; i < chunk.end; ++i) mine += i;
      ++count;
    }
    loop_end(thread);
    sum += mine;
    chunks += count;
  });
  EXPECT_EQ(sum.load(), kTrips * (kTrips - 1) / 2);
  EXPECT_EQ(chunks.load(), threads == 1 ? 1 : kTrips);
}

TEST_P(Loop, SectionsOnce) {
  uint32_t threads = GetParam();
  for (uint32_t count : {0u, 1u, 5u, 70u}) {
    std::vector<std::atomic<int>> runs(count + 1);
    in_region(threads, [&](Thread* thread) {
      sections_begin(thread, count);
      while (uint32_t number = sections_next(thread)) runs[number].fetch_add(1);
      loop_end(thread);
    });
    for (uint32_t i = 1; i <= count; ++i) EXPECT_EQ(runs[i].load(), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Loop, testing::Values(1u, 2u, 3u, 16u, 64u));

// Member 0 holds its first chunk until all others ran: they are stolen, the last one included. (If
// member 1 was so early that it stole that one too, nobody waits.)
TEST(LoopBalance, ABusyMemberLosesTheRest) {
  for (ScheduleKind kind : {ScheduleKind::dynamic, ScheduleKind::guided}) {
    std::atomic<int> ran{0};
    constexpr int kTrips = 40;
    in_region(2, [&](Thread* thread) {
      loop_begin(thread, request_of(kTrips, {kind, false, 1}));
      LoopChunk chunk;
      while (loop_next(thread, chunk)) {
        int size = int(chunk.end - chunk.first);
        if (thread->num == 0 && chunk.first == 0)
          while (ran.load() != kTrips - size) sched_yield();
        ran += size;
      }
      loop_end(thread);
    });
    EXPECT_EQ(ran.load(), kTrips);
  }
}

// Member 1 does not come to the loop before its part is done, but for what a thief leaves it.
TEST(LoopBalance, AnAbsentMembersPartIsTaken) {
  std::atomic<int> ran{0}, late{0};
  constexpr int kTrips = 40;
  in_region(2, [&](Thread* thread) {
    bool is_late = thread->num == 1;
    if (is_late)
      while (ran.load() != kTrips) sched_yield();
    loop_begin(thread, request_of(kTrips, {ScheduleKind::dynamic, false, 1}));
    LoopChunk chunk;
    while (loop_next(thread, chunk)) {
      ++ran;
      if (is_late) ++late;
    }
    loop_end(thread);
  });
  EXPECT_EQ(ran.load(), kTrips);
  EXPECT_EQ(late.load(), 0);
}

TEST(RunSchedule, ComesFromTheTask) {
  in_region(1, [](Thread* thread) {
    writable_icv(thread)->run_sched = {7, ScheduleKind::guided, true};
    const Schedule standard{ScheduleKind::fixed, false, 0};
    Schedule schedule = runtime_schedule(thread, false, standard);
    EXPECT_EQ(schedule.kind, ScheduleKind::guided);
    EXPECT_EQ(schedule.chunk, 7u);
    EXPECT_TRUE(schedule.monotonic);
    writable_icv(thread)->run_sched = {0, ScheduleKind::dynamic, false};
    EXPECT_FALSE(runtime_schedule(thread, false, standard).monotonic);
    EXPECT_TRUE(runtime_schedule(thread, true, standard).monotonic);
    writable_icv(thread)->run_sched = {};
    EXPECT_EQ(runtime_schedule(thread, false, standard).kind, ScheduleKind::fixed);
  });
}

}  // namespace
}  // namespace tulle::omp
