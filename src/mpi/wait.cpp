// SPDX-License-Identifier: Apache-2.0
#include "wait.h"

#include <sched.h>
#include <time.h>

#include <atomic>

namespace tulle::mpi {

constinit thread_local int Inside::depth_ = 0;
bool active = false;
tulle_outside outside = {};

namespace {

// New waits, taken whole. Release: the caller's frame is written; pairs with the poller's exchange.
std::atomic<Awaited*> arrived{nullptr};

// W: the poller that holds `polling`. A ring would do; the last one asked is the last to be asked again.
Awaited* first = nullptr;
Awaited** end = &first;
std::atomic<bool> polling{false};  // acquire, release: both lists go along
std::atomic<bool> stopped{true};   // under polling

constexpr int kAskedAtOnce = 64;

void append(Awaited* awaited) {
  awaited->next = nullptr;
  *end = awaited;
  end = &awaited->next;
}

Awaited* take_first() {
  Awaited* awaited = first;
  first = awaited->next;
  if (first == nullptr) end = &first;
  return awaited;
}

void take_arrived() {
  Awaited* list = arrived.exchange(nullptr, std::memory_order_acquire);
  while (list != nullptr) {
    Awaited* next = list->next;
    append(list);
    list = next;
  }
}

struct Answers {
  int asked = 0, came = 0;
};

// Each asks the library, which moves all that is under way.
Answers ask_some() {
  Answers answers;
  take_arrived();
  Awaited* seen_first = nullptr;
  while (answers.asked < kAskedAtOnce && first != nullptr && first != seen_first) {
    Awaited* awaited = take_first();
    ++answers.asked;
    if (!awaited->has_come(awaited)) {
      append(awaited);
      if (seen_first == nullptr) seen_first = awaited;
      continue;
    }
    ++answers.came;
    tulle_resume(&awaited->suspension);
  }
  return answers;
}

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// Whoever asks moves what is under way. A question alone takes at most some microseconds: one that took longer has
// moved much, and there is more; for whole milliseconds something else had the core.
bool has_moved(uint64_t took, int asked) {
  constexpr uint64_t kQuestion = 10000, kSlice = 1000000;  // ns
  return took > kQuestion * static_cast<uint64_t>(asked) && took < kSlice * static_cast<uint64_t>(asked);
}

int poll(void*) {
  if (polling.exchange(true, std::memory_order_acquire)) return 0;
  bool goes_on = false;
  if (!stopped.load(std::memory_order_relaxed)) {
    Inside inside;
    uint64_t start = now();
    Answers answers = ask_some();
    goes_on = answers.came != 0 || has_moved(now() - start, answers.asked);
  }
  polling.store(false, std::memory_order_release);
  return goes_on;
}

// Asks for as long as nothing else has a use for the core: at most kPatience after something moved, in which others that
// share it have it now and then. True: it has come. Asks amid calls of the library.
template <class HasCome>
bool come_in_place(HasCome has_come) {
  constexpr int kEager = 4, kBetweenLooks = 32;
  constexpr uint64_t kPatience = 2000000, kYieldEvery = 200000;  // ns
  {
    Inside inside;
    for (int i = 0; i < kEager; ++i)
      if (has_come()) return true;
  }
  uint64_t start = 0, yielded = 0, looked = 0;
  while (!tulle_others_wait()) {
    {
      Inside inside;
      for (int i = 0; i < kBetweenLooks; ++i) {
        if (has_come()) return true;
        __builtin_ia32_pause();
      }
    }
    uint64_t time = now();
    if (start == 0) start = yielded = looked = time;
    if (has_moved(time - looked, kBetweenLooks)) start = time;
    looked = time;
    if (time - start > kPatience) return false;
    if (time - yielded < kYieldEvery) continue;
    sched_yield();
    yielded = time;
  }
  return false;
}

void suspend_for(Awaited& awaited) {
  Awaited* seen = arrived.load(std::memory_order_relaxed);
  do {
    awaited.next = seen;
  } while (!arrived.compare_exchange_weak(seen, &awaited, std::memory_order_release, std::memory_order_relaxed));
  tulle_suspend(&awaited.suspension);
}

bool ask_all(Awaited* awaited) {
  auto* all = static_cast<AllComplete*>(awaited);
  while (all->left > 0 && is_complete(all->requests[all->left - 1])) --all->left;
  return all->left == 0;
}

bool ask_any(Awaited* awaited) {
  auto* any = static_cast<AnyComplete*>(awaited);
  for (int i = 0; i < any->count; ++i)
    if (is_complete(any->requests[i])) return true;
  return false;
}

}  // namespace

AllComplete::AllComplete(int count, const MPI_Request* list) : Awaited(ask_all), left(count), requests(list) {}
AnyComplete::AnyComplete(int length, const MPI_Request* list) : Awaited(ask_any), count(length), requests(list) {}

bool is_complete(MPI_Request request) {
  Quiet handlers;
  int flag = 0;
  int error = real.Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  return error != MPI_SUCCESS || flag != 0;
}

void wait_for(Awaited& awaited) {
  bool came = come_in_place([&] { return awaited.has_come(&awaited); });
  if (!came) suspend_for(awaited);
}

int finish(MPI_Request* request, MPI_Status* status, bool quiet) {
  int error = MPI_SUCCESS;
  if (may_suspend()) {
    bool came = come_in_place([&] {
      Quiet handlers(quiet);
      int flag = 0;
      error = real.Test(request, &flag, status);
      return error != MPI_SUCCESS || flag != 0;
    });
    if (came) return error;
    AllComplete complete(1, request);
    suspend_for(complete);
  }
  Inside inside;
  Quiet handlers(quiet);
  return real.Wait(request, status);
}

bool start_waiting() {
  static bool registered = false;
  if (!registered && !tulle_register_poller(poll, nullptr)) return false;
  registered = true;
  stopped.store(false, std::memory_order_release);
  active = true;
  if (tulle_where_outside != nullptr && !has_tools()) outside = *tulle_where_outside();
  return true;
}

void stop_waiting() {
  active = false;
  while (polling.exchange(true, std::memory_order_acquire)) sched_yield();
  stopped.store(true, std::memory_order_relaxed);
  polling.store(false, std::memory_order_release);
}

}  // namespace tulle::mpi
