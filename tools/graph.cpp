// SPDX-License-Identifier: Apache-2.0
#include "graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph_draw.h"
#include "graph_measure.h"

namespace tulle::tools {
namespace {

using omp::RecordedGraph;
using omp::RecordedGraphs;
using Json = nlohmann::ordered_json;

std::string place_text(const RecordedGraphs& all, const omp::CodePlace& place) {
  const omp::BuildId& module = all.modules[place.module];
  std::string text;
  for (int i = 0; i < module.size; ++i) text += fmt::format("{:02x}", module.bytes[i]);
  return fmt::format("{}+{:#x}", text.empty() ? "?" : text, place.offset);
}

// Beyond the matrix: what a replay compares new tasks with.
std::size_t pattern_bytes(const RecordedGraph& graph) {
  return graph.item_counts.size() * sizeof(std::uint16_t) +
         graph.items.size() * sizeof(omp::PatternItem) +
         graph.constructs.size() * sizeof(omp::CodePlace);
}

double parallelism(const RecordedGraph& graph, const GraphLevels& levels) {
  return levels.width.empty() ? 0 : static_cast<double>(graph.graph.tasks()) / levels.critical_path();
}

// Parallelism over time in at most so many lines, each a mean over some levels.
void print_widths(const GraphLevels& levels) {
  constexpr std::size_t kLines = 20, kColumns = 60;
  std::size_t count = levels.width.size(), step = std::max<std::size_t>(1, (count + kLines - 1) / kLines);
  double widest = count == 0 ? 0 : *std::ranges::max_element(levels.width);
  for (std::size_t from = 0; from < count; from += step) {
    std::size_t to = std::min(count, from + step);
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += levels.width[i];
    double mean = sum / static_cast<double>(to - from);
    auto columns = static_cast<std::size_t>(mean / widest * kColumns + 0.5);
    fmt::print("  {:>6} {:>8.1f} {}\n", from, mean, std::string(std::max<std::size_t>(columns, 1), '#'));
  }
}

void print_schedule(const Schedule& schedule) {
  constexpr std::size_t kMost = 24;
  fmt::print("  on {} cores {} units of time, no schedule takes fewer than {}\n",
             schedule.cores.size(), schedule.length, schedule.bound);
  for (std::size_t core = 0; core < schedule.cores.size(); ++core) {
    fmt::print("  core {:>3}:", core);
    const auto& tasks = schedule.cores[core];
    for (std::size_t i = 0; i < std::min(tasks.size(), kMost); ++i)
      fmt::print("{}", tasks[i] == kIdle ? std::string("    -") : fmt::format(" {:>4}", tasks[i]));
    fmt::print("{}\n", tasks.size() > kMost ? " ..." : "");
  }
}

void print_text(const RecordedGraphs& all, const RecordedGraph& graph, std::uint32_t cores) {
  GraphLevels levels = levels_of(graph.graph);
  fmt::print("region {}", place_text(all, graph.region));
  if (graph.id != 0) fmt::print(", id {}", graph.id);
  fmt::print("\n  {} tasks of {} constructs, {} edges\n", graph.graph.tasks(),
             graph.graph.constructs(), graph.graph.edges());
  fmt::print("  critical path {} tasks, parallelism {:.2f}\n", levels.critical_path(),
             parallelism(graph, levels));
  fmt::print("  matrix {} bytes, {:.1f} a task; what new tasks are compared with {} bytes\n",
             graph.graph.bytes(),
             static_cast<double>(graph.graph.bytes()) / std::max(graph.graph.tasks(), 1u),
             pattern_bytes(graph));
  if (cores != 0) return print_schedule(schedule_of(graph.graph, cores));
  fmt::print("  from level, tasks that can run side by side\n");
  print_widths(levels);
}

Json json_of(const RecordedGraphs& all, const RecordedGraph& graph, std::uint32_t cores) {
  GraphLevels levels = levels_of(graph.graph);
  Json json = {{"region", place_text(all, graph.region)},
               {"id", graph.id},
               {"tasks", graph.graph.tasks()},
               {"edges", graph.graph.edges()},
               {"critical_path", levels.critical_path()},
               {"parallelism", parallelism(graph, levels)},
               {"matrix_bytes", graph.graph.bytes()},
               {"pattern_bytes", pattern_bytes(graph)},
               {"widths", levels.width}};
  for (const omp::CodePlace& construct : graph.constructs)
    json["constructs"].push_back(place_text(all, construct));
  for (std::uint32_t i = 0; i < graph.graph.tasks(); ++i) {
    Json task = {{"id", graph.graph.id(i)}, {"construct", graph.graph.construct(i)},
                 {"outputs", Json::array()}};
    graph.graph.for_each_output(i, [&](std::uint32_t output) { task["outputs"].push_back(output); });
    json["nodes"].push_back(task);
  }
  if (cores == 0) return json;
  Schedule schedule = schedule_of(graph.graph, cores);
  json["schedule"] = {{"length", schedule.length}, {"bound", schedule.bound}};
  for (const auto& tasks : schedule.cores) {
    Json core = Json::array();
    for (std::uint32_t task : tasks) core.push_back(task == kIdle ? Json() : Json(task));
    json["schedule"]["cores"].push_back(core);
  }
  return json;
}

}  // namespace

Graph::Graph(CLI::App& app)
    : command_(app.add_subcommand("graph", "Show the task graphs that a file holds")) {
  command_->add_option("file", file_, "A file of recorded task graphs")->required();
  command_->add_option("-n,--number", number_, "Only this graph of the file, counted from 0")
      ->check(CLI::NonNegativeNumber);
  command_->add_option("--schedule", cores_, "A static schedule on so many cores")
      ->check(CLI::Range(1, 4096));
  auto* svg = command_->add_flag("--svg", svg_, "Print a picture");
  auto* dot = command_->add_flag("--dot", dot_, "Print it for Graphviz");
  auto* json = command_->add_flag("--json", json_, "Print JSON");
  svg->excludes(dot)->excludes(json);
  dot->excludes(json);
}

const RecordedGraph& Graph::one_of(const RecordedGraphs& all) const {
  auto number = static_cast<std::size_t>(std::max(number_, 0));
  if (number >= all.count) throw Failure(fmt::format("{}: it has {} graphs", file_, all.count));
  if (number_ < 0 && all.count > 1)
    throw BadCommandLine(fmt::format("{}: it has {} graphs; --number says which one to draw", file_, all.count));
  return all.graphs[number];
}

int Graph::operator()() const {
  RecordedGraphs all;
  const char* problem = nullptr;
  if (!omp::load_graphs(file_.c_str(), all, &problem))
    throw Failure(fmt::format("{}: {}", file_, problem));
  if (svg_ || dot_) {
    const omp::TaskGraph& graph = one_of(all).graph;
    fmt::print("{}", dot_ ? dot_of(graph) : svg_of(graph, levels_of(graph)));
    return 0;
  }
  if (number_ >= 0) one_of(all);
  Json json = Json::array();
  for (std::size_t i = 0; i < all.count; ++i) {
    if (number_ >= 0 && i != static_cast<std::size_t>(number_)) continue;
    if (json_)
      json.push_back(json_of(all, all.graphs[i], cores_));
    else
      print_text(all, all.graphs[i], cores_);
  }
  if (json_) fmt::print("{}\n", json.dump(2));
  return 0;
}

}  // namespace tulle::tools
