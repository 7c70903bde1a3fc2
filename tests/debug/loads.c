// SPDX-License-Identifier: Apache-2.0
// Loads the libraries that it is told of, opens a region, and waits for its end.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** words) {
  for (int i = 1; i < count; ++i)
    if (dlopen(words[i], RTLD_NOW) == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  ++members;
  puts("ready");
  fflush(stdout);
  return pause();
}
