// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tulle::tools {
namespace {

void collect_cpus(const Part& part, std::vector<int>& cpus) {
  if (part.inner.empty()) cpus.push_back(part.os_index);
  for (const Part& inner : part.inner) collect_cpus(inner, cpus);
}

std::string cpu_list(std::span<const Part> parts) {
  std::vector<int> cpus;
  for (const Part& part : parts) collect_cpus(part, cpus);
  bool one = cpus.size() == 1;
  return (one ? "CPU " : "CPUs ") + number_list(std::move(cpus));
}

bool same_shape(const Part& a, const Part& b) {
  return a.kind == b.kind && a.cache_level == b.cache_level && a.cpus == b.cpus &&
         a.allowed == b.allowed && std::ranges::equal(a.inner, b.inner, same_shape);
}

// A core of one hardware thread is drawn as one line.
bool is_leaf(const Part& part) {
  return part.inner.empty() || (part.inner.size() == 1 && part.inner.front().inner.empty());
}

std::string title(std::span<const Part> run) {
  const Part& first = run.front();
  std::string kind = first.cache_level > 0 ? fmt::format("L{} {}", first.cache_level, first.kind)
                                           : first.kind;
  if (run.size() == 1) return fmt::format("{} {}", kind, first.number);
  return fmt::format("{}s {}-{}", kind, first.number, run.back().number);
}

std::string remark(std::span<const Part> run) {
  const Part& first = run.front();
  std::string text = cpu_list(run);
  if (run.size() > 1 && !is_leaf(first)) text += ", each:";
  if (first.allowed == 0)
    text += " (outside the affinity mask)";
  else if (first.allowed < first.cpus && is_leaf(first))
    text += " (partly outside the affinity mask)";
  return text;
}

void draw_inner(const Part& part, const std::string& margin, std::string& out) {
  std::span<const Part> rest = part.inner;
  while (!rest.empty()) {
    auto differs = [&](const Part& other) { return !same_shape(rest.front(), other); };
    auto length = std::ranges::find_if(rest, differs) - rest.begin();
    std::span<const Part> run = rest.first(static_cast<std::size_t>(length));
    rest = rest.subspan(run.size());
    out += fmt::format("{}{} {}: {}\n", margin, rest.empty() ? "└─" : "├─", title(run),
                       remark(run));
    if (!is_leaf(run.front()))
      draw_inner(run.front(), margin + (rest.empty() ? "   " : "│  "), out);
  }
}

}  // namespace

std::string number_list(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string draw(const Part& root) {
  std::string out = fmt::format("machine: {}\n", cpu_list({&root, 1}));
  draw_inner(root, "", out);
  return out;
}

}  // namespace tulle::tools
