// SPDX-License-Identifier: Apache-2.0
// Says how many devices there are and on which ones regions run: the default one, or, as the argument says,
// one by its number; one that maps too much; one that kills its process; one in the child of a fork; what a wrong map comes
// to; whose children the devices' processes are; on which CPUs regions and those in them may run, and on
// whose OS threads.
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(int device) {
  int number = -1, initial = -1;
#pragma omp target device(device) map(from : number, initial)
  {
    number = omp_get_device_num();
    initial = omp_is_initial_device();
  }
  printf("%d %s\n", number, initial ? "host" : "device");
}

// More than there is room for; what is there already comes over and goes back.
static void map_too_much(void) {
  size_t much = (size_t)1 << 38;
  char *far = malloc(1);
  int value = 1, host = 0;
#pragma omp target data map(tofrom : value)
  {
    value = 5;
#pragma omp target update to(value)
    value = 0;
#pragma omp target map(alloc : far[0 : much]) map(tofrom : value) map(from : host)
    {
      host = omp_is_initial_device();
      value += 2;
    }
  }
  printf("%s %d\n", host ? "host" : "device", value);
  free(far);
}

// The device's process dies in a region, which the host waits for or not; what it had done of its data is not seen.
static void die(int later) {
  int value = 1;
  pid_t host = getpid();
  for (int i = 0; i < 3; i++) {
    if (later) {
#pragma omp target map(tofrom : value) nowait
      {
        value += 10;
        if (getpid() != host) kill(getpid(), SIGKILL);
      }
#pragma omp taskwait
    } else {
#pragma omp target map(tofrom : value)
      {
        value += 10;
        if (getpid() != host) kill(getpid(), SIGKILL);
      }
    }
  }
  printf("%d\n", value);
}

// The program waits for its own children alone.
static void wait_for_any(void) {
  say(0);
  printf("%s\n", wait(NULL) < 0 && errno == ECHILD ? "none" : "a child");
  pid_t mine = fork();
  if (mine == 0) _exit(7);
  int status = 0;
  int found = waitpid(-1, &status, 0) == mine && WEXITSTATUS(status) == 7;
  printf("%s\n", found ? "mine" : "another");
}

static void overlap(void) {
  int data[10] = {0};
#pragma omp target data map(to : data[0 : 4])
#pragma omp target map(to : data[2 : 4])
  data[3] = 1;
  printf("%d\n", data[3]);
}

// The n-th bit for the n-th CPU.
#pragma omp declare target
static unsigned long cpus_of_caller(void) {
  cpu_set_t cpus;
  unsigned long bits = 0;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 0;
  for (unsigned cpu = 0; cpu < 8 * sizeof bits; cpu++)
    if (CPU_ISSET(cpu, &cpus)) bits |= 1ul << cpu;
  return bits;
}
#pragma omp end declare target

static void say_cpus(void) {
  unsigned long first = 0, second = 0;
#pragma omp target map(from : first)
  first = cpus_of_caller();
#pragma omp target map(from : second)
#pragma omp parallel num_threads(1)
  second = cpus_of_caller();
  printf("%lx %lx\n", first, second);
}

// Whether any OS thread runs members of the host's regions and of the device's, or of two devices', and on which CPUs the
// members may run. Each waits for the other, so that both begin.
enum { members = 2, most_groups = 8 };
static void say_workers(void) {
  int groups = omp_get_num_devices() + 1, shared = 0;
  long threads[most_groups][members] = {{0}};
  for (int d = 0; d < groups && d < most_groups; d++) {
    long own[members] = {0};
    unsigned long cpus[members] = {0};
#pragma omp target device(d) map(tofrom : own, cpus)
    {
      int arrived = 0;
#pragma omp parallel num_threads(members)
      {
        int i = omp_get_thread_num();
        own[i] = syscall(SYS_gettid);
        cpus[i] = cpus_of_caller();
#pragma omp atomic
        arrived++;
        for (int seen = 0; seen < omp_get_num_threads(); sched_yield()) {
#pragma omp atomic read
          seen = arrived;
        }
      }
    }
    memcpy(threads[d], own, sizeof own);
    for (int other = 0; other < d; other++)
      for (int i = 0; i < members * members; i++) shared += own[i % members] == threads[other][i / members];
    if (d < groups - 1) printf("%lx %lx\n", cpus[0], cpus[1]);
  }
  printf("%d shared\n", shared);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "default";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(what, "default") == 0) {
    printf("%d devices\n", omp_get_num_devices());
    say(omp_get_default_device());
  } else if (strcmp(what, "after a region") == 0) {
#pragma omp parallel
    printf(omp_get_thread_num() == 0 ? "in it\n" : "");
    say(0);
  } else if (strcmp(what, "much") == 0) {
    map_too_much();
  } else if (strcmp(what, "die") == 0) {
    die(0);
  } else if (strcmp(what, "die later") == 0) {
    die(1);
  } else if (strcmp(what, "overlap") == 0) {
    overlap();
  } else if (strcmp(what, "wait") == 0) {
    wait_for_any();
  } else if (strcmp(what, "cpus") == 0) {
    say_cpus();
  } else if (strcmp(what, "workers") == 0) {
    say_workers();
  } else if (strcmp(what, "fork") == 0) {
    say(0);
    if (fork() == 0) {
      say(0);
      _exit(0);
    }
    int status = 1;
    wait(&status);
    return status != 0;
  } else {
    say(atoi(what));
  }
  return 0;
}
