// SPDX-License-Identifier: Apache-2.0
// Reductions of a large team whose members come late in turn, several before one barrier, and whose number changes from one
// region to the next: each member's copy counts once, and all see the result after the barrier.
#include <omp.h>
#include <time.h>
#include "expect.h"

enum { kRounds = 40, kRegions = 6, kBins = 50 };

typedef struct Bins {
  int of[kBins];
} Bins;

static void add(Bins *sum, const Bins *other) {
  for (int i = 0; i < kBins; ++i) sum->of[i] += other->of[i];
}
#pragma omp declare reduction(add : Bins : add(&omp_out, &omp_in)) initializer(omp_priv = (Bins){{0}})

static void come_late(int microseconds) {
  struct timespec time = {0, microseconds * 1000L};
  nanosleep(&time, NULL);
}

// Each has a barrier at its end.
static void one_by_one(int members) {
  long sum = 0;
  int top = -1;
#pragma omp parallel num_threads(members)
  {
    const int number = omp_get_thread_num();
    for (int round = 0; round < kRounds; ++round) {
#pragma omp single
      sum = 0, top = -1;
      if (round % 5 == 0 && number == round % members) come_late(200);
#pragma omp for reduction(+ : sum) reduction(max : top)
      for (int i = 0; i < 3 * members; ++i) {
        sum += i + round;
        if (i > top) top = i;
      }
      EXPECT(sum == 3L * members * (3 * members - 1) / 2 + 3L * members * round, "round %d of %d members: %ld", round, members,
             sum);
      EXPECT(top == 3 * members - 1, "round %d of %d members: %d", round, members, top);
#pragma omp barrier
    }
  }
}

// None has: who is late in the first may find the others in the second.
static void in_a_row(int members) {
  long sums[4] = {0};
  long first = 0, second = 0;
  Bins bins = {{0}};
#pragma omp parallel num_threads(members)
  for (int round = 0; round < kRounds; ++round) {
    if (round % 7 == 3 && omp_get_thread_num() == round % members) come_late(200);
#pragma omp for nowait reduction(+ : first)
    for (int i = 0; i < members; ++i) ++first;
#pragma omp for nowait reduction(add : bins)
    for (int i = 0; i < members; ++i) ++bins.of[(i + round) % kBins];
#pragma omp for nowait reduction(+ : sums[0:4])
    for (int i = 0; i < members; ++i) sums[i % 4] += 2;
#pragma omp for reduction(+ : second)
    for (int i = 0; i < members; ++i) second += 3;
  }
  int all = 0;
  for (int i = 0; i < kBins; ++i) all += bins.of[i];
  EXPECT(first == (long)kRounds * members && second == 3L * kRounds * members, "%ld %ld", first, second);
  EXPECT(all == kRounds * members, "%d of %d", all, kRounds * members);
  EXPECT(sums[0] + sums[1] + sums[2] + sums[3] == 2L * kRounds * members, "%d members", members);
}

// Others wait in the reduction for the one that waits for its tasks.
static void beside_tasks(int members) {
  long sum = 0, tasks = 0, inside = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum) shared(inside)
  for (int round = 0; round < kRounds; ++round) {
#pragma omp single nowait
    {
      for (int i = 0; i < members; ++i) {
#pragma omp task
        {
          if (i == round % members) come_late(100);
#pragma omp atomic
          ++tasks;
        }
      }
      if (round % 2 == 0) {
#pragma omp taskwait
      }
    }
    ++sum;
    if (round % 4 == 3) {
#pragma omp for reduction(+ : inside)
      for (int i = 0; i < members; ++i) ++inside;
    }
  }
  EXPECT(tasks == (long)kRounds * members, "%ld tasks of %d members", tasks, members);
  EXPECT(sum == (long)kRounds * members, "%ld of %d members", sum, members);
  EXPECT(inside == (long)kRounds / 4 * members, "%ld of %d members", inside, members);
}

// At the end of a region.
static void regions(int members) {
  for (int round = 0; round < kRounds; ++round) {
    long sum = 0, product = 1;
#pragma omp parallel num_threads(members) reduction(+ : sum) reduction(* : product)
    {
      if (round % 5 == 0 && omp_get_thread_num() == round % members) come_late(200);
      sum += omp_get_thread_num() + 1;
      product *= omp_get_thread_num() == 3 ? 7 : 1;
    }
    EXPECT(sum == (long)members * (members + 1) / 2 && product == 7, "%d members: %ld %ld", members, sum, product);
  }
}

int main(void) {
  const int most = omp_get_max_threads();
  for (int region = 0; region < kRegions; ++region) {
    const int members = most - region % 3;
    one_by_one(members);
    in_a_row(members);
    beside_tasks(members);
    regions(members);
  }
  return 0;
}
