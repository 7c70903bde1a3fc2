// SPDX-License-Identifier: Apache-2.0
// The error directive at execution: a warning writes its message and goes on, a fatal one writes it
// and ends the process with a failure (OpenMP 5.2 §8.5).
#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include "expect.h"

static void warn_everywhere(void) {
#pragma omp error at(execution) severity(warning) message("outside, careful")
#pragma omp parallel
  {
#pragma omp masked
    {
#pragma omp error at(execution) severity(warning) message("inside, careful")
    }
  }
}

static void fail(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp error at(execution) severity(fatal) message("enough of it")
  }
}

// Runs the function in a process of its own; returns its wait status and what it wrote.
static int run(void (*function)(void), char *text, size_t size) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  EXPECT(child >= 0, "fork");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    function();
    _exit(0);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t got;
  while ((got = read(ends[0], text + used, size - 1 - used)) > 0) used += got;
  text[used] = 0;
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

int main(void) {
  static char text[4096];
  int status = run(warn_everywhere, text, sizeof text);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "wait status %#x", status);
  EXPECT(strstr(text, "outside, careful"), "'%s'", text);
  EXPECT(strstr(text, "inside, careful"), "'%s'", text);
  status = run(fail, text, sizeof text);
  EXPECT(!WIFEXITED(status) || WEXITSTATUS(status) != 0, "wait status %#x", status);
  EXPECT(strstr(text, "enough of it"), "'%s'", text);
  return 0;
}
