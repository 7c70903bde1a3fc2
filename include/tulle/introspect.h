/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime knows of itself and of the machine, for tools: `tulle info` opens the library and
   asks these. Any thread may call; nothing is kept between calls. Records and their strings live
   until the callback returns. */
#ifndef TULLE_INTROSPECT_H
#define TULLE_INTROSPECT_H

#ifdef __cplusplus
extern "C" {
#endif

/* One control variable as it is in force in this process. */
struct tulle_control {
  const char *name;    /* the environment variable that it is known by */
  const char *value;   /* in the spelling that the variable accepts; "" if it has none */
  const char *origin;  /* "default", "environment", "affinity mask" or "cgroup quota" */
  const char *set_by;  /* the environment variable that decided; null if none did */
  const char *accepts; /* what it may be set to */
  const char *meaning; /* one sentence */
};

/* Calls `each` for all of them, in the order of the documentation. */
void tulle_each_control(void (*each)(void *context, const struct tulle_control *control),
                        void *context);

/* How many processors the process may use, and why. */
struct tulle_cpus {
  int online;             /* switched on in the machine; 0 if the system does not say */
  int allowed;            /* in the affinity mask of the calling thread */
  double quota;           /* processors' worth of CPU time; 0 if unlimited */
  int quota_version;      /* of the control groups that limit it: 1 or 2; 0 if unlimited */
  const char *quota_group; /* the folder of the group that limits it; "" if unlimited */
  int usable;             /* what follows: workers that can run at once */
};

void tulle_ask_cpus(void (*answer)(void *context, const struct tulle_cpus *cpus), void *context);

/* One part of the machine. */
struct tulle_machine_part {
  const char *kind; /* "machine", "NUMA node", "package", "cache", "core" or "hardware thread" */
  int cache_level;  /* of a cache: 1 and up; else 0 */
  int depth;        /* of the machine: 0 */
  int number;       /* among its kind */
  int os_index;     /* the operating system's number, or -1 */
  int cpus;         /* hardware threads in it */
  int allowed;      /* how many of them are in the affinity mask */
};

/* Calls `each` for all parts, outer before inner. `description`: null for this machine, else the
   path of an XML file of hwloc, or one of hwloc's synthetic descriptions, all of which is taken as
   allowed. Returns where the shape came from ("hwloc", "xml", "synthetic", or "affinity" if only
   the affinity mask was there to tell), or null if there is no such machine. */
const char *tulle_each_machine_part(const char *description,
                                    void (*each)(void *context,
                                                 const struct tulle_machine_part *part),
                                    void *context);

/* One device that TULLE_DEVICES asks for. */
struct tulle_device {
  int number;       /* omp_get_device_num() on it */
  const char *kind; /* "cluster" or "process" */
  int cpus;         /* how many it has */
  const char *list; /* their numbers by the operating system, as in "0-3,8" */
};

/* Calls `each` for all of them, without making any. Null, or why there are none although they are asked for. */
const char *tulle_each_device(void (*each)(void *context, const struct tulle_device *device),
                              void *context);

/* How many ULTs the process has made so far. A member or a task is a plain call and becomes a ULT when
   it has to wait for others: it keeps its stack, and its worker goes on with another. Each time counts;
   what polled until its wait was over does not. While regions run the number may lag behind. */
unsigned long long tulle_ults_made(void);

/* Waits that keep an OS thread. */
struct tulle_blocking {
  unsigned long long spares; /* times that an OS thread more was called in to stand for one that did not come back */
  double seconds;            /* that threads of regions waited in the C library, while tools are there */
};

void tulle_ask_blocking(void (*answer)(void *context, const struct tulle_blocking *blocking), void *context);

#ifdef __cplusplus
}
#endif

#endif
