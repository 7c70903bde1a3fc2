// SPDX-License-Identifier: Apache-2.0
// To be preloaded: calls of the C library that fail as if a resource had run out.
//   FAIL_CALL   pthread_create, mmap, mprotect, malloc (and all others that allocate)
//   FAIL_FIRST  number of the first call that fails, from 1 (of all calls after the program armed it)
//   FAIL_COUNT  how many fail from there; 0: all
// The program arms it by calling arm_failures(1), so that its own start is left alone, and disarms it by
// arm_failures(0), which says so if there was no call of that number.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int armed;
static atomic_long calls;
static const char *failing;
static long first, count;

void arm_failures(int on) {
  if (failing == NULL) {
    failing = getenv("FAIL_CALL") ? getenv("FAIL_CALL") : "";
    first = getenv("FAIL_FIRST") ? atol(getenv("FAIL_FIRST")) : 1;
    count = getenv("FAIL_COUNT") ? atol(getenv("FAIL_COUNT")) : 1;
  }
  static const char text[] = "no such call\n";
  if (!on && atomic_load(&calls) < first && write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(98);
  atomic_store(&armed, on);
}

static int fails(const char *name) {
  if (!atomic_load(&armed) || strcmp(name, failing) != 0) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  return number >= first && (count == 0 || number < first + count);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*entry)(void *),
                   void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (fails("pthread_create")) return EAGAIN;
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, entry, argument);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "mmap");
  return real(address, bytes, protection, flags, file, offset);
}

int mprotect(void *address, size_t bytes, int protection) {
  static int (*real)(void *, size_t, int);
  if (fails("mprotect")) {
    errno = ENOMEM;
    return -1;
  }
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "mprotect");
  return real(address, bytes, protection);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static void *refuse(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t bytes) { return fails("malloc") ? refuse() : __libc_malloc(bytes); }

void *calloc(size_t items, size_t bytes) {
  return fails("malloc") ? refuse() : __libc_calloc(items, bytes);
}

void *realloc(void *memory, size_t bytes) {
  return fails("malloc") ? refuse() : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return fails("malloc") ? refuse() : __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
  return fails("malloc") ? refuse() : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  if (fails("malloc")) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == NULL ? ENOMEM : 0;
}
