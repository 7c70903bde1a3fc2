// SPDX-License-Identifier: Apache-2.0
// num_threads(strict: n) with severity and message: the team has n threads, a warning is written and
// the region runs with fewer, a fatal error ends the process (OpenMP 6.0 §12.1.2).
#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include "expect.h"

static void warn(void) {
  int team = 0;
#pragma omp parallel num_threads(strict : 7) severity(warning) message("seven wanted")
#pragma omp atomic
  team++;
  EXPECT(team >= 1 && team <= 3, "a team of %d with a limit of 3", team);
}

static void fail(void) {
#pragma omp parallel num_threads(strict : 7) severity(fatal) message("seven needed")
  {
  }
}

static void stop(void) {
#pragma omp parallel num_threads(strict : 7)
  {
  }
}

// Runs the function in this program's image with a limit of three threads; returns the wait status.
static int run(const char *program, const char *which, char *text, size_t size) {
  int ends[2], status;
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  EXPECT(child >= 0, "fork");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("OMP_THREAD_LIMIT", "3", 1);
    execl(program, program, which, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t got;
  while ((got = read(ends[0], text + used, size - 1 - used)) > 0) used += got;
  text[used] = 0;
  close(ends[0]);
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

static void check_met(void) {
  for (int n = 1; n <= 9; n++) {
    int team = 0;
#pragma omp parallel num_threads(strict : n) severity(fatal) message("cannot be")
    {
      EXPECT_EQ(omp_get_num_threads(), n);
#pragma omp atomic
      team++;
    }
    EXPECT_EQ(team, n);
#pragma omp parallel for num_threads(strict : n) if (n > 4)
    for (int i = 0; i < 20; i++) EXPECT_EQ(omp_get_num_threads(), n > 4 ? n : 1);
  }
}

int main(int argc, char **argv) {
  omp_set_dynamic(0);
  if (argc > 1) {
    if (!strcmp(argv[1], "warn")) warn();
    if (!strcmp(argv[1], "fail")) fail();
    if (!strcmp(argv[1], "stop")) stop();
    return 0;
  }
  static char text[4096];
  check_met();
  int status = run(argv[0], "warn", text, sizeof text);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x: %s", status, text);
  EXPECT(strstr(text, "seven wanted"), "'%s'", text);
  status = run(argv[0], "fail", text, sizeof text);
  EXPECT(!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 127), "%#x", status);
  EXPECT(strstr(text, "seven needed"), "'%s'", text);
  status = run(argv[0], "stop", text, sizeof text);
  EXPECT(!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 127), "%#x", status);
  return 0;
}
