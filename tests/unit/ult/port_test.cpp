// SPDX-License-Identifier: Apache-2.0
// What ult/port_contract.h says of a port: stacks that hop between OS threads of the port, each resumed by whoever
// finds it, maybe before it has left for long; their values, TLS bases and ends.
#include "ult/port_contract.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "arch/current.h"
#include "os/cpus.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"
#include "ult/visit_contract.h"
#if __has_include("ult/library_name.h")
#include "ult/library_name.h"
#define TULLE_LIBRARY_PORT
#endif

namespace tulle::ult {
namespace {

constexpr int kWorkers = 2, kStacks = 16, kHops = 20000, kHopsOfProgram = 200;

struct Worker;

// A stack's frames, from its first hop to its last.
struct Traveller {
  memory::Stack* stack = nullptr;
  void* context = nullptr;
  uint64_t value = 0;
  Traveller* next = nullptr;
};

struct Shared {
  sync::Spinlock lock;
  Traveller* first = nullptr;
  Traveller* last = nullptr;
  int times = 0;
  std::atomic<int> left{kStacks};
  std::atomic<int> workers{kWorkers};
  std::atomic<long> hops{0}, moved{0}, wrong{0};

  void put(Traveller* traveller) {
    sync::Guard guard(lock);
    traveller->next = nullptr;
    (first == nullptr ? first : last->next) = traveller;
    last = traveller;
  }
  Traveller* take() {
    sync::Guard guard(lock);
    Traveller* traveller = first;
    if (traveller != nullptr) first = traveller->next;
    return traveller;
  }
} shared;

struct Worker {
  void* context = nullptr;  // of its own frames
  Traveller* runs = nullptr;
  uintptr_t base = 0;
};

Worker* here() { return static_cast<Worker*>(arch::current_pointer()); }

// Commits: on the worker's stack, when the traveller's context is saved.
void put_back(void* traveller) { shared.put(static_cast<Traveller*>(traveller)); }

void give_back(void* traveller) {
  auto* ended = static_cast<Traveller*>(traveller);
  memory::give_stack(ended->stack);
  shared.left.fetch_sub(1);
}

TULLE_NOINLINE void hop(Traveller* self) {
  Worker* from = here();
  port::go_over(&self->context, from->context, put_back, self);
  Worker* to = here();
  if (to->runs != self || arch::tls_base() != to->base) shared.wrong.fetch_add(1);
  if (to != from) shared.moved.fetch_add(1);
}

void travel(void* argument) {
  auto* self = static_cast<Traveller*>(argument);
  uint64_t value = reinterpret_cast<uintptr_t>(self);
  double real = 0.5;
  for (int i = 0; i < shared.times || shared.moved.load() == 0; ++i) {
    value = value * 6364136223846793005u + 1;
    real += 1;
    self->value = value;
    hop(self);
    if (self->value != value || real != i + 1.5) shared.wrong.fetch_add(1);
    shared.hops.fetch_add(1);
  }
  port::leave(here()->context, give_back, self);
}

void* work(void*) {
  Worker worker;
  worker.base = arch::tls_base();
  arch::set_current_pointer(&worker);
  while (shared.left.load() != 0) {
    Traveller* next = shared.take();
    if (next == nullptr) continue;
    worker.runs = next;
    port::go_over(&worker.context, next->context, nullptr, nullptr);
    if (here() != &worker || arch::tls_base() != worker.base) shared.wrong.fetch_add(1);
  }
  arch::set_current_pointer(nullptr);
  shared.workers.fetch_sub(1);
  return nullptr;
}

// Returns how many nanoseconds a hop took.
double hop_between(int times, void (*start)()) {
  static Traveller travellers[kStacks];
  shared.times = times;
  shared.left.store(kStacks);
  shared.workers.store(kWorkers);
  shared.hops.store(0);
  shared.moved.store(0);
  for (Traveller& each : travellers) {
    each.stack = memory::take_stack();
    each.context = port::begin(each.stack, each.stack->top(), travel, &each);
    shared.put(&each);
  }
  timespec begin{}, end{};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < kWorkers; ++i) start();
  while (shared.workers.load() != 0) std::this_thread::yield();
  clock_gettime(CLOCK_MONOTONIC, &end);
  EXPECT_EQ(shared.wrong.load(), 0);
  EXPECT_GE(shared.hops.load(), long{times} * kStacks);
  EXPECT_GT(shared.moved.load(), 0);
  double ns = static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 + static_cast<double>(end.tv_nsec - begin.tv_nsec);
  return ns / static_cast<double>(shared.hops.load());
}

TEST(Port, StacksHopBetweenOsThreads) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  double ns = hop_between(kHops, [] { ASSERT_EQ(port::start_thread(work, nullptr), 0); });
  RecordProperty("ns_per_hop", std::to_string(ns));
}

TEST(Port, StacksHopBetweenOsThreadsOfTheProgram) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  double ns = hop_between(kHopsOfProgram, [] {
    std::thread([] {
      work(nullptr);
      port::forget_os_thread();
    }).detach();
  });
  RecordProperty("ns_per_hop", std::to_string(ns));
}

// An OS thread that the port did not start: among contexts of its own.
struct Pair {
  void* home = nullptr;
  void* other = nullptr;
  bool committed = false;
  int visits = 0;
};

void visit(void* argument) {
  auto* pair = static_cast<Pair*>(argument);
  for (;;) {
    ++pair->visits;
    port::go_over_alike(&pair->other, pair->home, [](void* p) { static_cast<Pair*>(p)->committed = true; }, pair);
  }
}

TEST(Port, AnyOsThreadGoesOverAmongItsOwn) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  memory::Stack* stack = memory::take_stack();
  Pair pair;
  pair.other = port::begin(stack, stack->top(), visit, &pair);
  for (int i = 1; i <= 3; ++i) {
    pair.committed = false;
    port::go_over_alike(&pair.home, pair.other, nullptr, nullptr);
    EXPECT_TRUE(pair.committed);
    EXPECT_EQ(pair.visits, i);
  }
  memory::give_stack(stack);
}

// Nothing lies below frames that wait: who handles a signal in their name writes there.
struct WrittenBelow {
  Pair pair;
  int wrong = 0;
  std::atomic<bool> done{false};
};

void write_below(void* context) {
  constexpr size_t kBytes = 4096;
  auto* end = static_cast<unsigned char*>(port::end_of_frames(context));
  memset(end - kBytes, 0xa5, kBytes);
}

void write_below_home(void* argument) {
  auto* pair = static_cast<Pair*>(argument);
  for (;;) {
    ++pair->visits;
    write_below(pair->home);
    port::go_over(&pair->other, pair->home, nullptr, nullptr);
  }
}

void* go_over_between_writes(void* argument) {
  auto* written = static_cast<WrittenBelow*>(argument);
  Pair& pair = written->pair;
  for (int i = 1; i <= 100; ++i) {
    port::go_over(&pair.home, pair.other, nullptr, nullptr);
    if (pair.visits != i || port::is_between()) ++written->wrong;
    write_below(pair.other);
  }
  written->done.store(true);
  return nullptr;
}

TEST(Port, NothingLiesBelowFramesThatWait) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  EXPECT_EQ(port::end_of_frames(nullptr), nullptr);
  memory::Stack* stack = memory::take_stack();
  WrittenBelow one, other;
  one.pair.other = port::begin(stack, stack->top(), write_below_home, &one.pair);
  ASSERT_EQ(port::start_thread(go_over_between_writes, &one), 0);
  while (!one.done.load()) std::this_thread::yield();
  other.pair.other = port::begin(stack, stack->top(), write_below_home, &other.pair);
  std::thread([&] {
    go_over_between_writes(&other);
    port::forget_os_thread();
  }).join();
  EXPECT_EQ(one.wrong + other.wrong, 0);
  memory::give_stack(stack);
}

// A library that greets would do so in each program. In a process that has begun it before this sees nothing.
TEST(Port, BeginsWithoutAWord) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  memory::Stack* stack = memory::take_stack();
  Pair pair;
  pair.other = port::begin(stack, stack->top(), visit, &pair);
  testing::internal::CaptureStdout();
  port::go_over_alike(&pair.home, pair.other, nullptr, nullptr);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  memory::give_stack(stack);
}

// A block that belongs to another OS thread and is not lent: the one that runs under it is still itself.
struct Borrowed {
  Pair pair;
  uintptr_t base = 0;
  int wrong = 0;
  std::atomic<bool> done{false};
};

void* go_over_under(void* argument) {
  auto* borrowed = static_cast<Borrowed*>(argument);
  Pair& pair = borrowed->pair;
  uintptr_t own = arch::tls_base();
  for (int i = 1; i <= 100; ++i) {
    uintptr_t base = i % 2 == 0 ? own : borrowed->base;
    port::put_in_force(base);
    if (port::own_block(own) != own) ++borrowed->wrong;
    port::go_over(&pair.home, pair.other, nullptr, nullptr);
    if (arch::tls_base() != base || pair.visits != i) ++borrowed->wrong;
  }
  port::put_in_force(own);
  borrowed->done.store(true);
  return nullptr;
}

TEST(Port, AnOsThreadIsItselfUnderTheBlockOfAnother) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  Borrowed borrowed;
  std::atomic<uintptr_t> base{0};
  std::thread owner([&] {
    base.store(arch::tls_base());
    while (!borrowed.done.load()) std::this_thread::yield();
  });
  while ((borrowed.base = base.load()) == 0) std::this_thread::yield();
  memory::Stack* stack = memory::take_stack();
  borrowed.pair.other = port::begin(stack, stack->top(), visit, &borrowed.pair);
  ASSERT_EQ(port::start_thread(go_over_under, &borrowed), 0);
  owner.join();
  EXPECT_EQ(borrowed.wrong, 0);
  memory::give_stack(stack);
}

// What the kernel keeps for an OS thread of the program's is in force wherever frames that it went over to run.
struct Kept {
  void* home = nullptr;
  void* other = nullptr;
  uint64_t mask = 0;
  CpuSet cpus;
};

constexpr uint64_t bit(int signal) { return uint64_t{1} << (signal - 1); }

void look_at_kept(void* argument) {
  auto* kept = static_cast<Kept*>(argument);
  for (;;) {
    kept->mask = os::signal_mask();
    os::affinity_mask(0, kept->cpus);
    os::set_signal_mask(kept->mask ^ bit(SIGUSR2));
    port::go_over(&kept->other, kept->home, nullptr, nullptr);
  }
}

void expect_kept(memory::Stack* stack) {
  Kept kept;
  kept.other = port::begin(stack, stack->top(), look_at_kept, &kept);
  CpuSet cpus, one;
  ASSERT_TRUE(os::affinity_mask(0, cpus));
  one.add(cpus.first());
  os::set_signal_mask(bit(SIGUSR1));
  for (uint64_t mask : {bit(SIGUSR1), bit(SIGUSR1) | bit(SIGUSR2)}) {
    const CpuSet& wanted = mask == bit(SIGUSR1) ? one : cpus;
    ASSERT_TRUE(os::set_affinity_mask(0, wanted));
    port::go_over(&kept.home, kept.other, nullptr, nullptr);
    EXPECT_EQ(kept.mask, mask);
    EXPECT_EQ(os::signal_mask(), mask ^ bit(SIGUSR2));
    EXPECT_TRUE(kept.cpus == wanted);
  }
}

TEST(Port, SignalMaskAndCpusGoAlong) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  memory::Stack* stack = memory::take_stack();
  std::thread([stack] {
    expect_kept(stack);
    port::forget_os_thread();
  }).join();
  memory::give_stack(stack);
}

std::atomic<int> handled{0}, ended{0};

TEST(Port, IdleOsThreadsHandleNoSignals) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  signal(SIGUSR2, [](int) { handled.fetch_add(1); });
  auto end = [](void*) -> void* {
    ended.store(1);
    return nullptr;
  };
  ASSERT_EQ(port::start_thread(end, nullptr), 0);
  while (ended.load() == 0) std::this_thread::yield();
  usleep(20000);  // until it is idle
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  kill(getpid(), SIGUSR2);
  timespec limit{1, 0};
  EXPECT_EQ(sigtimedwait(&set, nullptr, &limit), SIGUSR2);
  EXPECT_EQ(handled.load(), 0);
}

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Of the process; null: all of them.
int os_threads_named(const char* wanted) {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    std::getline(file, name);
    count += wanted == nullptr || name == wanted;
  }
  return count;
}

TEST(Port, IdleOsThreadsAreNotCalledAsWhatTheyRan) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  static std::atomic<int> named{0};
  auto take_a_name = [](void*) -> void* {
    os::name_thread("traveller");
    named.store(1);
    while (named.load() == 1) std::this_thread::yield();
    return nullptr;
  };
  ASSERT_EQ(port::start_thread(take_a_name, nullptr), 0);
  while (named.load() == 0) std::this_thread::yield();
  EXPECT_EQ(os_threads_named("traveller"), 1);
  named.store(2);
  double begin = now();
  while (os_threads_named("traveller") != 0 && now() - begin < 10e9) usleep(1000);
  EXPECT_EQ(os_threads_named("traveller"), 0);
}

long resident_kib() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// A library may keep memory for each of its OS threads, and write to it.
TEST(Port, OsThreadsTakeLittleMemory) {
  if (sanitized) GTEST_SKIP() << "a sanitizer keeps memory for each";
  constexpr int kMore = 8;
  static std::atomic<int> there{0}, over{0};
  auto stay = [](void*) -> void* {
    there.fetch_add(1);
    while (over.load() == 0) usleep(1000);
    there.fetch_sub(1);
    return nullptr;
  };
  auto start = [&](int wanted) {
    for (int i = there.load(); i < wanted; ++i) {
      ASSERT_EQ(port::start_thread(stay, nullptr), 0);
      while (there.load() == i) usleep(1000);
    }
  };
  start(1);
  long before = resident_kib();
  start(1 + kMore);
  EXPECT_LT(resident_kib() - before, kMore * 256);
  over.store(1);
  while (there.load() != 0) usleep(1000);
}

#ifdef TULLE_LIBRARY_PORT
void end_with_os_threads(const char* wanted) {
  setenv(library::kCount, wanted, 1);
  port::start_thread([](void*) -> void* { return nullptr; }, nullptr);
  _exit(os_threads_named(nullptr));
}

// In processes of their own, in which the library has not begun.
TEST(Port, TheLibrarysVariableSaysHowManyOsThreads) {
  if constexpr (library::kAdds) GTEST_SKIP() << library::kName << " makes its OS threads when they are wanted";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with_os_threads("5"), testing::ExitedWithCode(5), "^$");
  EXPECT_EXIT(end_with_os_threads("5 or so"), testing::ExitedWithCode(97), "=5 or so: not a number from 2 to 1024: 97");
}
#endif

// Two contexts of an OS thread of the port's: what a switch costs, and what a beginning and an end do.
struct Timed {
  void* home = nullptr;
  void* other = nullptr;
  memory::Stack* stack = nullptr;
  double switch_ns = 0, begin_ns = 0;
  std::atomic<bool> done{false};
};

void bounce(void* argument) {
  auto* timed = static_cast<Timed*>(argument);
  for (;;) port::go_over(&timed->other, timed->home, nullptr, nullptr);
}

void end_at_once(void* argument) {
  auto* timed = static_cast<Timed*>(argument);
  port::leave(timed->home, nullptr, nullptr);
}

void* time_switches(void* argument) {
  constexpr int kTimes = 100000;
  auto* timed = static_cast<Timed*>(argument);
  double begin = now();
  for (int i = 0; i < kTimes; ++i) {
    timed->other = port::begin(timed->stack, timed->stack->top(), end_at_once, timed);
    port::go_over(&timed->home, timed->other, nullptr, nullptr);
  }
  timed->begin_ns = (now() - begin) / kTimes;
  timed->other = port::begin(timed->stack, timed->stack->top(), bounce, timed);
  begin = now();
  for (int i = 0; i < kTimes; ++i) port::go_over(&timed->home, timed->other, nullptr, nullptr);
  timed->switch_ns = (now() - begin) / (2 * kTimes);
  timed->done.store(true);
  return nullptr;
}

TEST(Port, FramesOfOneOsThreadEndAndBeginAgain) {
  if (sanitized) GTEST_SKIP() << "a sanitizer would have to be told of stacks";
  Timed timed;
  timed.stack = memory::take_stack();
  ASSERT_EQ(port::start_thread(time_switches, &timed), 0);
  while (!timed.done.load()) std::this_thread::yield();
  std::printf("switch %.1f ns, begin and leave %.1f ns\n", timed.switch_ns, timed.begin_ns);
}

}  // namespace
}  // namespace tulle::ult
