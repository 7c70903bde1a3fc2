// SPDX-License-Identifier: Apache-2.0
#include "thread.h"

#include <cstdlib>
#include <new>

namespace tulle::trace {

namespace {

constexpr uint32_t kIdsAtOnce = 4096;

std::atomic<Thread*> threads{nullptr};  // only ever added to
std::atomic<uint32_t> thread_count{0};
std::atomic<uint32_t> ids{0};  // given out, in units of kIdsAtOnce

}  // namespace

__attribute__((noinline, cold)) bool Thread::take_chunk_slow() {
  Chunk* chunk = take_chunk(chunk_, number, chunks_);
  chunk_ = chunk;
  at_ = end_ = nullptr;
  if (chunk == nullptr) return false;
  ++chunks_;
  begin_ = chunk->begin;
  at_ = chunk->events;
  end_ = chunk->events + kChunkEvents;
  return true;
}

void Thread::take_ids() {
  next_id_ = ids.fetch_add(1, std::memory_order_relaxed) * kIdsAtOnce;  // relaxed: it guards no data
  last_id_ = next_id_ + kIdsAtOnce;
  if (next_id_ == 0) next_id_ = 1;
}

void Thread::forget_chunk() {
  at_ = end_ = nullptr;
  chunk_ = nullptr;
}

Thread* take_thread() {
  for (Thread* old = threads.load(std::memory_order_acquire); old != nullptr; old = old->next) {
    bool free = false;
    if (old->in_use.compare_exchange_strong(free, true, std::memory_order_acquire)) return old;  // pairs with its end
  }
  void* memory = std::calloc(1, sizeof(Thread));
  if (memory == nullptr) return nullptr;
  auto* thread = new (memory) Thread;
  thread->number = thread_count.fetch_add(1, std::memory_order_relaxed);
  thread->next = threads.load(std::memory_order_relaxed);
  while (!threads.compare_exchange_weak(thread->next, thread, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return thread;
}

void forget_all_chunks() {
  for (Thread* thread = threads.load(std::memory_order_acquire); thread != nullptr; thread = thread->next)
    thread->forget_chunk();
}

}  // namespace tulle::trace
