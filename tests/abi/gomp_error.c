// SPDX-License-Identifier: Apache-2.0
// The error directive: the first argument says how it is reached; the test checks what it prints.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void GOMP_warning(const char *, size_t);
void GOMP_error(const char *, size_t);

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "directive") == 0) {
#pragma omp error at(execution) severity(warning) message("from C")
  } else if (strcmp(how, "plain") == 0) {
    GOMP_warning(NULL, (size_t)-1);
  } else if (strcmp(how, "fortran") == 0) {
    GOMP_warning("from Fortran, cut", 12);
  } else {
    GOMP_error("last words", (size_t)-1);
  }
  puts("went on");
  return 0;
}
