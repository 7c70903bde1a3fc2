// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tulle::tools {
namespace {

void collect_cpus(const Part& part, std::vector<std::int64_t>& cpus) {
  if (part.inner.empty()) cpus.push_back(part.os_index);
  for (const Part& inner : part.inner) collect_cpus(inner, cpus);
}

std::string cpu_list(std::span<const Part> parts) {
  std::vector<std::int64_t> cpus;
  for (const Part& part : parts) collect_cpus(part, cpus);
  bool one = cpus.size() == 1;
  return (one ? "CPU " : "CPUs ") + number_list(std::move(cpus));
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

struct Drawing {
  const Remarks& remarks;
  std::string out;

  const std::vector<std::string>& remarks_on(const Part& part) const {
    static const std::vector<std::string> none;
    auto found = remarks.find(&part);
    return found != remarks.end() ? found->second : none;
  }
  bool same(const Part& a, const Part& b) const {
    return a.kind == b.kind && a.cache_level == b.cache_level && a.cpus == b.cpus &&
           a.allowed == b.allowed && remarks_on(a) == remarks_on(b) &&
           std::ranges::equal(a.inner, b.inner,
                              [this](const Part& x, const Part& y) { return same(x, y); });
  }
  void add_remarks(const Part& part, const std::string& margin);
  void add_inner(const Part& part, const std::string& margin);
};

// A core drawn as one line has those of its hardware thread.
void Drawing::add_remarks(const Part& part, const std::string& margin) {
  for (const std::string& line : remarks_on(part)) out += fmt::format("{}  {}\n", margin, line);
  if (is_leaf(part))
    for (const Part& inner : part.inner) add_remarks(inner, margin);
}

void Drawing::add_inner(const Part& part, const std::string& margin) {
  std::span<const Part> rest = part.inner;
  while (!rest.empty()) {
    auto differs = [&](const Part& other) { return !same(rest.front(), other); };
    auto length = std::ranges::find_if(rest, differs) - rest.begin();
    std::span<const Part> run = rest.first(static_cast<std::size_t>(length));
    rest = rest.subspan(run.size());
    out += fmt::format("{}{} {}: {}\n", margin, rest.empty() ? "└─" : "├─", title(run),
                       remark(run));
    std::string inside = margin + (rest.empty() ? "   " : "│  ");
    add_remarks(run.front(), inside);
    if (!is_leaf(run.front())) add_inner(run.front(), inside);
  }
}

}  // namespace

std::string number_list(std::vector<std::int64_t> numbers) {
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

std::string draw(const Part& root, const Remarks& remarks) {
  Drawing drawing{remarks, fmt::format("machine: {}\n", cpu_list({&root, 1}))};
  for (const std::string& line : drawing.remarks_on(root)) drawing.out += fmt::format("│  {}\n", line);
  drawing.add_inner(root, "");
  return drawing.out;
}

}  // namespace tulle::tools
