// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/dependence_order.h"

#include "base/hash.h"

namespace tulle::omp {

namespace {

constexpr size_t kFewestSlots = 64;
constexpr uint32_t kNobody = TaskGraph::kNone;

size_t first_slot(uintptr_t address, size_t slots) {
  return (golden_hash(uint64_t{address}) >> 20) & (slots - 1);
}

}  // namespace

bool DependenceOrder::grow() {
  Array<uint32_t> slots;
  if (!slots.resize(slots_.empty() ? kFewestSlots : 2 * slots_.size())) return false;
  for (uint32_t i = 0; i < places_.size(); ++i) {
    size_t at = first_slot(places_[i].address, slots.size());
    while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
    slots[at] = i + 1;
  }
  slots_.swap(slots);
  return true;
}

// kNobody: no memory. A new address follows whatever named all memory.
uint32_t DependenceOrder::find(uintptr_t address) {
  if (2 * places_.size() >= slots_.size() && !grow()) return kNobody;
  size_t at = first_slot(address, slots_.size());
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (places_[slots_[at] - 1].address == address) return slots_[at] - 1;
  uint32_t now = everything_ == kNobody ? 0 : put(0, everything_);
  if (!places_.push({address, DependenceKind::out, DependenceKind::in, kNobody, now, 0})) return kNobody;
  slots_[at] = static_cast<uint32_t>(places_.size());
  return slots_[at] - 1;
}

uint32_t DependenceOrder::put(uint32_t list, uint32_t task) {
  if (!items_.push({list, task})) short_of_memory_ = true;
  return static_cast<uint32_t>(items_.size());
}

void DependenceOrder::add_edge(uint32_t input, uint32_t task) {
  builder_.add_edge(input, task);
  followed_[input] = 1;
  follows_ = true;
}

void DependenceOrder::follow(uint32_t task, uint32_t list) {
  for (; list != 0; list = items_[list - 1].next)
    if (items_[list - 1].task != task) add_edge(items_[list - 1].task, task);
}

void DependenceOrder::depend_on(uint32_t task, Place& place, DependenceKind access) {
  bool joins = access != DependenceKind::out && place.access == access && place.now != 0;
  if (!joins) {
    place.before = place.now;
    place.now = 0;
    place.access = access;
  }
  follow(task, place.before);
  place.now = put(place.now, task);
}

void DependenceOrder::depend_on_everything(uint32_t task) {
  if (everything_ != kNobody) add_edge(everything_, task);
  everything_ = task;
  for (Place& place : places_) depend_on(task, place, DependenceKind::out);
}

// An address that a task names in different ways counts as out. False: no memory.
bool DependenceOrder::ask(uint32_t task, std::span<const GraphItem> items) {
  for (const GraphItem& item : items) {
    if (item.address == 0) continue;
    uint32_t number = find(item.address);
    if (number == kNobody) return false;
    Place& place = places_[number];
    bool exclusive = item.access == DependenceKind::mutexinoutset;
    DependenceKind access = exclusive ? DependenceKind::out : item.access;
    bool otherwise = place.asked == task && place.asked_access != access;
    place.asked_access = otherwise ? DependenceKind::out : access;
    place.asked = task;
  }
  return true;
}

void DependenceOrder::add(uint32_t task, std::span<const GraphItem> items) {
  follows_ = false;
  if (!followed_.resize(task + 1) || !ask(task, items)) {
    short_of_memory_ = true;
    return;
  }
  bool all_memory = false;
  for (const GraphItem& item : items) {
    all_memory |= item.address == 0;
    if (item.address == 0) continue;
    Place& place = places_[find(item.address)];
    if (place.asked != task) continue;  // named twice
    place.asked = kNobody;
    depend_on(task, place, place.asked_access);
  }
  if (all_memory) depend_on_everything(task);
  if (awaited_ != kNobody)
    add_edge(awaited_, task);
  else if (barrier_ != kNobody && !follows_)
    add_edge(barrier_, task);
}

void DependenceOrder::add_barrier(uint32_t task) {
  if (!followed_.resize(task + 1)) {
    short_of_memory_ = true;
    return;
  }
  // The others come before one of these.
  for (uint32_t i = barrier_ == kNobody ? 0 : barrier_; i < task; ++i)
    if (followed_[i] == 0) add_edge(i, task);
  barrier_ = task;
  everything_ = awaited_ = kNobody;
  for (Place& place : places_) place.now = place.before = 0;
}

void DependenceOrder::wait_for(uint32_t task) { awaited_ = task; }

bool DependenceOrder::short_of_memory() const {
  return short_of_memory_ || places_.short_of_memory() || items_.short_of_memory();
}

}  // namespace tulle::omp
