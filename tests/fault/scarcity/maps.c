// SPDX-License-Identifier: Apache-2.0
// vm.max_map_count is used up but for ROOM mappings: a region of many members that block goes on, or
// ends with a message.
// usage: maps ROOM THREADS
#include <errno.h>
#include <sys/mman.h>

#include "use_openmp.h"

static long most_mappings(void) {
  long most = 0;
  FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &most) != 1) most = 0;
  fclose(file);
  return most;
}

// Every other page is of another kind, so that none can be joined with its neighbour.
static void use_up(long room) {
  long page = sysconf(_SC_PAGESIZE), most = most_mappings();
  if (most == 0 || most > 300000) {
    puts("skipped: no limit that can be reached in time");
    exit(77);
  }
  char *begin = mmap(NULL, (size_t)(most + 2) * (size_t)page, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT(begin != MAP_FAILED, "no address space");
  long last = -1;
  for (long i = 1; i < most; i += 2) {
    if (mprotect(begin + i * page, (size_t)page, PROT_READ) != 0) break;
    last = i;
  }
  EXPECT(last > 0 && errno == ENOMEM, "the limit of %ld was not reached", most);
  // Each page made equal to its neighbours again gives two mappings back.
  for (long given = 0; given < room && last > 0; given += 2, last -= 2)
    EXPECT_EQ(mprotect(begin + last * page, (size_t)page, PROT_NONE), 0);
}

int main(int argc, char **argv) {
  EXPECT(argc == 3, "usage");
  omp_set_dynamic(0);
  use_openmp(2);
  use_up(atol(argv[1]));
  use_openmp(atoi(argv[2]));
  puts("went on");
  return 0;
}
