// SPDX-License-Identifier: Apache-2.0
// Pthreads open plug-ins that different compilers have built, call and close them, each in its own order,
// while another one is in regions of the first; the program itself was not linked with OpenMP. Then a
// pthread that was made after all that does the same.
// usage: pthreads ROUNDS PLUGIN...
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "expect.h"

static atomic_int stop;
static int rounds, plugins;
static char **paths;

static void round_trip(int number) {
  void *plugin = dlopen(paths[number % plugins], RTLD_NOW | RTLD_LOCAL);
  EXPECT(plugin != NULL, "%s", dlerror());
  int (*compute)(int) = (int (*)(int))dlsym(plugin, "compute");
  EXPECT(compute != NULL, "%s", dlerror());
  EXPECT_EQ(compute(1 + number % 7), 4960);
  EXPECT_EQ(dlclose(plugin), 0);
}

static void *open_and_close(void *argument) {
  for (int i = 0; i < rounds; i++) round_trip(i + (int)(size_t)argument);
  return argument;
}

static void *stay_busy(void *argument) {
  while (!atomic_load(&stop)) round_trip(0);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t busy, opening[3];
  EXPECT(argc >= 3, "usage");
  rounds = atoi(argv[1]);
  paths = argv + 2;
  plugins = argc - 2;
  EXPECT_EQ(pthread_create(&busy, NULL, stay_busy, NULL), 0);
  for (size_t i = 0; i < 3; i++)
    EXPECT_EQ(pthread_create(&opening[i], NULL, open_and_close, (void *)i), 0);
  for (int i = 0; i < 3; i++) pthread_join(opening[i], NULL);
  atomic_store(&stop, 1);
  pthread_join(busy, NULL);
  EXPECT_EQ(pthread_create(&opening[0], NULL, open_and_close, (void *)1), 0);
  pthread_join(opening[0], NULL);
  return 0;
}
