// SPDX-License-Identifier: Apache-2.0
// Tasks that follow each other, made by one thread while the first of all is not complete: pairs.py knows the pairs, and
// says how many there are. GCC's omp.h has no omp_control_tool before GCC 17.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

enum { kMany = 12 };

static char a, b, c, many[kMany];
static int done;

static void one_more(void) {
#pragma omp atomic
  ++done;
}

// Task 1 is complete when all pairs are told, the last of them by a thread that waits for it.
static void make_tasks(omp_event_handle_t* first) {
  omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : a, b)
  one_more();
  *first = event;
#pragma omp task depend(in : a)  // 2
  one_more();
#pragma omp task depend(in : a, b)  // 3, which follows 1 once
  one_more();
#pragma omp task depend(inout : a)  // 4
  one_more();
#pragma omp task depend(out : c)  // 5 follows nothing
  one_more();
#pragma omp task depend(iterator(int i = 0 : kMany), out : many[i]) depend(inout : a)  // 6
  one_more();
#pragma omp task depend(iterator(int i = 0 : kMany), in : many[i]) depend(in : a)  // 7, which follows 6 once
  one_more();
#pragma omp task depend(mutexinoutset : b)  // 8
  one_more();
#pragma omp task depend(mutexinoutset : b)  // 9, which follows no 8
  one_more();
}

int main(int count, char** words) {
  const int pairs = count > 1 ? atoi(words[1]) : 0;
  int (*control_tool)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_DEFAULT, "omp_control_tool");
  omp_event_handle_t first = 0;
  int made = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      make_tasks(&first);
#pragma omp atomic write seq_cst
      made = 1;
#pragma omp task if (0) depend(in : a)  // 10
      one_more();
    } else {
      for (int seen = 0; seen == 0;) {
#pragma omp atomic read seq_cst
        seen = made;
      }
      while (pairs != 0 && control_tool(1, 0, NULL) < pairs) {
      }
      omp_fulfill_event(first);
    }
  }
  EXPECT(done == 10);
  return 0;
}
