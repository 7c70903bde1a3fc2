// SPDX-License-Identifier: Apache-2.0
#include "base/list.h"

#include <gtest/gtest.h>

namespace {

using tulle::Fifo;
using tulle::Link;

struct Item {
  int number;
  Item* next = nullptr;
};
using Items = Fifo<Item, &Item::next>;

TEST(Fifo, GivesBackInTheOrderInWhichItTook) {
  Item one{1}, two{2};
  Items items;
  EXPECT_TRUE(items.empty());
  items.push_back(&one);
  items.push_back(&two);
  EXPECT_EQ(items.front(), &one);
  EXPECT_EQ(items.pop_front(), &one);
  EXPECT_EQ(items.pop_front(), &two);
  EXPECT_EQ(items.pop_front(), nullptr);
  items.push_back(&one);  // what it held last is no member any more
  EXPECT_EQ(items.pop_front(), &one);
  EXPECT_TRUE(items.empty());
}

TEST(Fifo, AppendsAnotherOneWhichIsEmptyThen) {
  Item one{1}, two{2}, three{3};
  Items first, second, none;
  first.push_back(&one);
  second.push_back(&two);
  second.push_back(&three);
  first.append(none);
  first.append(second);
  EXPECT_TRUE(second.empty());
  for (Item* item : {&one, &two, &three}) EXPECT_EQ(first.pop_front(), item);
  Items empty;
  second.push_back(&two);
  empty.append(second);
  EXPECT_EQ(empty.pop_front(), &two);
}

TEST(Link, LeavesARingAndIsAlone) {
  Link head, one, two;
  one.insert_before(&head);
  two.insert_before(&head);
  EXPECT_EQ(head.next, &one);
  EXPECT_EQ(one.next, &two);
  EXPECT_EQ(head.prev, &two);
  one.remove();
  EXPECT_TRUE(one.alone());
  EXPECT_EQ(head.next, &two);
  two.remove();
  EXPECT_TRUE(head.alone());
}

}  // namespace
