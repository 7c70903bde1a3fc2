// SPDX-License-Identifier: Apache-2.0
// What programs about processes and threads share: waiting for a child; the process as the kernel sees it.
#ifndef TULLE_TESTS_PROCESS_H
#define TULLE_TESTS_PROCESS_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

// The child has ended by exit status `expected`; one that hangs is ended by its own alarm().
__attribute__((unused)) static void expect_child(pid_t child, int expected) {
  int status;
  EXPECT(child > 0, "fork failed");
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT(!WIFSIGNALED(status), "the child ended by signal %d", WTERMSIG(status));
  EXPECT_EQ(WEXITSTATUS(status), expected);
}

__attribute__((unused)) static int os_threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

// A line of /proc/self/status in KiB: "VmSize:", "VmRSS:".
__attribute__((unused)) static long kib_of(const char *name) {
  char line[256];
  long kib = -1;
  FILE *file = fopen("/proc/self/status", "r");
  EXPECT(file != NULL, "no /proc/self/status");
  while (fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), "%ld", &kib);
  fclose(file);
  return kib;
}

// What the process has grown by while `step` ran, at least: the least of four rounds. A leak is in
// each of them; what a busy machine calls for, as a spare OS thread or one more stack, is not.
typedef struct {
  long os_threads, size_kib, resident_kib;
} growth;

__attribute__((unused)) static growth least_growth(void (*step)(int round)) {
  growth least = {1L << 40, 1L << 40, 1L << 40};
  for (int round = 0; round < 4; round++) {
    growth before = {os_threads(), kib_of("VmSize:"), kib_of("VmRSS:")};
    step(round);
    growth now = {os_threads() - before.os_threads, kib_of("VmSize:") - before.size_kib,
                  kib_of("VmRSS:") - before.resident_kib};
    if (now.os_threads < least.os_threads) least.os_threads = now.os_threads;
    if (now.size_kib < least.size_kib) least.size_kib = now.size_kib;
    if (now.resident_kib < least.resident_kib) least.resident_kib = now.resident_kib;
  }
  return least;
}

#endif
