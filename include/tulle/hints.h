/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may tell the runtime about its threads, for C and C++; tulle.F90 is the same for
   Fortran. A program that includes this header still runs on any other OpenMP runtime: there the
   hints do nothing. With TULLE_NO_HINTS defined before, nothing is left of them but their arguments.
   Any thread may call at any time. Follows Thibault et al., IWOMP 2007. */
#ifndef TULLE_HINTS_H
#define TULLE_HINTS_H

#ifdef TULLE_NO_HINTS

static __inline__ void tulle_set_load(double load) { (void)load; }

static __inline__ int tulle_set_policy(const char *name) {
  (void)name;
  return 0;
}

#else

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's functions, null on another runtime; and the names of the inline ones below, which must
   differ from them in the object file. */
extern void tulle_set_load_of_runtime(double load) __asm__("tulle_set_load") __attribute__((weak));
extern int tulle_set_policy_of_runtime(const char *name) __asm__("tulle_set_policy")
    __attribute__((weak));
static __inline__ void tulle_set_load(double load) __asm__("tulle_set_load_if_present");
static __inline__ int tulle_set_policy(const char *name) __asm__("tulle_set_policy_if_present");

#ifdef __cplusplus
}
#endif

/* How much work the calling OpenMP thread has before it, compared with the other threads of its team;
   in any unit, as long as all of them use the same. Policies that go by load (TULLE_POLICY=spread)
   place the teams that this thread opens by it, and the thread itself when its team opens the next
   region. It stays in force until it is set anew; 0 takes it back, and the policy counts threads
   again. What is negative, infinite or not a number is ignored, with one line on standard error. */
static __inline__ void tulle_set_load(double load) {
  if (tulle_set_load_of_runtime) tulle_set_load_of_runtime(load);
}

/* The policy of the outermost regions that the calling thread opens from now on, and of all that nests
   in them: a name as TULLE_POLICY takes it, or null for what TULLE_POLICY says. 1: done; 0: there is
   no such policy, the caller is inside a parallel region, or this is another runtime. */
static __inline__ int tulle_set_policy(const char *name) {
  return tulle_set_policy_of_runtime ? tulle_set_policy_of_runtime(name) : 0;
}

#endif

#endif
