// SPDX-License-Identifier: Apache-2.0
// GCC's two forms of the depend array.
#include "abi/gomp/dependences.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tulle::abi::gomp {
namespace {

using Kind = omp::DependenceKind;

int x[64];

void* word(uintptr_t number) { return reinterpret_cast<void*>(number); }

struct Item {
  void* address;
  Kind kind;
  bool operator==(const Item&) const = default;
};

std::vector<Item> read(std::vector<void*> array) {
  Dependences dependences(array.data());
  std::vector<Item> items;
  for (size_t i = 0; i < dependences.count(); ++i)
    items.push_back({dependences.items()[i].address, dependences.items()[i].kind});
  return items;
}

TEST(GompDependences, ShortForm) {
  std::vector<Item> wanted = {{&x[0], Kind::out}, {&x[1], Kind::in}, {&x[2], Kind::in}};
  EXPECT_EQ(read({word(3), word(1), &x[0], &x[1], &x[2]}), wanted);
}

TEST(GompDependences, AllMemory) {
  std::vector<Item> wanted = {{nullptr, Kind::out}};
  EXPECT_EQ(read({word(1), word(1), nullptr}), wanted);
}

TEST(GompDependences, LongForm) {
  void* objects[][2] = {{&x[4], word(1)}, {&x[5], word(2)}, {&x[6], word(3)},
                        {&x[7], word(4)}, {&x[8], word(5)}};
  std::vector<Item> wanted = {
      {&x[0], Kind::out}, {&x[1], Kind::mutexinoutset}, {&x[2], Kind::in},  {&x[3], Kind::in},
      {&x[4], Kind::in},  {&x[5], Kind::out},           {&x[6], Kind::out}, {&x[7], Kind::mutexinoutset},
      {&x[8], Kind::inoutset}};
  EXPECT_EQ(read({nullptr, word(9), word(1), word(1), word(2), &x[0], &x[1], &x[2], &x[3],
                  objects[0], objects[1], objects[2], objects[3], objects[4]}),
            wanted);
}

TEST(GompDependences, LongListsOfBothForms) {
  std::vector<void*> array = {word(60), word(20)};
  for (int i = 0; i < 60; ++i) array.push_back(&x[i]);
  std::vector<Item> items = read(array);
  ASSERT_EQ(items.size(), 60u);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(items[i], (Item{&x[i], i < 20 ? Kind::out : Kind::in}));
}

TEST(GompDependencesDeathTest, ObjectThatWasNotInitialised) {
  void* object[2] = {&x[0], word(9)};
  std::vector<void*> array = {nullptr, word(1), nullptr, nullptr, nullptr, object};
  EXPECT_DEATH(read(array), "depend object");
}

}  // namespace
}  // namespace tulle::abi::gomp
