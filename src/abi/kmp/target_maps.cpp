// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/target_maps.h"

#include "abi/kmp/layout.h"
#include "os/report.h"

namespace tulle::kmp {

namespace {

using offload::Action;
using offload::MapItem;

using Components = Array<MapComponent>;

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

// What the range's addresses are counted from.
void* base_of(const MapComponent& item) {
  bool is_pointee = (item.type & kMapPointerAndObject) != 0 && item.base != nullptr;
  return is_pointee ? *static_cast<void**>(item.base) : item.base;
}

size_t bias_of(const MapComponent& item) { return number(item.begin) - number(base_of(item)); }

uint8_t flags_of(uint64_t type) {
  unsigned flags = 0;
  if (type & kMapTo) flags |= offload::kTo;
  if (type & kMapFrom) flags |= offload::kFrom;
  if (type & kMapAlways) flags |= offload::kAlways;
  if (type & kMapDelete) flags |= offload::kForget;
  if (type & kMapImplicit) flags |= offload::kImplicit;
  if (type & kMapPresent) flags |= offload::kPresent;
  return static_cast<uint8_t>(flags);
}

// The compiler does not tell: as the original, up to a cache line pair.
uint32_t alignment_of(const void* address) {
  constexpr uintptr_t kGreatest = 128;
  uintptr_t bits = number(address) | kGreatest;
  return static_cast<uint32_t>(bits & -bits);
}

bool is_data(const MapComponent& item) { return (item.type & (kMapLiteral | kMapPrivate)) == 0; }

}  // namespace

MapComponent TargetMaps::component(int32_t i) const {
  return {lists_.bases[i], lists_.begins[i], lists_.sizes[i], lists_.types[i]};
}

void TargetMaps::add_word(const void* word) { add({Action::value, 0, 1, const_cast<void*>(word), 0}); }

void TargetMaps::add_wanted(uint64_t kind) {
  for (int32_t i = 0; i < lists_.count; ++i)
    if ((lists_.types[i] & kind) != 0) {
      add_want(component(i));
      ++wanted_;
    }
}

void TargetMaps::add_want(const MapComponent& item) {
  auto size = static_cast<size_t>(item.size);
  if (item.type & kMapLiteral) return add_word(item.base);
  if (item.type & kMapPrivate) return add({Action::copy, 0, alignment_of(item.begin), item.begin, size});
  add({Action::argument, 0, 1, item.begin, bias_of(item)});
}

void TargetMaps::add_ranges() {
  for (int32_t i = 0; i < lists_.count; ++i)
    add_mapped(component(i), lists_.mappers != nullptr ? lists_.mappers[i] : nullptr);
}

// A mapper calls those of the parts by itself.
void TargetMaps::add_mapped(const MapComponent& item, void* mapper) {
  if (mapper == nullptr) return add_item(item);
  Components components;
  reinterpret_cast<Mapper>(mapper)(&components, item.base, item.begin, item.size, static_cast<int64_t>(item.type),
                                   nullptr);
  if (components.short_of_memory()) os::fatal("out of memory for a mapper of the program's");
  for (const MapComponent& each : components) add_item(each);
}

void TargetMaps::add_item(const MapComponent& item) {
  if (item.type & kMapAttach) return add_pointer(item);
  if ((item.type & kMapLiteral) != 0 && (item.type & kMapPointerAndObject) != 0) {  // what a lambda has captured
    add({Action::attach_new, offload::kAlways, sizeof(void*), item.base, bias_of(item)});
    return;
  }
  if (!is_data(item)) return;
  if ((item.type & kMapNonContiguous) != 0) return add_sections(item, 0, 0);
  add_range(item);
}

void TargetMaps::add_pointer(const MapComponent& item) {
  if (item.base == nullptr) return;
  unsigned flags = (item.type & kMapAlways) != 0 ? unsigned{offload::kAlways} : 0;
  size_t bias = number(item.begin) - number(*static_cast<void**>(item.base));
  add({Action::attach_new, static_cast<uint8_t>(flags), static_cast<uint32_t>(item.size), item.base, bias});
}

void TargetMaps::add_range(const MapComponent& item) {
  const bool is_part = (item.type & kMapMember) != 0, is_pointee = (item.type & kMapPointerAndObject) != 0;
  unsigned member = is_part ? unsigned{offload::kMember} : 0;
  if (is_pointee) add({Action::map, static_cast<uint8_t>(member), sizeof(void*), item.base, sizeof(void*)});
  auto flags = static_cast<uint8_t>(flags_of(item.type) | (is_pointee ? 0 : member));
  Action action = item.size == 0 ? Action::section : Action::map;
  add({action, flags, 1, item.begin, static_cast<size_t>(item.size)});
  if (is_pointee) add({Action::attach_new, 0, sizeof(void*), item.base, bias_of(item)});
}

// `size` counts the dimensions, which `begin` leads to.
void TargetMaps::add_sections(const MapComponent& item, size_t at, uint64_t offset) {
  const auto* sections = static_cast<const Section*>(item.begin);
  const size_t last = static_cast<size_t>(item.size) - 1;
  const Section& section = sections[at];
  if (at == last) {
    char* begin = static_cast<char*>(base_of(item)) + offset + section.offset * section.stride;
    add({Action::map, flags_of(item.type), 1, begin, section.count * section.stride});
    return;
  }
  for (uint64_t i = 0; i < section.count; ++i)
    add_sections(item, at + 1, offset + (section.offset + i) * section.stride);
}

offload::Maps TargetMaps::maps() {
  if (items_.short_of_memory()) os::fatal("out of memory for the map clauses of a target construct");
  return {items_.data(), items_.size()};
}

void TargetMaps::give_back(void* const* seen) const {
  for (int32_t i = 0; i < lists_.count; ++i)
    if ((lists_.types[i] & kMapReturn) != 0) lists_.bases[i] = *seen++;
}

TULLE_KMP int64_t __tgt_mapper_num_components(void* components) {
  return static_cast<int64_t>(static_cast<Components*>(components)->size());
}

TULLE_KMP void __tgt_push_mapper_component(void* components, void* base, void* begin, int64_t size, int64_t type,
                                           void*) {
  static_cast<Components*>(components)->push({base, begin, size, static_cast<uint64_t>(type)});
}

}  // namespace tulle::kmp
