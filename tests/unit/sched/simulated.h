// SPDX-License-Identifier: Apache-2.0
// Machines, bubbles and programs for the tests of policies.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sched/policies/policies.h"
#include "simulator/simulator.h"
#include "topology/topology.h"

namespace tulle::simulator {

// Kept: a description of a large machine takes milliseconds to read.
inline const topology::Tree& tree_of(const std::string& description) {
  static std::map<std::string, topology::TreePtr> trees;
  topology::TreePtr& tree = trees[description];
  if (tree == nullptr) tree = topology::from_synthetic(description.c_str());
  if (tree == nullptr) throw std::runtime_error(description + ": hwloc's module is missing?");
  return *tree;
}

inline constexpr const char* kPapersMachine = "numa:8 core:2 pu:1";

// "{1 {2.5 1}}": a bubble of a thread and a bubble; a number is a thread's load and how long it runs.
class Shape {
 public:
  Shape(Simulator& simulator, const char* text) : simulator_(simulator), at_(text) {
    outermost = entity(nullptr);
  }

  tulle_entity* outermost = nullptr;
  std::vector<tulle_entity*> bubbles;  // in the order of their opening braces
  std::vector<tulle_entity*> threads;  // in the order of the text
  std::map<const tulle_entity*, double> load;
  std::map<const tulle_entity*, std::vector<tulle_entity*>> threads_in;  // at any depth

 private:
  tulle_entity* entity(tulle_entity* bubble) {
    return *at_ == '{' ? inner_bubble(bubble) : thread(bubble);
  }

  tulle_entity* inner_bubble(tulle_entity* outer) {
    ++at_;
    tulle_entity* bubble = simulator_.machine().make_bubble(outer);
    bubbles.push_back(bubble);
    load[bubble] = 0;
    while (*at_ != '}') {
      if (*at_ == ' ')
        ++at_;
      else
        entity(bubble);
    }
    ++at_;
    return bubble;
  }

  tulle_entity* thread(tulle_entity* bubble) {
    char* end = nullptr;
    double time = std::strtod(at_, &end);
    EXPECT_NE(at_, end);
    at_ = end;
    tulle_entity* made = simulator_.machine().make_thread(bubble, time);
    simulator_.set_script(made, {time, {{time, {}}}});
    threads.push_back(made);
    load[made] = time;
    for (; bubble != nullptr; bubble = bubble->bubble) {
      load[bubble] += time;
      threads_in[bubble].push_back(made);
    }
    return made;
  }

  Simulator& simulator_;
  const char* at_;
};

// A bubble of bubbles of threads, to a depth of three, drawn by `random`.
inline std::string random_shape(std::mt19937& random, int depth = 0) {
  std::string text = "{";
  int parts = 1 + static_cast<int>(random() % 7);
  for (int i = 0; i < parts; ++i) {
    if (depth < 2 && random() % 2 == 0)
      text += random_shape(random, depth + 1);
    else
      text += std::to_string(1 + random() % 9) + ' ';
  }
  return text + "}";
}

// A thread that opens regions, and so on inside them.
inline Script random_program(std::mt19937& random, int depth = 0) {
  Script script;
  int steps = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < steps; ++i) {
    Step step{static_cast<double>(random() % 5), {}};
    if (depth < 3 && random() % 2 == 0) {
      std::size_t members = 1 + random() % 6;
      for (std::size_t m = 0; m < members; ++m)
        step.team.push_back(random_program(random, depth + 1));
    }
    script.steps.push_back(std::move(step));
  }
  return script;
}

// Threads that a program makes: all members but those that are their encountering threads.
inline std::size_t threads_made(const Script& script) {
  std::size_t sum = 0;
  for (const Step& step : script.steps) {
    sum += step.team.empty() ? 0 : step.team.size() - 1;
    for (const Script& member : step.team) sum += threads_made(member);
  }
  return sum;
}

inline double work_of(const Script& script) {
  double sum = 0;
  for (const Step& step : script.steps) {
    sum += step.run;
    for (const Script& member : step.team) sum += work_of(member);
  }
  return sum;
}

inline double longest_path(const Script& script) {
  double sum = 0;
  for (const Step& step : script.steps) {
    double longest = 0;
    for (const Script& member : step.team) longest = std::max(longest, longest_path(member));
    sum += step.run + longest;
  }
  return sum;
}

}  // namespace tulle::simulator
