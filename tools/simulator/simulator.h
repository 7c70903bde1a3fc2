// SPDX-License-Identifier: Apache-2.0
// Runs programs of nested teams on a simulated machine under a virtual clock, with a policy that places
// them. A worker does what the runtime's does: it goes on with a thread whose team has ended, helps a
// team that it waits for, searches from its leaf to the root, asks the policy when it finds nothing.
// A team's data are where the thread that encountered its region ran (or, for bubbles made by
// hand, where the first thread of the bubble began), and work elsewhere takes longer. One thread uses
// it; the same program, options and seed give the same result.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <set>
#include <stdexcept>
#include <vector>

#include "simulator/machine.h"
#include "topology/topology.h"

namespace tulle::simulator {

// The policy did what the interface forbids and the simulation cannot go on from.
struct BadPolicy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Script;

// Runs for a time, then encounters a region with these members, of which it is the first itself.
struct Step {
  double run = 0;
  std::vector<Script> team;
};

// What a thread does.
struct Script {
  double load = 1;  // what tulle_set_load() would say
  std::vector<Step> steps;
};

struct Options {
  const tulle_policy* policy = nullptr;
  double parameter = std::numeric_limits<double>::quiet_NaN();  // none given
  std::uint64_t seed = 1;
  double remote = 1;  // time of work on another node's data at distance 20, where 10 is one's own
  double tick = 0;    // 0: none
};

// One thread's run on the worker that began it.
struct ThreadRun {
  const tulle_entity* thread;
  std::uint32_t worker;
  double begin;
  double end;
  bool remote;  // from its bubble's data
};

struct Result {
  double makespan = 0;
  double busy = 0;                   // sum over the workers
  std::uint64_t remote = 0;          // threads
  std::uint64_t starved = 0;         // times that a worker found nothing though something waited
  std::vector<ThreadRun> runs;             // in the order of their begins
};

class Simulator {
 public:
  Simulator(const topology::Tree& tree, const Options& options);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  Machine& machine() { return machine_; }
  tulle_runqueue* leaf(std::uint32_t worker) { return machine_.leaves()[worker]; }

  // The initial thread begins `program` on a worker. The program must outlive the simulator.
  void start(const Script& program, std::uint32_t worker = 0);
  // What a thread made by hand does; and that its outermost bubble was encountered by a worker.
  void set_script(tulle_entity* thread, const Script& script);
  void distribute(tulle_entity* bubble, std::uint32_t worker);

  // An idle worker takes what it finds; if `steal`, also what the policy moves there. False: nothing. May
  // throw BadPolicy.
  bool feed(std::uint32_t worker, bool steal = true);
  // Until nothing runs any more. May throw BadPolicy.
  const Result& run();
  const Result& result() const { return result_; }

 private:
  struct Frame {
    const Script* script;
    std::size_t step;
    bool ran;              // the step's own part
    tulle_entity* bubble;  // of the region that it is in, or null
    int home;
  };
  struct Thread {
    tulle_entity* entity;
    std::vector<Frame> frames;
    std::uint32_t worker;
    std::size_t run;  // in the result
    bool blocked;
  };
  struct Worker {
    std::vector<Thread*> resumable;
    std::vector<Thread*> waiting;  // for their teams
  };
  struct Event {
    double time;
    std::uint64_t sequence;
    Thread* thread;  // null: a tick
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };

  void begin(tulle_entity* thread, std::uint32_t worker);
  void advance(Thread* thread);
  bool step(Thread* thread);
  void encounter(Thread* thread, const Step& step);
  bool joined(Thread* thread);
  void finish(Thread* thread);
  void part_ended(tulle_entity* bubble);
  void end_bubble(tulle_entity* bubble);
  void feed_all(std::uint32_t first);
  tulle_entity* find(std::uint32_t worker, bool steal);
  tulle_entity* own_part(const Worker& worker) const;
  void meet(tulle_entity* bubble, tulle_runqueue* leaf);
  void tick();
  void schedule(double delay, Thread* thread);
  double slowdown(int home, std::uint32_t worker) const;

  const topology::Tree& tree_;
  Options options_;
  Machine machine_;
  std::vector<Worker> workers_;
  std::set<std::uint32_t> idle_;
  std::set<std::uint32_t> ready_;  // with something resumable
  std::vector<std::unique_ptr<Thread>> threads_;           // by entity's id
  std::vector<const Script*> scripts_;                     // likewise
  std::deque<Script> own_scripts_;
  std::vector<Thread*> waiter_;                            // of a bubble, likewise
  std::vector<tulle_entity*> bubbles_;                     // that were distributed and have not ended
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
  std::uint64_t sequence_ = 0;
  Result result_;
};

}  // namespace tulle::simulator
