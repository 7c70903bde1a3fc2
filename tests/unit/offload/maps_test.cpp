// SPDX-License-Identifier: Apache-2.0
// Sequences of constructs drawn at random on a device that is nothing but memory, against a model: how often each array
// is mapped, and what host and device have of it (OpenMP 5.2 §5.8).
#include "offload/maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <random>

#include "omp/thread/team.h"

namespace tulle::offload {
namespace {

void* allocate(Device&, size_t bytes, size_t alignment) {
  return aligned_alloc(alignment, (bytes + alignment) & ~(alignment - 1));
}
void release(Device&, void* block) { free(block); }
void copy(Device&, void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }
constexpr DeviceOperations kMemory = {allocate, release, copy, copy, nullptr, nullptr, nullptr};

constexpr size_t kCells = 16;
using Cells = std::array<int, kCells>;

// What should be.
struct Model {
  int count = 0;
  Cells there{};
};

struct MapsTest : testing::TestWithParam<unsigned> {
  static constexpr size_t kArrays = 6;
  Device device;
  Cells here[kArrays];
  Cells expected[kArrays];
  Model models[kArrays];
  std::mt19937 random{GetParam()};
  int next = 1;

  void SetUp() override {
    omp::self_or_attach();
    device.operations = &kMemory;
    device.lock.init();
    for (size_t i = 0; i < kArrays; ++i) {
      here[i].fill(static_cast<int>(i));
      expected[i] = here[i];
    }
  }
  unsigned draw(unsigned below) { return static_cast<unsigned>(random()) % below; }

  // A part of an array that may be mapped: any where it is there, else all of it.
  struct Part {
    size_t array, first, cells;
  };
  Part draw_part() {
    size_t array = draw(kArrays);
    if (models[array].count == 0) return {array, 0, kCells};
    size_t first = draw(kCells);
    return {array, first, 1 + draw(static_cast<unsigned>(kCells - first))};
  }
  MapItem item_of(const Part& part, unsigned flags) {
    return {Action::map, static_cast<uint8_t>(flags), 4, &here[part.array][part.first], part.cells * sizeof(int)};
  }

  void model_begin(const Part& part, unsigned flags) {
    Model& model = models[part.array];
    bool copies = (flags & kTo) != 0 && (model.count == 0 || (flags & kAlways) != 0);
    if (model.count == 0) model.there.fill(-1);
    ++model.count;
    for (size_t i = part.first; copies && i < part.first + part.cells; ++i) model.there[i] = expected[part.array][i];
  }
  void model_end(const Part& part, unsigned flags) {
    Model& model = models[part.array];
    if (model.count == 0) return;
    model.count = (flags & kForget) != 0 ? 0 : model.count - 1;
    bool copies = (flags & kFrom) != 0 && (model.count == 0 || (flags & kAlways) != 0);
    for (size_t i = part.first; copies && i < part.first + part.cells; ++i) expected[part.array][i] = model.there[i];
  }

  // What was made without a copy is not known: the test writes it.
  void write_all_there(size_t array) {
    const Mapping* mapping = device.table.find(&here[array][0], 1);
    ASSERT_NE(mapping, nullptr);
    for (size_t i = 0; i < kCells; ++i) {
      models[array].there[i] = next;
      *reinterpret_cast<int*>(mapping->at(&here[array][i])) = next++;
    }
  }
  void write_here(size_t array) {
    for (size_t i = 0; i < kCells; ++i) here[array][i] = expected[array][i] = next++;
  }

  unsigned draw_flags() {
    unsigned flags = draw(4);
    return draw(3) == 0 ? flags | unsigned{kAlways} : flags;
  }

  void enter() {
    Part part = draw_part();
    unsigned flags = draw_flags() & ~unsigned{kFrom};
    bool is_new = models[part.array].count == 0;
    MapItem item = item_of(part, flags);
    ASSERT_TRUE(begin_maps(device, {&item, 1}, nullptr));
    model_begin(part, flags);
    if (is_new && (flags & kTo) == 0) write_all_there(part.array);
  }
  void exit() {
    Part part = draw_part();
    unsigned flags = draw(5) == 0 ? unsigned{kForget} : draw_flags() & ~unsigned{kTo};
    MapItem item = item_of(part, flags);
    exit_maps(device, {&item, 1});
    model_end(part, flags);
  }
  void update() {
    Part part = draw_part();
    unsigned flags = 1 + draw(2);
    MapItem item = item_of(part, flags);
    update_maps(device, {&item, 1});
    Model& model = models[part.array];
    if (model.count == 0) return;
    for (size_t i = part.first; i < part.first + part.cells; ++i)
      (flags == kTo ? model.there[i] : expected[part.array][i]) = flags == kTo ? expected[part.array][i] : model.there[i];
  }
  // A region of one to three maps, of different arrays.
  void region() {
    MapItem items[3];
    Part parts[3];
    unsigned flags[3];
    void* seen[3];
    size_t count = 0;
    for (unsigned wanted = 1 + draw(3); count < wanted;) {
      Part part = draw_part();
      if (std::any_of(parts, parts + count, [&](const Part& other) { return other.array == part.array; })) continue;
      parts[count] = part;
      flags[count] = draw_flags();
      items[count] = item_of(part, flags[count]);
      ++count;
    }
    ASSERT_TRUE(begin_maps(device, {items, count}, seen));
    for (size_t i = 0; i < count; ++i) {
      model_begin(parts[i], flags[i]);
      EXPECT_NE(seen[i], items[i].address);
      write_all_there(parts[i].array);
    }
    if (draw(8) == 0) {
      undo_maps(device, {items, count});
      for (size_t i = 0; i < count; ++i) model_end(parts[i], 0);
      return;
    }
    end_maps(device, {items, count});
    for (size_t i = 0; i < count; ++i) model_end(parts[i], flags[i]);
  }
  // The host runs it, and the device is used again some time after that.
  void region_of_host() {
    Part part = draw_part();
    MapItem item = item_of(part, kTo | kFrom);
    leave_to_host(device, {&item, 1});
    if (models[part.array].count != 0) expected[part.array] = models[part.array].there;
    write_here(part.array);
    if (models[part.array].count != 0) models[part.array].there = expected[part.array];
    MapItem none = item_of({part.array, 0, 0}, 0);
    none.action = Action::value;
    ASSERT_TRUE(begin_maps(device, {&none, 1}, nullptr));
  }

  void check() {
    for (size_t i = 0; i < kArrays; ++i) {
      ASSERT_EQ(here[i], expected[i]) << "array " << i;
      const Mapping* mapping = device.table.find(&here[i][0], sizeof here[i]);
      ASSERT_EQ(mapping != nullptr, models[i].count != 0) << "array " << i;
      if (mapping == nullptr) continue;
      ASSERT_EQ(mapping->count, static_cast<uint64_t>(models[i].count));
      ASSERT_EQ(memcmp(mapping->at(&here[i][0]), models[i].there.data(), sizeof here[i]), 0) << "array " << i;
    }
  }
};

TEST_P(MapsTest, DoAsTheModel) {
  void (MapsTest::*const steps[])() = {&MapsTest::enter,  &MapsTest::exit,   &MapsTest::exit,
                                       &MapsTest::update, &MapsTest::region, &MapsTest::region_of_host};
  for (int step = 0; step < 3000 && !HasFatalFailure(); ++step) {
    if (draw(4) == 0) write_here(draw(kArrays));
    (this->*steps[draw(6)])();
    check();
  }
  for (size_t i = 0; i < kArrays; ++i) {
    MapItem item = item_of({i, 0, kCells}, kForget);
    exit_maps(device, {&item, 1});
  }
  EXPECT_EQ(device.table.size(), 0u);
}

// Nobody wrote these maps: each gets a counterpart of its own where the neighbours alone are there, and uses
// what is there of it.
struct ImplicitMapsTest : testing::Test {
  Device device;
  Cells here[3];

  void SetUp() override {
    omp::self_or_attach();
    device.operations = &kMemory;
    device.lock.init();
    for (Cells& cells : here) cells.fill(5);
  }
  MapItem item(int* first, size_t cells, unsigned flags) {
    return {Action::map, static_cast<uint8_t>(flags), 4, first, cells * sizeof(int)};
  }
  int* begin(MapItem& mapped) {
    void* seen = nullptr;
    EXPECT_TRUE(begin_maps(device, {&mapped, 1}, &seen));
    return static_cast<int*>(seen);
  }
};

TEST_F(ImplicitMapsTest, NotInANeighboursCounterpart) {
  MapItem before = item(&here[0][0], kCells, kTo), behind = item(&here[2][0], kCells, kTo);
  MapItem own = item(&here[1][0], kCells, kTo | kFrom | kImplicit);
  int* neighbour = begin(before);
  begin(behind);
  int* seen = begin(own);
  EXPECT_NE(seen, neighbour + kCells);
  EXPECT_EQ(device.table.size(), 3u);
  EXPECT_EQ(seen[kCells - 1], 5);
  seen[kCells - 1] = 6;
  end_maps(device, {&own, 1});
  EXPECT_EQ(here[1][kCells - 1], 6);
  EXPECT_EQ(here[2][0], 5);
  end_maps(device, {&before, 1});
  end_maps(device, {&behind, 1});
}

TEST_F(ImplicitMapsTest, WhatIsThereInPartIsUsed) {
  MapItem part = item(&here[1][4], 4, kTo | kFrom);
  MapItem whole = item(&here[1][0], kCells, kTo | kFrom | kImplicit);
  int* there = begin(part);
  int* seen = begin(whole);
  EXPECT_EQ(seen + 4, there);
  seen[5] = 6;
  here[1][0] = 7;
  end_maps(device, {&whole, 1});
  EXPECT_EQ(here[1][5], 5) << "it is held still";
  end_maps(device, {&part, 1});
  EXPECT_EQ(here[1][5], 6);
  EXPECT_EQ(here[1][0], 7);
  EXPECT_EQ(device.table.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MapsTest, testing::Range(1u, 9u));

}  // namespace
}  // namespace tulle::offload
