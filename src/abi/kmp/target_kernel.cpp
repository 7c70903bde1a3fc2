// SPDX-License-Identifier: Apache-2.0
//
// target regions of programs with device code. The host's version follows the call in the program, which runs it
// where the call says that the device has not.
#include "abi/kmp/target_construct.h"
#include "abi/kmp/target_maps.h"
#include "abi/kmp/target_task.h"
#include "arch/call_words.h"
#include "offload/launch.h"
#include "offload/region.h"

namespace tulle::kmp {
namespace {

constexpr int32_t kDone = 0;
constexpr int32_t kToHost = -1;

constexpr uint32_t kNoRuntimeParameter = 0;  // version of the forms before __tgt_target_kernel

// What call_kernel() is given: the first words of the region's block.
struct KernelCall {
  void (*function)();
  size_t count;
  void* words[];
};

// On the device. The call wants two words in front; more than the kernel takes do no harm.
void call_kernel(void* block) {
  const auto* call = static_cast<const KernelCall*>(block);
  void* const first = call->count > 0 ? call->words[0] : nullptr;
  if (call->count <= 1)
    tulle_call_words(call->function, first, nullptr, nullptr, 0);
  else
    tulle_call_words(call->function, first, call->words[1], call->words + 2, call->count - 2);
}

struct Kernel {
  const void* host;  // what the host knows it by
  uint32_t version;
  int32_t thread_limit;
};

size_t parameters(const MapLists& lists) {
  size_t sum = 0;
  for (int32_t i = 0; i < lists.count; ++i) sum += (lists.types[i] & kMapParameter) != 0 ? 1 : 0;
  return sum;
}

void add_call(TargetMaps& maps, const void* function, const Kernel& kernel, const MapLists& lists) {
  const bool first = kernel.version == kRuntimeParameterFirst, last = kernel.version >= kRuntimeParameterLast;
  maps.add_word(function);
  maps.add_word(reinterpret_cast<void*>(parameters(lists) + (first || last ? 1 : 0)));
  if (first) maps.add_word(nullptr);
  maps.add_wanted(kMapParameter);
  if (last) maps.add_word(nullptr);
  maps.add_ranges();
}

TULLE_MAY_SUSPEND bool run(offload::Device& device, const offload::Region& region) {
  TaskHead* head = launching_task(omp::self());
  if (head == nullptr) return offload::offer_region(device, region);
  head->launched = true;  // before its event can be fulfilled
  if (offload::offer_launch(device, region, head->record, {&call_again, head})) return true;
  head->launched = false;
  return false;
}

TULLE_MAY_SUSPEND int32_t offload_kernel(int64_t number, const Kernel& kernel, const MapLists& lists) {
  offload::Device* device = device_of_construct(number);
  if (device == nullptr) return kToHost;
  TargetMaps maps(lists);
  void* function = device->code.function(kernel.host);
  if (function == nullptr) {
    maps.add_ranges();
    offload::leave_to_host(*device, maps.maps());
    offload::tell_of_lack(*device, kernel.host);
    return kToHost;
  }
  add_call(maps, function, kernel, lists);
  uint32_t limit = kernel.thread_limit > 0 ? static_cast<uint32_t>(kernel.thread_limit) : 0;
  return run(*device, {&call_kernel, limit, maps.maps()}) ? kDone : kToHost;
}

MapLists lists_of(const KernelArguments& arguments) {
  return {static_cast<int32_t>(arguments.count), arguments.bases,  arguments.begins,
          arguments.sizes,                       arguments.types, arguments.mappers};
}

}  // namespace

TULLE_KMP int32_t __tgt_target_kernel(Ident*, int64_t device, int32_t, int32_t thread_limit, const void* host,
                                      const KernelArguments* arguments) {
  return offload_kernel(device, {host, arguments->version, thread_limit}, lists_of(*arguments));
}

TULLE_KMP int32_t __tgt_target_kernel_nowait(Ident*, int64_t device, int32_t, int32_t thread_limit, const void* host,
                                             const KernelArguments* arguments, int32_t count, const Depend* list,
                                             int32_t more_count, const Depend* more) {
  wait_for({count, list, more_count, more});
  return offload_kernel(device, {host, arguments->version, thread_limit}, lists_of(*arguments));
}

// --- before clang 15

TULLE_KMP int32_t __tgt_target_teams_mapper(Ident*, int64_t device, const void* host, int32_t count, void** bases,
                                            void** begins, const int64_t* sizes, const uint64_t* types, void**,
                                            void** mappers, int32_t, int32_t thread_limit) {
  return offload_kernel(device, {host, kNoRuntimeParameter, thread_limit},
                        {count, bases, begins, sizes, types, mappers});
}

TULLE_KMP int32_t __tgt_target_teams_nowait_mapper(Ident* location, int64_t device, const void* host, int32_t count,
                                                   void** bases, void** begins, const int64_t* sizes,
                                                   const uint64_t* types, void** names, void** mappers, int32_t teams,
                                                   int32_t thread_limit, int32_t depends, const Depend* list,
                                                   int32_t more_depends, const Depend* more) {
  wait_for({depends, list, more_depends, more});
  return __tgt_target_teams_mapper(location, device, host, count, bases, begins, sizes, types, names, mappers, teams,
                                   thread_limit);
}

TULLE_KMP int32_t __tgt_target_mapper(Ident* location, int64_t device, const void* host, int32_t count, void** bases,
                                      void** begins, const int64_t* sizes, const uint64_t* types, void** names,
                                      void** mappers) {
  return __tgt_target_teams_mapper(location, device, host, count, bases, begins, sizes, types, names, mappers, 1, 0);
}

TULLE_KMP int32_t __tgt_target_nowait_mapper(Ident* location, int64_t device, const void* host, int32_t count,
                                             void** bases, void** begins, const int64_t* sizes, const uint64_t* types,
                                             void** names, void** mappers, int32_t depends, const Depend* list,
                                             int32_t more_depends, const Depend* more) {
  return __tgt_target_teams_nowait_mapper(location, device, host, count, bases, begins, sizes, types, names, mappers,
                                          1, 0, depends, list, more_depends, more);
}

TULLE_KMP int32_t __tgt_target_teams(int64_t device, const void* host, int32_t count, void** bases, void** begins,
                                     const int64_t* sizes, const uint64_t* types, int32_t teams,
                                     int32_t thread_limit) {
  return __tgt_target_teams_mapper(nullptr, device, host, count, bases, begins, sizes, types, nullptr, nullptr, teams,
                                   thread_limit);
}

TULLE_KMP int32_t __tgt_target_teams_nowait(int64_t device, const void* host, int32_t count, void** bases,
                                            void** begins, const int64_t* sizes, const uint64_t* types, int32_t teams,
                                            int32_t thread_limit, int32_t depends, const Depend* list,
                                            int32_t more_depends, const Depend* more) {
  wait_for({depends, list, more_depends, more});
  return __tgt_target_teams(device, host, count, bases, begins, sizes, types, teams, thread_limit);
}

TULLE_KMP int32_t __tgt_target(int64_t device, const void* host, int32_t count, void** bases, void** begins,
                               const int64_t* sizes, const uint64_t* types) {
  return __tgt_target_teams(device, host, count, bases, begins, sizes, types, 1, 0);
}

TULLE_KMP int32_t __tgt_target_nowait(int64_t device, const void* host, int32_t count, void** bases, void** begins,
                                      const int64_t* sizes, const uint64_t* types, int32_t depends,
                                      const Depend* list, int32_t more_depends, const Depend* more) {
  return __tgt_target_teams_nowait(device, host, count, bases, begins, sizes, types, 1, 0, depends, list,
                                   more_depends, more);
}

// How many times a loop goes round is known to whoever runs it.
extern "C" __attribute__((visibility("default"), symver("__kmpc_push_target_tripcount@@VERS1.0"))) void
target_push_tripcount(int64_t, uint64_t) {}
extern "C" __attribute__((visibility("default"), symver("__kmpc_push_target_tripcount_mapper@@VERS1.0"))) void
target_push_tripcount_mapper(Ident*, int64_t, uint64_t) {}

}  // namespace tulle::kmp
