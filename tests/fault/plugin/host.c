// SPDX-License-Identifier: Apache-2.0
// Opens a plug-in that uses OpenMP, calls it and closes it, again and again, while the workers are
// idle; the program itself was not linked with OpenMP. FILLER, if given, is opened before.
// usage: host PLUGIN ROUNDS [FILLER]
#include <dlfcn.h>

#include "process.h"

static void round_trip(const char *path, int threads) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  EXPECT(plugin != NULL, "%s", dlerror());
  int (*compute)(int) = (int (*)(int))dlsym(plugin, "compute");
  EXPECT(compute != NULL, "%s", dlerror());
  EXPECT_EQ(compute(threads), 4960);
  EXPECT_EQ(dlclose(plugin), 0);
}

static const char *plugin;
static int rounds;

static void some_trips(int round) {
  for (int i = 0; i < rounds / 4; i++) {
    round_trip(plugin, 1 + i % 7);
    if (i % 100 == 0) usleep(20000);
  }
  (void)round;
}

int main(int argc, char **argv) {
  EXPECT(argc >= 3, "usage");
  if (argc > 3) EXPECT(dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL) != NULL, "%s", dlerror());
  plugin = argv[1];
  rounds = atoi(argv[2]);
  some_trips(0);
  growth least = least_growth(some_trips);
  EXPECT(least.os_threads <= 4, "%ld more OS threads", least.os_threads);
  EXPECT(least.size_kib < 50 * 1024, "%ld KiB more", least.size_kib);
  EXPECT(least.resident_kib < 1024, "%ld KiB more in memory", least.resident_kib);
  return 0;
}
