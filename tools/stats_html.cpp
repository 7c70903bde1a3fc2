// SPDX-License-Identifier: Apache-2.0
// Plots are SVG: a bar of thread time for each region, and the lengths of each kind of task.
#include "stats_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "output.h"
#include "stats_text.h"

namespace tulle::tools {
namespace {

constexpr std::size_t kMost = 20;  // of each plot
constexpr double kBar = 640, kRow = 26;

struct Part {
  const char* name;
  const char* colour;
  double SpentTime::* time;
};
constexpr std::array<Part, 9> kParts = {{{"work", "#3b7dd8", &SpentTime::work},
                                         {"nested regions", "#8fb8ee", &SpentTime::inner},
                                         {"barriers", "#e0a030", &SpentTime::barrier},
                                         {"waits for tasks", "#c8b560", &SpentTime::taskwait},
                                         {"locks", "#c8453b", &SpentTime::lock},
                                         {"MPI", "#7d55a8", &SpentTime::mpi},
                                         {"devices", "#4a9a8e", &SpentTime::device},
                                         {"other waits", "#9a9a94", &SpentTime::other},
                                         {"ready, not running", "#f28cb8", &SpentTime::ready}}};

std::string rectangle(double x, double y, double width, const char* colour, const std::string& title) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"18\" fill=\"{}\"><title>{}</title>"
                     "</rect>\n", x, y, width, colour, html_escaped(title));
}

std::string bar_of(const RegionRecord& one, double y, double scale) {
  std::string out;
  double x = 0;
  for (const Part& part : kParts) {
    const double time = one.spent.*part.time, width = time * scale;
    if (width < 0.1) continue;
    out += rectangle(x, y, width, part.colour, fmt::format("{}: {}", part.name, short_time(time)));
    x += width;
  }
  return out + fmt::format("<text x=\"{}\" y=\"{:.1f}\">{}</text>\n", kBar + 10, y + 14,
                           html_escaped(fmt::format("{}, {:.0f} times, {}", one.name, one.count, short_time(one.time))));
}

std::string legend() {
  std::string out = "<p class=\"legend\">";
  for (const Part& part : kParts)
    out += fmt::format("<span><i style=\"background:{}\"></i>{}</span> ", part.colour, part.name);
  return out + "</p>\n";
}

std::string regions_plot(const ProcessRecord& process) {
  std::vector<const RegionRecord*> regions;
  for (const RegionRecord& one : process.regions) regions.push_back(&one);
  std::ranges::stable_sort(regions, std::greater(), [](const RegionRecord* one) { return one->spent.all(); });
  if (regions.size() > kMost) regions.resize(kMost);
  if (regions.empty()) return "";
  const double scale = kBar / std::max(regions[0]->spent.all(), 1.0);
  std::string out = fmt::format("<h3>Thread time in regions</h3>\n{}<svg width=\"1200\" height=\"{}\">\n", legend(),
                                kRow * static_cast<double>(regions.size()));
  for (std::size_t i = 0; i < regions.size(); ++i) out += bar_of(*regions[i], kRow * static_cast<double>(i), scale);
  return out + "</svg>\n";
}

std::string lengths_plot(const TaskRecord& one) {
  if (one.lengths.empty()) return "";
  double most = 1;
  for (const auto& [length, count] : one.lengths) most = std::max(most, count);
  constexpr const char *kShort = "#c8453b", *kLong = "#3b7dd8";
  std::string out = fmt::format("<h3>Lengths of the {:.0f} tasks made at {}</h3>\n<svg width=\"900\" height=\"{}\">\n",
                                one.made, html_escaped(one.name), kRow * static_cast<double>(one.lengths.size()));
  double y = 0;
  for (const auto& [length, count] : one.lengths) {
    out += fmt::format("<text x=\"90\" y=\"{:.1f}\" text-anchor=\"end\">&lt; {}</text>\n", y + 14, short_time(length));
    const double width = std::max(count / most * 600, 1.0);
    out += rectangle(100, y, width, length <= 1000 ? kShort : kLong, fmt::format("{:.0f} tasks", count));
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.0f}</text>\n", 106 + width, y + 14, count);
    y += kRow;
  }
  return out + "</svg>\n";
}

std::string plots(const ProcessRecord& process) {
  std::string out = regions_plot(process);
  for (std::size_t i = 0; i < std::min(process.tasks.size(), kMost); ++i) out += lengths_plot(process.tasks[i]);
  return out;
}

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tulle stats</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1200px; margin: 2em auto; padding: 0 1em; color: #222; }
pre { background: #f6f6f4; padding: 1em; overflow-x: auto; font-size: 13px; }
svg { display: block; } svg text { font: 13px system-ui, sans-serif; fill: #222; }
.legend span { margin-right: 1.2em; } .legend i { display: inline-block; width: 12px; height: 12px; margin-right: 4px; }
li { margin: 0.5em 0; }
</style></head><body>
)";

}  // namespace

std::string stats_html(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice) {
  std::string out = kHead + fmt::format("<h1>{}</h1>\n<h2>Advice</h2>\n<ol>\n",
                                        html_escaped(processes.empty() ? "tulle stats" : processes[0].command));
  for (const Advice& one : advice) out += fmt::format("<li>{}</li>\n", html_escaped(one.text));
  out += advice.empty() ? "</ol>\n<p>Nothing stands out.</p>\n" : "</ol>\n";
  for (const ProcessRecord& process : processes) {
    const std::string rank = process.rank >= 0 ? fmt::format(" (rank {})", process.rank) : "";
    out += fmt::format("<h2>Process {}{}</h2>\n{}", process.pid, rank, plots(process));
  }
  return out + fmt::format("<h2>The page as text</h2>\n<pre>{}</pre>\n</body></html>\n",
                           html_escaped(stats_text(processes, advice)));
}

}  // namespace tulle::tools
