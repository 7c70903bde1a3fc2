// SPDX-License-Identifier: Apache-2.0
// One member opens a plug-in with thread-local data while the region runs: the data are each member's own.
// Usage: plugin_inside; PLUGIN is the file.

#include <dlfcn.h>

#include "waits.h"

static int (*get_own)(void);

static void check(int number, const char *where) {
  EXPECT(get_own() == number, "thread %d has the value %d: %s", number, get_own(), where);
}

int main(void) {
  omp_set_dynamic(0);
#pragma omp parallel
  {
#pragma omp single
    {
      void *plugin = dlopen(getenv("PLUGIN"), RTLD_NOW);
      EXPECT(plugin != NULL, "%s", dlerror());
      get_own = (int (*)(void))dlsym(plugin, "get_own");
      void (*set_own)(int) = (void (*)(int))dlsym(plugin, "set_own");
#pragma omp taskwait
      set_own(1);
    }
    void (*set_own)(int) = (void (*)(int))dlsym(dlopen(getenv("PLUGIN"), RTLD_NOW), "set_own");
    set_own(omp_get_thread_num());
    wait_in_many_ways(check);
  }
  return 0;
}
