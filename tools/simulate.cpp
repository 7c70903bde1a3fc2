// SPDX-License-Identifier: Apache-2.0
#include "simulate.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "draw.h"
#include "sched/policies/policies.h"
#include "sched/policy_choice.h"
#include "simulator/simulator.h"
#include "topology/builder.h"

namespace tulle::tools {
namespace {

using simulator::Script;
using simulator::ThreadRun;

// Adds a part and what is in it; returns the number of its leaves. `leaves` gets them in order.
int add_part(topology::Builder& builder, const Part& part, bool below_cache,
             std::vector<const Part*>& leaves) {
  int first = static_cast<int>(leaves.size());
  bool cache = part.kind == topology::name(topology::Kind::cache);
  for (const Part& inner : part.inner) add_part(builder, inner, below_cache || cache, leaves);
  auto kind = topology::Kind::machine;
  while (kind != topology::Kind::cpu && part.kind != topology::name(kind))
    kind = static_cast<topology::Kind>(static_cast<int>(kind) + 1);
  if (cache && below_cache) kind = topology::Kind::cache;
  if (kind == topology::Kind::cpu) leaves.push_back(&part);
  int count = static_cast<int>(leaves.size()) - first;
  builder.add(kind, part.os_index, part.cache_level, first, count);
  return count;
}

constexpr std::size_t kMostLevels = 10;
constexpr std::int64_t kMostThreads = 1000000;

// "16x4": 16 threads, each of which opens a team of 4.
std::vector<int> team_sizes(const std::string& text) {
  std::vector<int> sizes;
  const char* at = text.data();
  const char* end = at + text.size();
  std::int64_t threads = 1;
  for (;;) {
    int size = 0;
    auto [rest, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 1 || size > kMostThreads) break;
    sizes.push_back(size);
    threads *= size;
    if (sizes.size() > kMostLevels || threads > kMostThreads) break;
    if (rest == end) return sizes;
    if (*rest != 'x') break;
    at = rest + 1;
  }
  throw BadCommandLine(fmt::format("{}: not team sizes such as 16x4, of at most {} levels and {} threads", text,
                                   kMostLevels, kMostThreads));
}

Script program_of(const std::vector<int>& sizes, std::size_t level, double work, bool hints) {
  Script script{hints ? work : 1, {{work, {}}}};
  if (level < sizes.size())
    script.steps[0].team.assign(static_cast<std::size_t>(sizes[level]),
                                program_of(sizes, level + 1, work, hints));
  return script;
}

double work_of(const Script& script) {
  double sum = 0;
  for (const simulator::Step& step : script.steps) {
    sum += step.run;
    for (const Script& member : step.team) sum += work_of(member);
  }
  return sum;
}

const sched::PolicyChoice& choice_of(const std::string& text) {
  const char* problem = nullptr;
  const sched::PolicyChoice* choice = sched::choose_policy(text, &problem);
  if (choice != nullptr && choice->policy != nullptr) return *choice;
  if (choice != nullptr) problem = "it places nothing";
  if (text.find('/') != std::string::npos) throw BadCommandLine(problem);
  throw BadCommandLine(fmt::format("{}: {}; there are {}, or the path of one", text, problem,
                            sched::kPolicyNames));
}

int level_of(const tulle_entity* thread) {
  int level = 0;
  for (const tulle_entity* bubble = thread->bubble; bubble != nullptr; bubble = bubble->bubble)
    ++level;
  return level;
}

// What began at each leaf, a line for each level.
Remarks remarks_on(const std::vector<const Part*>& leaves, const std::vector<ThreadRun>& runs) {
  std::map<const tulle_entity*, int> numbers;  // of bubbles, in the order of their first threads
  std::map<int, int> teams_at;                 // of a level
  std::map<std::uint32_t, std::map<int, std::vector<std::int64_t>>> at;  // leaf, level: teams
  std::map<std::uint32_t, std::map<int, int>> count;
  for (const ThreadRun& run : runs) {
    int level = level_of(run.thread);
    if (level == 0) continue;
    auto [number, is_new] = numbers.emplace(run.thread->bubble, teams_at[level]);
    if (is_new) ++teams_at[level];
    std::vector<std::int64_t>& teams = at[run.worker][level];
    if (std::ranges::find(teams, number->second) == teams.end()) teams.push_back(number->second);
    ++count[run.worker][level];
  }
  Remarks remarks;
  for (auto& [leaf, levels] : at)
    for (auto& [level, teams] : levels)
      remarks[leaves[leaf]].push_back(fmt::format("level {}: {} of team {}", level,
                                                  count[leaf][level], number_list(teams)));
  return remarks;
}

// CLI11's own lets what is not a number pass.
CLI::Validator number_within(double least, double most) {
  return {[=](std::string& text) {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return std::string();
            return fmt::format("{} is not a number from {:g} to {:g}", text, least, most);
          },
          ""};
}

// No time between ticks, or one that the simulation gets along with.
CLI::Validator zero_or_within(double least, double most) {
  return {[=](std::string& text) { return text == "0" ? std::string() : number_within(least, most)(text); }, ""};
}

// A number of 64 bits, which a negative one would be taken for too.
CLI::Validator whole_number() {
  return {[](std::string& text) {
            std::uint64_t value = 0;
            auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            bool whole = error == std::errc() && rest == text.data() + text.size();
            return whole ? std::string() : fmt::format("{} is not a whole number from 0 to 2^64-1", text);
          },
          ""};
}

}  // namespace

Simulate::Simulate(CLI::App& app)
    : command_(app.add_subcommand("simulate", "Try a policy on a machine that need not exist")) {
  command_->add_option("--policy", policy_,
                       "spread, affinity, scatter, shared or random, with :parameter, or the path "
                       "of a shared object")->capture_default_str();
  command_->add_option("--topology", machine_,
                       "hwloc's XML file or synthetic description; without it, this machine");
  command_->add_option("--teams", teams_, "Team sizes from the outermost level on")
      ->capture_default_str();
  command_->add_option("--ratio", ratio_,
                       "Work of the last outermost thread by that of the first")
      ->check(number_within(1e-6, 1e6))->capture_default_str();
  command_->add_flag("--hints", hints_, "Tell the policy the work, as by tulle_set_load()");
  command_->add_option("--remote", remote_, "Time of work on another NUMA node's data")
      ->check(number_within(1, 1e6))->capture_default_str();
  command_->add_option("--tick", tick_, "Virtual time between the monitor's ticks; 0: none")
      ->check(zero_or_within(1e-3, 1e9));
  command_->add_option("--seed", seed_, "Of policies that choose at random")->check(whole_number())->capture_default_str();
  command_->add_option("--construct", question_.construct,
                       "What barrier, region, fork, join, reduction, additions, dynamic, monotonic or guided takes on --machine, here and in other runtimes");
  command_->add_option("--machine", question_.machine, "Name of a machine of many cores, or a file that describes one");
  command_->add_option("--threads", question_.threads, "Of the construct; without it, the machine's cores")
      ->check(CLI::Range(2, 500));
  command_->add_flag("--json", json_, "Print JSON");
}

int Simulate::operator()() const {
  if (!question_.construct.empty()) {
    ConstructQuestion question = question_;
    question.json = json_;
    return show_construct(question);
  }
  if (!question_.machine.empty() || question_.threads != 0)
    throw BadCommandLine("--machine and --threads go with --construct");
  const sched::PolicyChoice& choice = choice_of(policy_);
  Machine machine = Library().machine(machine_.empty() ? nullptr : machine_.c_str());
  std::vector<const Part*> leaves;
  topology::Builder builder("simulated");
  add_part(builder, machine.root, false, leaves);
  topology::TreePtr tree = builder.build();
  if (tree == nullptr) throw Failure("the machine has no processors");

  std::vector<int> sizes = team_sizes(teams_);
  Script program = {1, {{0, {}}}};
  for (int i = 0; i < sizes[0]; ++i) {
    double work = sizes[0] == 1 ? 1 : std::pow(ratio_, static_cast<double>(i) / (sizes[0] - 1));
    program.steps[0].team.push_back(program_of(sizes, 1, work, hints_));
  }
  simulator::Options options = {
      .policy = choice.policy, .seed = seed_, .remote = remote_, .tick = tick_};
  if (choice.has_parameter) options.parameter = choice.parameter;
  simulator::Simulator simulator(*tree, options);
  simulator.start(program);
  try {
    simulator.run();
  } catch (const simulator::BadPolicy& error) {
    throw Failure(fmt::format("{}: {}", policy_, error.what()));
  }
  const simulator::Result& result = simulator.result();

  double ideal = work_of(program) / static_cast<double>(leaves.size());
  if (json_) {
    nlohmann::ordered_json json = {{"policy", choice.policy->name},
                                   {"cpus", leaves.size()},
                                   {"threads", result.runs.size()},
                                   {"time", result.makespan},
                                   {"ideal", ideal},
                                   {"remote", result.remote},
                                   {"idle_while_work_waited", result.starved}};
    for (const ThreadRun& run : result.runs)
      json["runs"].push_back({{"level", level_of(run.thread)},
                              {"cpu", leaves[run.worker]->os_index},
                              {"begin", run.begin},
                              {"end", run.end},
                              {"remote", run.remote}});
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}: {} threads on {} CPUs\n", choice.policy->name, result.runs.size(),
             leaves.size());
  fmt::print("  time {:.4g}, {:.4g} if nothing were ever idle or far\n", result.makespan, ideal);
  fmt::print("  {} threads away from their team's data\n", result.remote);
  if (result.starved > 0)
    fmt::print("  {} times a worker was idle while a thread waited\n", result.starved);
  fmt::print("\n{}", draw(machine.root, remarks_on(leaves, result.runs)));
  return 0;
}

}  // namespace tulle::tools
