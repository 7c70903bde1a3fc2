// SPDX-License-Identifier: Apache-2.0
//
// target data, enter data, exit data and update of programs with device code. Those with nowait come inside of a
// task of their own. On the host there is nothing to do: addresses that the program gets are its own.
#include "abi/kmp/target_construct.h"
#include "abi/kmp/target_maps.h"

namespace tulle::kmp {
namespace {

TULLE_MAY_SUSPEND void begin(int64_t number, const MapLists& lists) {
  offload::Device* device = device_of_construct(number);
  if (device == nullptr) return;
  TargetMaps target(lists);
  target.add_wanted(kMapReturn);
  target.add_ranges();
  offload::Maps maps = target.maps();
  Array<void*> seen;
  bool done = seen.resize(maps.count) && offload::begin_maps(*device, maps, seen.data());
  if (done)
    target.give_back(seen.data());
  else
    offload::fall_back(*device, "no memory for what a target construct maps");
}

using Move = void (*)(offload::Device& device, offload::Maps maps);

TULLE_MAY_SUSPEND void move(int64_t number, const MapLists& lists, Move how) {
  offload::Device* device = device_of_construct(number);
  if (device == nullptr) return;
  TargetMaps target(lists);
  target.add_ranges();
  how(*device, target.maps());
}

}  // namespace

#define TULLE_TARGET_DATA(name, act)                                                                                   \
  TULLE_KMP void __tgt_target_data_##name##_mapper(Ident*, int64_t device, int32_t count, void** bases, void** begins, \
                                                   const int64_t* sizes, const uint64_t* types, void**,                \
                                                   void** mappers) {                                                   \
    MapLists lists{count, bases, begins, sizes, types, mappers};                                                       \
    act;                                                                                                               \
  }                                                                                                                    \
  TULLE_KMP void __tgt_target_data_##name##_nowait_mapper(                                                             \
      Ident*, int64_t device, int32_t count, void** bases, void** begins, const int64_t* sizes, const uint64_t* types, \
      void**, void** mappers, int32_t depends, const Depend* list, int32_t more_depends, const Depend* more) {         \
    wait_for({depends, list, more_depends, more});                                                                     \
    MapLists lists{count, bases, begins, sizes, types, mappers};                                                       \
    act;                                                                                                               \
  }                                                                                                                    \
  TULLE_KMP void __tgt_target_data_##name(int64_t device, int32_t count, void** bases, void** begins,                  \
                                          const int64_t* sizes, const uint64_t* types) {                               \
    MapLists lists{count, bases, begins, sizes, types, nullptr};                                                       \
    act;                                                                                                               \
  }                                                                                                                    \
  TULLE_KMP void __tgt_target_data_##name##_nowait(int64_t device, int32_t count, void** bases, void** begins,         \
                                                   const int64_t* sizes, const uint64_t* types, int32_t depends,       \
                                                   const Depend* list, int32_t more_depends, const Depend* more) {     \
    wait_for({depends, list, more_depends, more});                                                                     \
    MapLists lists{count, bases, begins, sizes, types, nullptr};                                                       \
    act;                                                                                                               \
  }                                                                                                                    \
  static_assert(true)

TULLE_TARGET_DATA(begin, begin(device, lists));
TULLE_TARGET_DATA(end, move(device, lists, &offload::exit_maps));
TULLE_TARGET_DATA(update, move(device, lists, &offload::update_maps));

}  // namespace tulle::kmp
