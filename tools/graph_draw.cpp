// SPDX-License-Identifier: Apache-2.0
#include "graph_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace tulle::tools {
namespace {

using omp::TaskGraph;

// Paul Tol's bright scheme, which the colour-blind tell apart.
constexpr std::array kColours = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                 "#66ccee", "#aa3377", "#bbbbbb"};

const char* colour_of(const TaskGraph& graph, std::uint32_t task) {
  return kColours[graph.construct(task) % kColours.size()];
}

struct Point {
  double x, y;
};

// Centres of the tasks' circles.
std::vector<Point> places_of(const TaskGraph& graph, const GraphLevels& levels, double step) {
  std::uint32_t widest = levels.width.empty() ? 0 : *std::ranges::max_element(levels.width);
  std::vector<std::uint32_t> used(levels.width.size());
  std::vector<Point> places;
  for (std::uint32_t i = 0; i < graph.tasks(); ++i) {
    std::uint32_t level = levels.of_task[i];
    double left = (widest - levels.width[level]) / 2.0;
    places.push_back({step * (left + used[level]++ + 1), step * (level + 1)});
  }
  return places;
}

}  // namespace

std::string dot_of(const TaskGraph& graph) {
  std::string text = "digraph tasks {\n  node [shape=circle style=filled fontcolor=white];\n";
  auto out = std::back_inserter(text);
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    fmt::format_to(out, "  {} [fillcolor=\"{}\" tooltip=\"id {}\"];\n", i, colour_of(graph, i),
                   graph.id(i));
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    graph.for_each_output(
        i, [&](std::uint32_t output) { fmt::format_to(out, "  {} -> {};\n", i, output); });
  return text + "}\n";
}

std::string svg_of(const TaskGraph& graph, const GraphLevels& levels) {
  constexpr double kStep = 24, kRadius = 8;
  std::uint32_t widest = levels.width.empty() ? 0 : *std::ranges::max_element(levels.width);
  std::vector<Point> places = places_of(graph, levels, kStep);
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n"
                 "<g stroke=\"#999999\" stroke-width=\"0.6\">\n",
                 kStep * (widest + 1), kStep * (levels.critical_path() + 1));
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    graph.for_each_output(i, [&](std::uint32_t output) {
      fmt::format_to(out, "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", places[i].x,
                     places[i].y, places[output].x, places[output].y);
    });
  text += "</g>\n";
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    fmt::format_to(out,
                   "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"><title>task {}, id {}, "
                   "construct {}</title></circle>\n",
                   places[i].x, places[i].y, kRadius, colour_of(graph, i), i, graph.id(i),
                   graph.construct(i));
  return text + "</svg>\n";
}

}  // namespace tulle::tools
