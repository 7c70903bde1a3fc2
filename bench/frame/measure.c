// SPDX-License-Identifier: Apache-2.0
// Calibration, sampling and the JSON line of the benchmark programs.
#define _GNU_SOURCE
#include "measure.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_SAMPLES = 256 };
static const double WARM_UP_S = 0.02;
static const double SPREAD_S = 0.03;

Counter counters[MAX_THREADS];
int team_size;

typedef struct Note {
  const char *name;
  double value;
} Note;

enum { MAX_NOTES = 8 };
static Note notes[MAX_NOTES];

void note(const char *name, double value) {
  for (int i = 0; i < MAX_NOTES; i++)
    if (!notes[i].name || strcmp(notes[i].name, name) == 0) {
      notes[i] = (Note){name, value};
      return;
    }
}

void clear_counters(void) {
  for (int i = 0; i < MAX_THREADS; i++) counters[i].n = 0;
}

int64_t sum_counters(void) {
  int64_t sum = 0;
  for (int i = 0; i < MAX_THREADS; i++) sum += counters[i].n;
  return sum;
}

double checked(double seconds, bool correct) { return correct ? seconds : WRONG; }

// The CPU that each member was on when it was last asked; -1: it was not.
static int cpu_of[MAX_THREADS] = {-1};

// Members of one region that share a core with another member.
static int members_in_company(void) {
  int found = 0;
#pragma omp parallel
  {
    double end = now() + 2e-5;
    while (now() < end) {
    }
    unsigned here = 0;
    syscall(SYS_getcpu, &here, NULL, NULL);
    cpu_of[omp_get_thread_num()] = (int)here;
  }
  for (int i = 0; i < team_size; i++)
    for (int j = 0; j < i; j++) found += cpu_of[i] == cpu_of[j];
  return found;
}

// Where the team fits the machine, gives the kernel some time to spread it over the cores: while two
// members that spin share one, a construct takes a time slice, whatever the runtime.
static void let_team_spread(void) {
  bool fits = team_size <= omp_get_num_procs();  // the caller's own mask has one CPU where members are bound
  double end = now() + SPREAD_S;
  while (fits && team_size > 1 && members_in_company() > 0 && now() < end) {
  }
}

// Seconds for `inner` repetitions, or WRONG.
static double repeat(const Case *c, long inner) {
  if (c->run) return c->run(inner);
  double t = now();
  for (long r = 0; r < inner; r++) c->work(c);
  t = now() - t;
  return checked(t, c->check(c));
}

// Repetitions that fill a sample, by the fastest run so far.
static long repetitions(const Plan *plan, double fastest) {
  double inner = fastest > 0 ? plan->target_s / fastest : 1.0;
  return inner < 1.0 ? 1 : (long)inner;
}

// Runs the case for some time before anything counts: the kernel needs some milliseconds to spread
// new threads over the cores, and a team whose members share one is slower by two orders of
// magnitude. Returns the seconds of one repetition in the fastest run, or WRONG.
static double warm_up(const Case *c, const Plan *plan, double deadline) {
  let_team_spread();
  double fastest = INFINITY, end = now() + fmax(2.0 * plan->target_s, WARM_UP_S);
  long inner = 1;
  bool settled;
  do {
    long ran = inner;
    double seconds = repeat(c, ran);
    if (isnan(seconds)) return WRONG;
    if (seconds / (double)ran < fastest) fastest = seconds / (double)ran;
    long next = repetitions(plan, fastest);
    inner = next < 8 * inner ? next : 8 * inner;
    settled = seconds < 1.5 * fastest * (double)ran;
  } while (now() < deadline && (now() < end || !settled));
  return fastest;
}

// A line of /proc/self/status in KiB.
static double status_kib(const char *key) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[128];
  double kib = 0.0;
  size_t length = strlen(key);
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, key, length) == 0 && line[length] == ':') kib = atof(line + length + 1);
  if (status) fclose(status);
  return kib;
}

// How much the process grew at most while the first repetition ran: the memory of the runtime, as the
// case's own data has been touched by `setup`.
static void note_first_run(const Case *c) {
  FILE *reset = fopen("/proc/self/clear_refs", "w");
  if (!reset) return;
  bool done = fputs("5", reset) >= 0;
  done = fclose(reset) == 0 && done;
  double before = status_kib("VmRSS");
  c->work(c);
  if (done) note("growth_kib", status_kib("VmHWM") - before);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The file that the OpenMP entry points come from: the driver compares it with what it asked for.
static const char *runtime_file(void) {
  Dl_info info;
  return dladdr((void *)omp_get_num_threads, &info) && info.dli_fname ? info.dli_fname : "";
}

static void print_result(const Case *c, const Plan *plan, long inner, double *ns, int n,
                         double cpu_share) {
  printf("{\"case\":\"%s\",\"threads\":%d,\"ok\":%s,\"unit\":\"%s\",\"inner\":%ld,", c->name,
         plan->threads, n > 0 ? "true" : "false", c->unit ? c->unit : "ns", inner);
  printf("\"os_threads\":%d,\"os_threads_peak\":%d,\"os_threads_created\":%d,", os_threads_now(),
         os_threads_peak(), os_threads_created());
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("\"max_rss_kib\":%ld,\"cpu_share\":%.3f,\"runtime\":\"%s\",", usage.ru_maxrss, cpu_share,
         runtime_file());
  for (int i = 0; i < MAX_NOTES && notes[i].name; i++)
    printf("\"%s\":%.6g,", notes[i].name, notes[i].value);
  printf("\"cpus\":[");
  for (int i = 0; i < team_size && cpu_of[0] >= 0; i++) printf("%s%d", i ? "," : "", cpu_of[i]);
  printf("],\"samples\":[");
  for (int i = 0; i < n; i++) printf("%s%.3f", i ? "," : "", ns[i]);
  qsort(ns, (size_t)n, sizeof *ns, ascending);
  double median = n == 0 ? 0.0 : n % 2 ? ns[n / 2] : 0.5 * (ns[n / 2 - 1] + ns[n / 2]);
  printf("],\"median\":%.3f,\"min\":%.3f,\"max\":%.3f}\n", median, n ? ns[0] : 0.0,
         n ? ns[n - 1] : 0.0);
  fflush(stdout);
}

// Samples of a case that finds its value by itself.
static int take_values(const Case *c, const Plan *plan, double deadline, double *ns) {
  int n = 0;
  if (c->first_value) {
    ns[0] = c->first_value(c);
    return isnan(ns[0]) ? 0 : 1;
  }
  if (isnan(c->value(c))) return 0;  // only warms the team up
  while (n < plan->samples && n < MAX_SAMPLES && (n == 0 || now() < deadline)) {
    ns[n] = c->value(c);
    if (isnan(ns[n])) return 0;
    n++;
  }
  return n;
}

static long operations(const Case *c, const Plan *plan) {
  return (c->ops ? c->ops : 1) * (c->per_thread ? plan->threads : 1);
}

// A given amount of work; 0 if the result was wrong.
static int take_whole(const Case *c, const Plan *plan, double *ns, long *inner) {
  *inner = plan->repetitions;
  double seconds = repeat(c, *inner);
  ns[0] = 1e9 * seconds / ((double)*inner * (double)operations(c, plan));
  return isnan(seconds) ? 0 : 1;
}

// Timed samples after a warm-up; 0 if a result was wrong.
static int take_samples(const Case *c, const Plan *plan, double deadline, double *ns, long *inner) {
  double fastest = warm_up(c, plan, deadline);
  long ops = operations(c, plan);
  int n = 0;
  if (isnan(fastest)) return 0;
  while (n < plan->samples && n < MAX_SAMPLES && (n == 0 || now() < deadline)) {
    *inner = repetitions(plan, fastest);
    let_team_spread();
    double seconds = repeat(c, *inner);
    if (isnan(seconds)) return 0;
    ns[n++] = 1e9 * seconds / ((double)*inner * (double)ops);
    fastest = fmin(fastest, seconds / (double)*inner);
  }
  return n;
}

bool measure(const Case *c, const Plan *plan) {
  double ns[MAX_SAMPLES];
  double deadline = now() + plan->budget_s;
  long inner = 1;
  if (c->setup) c->setup(c);
  if (c->work) note_first_run(c);
  double wall = now(), cpu = cpu_seconds();
  int n = c->value || c->first_value ? take_values(c, plan, deadline, ns)
          : plan->repetitions > 0    ? take_whole(c, plan, ns, &inner)
                                     : take_samples(c, plan, deadline, ns, &inner);
  wall = now() - wall;
  cpu = cpu_seconds() - cpu;
  print_result(c, plan, inner, ns, n, wall > 0 ? cpu / wall : 0.0);
  return n > 0;
}
