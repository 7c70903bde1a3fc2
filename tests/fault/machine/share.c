// SPDX-License-Identifier: Apache-2.0
// Processes with TULLE_SHARE divide two CPUs while both compute: one OS thread each; while the other one waits,
// is stopped or is gone, both CPUs are used again. Teams are as large as ever. What another one has left in the file does
// no harm.
// usage: share, with TULLE_SHARE=1 under taskset with two CPUs; exit status 77 with one
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "carriers.h"
#include "use_openmp.h"

static char folder[] = "/tmp/tulle-share-XXXXXX";

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  EXPECT_EQ(system(command), 0);
}

// In regions until it is killed, once it has read a byte.
static pid_t start_peer(int from) {
  pid_t child = fork();
  if (child != 0) return child;
  char byte;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  carriers();
  if (read(from, &byte, 1) != 1) _exit(1);
  for (;;) carriers();
}

static void spoil_file(void) {
  DIR *files = opendir(folder);
  char path[512];
  EXPECT(files != NULL, "no folder");
  for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    int file = open(path, O_WRONLY | O_TRUNC);
    EXPECT(file >= 0 && write(file, "neither whole nor a record of anything", 38) == 38, "%s", path);
    close(file);
  }
  closedir(files);
}

int main(void) {
  int begin[2];
  EXPECT(mkdtemp(folder) != NULL, "no folder");
  atexit(remove_folder);
  setenv("XDG_RUNTIME_DIR", folder, 1);
  omp_set_dynamic(0);
  if (omp_get_num_procs() < 2) {
    puts("skipped: one CPU");
    return 77;
  }
  EXPECT_EQ(pipe(begin), 0);
  pid_t peer = start_peer(begin[0]);
  expect_carriers(2, 3);
  EXPECT_EQ(write(begin[1], "", 1), 1);
  for (int round = 0; round < 2; round++) {
    expect_carriers(1, 10);
    use_openmp(4);
    kill(peer, SIGSTOP);
    expect_carriers(2, 3);
    use_openmp(4);
    kill(peer, SIGCONT);
  }
  expect_carriers(1, 10);
  spoil_file();
  usleep(200000);
  expect_carriers(1, 10);
  kill(peer, SIGKILL);
  waitpid(peer, NULL, 0);
  expect_carriers(2, 3);
  return 0;
}
