// SPDX-License-Identifier: Apache-2.0
// What one event costs, by the tool's own callbacks with a runtime that does nothing, pages of the file included, in the best of
// many batches, some seconds long if need be, since another program on the same core doubles it: at most 25 ns, or, where the machine is slow, twice what it takes to read the
// processor's counter and to write as many bytes to a file of one's own. And their size in the file: 16 bytes each.
// argv[1]: libtulle-trace.so, argv[2]: an empty folder
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef void (*callback)(void);
typedef struct {
  int (*initialize)(callback (*)(const char*), int, void*);
  void (*finalize)(void*);
  uint64_t data;
} start_result;

enum { kThreadBegin = 1, kMutexReleased = 17, kFewest = 60, kBatches = 240, kBatch = 20000, kMostNs = 25, kBetweenBatchesUs = 100000 };

static callback callbacks[64];
static uint64_t thread_data;

static int set_callback(int event, callback function) {
  callbacks[event] = function;
  return 5;
}
static uint64_t* get_thread_data(void) { return &thread_data; }
static uint32_t worker(void) { return 1; }

static callback look_up(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return (callback)set_callback;
  if (strcmp(name, "ompt_get_thread_data") == 0) return (callback)get_thread_data;
  if (strcmp(name, "tulle_worker") == 0) return (callback)worker;
  return NULL;
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t counter(void) {
#ifdef __aarch64__
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return __builtin_ia32_rdtsc();
#endif
}

typedef struct {
  uint64_t when, what;
} record;

static void tell(record* unused) {
  (void)unused;
  ((void (*)(int, uint64_t, const void*))callbacks[kMutexReleased])(5, 0x1234, (const void*)&counter);
}

// The least that it takes.
static void write_down(record* at) { *(volatile record*)at = (record){counter(), 0x1234}; }

static double batch_ns(void (*each)(record*), record* records) {
  double began = now_ns();
  for (int i = 0; i < kBatch; ++i) each(records + i);
  return (now_ns() - began) / kBatch;
}

static int is_cheap(const double best[2]) { return best[0] <= kMostNs || best[0] <= 2 * best[1]; }

// Of an event, and of the least, by turns, until that is as it should be. How many batches it took.
static int measure(record* records, double best[2]) {
  best[0] = best[1] = 1e9;
  for (int batch = 1; batch <= kBatches; ++batch, records += kBatch) {
    double event = batch_ns(tell, records), least = batch_ns(write_down, records);
    if (event < best[0]) best[0] = event;
    if (least < best[1]) best[1] = least;
    if (batch < kFewest) continue;
    if (is_cheap(best)) return batch;
    usleep(kBetweenBatchesUs);
  }
  return kBatches;
}

static record* new_file(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/records", folder);
  const size_t bytes = sizeof(record) * kBatch * kBatches;
  int file = open(path, O_RDWR | O_CREAT, 0600);
  void* memory = file < 0 || ftruncate(file, (off_t)bytes) != 0 ? MAP_FAILED
                 : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// What the file takes on the disk, in bytes.
static double bytes_in(const char* folder) {
  DIR* all = opendir(folder);
  double bytes = 0;
  for (struct dirent* entry; (entry = readdir(all)) != NULL;) {
    char path[4096];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (strstr(entry->d_name, ".trace") != NULL && stat(path, &found) == 0) bytes += (double)found.st_blocks * 512;
  }
  closedir(all);
  return bytes;
}

int main(int count, char** words) {
  if (count < 3 || setenv("TULLE_TRACE", words[2], 1) != 0) return 2;
  void* tool = dlopen(words[1], RTLD_NOW);
  start_result* (*start)(unsigned, const char*) = tool != NULL ? (start_result * (*)(unsigned, const char*)) dlsym(tool, "ompt_start_tool") : NULL;
  start_result* result = start != NULL ? start(202011, "none") : NULL;
  if (result == NULL || result->initialize(look_up, 0, &result->data) != 1) return 3;
  ((void (*)(int, uint64_t*))callbacks[kThreadBegin])(1, &thread_data);
  record* records = new_file(words[2]);
  if (records == NULL) return 4;
  double best[2];
  const int batches = measure(records, best);
  double bytes = bytes_in(words[2]) / ((double)batches * kBatch);
  printf("%.1f ns (the least %.1f) and %.2f bytes an event\n", best[0], best[1], bytes);
  return is_cheap(best) && bytes < 16.6 ? 0 : 1;
}
