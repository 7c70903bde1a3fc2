// SPDX-License-Identifier: Apache-2.0
// target and data constructs. On a device they are src/offload's. On the host a target region is called
// with the addresses of the program's own data, and of the map kinds only firstprivate means something.
// A nowait construct is a task; others wait for what they depend on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "abi/gomp/dependences.h"
#include "abi/gomp/entry.h"
#include "abi/gomp/target_maps.h"
#include "abi/gomp/task_flags.h"
#include "offload/data_region.h"
#include "offload/devices.h"
#include "offload/faults.h"
#include "offload/launch.h"
#include "offload/region.h"
#include "omp/replay/graph_region.h"
#include "omp/target/target_host.h"
#include "omp/task/depend_wait.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_submit.h"
#include "omp/task/task_wait.h"
#include "os/report.h"

namespace gomp = tulle::abi::gomp;
namespace offload = tulle::offload;
namespace omp = tulle::omp;

namespace {

constexpr unsigned kNowait = 1;
constexpr unsigned kExitData = 2;

// The compiler moves omp_initial_device out of the way of its own number for "no device clause".
int device_number(int device) {
  constexpr int kNoClause = -1, kHost = -2;
  if (device == kNoClause) return omp::kDefaultDevice;
  return device == kHost ? omp::kInitialDevice : device;
}

TULLE_MAY_SUSPEND offload::Device* device_of_construct(omp::Thread* thread, int device) {
  return offload::device_for(thread, device_number(device), offload::HostAlone::is_device);
}

// The value of thread_limit in the null-ended list of a target construct's arguments: each is a word
// whose bits 0 to 6 are a kind of device (0: all), 8 to 15 say what it is, and 16 up hold the value
// unless bit 7 says that it follows.
uint32_t thread_limit_of(void** arguments) {
  constexpr uintptr_t kDevice = 0x7f, kValueFollows = 0x80, kWhat = 0xff00, kThreadLimit = 0x200;
  if (arguments == nullptr) return 0;
  while (*arguments != nullptr) {
    auto word = reinterpret_cast<uintptr_t>(*arguments++);
    bool follows = (word & kValueFollows) != 0;
    auto value = follows ? reinterpret_cast<uintptr_t>(*arguments++) : word >> 16;
    if ((word & kDevice) == 0 && (word & kWhat) == kThreadLimit)
      return static_cast<uint32_t>(std::min<uintptr_t>(value, INT32_MAX));
  }
  return 0;
}

// The data of a target region: addresses, of which those of kind firstprivate are replaced by
// copies, unless they are null: of an optional argument that is absent. Kinds have the alignment's logarithm
// in their upper byte.
struct MappedData : gomp::MapLists {
  bool is_copied(size_t i) const { return (kinds[i] & 0xff) == 12 && addresses[i] != nullptr; }
  size_t alignment(size_t i) const { return size_t{1} << (kinds[i] >> 8); }
};

// What a target region runs on; lies in the task's record, or in memory of the construct.
struct Region {
  omp::RegionFunction function;
  uint32_t thread_limit;
  void* addresses[];

  // Bytes of a block that holds the region's data and, for one that starts anywhere, its alignment.
  static size_t bytes(const MappedData& data) {
    size_t sum = sizeof(Region) + data.count * sizeof(void*);
    for (size_t i = 0; i < data.count; ++i)
      if (data.is_copied(i)) sum += data.sizes[i] + data.alignment(i) - 1;
    return sum;
  }

  void fill(const MappedData& data) {
    auto next = reinterpret_cast<uintptr_t>(addresses + data.count);
    for (size_t i = 0; i < data.count; ++i) {
      addresses[i] = data.addresses[i];
      if (!data.is_copied(i)) continue;
      next = (next + data.alignment(i) - 1) & ~(data.alignment(i) - 1);
      addresses[i] = memcpy(reinterpret_cast<void*>(next), data.addresses[i], data.sizes[i]);
      next += data.sizes[i];
    }
  }

  void run() { omp::run_target(omp::self_or_attach(), function, addresses, thread_limit); }
};

void run_region(void* block) { static_cast<Region*>(block)->run(); }

void submit(omp::Thread* thread, omp::Task* task, void** depend) {
  if (depend == nullptr) {
    omp::submit_task(thread, task);
    return;
  }
  gomp::Dependences dependences(depend);
  omp::submit_task(thread, task, dependences.items(), dependences.count());
}

void wait_for(omp::Thread* thread, void** depend) {
  if (depend == nullptr) return;
  gomp::Dependences dependences(depend);
  omp::taskwait(thread, dependences.items(), dependences.count());
}

// Whether its task is made now and run later.
bool deferred(omp::Thread* thread, unsigned flags) {
  omp::leave_out_of_graph(thread, "it has a target construct");
  return (flags & kNowait) != 0 && !omp::runs_at_once(thread);
}

void run_now(omp::RegionFunction function, uint32_t thread_limit, const MappedData& data) {
  alignas(Region) char small[1024];
  size_t bytes = Region::bytes(data);
  void* memory = bytes <= sizeof small ? small : malloc(bytes);
  if (memory == nullptr) tulle::os::fatal("out of memory for the data of a target region");
  auto* region = static_cast<Region*>(memory);
  region->function = function;
  region->thread_limit = thread_limit;
  region->fill(data);
  region->run();
  if (memory != small) free(memory);
}

void run_later(omp::Thread* thread, omp::RegionFunction function, uint32_t thread_limit,
               const MappedData& data, void** depend) {
  omp::Task* task = omp::new_task(thread, run_region, Region::bytes(data), alignof(Region), 0);
  auto* region = static_cast<Region*>(task->data);
  region->function = function;
  region->thread_limit = thread_limit;
  region->fill(data);
  submit(thread, task, depend);
}

void no_body(void*) {}

TULLE_MAY_SUSPEND void run_on(offload::Device& device, omp::RegionFunction function, uint32_t thread_limit,
                              const gomp::MapLists& lists) {
  gomp::MapItems items(lists);
  offload::run_region(device, {function, thread_limit, items.maps()});
}

// A task that the end of the region completes, so that its maker goes on also where tasks run at once.
TULLE_MAY_SUSPEND void launch_on(offload::Device& device, omp::Thread* thread, omp::RegionFunction function,
                                 uint32_t thread_limit, const gomp::MapLists& lists, void** depend) {
  gomp::MapItems items(lists);
  offload::Region region{function, thread_limit, items.maps()};
  omp::Task* task = omp::new_task(thread, offload::launch, offload::launch_bytes(region), alignof(std::max_align_t),
                                  omp::kTaskDetachable | (depend != nullptr ? omp::kTaskFollows : 0u));
  offload::fill_launch(task, device, region);
  omp::never_drop(task);
  submit(thread, task, depend);
}

// target update, enter data and exit data.
enum class Motion : uint8_t { update, begin, end };

struct MotionTask {
  offload::Device* device;
  Motion motion;
  size_t count;
  offload::MapItem items[];
};

TULLE_MAY_SUSPEND void move(offload::Device& device, Motion motion, offload::Maps maps) {
  switch (motion) {
    case Motion::update: return offload::update_maps(device, maps);
    case Motion::end: return offload::exit_maps(device, maps);
    case Motion::begin:
      if (!offload::begin_maps(device, maps, nullptr))
        offload::fall_back(device, "no memory for what target enter data maps");
  }
}

TULLE_MAY_SUSPEND void run_motion(void* data) {
  auto* task = static_cast<MotionTask*>(data);
  move(*task->device, task->motion, {task->items, task->count});
}

void move_later(offload::Device& device, omp::Thread* thread, Motion motion, offload::Maps maps, void** depend) {
  size_t bytes = sizeof(MotionTask) + maps.count * sizeof(offload::MapItem);
  omp::Task* task = omp::new_task(thread, run_motion, bytes, alignof(MotionTask), 0);
  auto* later = static_cast<MotionTask*>(task->data);
  later->device = &device;
  later->motion = motion;
  later->count = maps.count;
  memcpy(static_cast<void*>(later->items), maps.items, maps.count * sizeof(offload::MapItem));
  submit(thread, task, depend);
}

TULLE_MAY_SUSPEND void move_on(offload::Device& device, omp::Thread* thread, Motion motion, unsigned flags,
                               const gomp::MapLists& lists, void** depend) {
  gomp::MapItems items(lists);
  if (deferred(thread, flags)) return move_later(device, thread, motion, items.maps(), depend);
  wait_for(thread, depend);
  move(device, motion, items.maps());
}

// On the host there is nothing to copy, but an order to keep.
void keep_order(omp::Thread* thread, unsigned flags, void** depend) {
  if (depend == nullptr) return;
  if (deferred(thread, flags))
    submit(thread, omp::new_task(thread, no_body, 0, 1, 0), depend);
  else
    wait_for(thread, depend);
}

void data_motion(int number, Motion motion, unsigned flags, const gomp::MapLists& lists, void** depend) {
  omp::Thread* thread = omp::self_or_attach();
  offload::Device* device = device_of_construct(thread, number);
  if (device != nullptr)
    move_on(*device, thread, motion, flags, lists, depend);
  else
    keep_order(thread, flags, depend);
}

TULLE_MAY_SUSPEND void begin_data(int number, const gomp::MapLists& lists) {
  omp::Thread* thread = omp::self_or_attach();
  offload::Device* device = device_of_construct(thread, number);
  if (offload::device_count() == 0) return;
  gomp::MapItems items(lists);
  if (device != nullptr && !offload::begin_maps(*device, items.maps(), lists.addresses)) {
    offload::fall_back(*device, "no memory for what target data maps");
    device = nullptr;
  }
  offload::open_data_region(omp::self(), device, items.maps());
}

// GCC 13 and later ask for the host where a region on a device says `device(ancestor: 1)`.
void refuse_host_inside(omp::Thread* thread, int number) {
  if (offload::device_count() == 0 || device_number(number) != omp::kInitialDevice) return;
  if (const offload::Device* device = offload::current_device(thread)) offload::refuse_reverse(*device);
}

}  // namespace

TULLE_GOMP void GOMP_target_ext(int device, omp::RegionFunction function, size_t count,
                                void** addresses, size_t* sizes, unsigned short* kinds,
                                unsigned flags, void** depend, void** arguments) {
  omp::Thread* thread = omp::self_or_attach();
  offload::Device* on = device_of_construct(thread, device);
  if (on == nullptr) refuse_host_inside(thread, device);
  MappedData data{{count, addresses, sizes, kinds}};
  uint32_t thread_limit = thread_limit_of(arguments);
  if (on != nullptr && (flags & kNowait) != 0) {
    omp::leave_out_of_graph(thread, "it has a target construct");
    launch_on(*on, thread, function, thread_limit, data, depend);
  } else if (on == nullptr && deferred(thread, flags)) {
    run_later(thread, function, thread_limit, data, depend);
  } else {
    wait_for(thread, depend);
    if (on != nullptr)
      run_on(*on, function, thread_limit, data);
    else
      run_now(function, thread_limit, data);
  }
}

TULLE_GOMP void GOMP_target_data_ext(int device, size_t count, void** addresses, size_t* sizes,
                                     unsigned short* kinds) {
  begin_data(device, {count, addresses, sizes, kinds});
}

TULLE_GOMP void GOMP_target_end_data() {
  if (offload::device_count() != 0) offload::close_data_region(omp::self_or_attach());
}

TULLE_GOMP void GOMP_target_update_ext(int device, size_t count, void** addresses, size_t* sizes,
                                       unsigned short* kinds, unsigned flags, void** depend) {
  data_motion(device, Motion::update, flags, {count, addresses, sizes, kinds}, depend);
}

TULLE_GOMP void GOMP_target_enter_exit_data(int device, size_t count, void** addresses, size_t* sizes,
                                            unsigned short* kinds, unsigned flags, void** depend) {
  Motion motion = (flags & kExitData) != 0 ? Motion::end : Motion::begin;
  data_motion(device, motion, flags, {count, addresses, sizes, kinds}, depend);
}

// The forms of GCC 4.9, which had neither flags nor firstprivate.
TULLE_GOMP void GOMP_target(int device, omp::RegionFunction function, const void*, size_t count,
                            void** addresses, size_t* sizes, unsigned char* kinds) {
  omp::Thread* thread = omp::self_or_attach();
  offload::Device* on = device_of_construct(thread, device);
  if (on == nullptr) return omp::run_target(thread, function, addresses, 0);
  gomp::WideKinds wide(kinds, count);
  run_on(*on, function, 0, {count, addresses, sizes, wide.kinds()});
}

TULLE_GOMP void GOMP_target_data(int device, const void*, size_t count, void** addresses, size_t* sizes,
                                 unsigned char* kinds) {
  gomp::WideKinds wide(kinds, count);
  begin_data(device, {count, addresses, sizes, wide.kinds()});
}

TULLE_GOMP void GOMP_target_update(int device, const void*, size_t count, void** addresses, size_t* sizes,
                                   unsigned char* kinds) {
  gomp::WideKinds wide(kinds, count);
  data_motion(device, Motion::update, 0, {count, addresses, sizes, wide.kinds()}, nullptr);
}

// Device images of the program: there is no device to load them.
TULLE_GOMP void GOMP_offload_register(const void*, int, const void*) {}
TULLE_GOMP void GOMP_offload_unregister(const void*, int, const void*) {}
TULLE_GOMP void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
TULLE_GOMP void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}

// The device's address of a function that is called indirectly.
TULLE_GOMP void* GOMP_target_map_indirect_ptr(void* function) { return function; }

// No foreign runtime stands behind the host, so every object is omp_interop_none.
TULLE_GOMP void GOMP_interop(int /*device*/, int made, void*** make, const int* /*kinds*/,
                             const char** /*preferred*/, int /*used*/, void** /*use*/,
                             int destroyed, void*** destroy, unsigned /*flags*/, void** depend) {
  wait_for(omp::self_or_attach(), depend);
  for (int i = 0; i < made; ++i) *make[i] = nullptr;
  for (int i = 0; i < destroyed; ++i) *destroy[i] = nullptr;
}
