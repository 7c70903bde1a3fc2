// SPDX-License-Identifier: Apache-2.0
// Commands of omp_control_tool, outside of regions, in one, and in a task: prints what each answers. GCC's omp.h has no
// omp_control_tool before GCC 17.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

enum { START = 1, PAUSE, FLUSH, END };  // omp_control_tool_t

int main(void) {
  int (*control_tool)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_DEFAULT, "omp_control_tool");
  int argument = 0, in_region = 0, in_task = 0;
  for (int command = START; command <= END; ++command) printf("%d ", control_tool(command, command + 1, &argument));
  printf("%d ", control_tool(64, 0, NULL));  // a tool's own
#pragma omp parallel num_threads(2) reduction(+ : in_region) shared(in_task)
  {
    in_region += control_tool(PAUSE, omp_get_thread_num(), NULL);
#pragma omp single
#pragma omp task shared(in_task)
    in_task = control_tool(FLUSH, 0, NULL);
  }
  printf("%d %d\n", in_region, in_task);
  return 0;
}
