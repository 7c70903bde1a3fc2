// SPDX-License-Identifier: Apache-2.0
// OMP_DISPLAY_AFFINITY: programs of GCC find their lines on standard error, those of Clang on standard output,
// in the format of their own runtime, and as often as that displays a team. The program runs itself.
#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include "expect.h"

static void stage(const char *name) {
  fprintf(stdout, "-- %s\n", name);
  fprintf(stderr, "-- %s\n", name);
  fflush(stdout);
}

static void region(int threads) {
#pragma omp parallel num_threads(threads)
  __asm__ volatile("");
}

static int child(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  stage("two");
  region(2);
  stage("two again");
  region(2);
  stage("three");
  region(3);
  stage("nested");
#pragma omp parallel num_threads(2)
#pragma omp master
  region(2);
  stage("nested again");
#pragma omp parallel num_threads(2)
#pragma omp master
  region(2);
  stage("alone");
  region(1);
  stage("two at last");
  region(2);
  stage("routines");
  omp_display_affinity(NULL);
  omp_display_affinity("thread %n");
  char buffer[200];
  omp_capture_affinity(buffer, sizeof buffer, NULL);
  printf("captured %s\n", buffer);
  omp_get_affinity_format(buffer, sizeof buffer);
  printf("format %s\n", buffer);
  fflush(stdout);
  return 0;
}

// What the child wrote to its stream `fd`.
static char *output_of_child(char *self, int fd) {
  static char text[20000];
  int ends[2];
  EXPECT(pipe(ends) == 0, "pipe");
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], fd);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", self, "child", NULL);
    _exit(9);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
    length += (size_t)got;
  close(ends[0]);
  text[length] = '\0';
  int status;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

// Lines of a stage that begin with `start`.
static int lines(const char *text, const char *name, const char *start) {
  char marker[50];
  snprintf(marker, sizeof marker, "-- %s\n", name);
  const char *line = strstr(text, marker);
  EXPECT(line != NULL, "no stage %s", name);
  int count = 0;
  for (line += strlen(marker); *line != '\0' && strncmp(line, "-- ", 3) != 0; line = strchr(line, '\n') + 1)
    count += strncmp(line, start, strlen(start)) == 0;
  return count;
}

int main(int argc, char **argv) {
  if (argc > 1) return child();
  setenv("OMP_DISPLAY_AFFINITY", "true", 1);
#ifdef __clang__
  const char *start = "OMP: pid ", *format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
  int stream = STDOUT_FILENO, nested = 4, again = 4, alone = 1, last = 2;
#else
  const char *start = "level ", *format = "level %L thread %i affinity %A";
  int stream = STDERR_FILENO, nested = 4, again = 2, alone = 0, last = 0;
#endif
  char wanted[100];
  snprintf(wanted, sizeof wanted, "format %s", format);
  char *text = output_of_child(argv[0], stream);
  EXPECT_EQ(lines(text, "two", start), 2);
  EXPECT_EQ(lines(text, "two again", start), 0);
  EXPECT_EQ(lines(text, "three", start), 3);
  EXPECT_EQ(lines(text, "nested", start), nested);
  EXPECT_EQ(lines(text, "nested again", start), again);
  EXPECT_EQ(lines(text, "alone", start), alone);
  EXPECT_EQ(lines(text, "two at last", start), last);
  EXPECT_EQ(lines(text, "routines", start), 1);
  EXPECT_EQ(lines(text, "routines", "thread 0"), 1);
  text = output_of_child(argv[0], STDERR_FILENO + STDOUT_FILENO - stream);
  EXPECT_EQ(lines(text, "two", start), 0);
  EXPECT_EQ(lines(text, "routines", start), 0);
  text = output_of_child(argv[0], STDOUT_FILENO);
  EXPECT_EQ(lines(text, "routines", wanted), 1);
  snprintf(wanted, sizeof wanted, "captured %s", start);
  EXPECT_EQ(lines(text, "routines", wanted), 1);
  return 0;
}
