// SPDX-License-Identifier: Apache-2.0
// Fork, barrier and join as other runtimes do them, each thread on a core of its own that never sleeps.
//
//   libgomp  a counter and a generation; members wait at a dock between regions, which is such a barrier too
//   flags    a flag of its own for each thread, which thread 0 scans, and a generation
//   hyper    LLVM's default: a tree of four children each, in the order of the numbers, up and down
//   dist     LLVM's distributed barrier: leaders scan their group's flags, then each other's; a word to wait for
//            is shared by half of a socket's threads, a quarter where there is one socket
//   tree     no runtime's: clusters, then sockets, then thread 0; each leader scans, and tells, its own
//
// Reductions: LLVM's threads, and those of the tree, combine as they gather in one more barrier. libgomp has no part in
// them: compilers make an atomic addition, as for the flags.
//
// Loops: all of them deal the trips out by one counter. LLVM's guided chunks are half of libgomp's, and it adds to the counter
// one by one once twice as many trips are left as there are threads.
#include <algorithm>
#include <atomic>
#include <vector>

#include "arch/cpu.h"
#include "arch/simulation.h"
#include "coherence/protocols.h"

namespace tulle::coherence {
namespace {

struct alignas(64) Word {
  std::atomic<std::uint64_t> value{0};
};
using Words = std::vector<Word>;

void wait_until(const Word& word, std::uint64_t value) {
  while (word.value.load(std::memory_order_acquire) < value) arch::pause();
}

void raise(Word& word, std::uint64_t value) { word.value.store(value, std::memory_order_release); }

// The threads stay between regions; release() is what they wait for there.
class Team : public Protocol {
 public:
  explicit Team(int threads) : threads_(threads), seen_(size(threads)), own_(size(threads)) {}

  void region(void (*body)(void*, int), void* argument) override {
    if (!started_) start();
    body_ = body;
    argument_ = argument;
    next_trip_.value.store(0, std::memory_order_relaxed);
    fork(0);
    body(argument, 0);
    join(0);
  }

  void barrier(int number) override {
    std::uint64_t phase = ++seen_[size(number)].value_of_owner;
    gather(number, phase);
    release(number, phase);
  }

  void reduce(int) override { add(sum_); }

  void loop(std::uint64_t trips, Deal deal, void (*compute)(std::uint64_t)) override {
    for (std::uint64_t size; (size = next_chunk(trips, deal)) != 0;) compute(size);
  }

 protected:
  // Of a guided loop, of which so much is left; 0: from here on they come one by one.
  virtual std::uint64_t shrunk(std::uint64_t left) const {
    return left > 2 * (size(threads_) + 1) ? std::max<std::uint64_t>(left / (2 * size(threads_)), 1) : 0;
  }

  void reduce_by_barrier(int number) {
    own_[size(number)].of = 1;
    seen_[size(number)].combines = true;
    barrier(number);
    seen_[size(number)].combines = false;
    if (number == 0) add(sum_);
  }

  // The other has come.
  void take(int number, int other) {
    if (seen_[size(number)].combines) add(own_[size(number)], own_[size(other)]);
  }

  virtual void gather(int number, std::uint64_t phase) = 0;
  virtual void release(int number, std::uint64_t phase) = 0;
  // One half of a barrier each, unless a runtime does more.
  virtual void fork(int number) { release(number, seen_[size(number)].value_of_owner); }
  virtual void join(int number) { gather(number, ++seen_[size(number)].value_of_owner); }

  static std::size_t size(int number) { return static_cast<std::size_t>(number); }
  int threads() const { return threads_; }

 private:
  std::uint64_t next_chunk(std::uint64_t trips, Deal deal) {
    std::atomic<std::uint64_t>& next = next_trip_.value;
    std::uint64_t from = next.load(std::memory_order_relaxed);
    for (;;) {
      if (from >= trips) return 0;
      const std::uint64_t chunk = deal == Deal::shrinking ? shrunk(trips - from) : 0;
      if (chunk == 0) return next.fetch_add(1, std::memory_order_relaxed) < trips ? 1 : 0;
      if (next.compare_exchange_weak(from, from + chunk, std::memory_order_relaxed)) return chunk;
    }
  }

  struct alignas(64) Own {
    std::uint64_t value_of_owner = 1;
    bool combines = false;
  };
  struct Member {
    Team* team;
    int number;
  };

  static void* work(void* argument) {
    auto [team, number] = *static_cast<Member*>(argument);
    team->join(number);  // as after a region
    for (;;) {
      team->fork(number);
      team->body_(team->argument_, number);
      team->join(number);
    }
    return nullptr;
  }

  void start() {
    started_ = true;
    members_.reserve(size(threads_));
    for (int i = 1; i < threads_; ++i) {
      members_.push_back({this, i});
      tulle_sim_start(work, &members_.back());
    }
    join(0);
  }

  int threads_;
  bool started_ = false;
  std::vector<Own> seen_;
  std::vector<Value> own_;
  Value sum_;
  Word next_trip_;
  std::vector<Member> members_;
  void (*body_)(void*, int) = nullptr;
  void* argument_ = nullptr;
};

class Counter {
 public:
  explicit Counter(int threads) : threads_(static_cast<unsigned>(threads)), awaited_(threads_) {}

  void wait() {
    unsigned before = generation_.load(std::memory_order_acquire);
    if (awaited_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      awaited_.store(threads_, std::memory_order_relaxed);
      generation_.store(before + 1, std::memory_order_release);
      return;
    }
    while (generation_.load(std::memory_order_acquire) == before) arch::pause();
  }

 private:
  alignas(64) unsigned threads_;
  std::atomic<unsigned> generation_{0};
  alignas(64) std::atomic<unsigned> awaited_;
};

// Before a region thread 0 writes what each of the others is to do into a record of that thread's.
class Libgomp : public Team {
 public:
  explicit Libgomp(int threads) : Team(threads), records_(size(threads)), dock_(threads), team_(threads) {}

  void barrier(int) override { team_.wait(); }

 protected:
  std::uint64_t shrunk(std::uint64_t left) const override { return (left + size(threads()) - 1) / size(threads()); }
  void gather(int, std::uint64_t) override { team_.wait(); }
  void release(int, std::uint64_t) override {}
  void join(int) override { team_.wait(); }

  void fork(int number) override {
    if (number == 0) {
      for (int i = 1; i < threads(); ++i)
        for (std::uint64_t& word : records_[size(i)].words) word = 1;
    }
    dock_.wait();
    if (number != 0)
      for (std::uint64_t& word : records_[size(number)].words) word = word + 1;
  }

 private:
  struct alignas(64) Record {
    std::uint64_t words[16] = {};  // two lines: function and data, state of the team
  };
  std::vector<Record> records_;
  Counter dock_, team_;
};

class Flags : public Team {
 public:
  explicit Flags(int threads) : Team(threads), flags_(size(threads)) {}

 protected:
  void gather(int number, std::uint64_t phase) override {
    if (number != 0) return raise(flags_[size(number)], phase);
    for (int i = 1; i < threads(); ++i) wait_until(flags_[size(i)], phase);
  }

  void release(int number, std::uint64_t phase) override {
    if (number == 0)
      raise(generation_, phase);
    else
      wait_until(generation_, phase);
  }

 private:
  Words flags_;
  Word generation_;
};

class Hyper : public Team {
 public:
  explicit Hyper(int threads) : Team(threads), arrived_(size(threads)), go_(size(threads)) {}

  void reduce(int number) override { reduce_by_barrier(number); }

 protected:
  static constexpr int kBits = 2;

  void gather(int number, std::uint64_t phase) override {
    for (int level = 0; 1 << level < threads(); level += kBits) {
      if ((number >> level & ((1 << kBits) - 1)) != 0) break;
      for (int child = 1; child < 1 << kBits; ++child)
        if (int other = number + (child << level); other < threads()) {
          wait_until(arrived_[size(other)], phase);
          take(number, other);
        }
    }
    if (number != 0) raise(arrived_[size(number)], phase);
  }

  void release(int number, std::uint64_t phase) override {
    if (number != 0) wait_until(go_[size(number)], phase);
    int top = 0;  // the lowest level above those at which it is a parent
    while (1 << top < threads() && (number >> top & ((1 << kBits) - 1)) == 0) top += kBits;
    for (int level = top - kBits; level >= 0; level -= kBits)
      for (int child = (1 << kBits) - 1; child > 0; --child)
        if (int other = number + (child << level); other < threads()) raise(go_[size(other)], phase);
  }

 private:
  Words arrived_, go_;
};

class Dist : public Team {
 public:
  Dist(int threads, int socket) : Team(threads), flags_(size(threads)), go_(size(threads)) {
    int sockets = (threads + socket - 1) / socket;
    for_each_go_ = socket / 2;
    if (for_each_go_ > 4 && sockets == 1) for_each_go_ /= 2;
    if (for_each_go_ == 0) for_each_go_ = 1;
    int gos = (threads + for_each_go_ - 1) / for_each_go_;
    int groups = sockets == 1 || gos == 1 ? 1 : (gos + sockets - 1) / sockets;
    gos_of_group_ = (gos + groups - 1) / groups;
    group_ = for_each_go_ * gos_of_group_;
  }

  void reduce(int number) override { reduce_by_barrier(number); }

 protected:
  // All flags are read each time, so that no branch is predicted wrongly.
  void wait_for_all(int from, int end, int step, std::uint64_t phase) {
    for (;;) {
      std::uint64_t pending = 0;
      for (int i = from; i < end; i += step)
        pending += flags_[size(i)].value.load(std::memory_order_relaxed) < phase ? 1 : 0;
      if (pending == 0) return;
      arch::pause();
    }
  }

  void gather(int number, std::uint64_t phase) override {
    if (number % group_ == 0) {
      const int end = std::min(number + group_, threads());
      wait_for_all(number + 1, end, 1, phase);
      for (int i = number + 1; i < end; ++i) take(number, i);
    }
    raise(flags_[size(number)], phase);
    if (number % group_ == 0) wait_for_all(0, threads(), group_, phase);
    if (number == 0)
      for (int i = group_; i < threads(); i += group_) take(0, i);
    arch::full_fence();
  }

  void release(int number, std::uint64_t phase) override {
    int group = number / group_;
    if (number == 0) {
      for (int i = 0; i * group_ < threads(); ++i) raise(go_[size(i * gos_of_group_)], phase);
    } else {
      wait_until(go_[size(number / for_each_go_)], phase);
    }
    if (number % group_ == 0)
      for (int i = 1; i < gos_of_group_; ++i) raise(go_[size(group * gos_of_group_ + i)], phase);
  }

 private:
  Words flags_, go_;
  int for_each_go_, gos_of_group_, group_;
};

class Tree : public Team {
 public:
  Tree(int threads, int cluster, int socket)
      : Team(threads), flags_(size(threads)), go_(size(threads)), cluster_(cluster > 1 ? cluster : 8), socket_(socket) {}

  void reduce(int number) override { reduce_by_barrier(number); }

 protected:
  void wait_for(int number, int from, int end, int step, std::uint64_t phase) {
    for (int i = from; i < std::min(end, threads()); i += step) wait_until(flags_[size(i)], phase);
    for (int i = from; i < std::min(end, threads()); i += step) take(number, i);
  }

  // A leader's flag is up when all below it are.
  void gather(int number, std::uint64_t phase) override {
    if (number % cluster_ == 0) wait_for(number, number + 1, number + cluster_, 1, phase);
    if (number % socket_ == 0) wait_for(number, number + cluster_, number + socket_, cluster_, phase);
    if (number == 0)
      wait_for(number, socket_, threads(), socket_, phase);
    else
      raise(flags_[size(number)], phase);
  }

  void tell(int from, int end, int step, std::uint64_t phase) {
    for (int i = from; i < std::min(end, threads()); i += step) raise(go_[size(i)], phase);
  }

  // Members of a cluster wait for one word, leaders each for its own.
  void release(int number, std::uint64_t phase) override {
    if (number % cluster_ != 0) return wait_until(go_[size(number / cluster_ * cluster_ + 1)], phase);
    if (number != 0) wait_until(go_[size(number)], phase);
    if (number == 0) tell(socket_, threads(), socket_, phase);
    if (number % socket_ == 0) tell(number + cluster_, number + socket_, cluster_, phase);
    tell(number + 1, number + 2, 1, phase);
  }

 private:
  Words flags_, go_;
  int cluster_, socket_;
};

}  // namespace

std::unique_ptr<Protocol> make_protocol(std::string_view name, int threads, int cluster, int socket) {
  if (name == "tulle") return make_runtime(threads);
  if (name == "libgomp") return std::make_unique<Libgomp>(threads);
  if (name == "flags") return std::make_unique<Flags>(threads);
  if (name == "hyper") return std::make_unique<Hyper>(threads);
  if (name == "dist") return std::make_unique<Dist>(threads, socket);
  if (name == "tree") return std::make_unique<Tree>(threads, cluster, socket);
  return nullptr;
}

}  // namespace tulle::coherence
