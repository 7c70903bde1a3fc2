// SPDX-License-Identifier: Apache-2.0
// A machine that exists only as a tree of runqueues, with the bubbles and threads in it: the host
// (tulle/policy.h) of a policy that is tried out. It has no clock and no workers; whoever owns it says
// when a thread begins and ends. One thread uses it.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "topology/topology.h"
#include "tulle/policy.h"

struct tulle_runqueue {
  tulle_runqueue* parent = nullptr;
  std::vector<tulle_runqueue*> children;
  tulle_level level = TULLE_LEVEL_MACHINE;
  std::uint32_t workers = 1;
  int first_leaf = 0;  // of those below, among all leaves
  int numa = 0;        // of a leaf: number of its NUMA node, or of its package where there are none
  tulle_entity* first = nullptr;
  tulle_entity* last = nullptr;
  // Sums over what is at and below; a sum of no loads is 0 exactly.
  double load = 0;
  std::uint32_t waiting = 0;
  std::uint32_t running = 0;
};

struct tulle_entity {
  enum class State { in_bubble, in_runqueue, running, blocked, open, ended };

  bool is_bubble = false;
  State state = State::in_bubble;
  tulle_entity* bubble = nullptr;
  tulle_runqueue* where = nullptr;  // where it stands or runs
  double load = 0;                  // of a bubble: of what stands in it
  std::uint32_t threads = 0;        // likewise
  std::uint32_t unended = 0;        // of a bubble: parts
  int home = -1;                    // of a bubble: the NUMA node where its data are; -1: nowhere yet
  std::vector<tulle_entity*> parts;
  tulle_entity* next = nullptr;     // in the runqueue
  tulle_entity* previous = nullptr;
  std::uint32_t id = 0;             // of creation
};

namespace tulle::simulator {

// What a policy did.
struct Action {
  enum Kind { moved, exploded } kind;
  const tulle_entity* entity;
  const tulle_runqueue* queue;
  bool operator==(const Action&) const = default;
};

class Machine : public tulle_host {
 public:
  Machine(const topology::Tree& tree, double parameter, std::uint64_t seed);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  tulle_runqueue* root_queue() { return &queues_.front(); }
  const std::vector<tulle_runqueue*>& leaves() const { return leaves_; }

  // A closed bubble, in `bubble` if that is given: an open one or a closed one.
  tulle_entity* make_bubble(tulle_entity* bubble);
  tulle_entity* make_thread(tulle_entity* bubble, double load = 1);
  // A new bubble begins to stand in a runqueue.
  void put(tulle_entity* bubble, tulle_runqueue* queue);

  void begin(tulle_entity* thread, tulle_runqueue* leaf);
  void block(tulle_entity* thread);
  void resume(tulle_entity* thread);
  void end(tulle_entity* entity);  // of a bubble: all its parts ended

  void move(tulle_entity* entity, tulle_runqueue* queue);
  void explode(tulle_entity* bubble);

  std::vector<Action> actions;
  bool record_actions = false;

 private:
  void fill_in_host();
  tulle_runqueue* add_queue(const topology::Tree& tree, int node, tulle_runqueue* parent);
  void add(tulle_runqueue* queue, double load, int waiting, int running);
  void leave(tulle_entity* entity);
  void stand(tulle_entity* entity, tulle_runqueue* queue, tulle_entity* before);
  void unlink(tulle_entity* entity);

  std::deque<tulle_runqueue> queues_;
  std::vector<tulle_runqueue*> leaves_;
  std::deque<tulle_entity> entities_;
  double parameter_;
  std::mt19937_64 random_;
};

// "{1 {1 1}}": the shape of a bubble's parts that stand in it, "1" for a thread.
std::string shape(const tulle_entity& entity);

}  // namespace tulle::simulator
