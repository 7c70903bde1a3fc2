// SPDX-License-Identifier: Apache-2.0
// What somebody would have a process load that has more rights than he.
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void run(void) {
  fprintf(stderr, "constructor ran as user %d\n", (int)geteuid());
}
