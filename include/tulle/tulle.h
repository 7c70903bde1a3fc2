/* SPDX-License-Identifier: Apache-2.0 */
/* The extension API of Tulle, for C and C++. A program that includes this header still runs on
   any other OpenMP runtime: every function here is a weak reference, and tulle_present() says
   whether Tulle is underneath. Any thread may call any function at any time. */
#ifndef TULLE_TULLE_H
#define TULLE_TULLE_H

#define TULLE_VERSION_MAJOR 0
#define TULLE_VERSION_MINOR 1
#define TULLE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the runtime that is loaded, as "major.minor.patch". Null on another runtime. */
extern const char *tulle_version(void) __attribute__((weak));

/* Nonzero if the OpenMP runtime of this process is Tulle. */
static __inline__ int tulle_present(void) {
  return tulle_version != 0;
}

#ifdef __cplusplus
}
#endif

#endif
