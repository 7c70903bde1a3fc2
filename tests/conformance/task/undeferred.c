// SPDX-License-Identifier: Apache-2.0
// Undeferred children (if(0), final, teams of one): control variables, taskgroups, children of their own,
// dependences and waits are theirs, and not their parent's.
#include <omp.h>
#include <stdlib.h>
#include "expect.h"

static int initial_size;

// What one sets stays inside, also when it makes tasks afterwards.
static void check_control_variables(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0)
    {
      omp_set_num_threads(3);
      EXPECT_EQ(omp_get_max_threads(), 3);
      int inherited = 0;
#pragma omp task shared(inherited)
      inherited = omp_get_max_threads();
#pragma omp taskwait
      EXPECT_EQ(inherited, 3);
#pragma omp task if (0)
      {
        EXPECT_EQ(omp_get_max_threads(), 3);
        omp_set_num_threads(5);
      }
      EXPECT_EQ(omp_get_max_threads(), 3);
    }
    EXPECT_EQ(omp_get_max_threads(), initial_size);
#pragma omp task if (0)
    EXPECT_EQ(omp_get_max_threads(), initial_size);
  }
}

// Its taskwait waits for its own children; its parent's children may need what comes after it.
static void check_waits(void) {
  int ready = 0, done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(ready, done)
    {
      int seen = 0;
      while (!seen) {
#pragma omp taskyield
#pragma omp atomic read
        seen = ready;
      }
#pragma omp atomic write
      done = 1;
    }
#pragma omp task if (0) shared(ready)
    {
      int own = 0;
#pragma omp taskwait
#pragma omp task shared(own)
      own = 1;
#pragma omp taskwait
      EXPECT_EQ(own, 1);
#pragma omp task if (0)
      {
#pragma omp taskwait
      }
#pragma omp atomic write
      ready = 1;
    }
#pragma omp taskwait
    EXPECT_EQ(done, 1);
  }
}

static int sum_in_groups(int depth) {
  int a = 0, b = 0, c = 0;
  if (depth == 0) return 1;
#pragma omp taskgroup
  {
#pragma omp task if (0) shared(a, b)
    {
#pragma omp taskgroup
      {
#pragma omp task shared(a)
        {
#pragma omp task shared(a)
          {
            int inner = sum_in_groups(depth - 1);
#pragma omp atomic
            a += inner;
          }
        }
#pragma omp task if (0) shared(b)
        b = sum_in_groups(depth - 1);
      }
      EXPECT(a > 0, "the group waits for descendants");
    }
#pragma omp task final(depth < 2) shared(c)
    c = sum_in_groups(depth - 1);
  }
  return a + b + c;
}

// Dependences of the children of one are not its siblings'.
static void check_dependences(void) {
#pragma omp parallel
#pragma omp single
  {
    int order[4] = {0}, next = 0;
    for (int round = 0; round < 20; round++) {
      next = 0;
#pragma omp task if (0) shared(order, next)
      {
        int x = 0;
#pragma omp task depend(out : x) shared(order, next, x)
        order[next++] = x = 1;
#pragma omp task depend(in : x) if (0) shared(order, next)
        order[next++] = 2;
#pragma omp task depend(inout : x) shared(order, next)
        order[next++] = 3;
#pragma omp task depend(in : x) shared(order, next)
        order[next++] = 4;
#pragma omp taskwait
      }
      for (int i = 0; i < 4; i++) EXPECT_EQ(order[i], i + 1);
    }
  }
}

// In a team of one too a task may wait for an event that a later sibling fulfills.
static void check_event_in_team_of_one(void) {
#pragma omp parallel num_threads(1)
  {
    int x = 0, seen = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
    x = 7;
#pragma omp task depend(in : x) shared(x, seen)
    seen = x;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskwait
    EXPECT_EQ(seen, 7);
  }
}

struct Chain {
  struct Chain *next;
  int number;
};

// Each makes the next: many of them do not lie on top of each other.
static void follow(struct Chain *link, int *last) {
  if (link == NULL) return;
#pragma omp task firstprivate(link, last)
  {
    char pages[4096];
    pages[0] = (char)link->number;
    *last = link->number + (pages[0] - (char)link->number);
    follow(link->next, last);
  }
}

static void check_chain(void) {
  enum { LINKS = 20000 };
  struct Chain *links = malloc(sizeof *links * LINKS);
  for (int i = 0; i < LINKS; i++)
    links[i] = (struct Chain){i + 1 < LINKS ? &links[i + 1] : NULL, i};
  int last = -1;
#pragma omp parallel num_threads(1)
  follow(links, &last);
  EXPECT_EQ(last, LINKS - 1);
  last = -1;
#pragma omp parallel
#pragma omp single
  follow(links, &last);
  EXPECT_EQ(last, LINKS - 1);
  free(links);
}

int main(void) {
  initial_size = omp_get_max_threads();
  check_control_variables();
  check_waits();
  int sum = 0;
#pragma omp parallel
#pragma omp single
  sum = sum_in_groups(6);
  EXPECT_EQ(sum, 729);
#pragma omp parallel num_threads(1)
  sum = sum_in_groups(5);
  EXPECT_EQ(sum, 243);
  check_dependences();
  check_event_in_team_of_one();
  check_chain();
  return 0;
}
