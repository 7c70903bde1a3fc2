// SPDX-License-Identifier: Apache-2.0
#include "abi/gomp/target_maps.h"

#include <stdlib.h>

#include "os/report.h"

namespace tulle::abi::gomp {

namespace {

using offload::Action;
using offload::MapItem;

// As GCC 12 writes them, and those with `present` GCC 14; below kPointer and behind kAlways, kAlwaysPresent and
// kImplicitly bit 0 says to and bit 1 from.
enum Kind : unsigned {
  kPointer = 4,
  kDescriptor = 5,
  kIfPresent = 6,
  kDelete = 7,
  kFirstprivate = 12,
  kFirstprivateValue = 13,
  kUseDevicePointer = 14,
  kZeroLengthSection = 15,
  kUseDeviceIfPresent = 16,
  kAlways = 16,
  kRelease = 23,
  kStructure = 28,
  kAlwaysPointer = 29,
  kPointerToSection = 30,
  kDeleteSection = 31,
  kAttach = 0x50,
  kDetach = 0x51,
  kAttachSection = 0x52,
  kImplicitly = 0x60,
  kAlwaysPresent = 0x94,
  kForceDetach = 0xd1,
};

struct Meaning {
  Action action;
  unsigned flags;
};

Meaning meaning_of(unsigned kind) {
  const unsigned direction = kind & 3, family = kind & ~3u;
  switch (kind) {
    case kPointer:
    case kPointerToSection: return {Action::pointer, 0};
    case kDescriptor: return {Action::descriptor, offload::kTo};
    case kIfPresent: return {Action::map, offload::kPresent};
    case kDelete: return {Action::map, offload::kForget};
    case kFirstprivate: return {Action::copy, 0};
    case kFirstprivateValue: return {Action::value, 0};
    case kUseDevicePointer: return {Action::use, 0};
    case kZeroLengthSection: return {Action::section, 0};
    case kUseDeviceIfPresent: return {Action::use_if_present, 0};
    case kRelease: return {Action::map, 0};
    case kStructure: return {Action::structure, 0};
    case kAlwaysPointer: return {Action::set_pointer, 0};
    case kDeleteSection: return {Action::section, offload::kForget};
    case kAttach:
    case kAttachSection: return {Action::attach, 0};
    case kDetach: return {Action::detach, 0};
    case kForceDetach: return {Action::detach_for_good, 0};
    default: break;
  }
  if (family == 0) return {Action::map, direction};
  if (family == kAlways) return {Action::map, direction | offload::kAlways};
  if (family == kImplicitly) return {Action::map, direction | offload::kImplicit};
  if (family == kAlwaysPresent) return {Action::map, direction | offload::kAlways | offload::kPresent};
  os::report("a target construct maps by kind %u, which is not known", kind);
  exit(EXIT_FAILURE);
}

MapItem item_of(const MapLists& lists, size_t i) {
  Meaning meaning = meaning_of(lists.kinds[i] & 0xff);
  return {meaning.action, static_cast<uint8_t>(meaning.flags), 1u << (lists.kinds[i] >> 8), lists.addresses[i],
          lists.sizes[i]};
}

}  // namespace

MapItems::MapItems(const MapLists& lists) : count_(lists.count), items_(few_) {
  static_assert(offload::kTo == 1 && offload::kFrom == 2);
  if (count_ > kFew) items_ = static_cast<MapItem*>(malloc(count_ * sizeof(MapItem)));
  if (items_ == nullptr) os::fatal("out of memory for the map clauses of a target construct");
  for (size_t i = 0; i < count_; ++i) items_[i] = item_of(lists, i);
}

MapItems::~MapItems() {
  if (items_ != few_) free(items_);
}

WideKinds::WideKinds(const unsigned char* kinds, size_t count) {
  for (size_t i = 0; i < count; ++i)
    kinds_.push(static_cast<unsigned short>((kinds[i] >> 3) << 8 | (kinds[i] & 7)));
  if (kinds_.short_of_memory()) os::fatal("out of memory for the map clauses of a target construct");
}

}  // namespace tulle::abi::gomp
