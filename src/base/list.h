// SPDX-License-Identifier: Apache-2.0
// Intrusive lists. They own nothing and lock nothing: the holder of the list guards it.
#pragma once

namespace tulle {

// First in, first out, singly linked through T::*Next.
template <class T, T* T::*Next>
class Fifo {
 public:
  bool empty() const { return head_ == nullptr; }

  void push_back(T* item) {
    item->*Next = nullptr;
    if (head_ == nullptr)
      head_ = item;
    else
      tail_->*Next = item;
    tail_ = item;
  }

  T* pop_front() {
    T* item = head_;
    if (item != nullptr) head_ = item->*Next;
    return item;
  }

  T* front() const { return head_; }

  // Takes everything out of `other`, behind what is here.
  void append(Fifo& other) {
    if (other.empty()) return;
    if (empty())
      head_ = other.head_;
    else
      tail_->*Next = other.head_;
    tail_ = other.tail_;
    other.head_ = nullptr;
  }

 private:
  T* head_ = nullptr;
  T* tail_ = nullptr;
};

// A member of a doubly linked ring; a list is a ring with a head that stands for no member.
struct Link {
  Link* next = this;
  Link* prev = this;

  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  bool alone() const { return next == this; }

  void insert_before(Link* where) {
    prev = where->prev;
    next = where;
    prev->next = this;
    where->prev = this;
  }

  void remove() {
    prev->next = next;
    next->prev = prev;
    next = prev = this;
  }
};

}  // namespace tulle
