/* SPDX-License-Identifier: Apache-2.0 */
/* What the distribution's libhwloc.a asks for and a system with glibc 2.17 does not have: the functions of the
   stat family, which were in no shared library before 2.33, and libudev, which hwloc asks for the names of
   disks and goes on without. */
#define stat stat_of_the_header
#define fstat fstat_of_the_header
#define fstatat fstatat_of_the_header
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#undef stat
#undef fstat
#undef fstatat

int stat(const char *path, void *buffer) { return (int)syscall(SYS_stat, path, buffer); }
int fstat(int file, void *buffer) { return (int)syscall(SYS_fstat, file, buffer); }
int fstatat(int folder, const char *path, void *buffer, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, buffer, flags);
}

void *udev_new(void) { return NULL; }
void *udev_unref(void *udev) { return udev; }
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name) {
  (void)udev, (void)subsystem, (void)name;
  return NULL;
}
const char *udev_device_get_property_value(void *device, const char *key) {
  (void)device, (void)key;
  return NULL;
}
void *udev_device_unref(void *device) { return device; }
