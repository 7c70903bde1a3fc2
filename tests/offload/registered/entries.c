// SPDX-License-Identifier: Apache-2.0
// Each entry of LLVM's offloading library, as compilers of several years call them: with code of a device that
// this program registers by hand, as a bare object and inside of a container, by entries of both layouts.
#include <stddef.h>
#include <string.h>
#include "on_device.h"

__asm__(
    ".section .rodata\n.balign 16\n"
    "device_code_begin: .incbin \"" DEVICE_CODE "\"\n"
    "device_code_end: .byte 0\n.previous\n");
extern const char device_code_begin[], device_code_end[];

typedef struct {
  uint64_t reserved;
  uint16_t version, kind;
  uint32_t flags;
  void *address;
  const char *name;
  uint64_t bytes, data;
  void *auxiliary;
} Entry;
typedef struct {
  void *address;
  const char *name;
  uint64_t bytes;
  uint32_t flags, reserved;
} OldEntry;
typedef struct {
  const void *begin, *end, *entries_begin, *entries_end;
} Image;
typedef struct {
  int images;
  Image *list;
  const void *entries_begin, *entries_end;
} Binary;
typedef struct {
  uint32_t version, count;
  void **bases, **begins;
  int64_t *sizes, *types;
  void **names, **mappers;
  uint64_t trip_count, flags;
  uint32_t teams[3], threads[3], group_memory;
} KernelArguments;

enum { to = 1, from = 2, parameter = 0x20, returned = 0x40, literal = 0x100 };

void __tgt_register_lib(Binary *);
void __tgt_unregister_lib(Binary *);
void __tgt_init_all_rtls(void);
void __tgt_register_requires(int64_t);
#define MAPS int32_t, void **, void **, int64_t *, int64_t *
#define DEPENDS int32_t, void *, int32_t, void *
int __tgt_target(int64_t, void *, MAPS);
int __tgt_target_nowait(int64_t, void *, MAPS, DEPENDS);
int __tgt_target_teams(int64_t, void *, MAPS, int32_t, int32_t);
int __tgt_target_teams_nowait(int64_t, void *, MAPS, int32_t, int32_t, DEPENDS);
int __tgt_target_mapper(void *, int64_t, void *, MAPS, void **, void **);
int __tgt_target_nowait_mapper(void *, int64_t, void *, MAPS, void **, void **, DEPENDS);
int __tgt_target_teams_mapper(void *, int64_t, void *, MAPS, void **, void **, int32_t, int32_t);
int __tgt_target_teams_nowait_mapper(void *, int64_t, void *, MAPS, void **, void **, int32_t, int32_t, DEPENDS);
int __tgt_target_kernel(void *, int64_t, int32_t, int32_t, void *, KernelArguments *);
int __tgt_target_kernel_nowait(void *, int64_t, int32_t, int32_t, void *, KernelArguments *, DEPENDS);
#define DATA(name)                                                                            \
  void __tgt_target_data_##name(int64_t, MAPS);                                               \
  void __tgt_target_data_##name##_nowait(int64_t, MAPS, DEPENDS);                             \
  void __tgt_target_data_##name##_mapper(void *, int64_t, MAPS, void **, void **);            \
  void __tgt_target_data_##name##_nowait_mapper(void *, int64_t, MAPS, void **, void **, DEPENDS)
DATA(begin);
DATA(end);
DATA(update);
void __tgt_push_mapper_component(void *, void *, void *, int64_t, int64_t, void *);
int64_t __tgt_mapper_num_components(void *);
void __kmpc_push_target_tripcount(int64_t, uint64_t);
void __kmpc_push_target_tripcount_mapper(void *, int64_t, uint64_t);
void *llvm_omp_target_alloc_device(size_t, int);
void *llvm_omp_target_alloc_host(size_t, int);
void *llvm_omp_target_alloc_shared(size_t, int);
void llvm_omp_target_free_device(void *, int);
void llvm_omp_target_free_host(void *, int);
void llvm_omp_target_free_shared(void *, int);
void __tgt_interop_init(void *, int32_t, void **, int32_t, int32_t, int32_t, void *, int32_t);
void __tgt_interop_use(void *, int32_t, void **, int32_t, int32_t, void *, int32_t);
void __tgt_interop_destroy(void *, int32_t, void **, int32_t, int32_t, void *, int32_t);

// What the host knows the functions by, in two binaries each, and a variable.
static char scale[2], scale_first[2], scale_last[2], count_threads[2];
static int doubled_by[2] = {2, 2};

#define ENTRY(object, n, size) {0, 1, 1, 0, &object[n], #object, size, 0, NULL}
static Entry entries[] = {ENTRY(scale, 0, 0), ENTRY(scale_first, 0, 0), ENTRY(scale_last, 0, 0),
                          ENTRY(count_threads, 0, 0), ENTRY(doubled_by, 0, sizeof(int))};
#define OLD_ENTRY(object, n, size) {&object[n], #object, size, 0, 0}
static OldEntry old_entries[] = {OLD_ENTRY(scale, 1, 0), OLD_ENTRY(scale_first, 1, 0), OLD_ENTRY(scale_last, 1, 0),
                                 OLD_ENTRY(count_threads, 1, 0), OLD_ENTRY(doubled_by, 1, sizeof(int))};

static struct {
  uint32_t magic, version;
  uint64_t bytes, entry, entry_bytes;
  uint16_t image_kind, offload_kind;
  uint32_t flags;
  uint64_t strings, string_count, image, image_bytes;
  char object[1 << 16];
} container = {0xad10ff10, 1, sizeof container, 32, 40, 1, 1, 0, 0, 0, 72, 0, {0}};

static Image bare = {device_code_begin, device_code_end, NULL, NULL};
static Image contained = {&container, &container + 1, NULL, NULL};
static Binary binaries[2] = {{1, &bare, entries, entries + 5}, {1, &contained, old_entries, old_entries + 5}};

static int data[10];
static void *bases[2] = {data, (void *)10}, *begins[2] = {data, (void *)10};
static int64_t sizes[2] = {sizeof data, 8}, types[2] = {to | from | parameter, literal | parameter};

static void reset(void) {
  for (int i = 0; i < 10; i++) data[i] = i;
}

static void expect_scaled(int result, int by) {
  EXPECT_EQ(result, 0);
  for (int i = 0; i < 10; i++) EXPECT_EQ(data[i], i * by);
  reset();
}

#define LISTS 2, bases, begins, sizes, types
#define NONE 0, NULL, 0, NULL

static void check_old_forms(char *id) {
  expect_scaled(__tgt_target(-1, id, LISTS), 2);
  expect_scaled(__tgt_target_nowait(-1, id, LISTS, NONE), 2);
  expect_scaled(__tgt_target_teams(-1, id, LISTS, 1, 1), 2);
  expect_scaled(__tgt_target_teams_nowait(-1, id, LISTS, 1, 1, NONE), 2);
  expect_scaled(__tgt_target_mapper(NULL, -1, id, LISTS, NULL, NULL), 2);
  expect_scaled(__tgt_target_nowait_mapper(NULL, -1, id, LISTS, NULL, NULL, NONE), 2);
  expect_scaled(__tgt_target_teams_mapper(NULL, -1, id, LISTS, NULL, NULL, 1, 1), 2);
  expect_scaled(__tgt_target_teams_nowait_mapper(NULL, -1, id, LISTS, NULL, NULL, 1, 1, NONE), 2);
  __kmpc_push_target_tripcount(-1, 10);
  __kmpc_push_target_tripcount_mapper(NULL, -1, 10);
}

static void check_versions(int n) {
  KernelArguments arguments = {2, 2, bases, begins, sizes, types, NULL, NULL, 0, 0, {0}, {0}, 0};
  expect_scaled(__tgt_target_kernel(NULL, -1, -1, 0, &scale[n], &arguments), 2);
  arguments.version = 3;
  expect_scaled(__tgt_target_kernel(NULL, -1, -1, 0, &scale_first[n], &arguments), 2);
  arguments.version = 4;
  expect_scaled(__tgt_target_kernel_nowait(NULL, -1, -1, 0, &scale_last[n], &arguments, NONE), 2);
}

// More arguments than there are registers for.
static void check_many_arguments(int n) {
  int members = 0;
  void *words[8] = {&members};
  int64_t bytes[8] = {sizeof members}, kinds[8] = {to | from | parameter};
  for (intptr_t i = 1; i < 8; i++) {
    words[i] = (void *)i;
    bytes[i] = 8;
    kinds[i] = literal | parameter;
  }
  EXPECT_EQ(__tgt_target(-1, &count_threads[n], 8, words, words, bytes, kinds), 0);
  EXPECT_EQ(members, 3 * 28);
}

// The device's variable is its own until it is updated.
static void check_variable(int n) {
  void *variable[1] = {&doubled_by[n]};
  int64_t size[1] = {sizeof(int)}, go[1] = {to}, come[1] = {from};
  doubled_by[n] = 5;
  expect_scaled(__tgt_target(-1, &scale[n], LISTS), 2);
  __tgt_target_data_update(-1, 1, variable, variable, size, go);
  expect_scaled(__tgt_target(-1, &scale[n], LISTS), 5);
  doubled_by[n] = 2;
  __tgt_target_data_update_mapper(NULL, -1, 1, variable, variable, size, go, NULL, NULL);
  doubled_by[n] = 7;
  __tgt_target_data_update_nowait(-1, 1, variable, variable, size, come, NONE);
  EXPECT_EQ(doubled_by[n], 2);
  __tgt_target_data_update_nowait_mapper(NULL, -1, 1, variable, variable, size, come, NULL, NULL, NONE);
}

static void map_both(void *components, void *base, void *begin, int64_t size, int64_t type, void *name) {
  EXPECT_EQ(__tgt_mapper_num_components(components), 0);
  __tgt_push_mapper_component(components, base, begin, size / 2, type, name);
  __tgt_push_mapper_component(components, base, (char *)begin + size / 2, size / 2, type, name);
  EXPECT_EQ(__tgt_mapper_num_components(components), 2);
}

static void expect_present(int first, int last) {
  EXPECT_EQ(omp_target_is_present(&data[0], omp_get_default_device()), first);
  EXPECT_EQ(omp_target_is_present(&data[9], omp_get_default_device()), last);
}

static void check_data(void) {
  void *there[1] = {data}, *here[1] = {data}, *mappers[1] = {(void *)map_both};
  int64_t give[1] = {to | returned}, take[1] = {from};
  __tgt_target_data_begin(-1, 1, there, here, sizes, give);
  EXPECT(there[0] != data, "the device's address is the host's");
  __tgt_target_data_end(-1, 1, here, here, sizes, take);
  expect_present(0, 0);
  __tgt_target_data_begin_mapper(NULL, -1, 1, here, here, sizes, take, NULL, mappers);
  expect_present(1, 1);
  __tgt_target_data_end_mapper(NULL, -1, 1, here, here, sizes, take, NULL, mappers);
  expect_present(0, 0);
  __tgt_target_data_begin_nowait(-1, 1, here, here, sizes, take, NONE);
  __tgt_target_data_end_nowait(-1, 1, here, here, sizes, take, NONE);
  __tgt_target_data_begin_nowait_mapper(NULL, -1, 1, here, here, sizes, take, NULL, NULL, NONE);
  expect_present(1, 1);
  __tgt_target_data_end_nowait_mapper(NULL, -1, 1, here, here, sizes, take, NULL, NULL, NONE);
  expect_present(0, 0);
  reset();
}

static void check_memory_and_objects(void) {
  void *(*const allocate[])(size_t, int) = {llvm_omp_target_alloc_device, llvm_omp_target_alloc_host,
                                            llvm_omp_target_alloc_shared};
  void (*const release[])(void *, int) = {llvm_omp_target_free_device, llvm_omp_target_free_host,
                                          llvm_omp_target_free_shared};
  for (int i = 0; i < 3; i++) {
    char *block = allocate[i](100, 0);
    EXPECT(block != NULL, "%d", i);
    memset(block, 1, 100);
    release[i](block, 0);
  }
  void *object = &object;
  __tgt_interop_init(NULL, 0, &object, 2, 0, 0, NULL, 0);
  EXPECT(object == NULL, "%p", object);
  __tgt_interop_use(NULL, 0, &object, 0, 0, NULL, 0);
  object = &object;
  __tgt_interop_destroy(NULL, 0, &object, 0, 0, NULL, 0);
  EXPECT(object == NULL, "%p", object);
}

int main(void) {
  size_t bytes = (size_t)(device_code_end - device_code_begin);
  EXPECT(bytes < sizeof container.object, "%zu", bytes);
  memcpy(container.object, device_code_begin, bytes);
  container.image_bytes = bytes;
  __tgt_register_requires(1);
  for (int n = 0; n < 2; n++) __tgt_register_lib(&binaries[n]);
  __tgt_init_all_rtls();
  expect_devices();
  reset();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int n = 0; n < 2; n++) {
      check_old_forms(&scale[n]);
      check_versions(n);
      check_many_arguments(n);
      check_variable(n);
    }
    check_data();
  }
  check_memory_and_objects();
  EXPECT(__tgt_target(-1, &data[1], LISTS) != 0, "nobody has this function");
  EXPECT(__tgt_target(omp_get_initial_device(), &scale[0], LISTS) != 0, "the host is no device");
  __tgt_unregister_lib(&binaries[1]);
  EXPECT(__tgt_target(-1, &scale[1], LISTS) != 0, "it is gone");
  expect_scaled(__tgt_target(-1, &scale[0], LISTS), 2);
  return 0;
}
