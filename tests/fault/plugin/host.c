// SPDX-License-Identifier: Apache-2.0
// Opens a plug-in that uses OpenMP, calls it and closes it, again and again, while the workers are
// idle; the program itself was not linked with OpenMP. FILLER, if given, is opened before.
// usage: host PLUGIN ROUNDS [FILLER]
#include <dlfcn.h>

#include "../process.h"

static void round_trip(const char *path, int threads) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  EXPECT(plugin != NULL, "%s", dlerror());
  int (*compute)(int) = (int (*)(int))dlsym(plugin, "compute");
  EXPECT(compute != NULL, "%s", dlerror());
  EXPECT_EQ(compute(threads), 4960);
  EXPECT_EQ(dlclose(plugin), 0);
}

int main(int argc, char **argv) {
  EXPECT(argc >= 3, "usage");
  if (argc > 3) EXPECT(dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL) != NULL, "%s", dlerror());
  int rounds = atoi(argv[2]);
  for (int i = 0; i < rounds / 4; i++) round_trip(argv[1], 1 + i % 7);
  int os = os_threads();
  long size = kib_of("VmSize:"), resident = kib_of("VmRSS:");
  for (int i = 0; i < rounds; i++) {
    round_trip(argv[1], 1 + i % 7);
    if (i % 100 == 0) usleep(20000);
  }
  EXPECT(os_threads() <= os + 4, "%d, %d after the first rounds", os_threads(), os);
  EXPECT(kib_of("VmSize:") < size + 200 * 1024, "%ld KiB, then %ld KiB", size, kib_of("VmSize:"));
  EXPECT(kib_of("VmRSS:") < resident + 8 * 1024, "%ld KiB, then %ld KiB", resident, kib_of("VmRSS:"));
  return 0;
}
