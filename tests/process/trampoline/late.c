// SPDX-License-Identifier: Apache-2.0
// A module that asks for executable stacks comes when members wait on stacks already: between regions, or in one.
#include <dlfcn.h>
#include <omp.h>
#include <string.h>
#include "expect.h"

static int (*call_nested)(int, int);

static void load(const char *path) {
  void *module = dlopen(path, RTLD_NOW);
  EXPECT(module != NULL, "%s", dlerror());
  call_nested = (int (*)(int, int))dlsym(module, "call_nested");
}

static int executable_stacks(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[500];
  int count = 0;
  while (fgets(line, sizeof line, maps)) count += strstr(line, " rwxp ") != NULL;
  fclose(maps);
  return count;
}

int main(int argc, char **argv) {
  EXPECT(argc == 3, "when and which");
  omp_set_dynamic(0);
  int inside = strcmp(argv[1], "inside") == 0;
#pragma omp parallel
  {
#pragma omp barrier
  }
  EXPECT_EQ(executable_stacks(), 0);
  if (!inside) load(argv[2]);
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp single
    if (inside) load(argv[2]);
    for (int round = 0; round < 3; round++) {
      int number = omp_get_thread_num();
      EXPECT_EQ(call_nested(10 * number, round), 10 * number + round);
#pragma omp barrier
    }
  }
  return 0;
}
