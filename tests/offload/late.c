// SPDX-License-Identifier: Apache-2.0
// Regions of a library that comes when the devices are there already: late.c LIBRARY says where each region runs. With
// -DLIBRARY it is that library.
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#ifdef LIBRARY
int region_in_library(void) {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  return on_host;
}
#else
static void say(const char *whose, int on_host) { printf("%s %s\n", whose, on_host ? "host" : "device"); }

static int region_in_program(void) {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  return on_host;
}

int main(int argc, char **argv) {
  int (*region)(void) = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  say("program", region_in_program());
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library != NULL) *(void **)&region = dlsym(library, "region_in_library");
  if (region == NULL) return 2;
  for (int i = 0; i < 2; i++) say("library", region());
  say("program", region_in_program());
  return 0;
}
#endif
