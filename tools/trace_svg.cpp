// SPDX-License-Identifier: Apache-2.0
// Each pixel column of a lane has the colour of what took most of it; columns of one thing are one rectangle.
#include "trace_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "output.h"
#include "trace_workers.h"

namespace tulle::tools {
namespace {

constexpr int kLeft = 210, kWidth = 1200, kRow = 20, kTop = 46;
constexpr std::size_t kMostArrows = 400;
// Those of tools/viewer/data.js.
constexpr std::array<const char*, kDoings> kColours = {"#c9c9c4", "#3b7dd8", "#2f9e77", "#e0a030", "#c8b560", "#c8453b",
                                                       "#7d55a8", "#8d7b6a", "#f28cb8"};
constexpr int kNothing = -1;

std::string time_text(double ns) {
  if (ns >= 1e9) return fmt::format("{:g} s", ns * 1e-9);
  if (ns >= 1e6) return fmt::format("{:g} ms", ns * 1e-6);
  return ns >= 1e3 ? fmt::format("{:g} µs", ns * 1e-3) : fmt::format("{:g} ns", ns);
}

class Drawing {
 public:
  explicit Drawing(const Picture& picture)
      : picture_(picture), scale_(kWidth / static_cast<double>(std::max<std::int64_t>(picture.end - picture.begin, 1))) {}

  std::string page() {
    axis();
    legend();
    for (std::uint32_t i = 0; i < picture_.processes.size(); ++i) process(i);
    if (picture_.tasks.size() <= kMostArrows) arrows();
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                       "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
                       kLeft + kWidth + 10, y_ + 10) + out_ + "</svg>\n";
  }

 private:
  double x(std::int64_t time) const { return kLeft + static_cast<double>(time - picture_.begin) * scale_; }
  void text(double x, int y, const std::string& words) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x, y, html_escaped(words));
  }

  void axis() {
    const double rough = 120 / scale_, power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (int factor : {2, 5, 10})
      if (step < rough) step = factor * power;
    for (double time = 0; time * scale_ <= kWidth; time += step) {
      out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"1\" height=\"5\"/>\n", kLeft + time * scale_, kTop - 6);
      text(kLeft + time * scale_ + 3, kTop - 8, time_text(time));
    }
  }
  void legend() {
    double at = kLeft;
    for (std::uint32_t i = 0; i < kDoings; ++i, at += 132) {
      out_ += fmt::format("<rect x=\"{:.0f}\" y=\"4\" width=\"11\" height=\"11\" fill=\"{}\"/>\n", at, kColours[i]);
      text(at + 15, 14, name_of(static_cast<Doing>(i)));
    }
  }

  void process(std::uint32_t number) {
    text(6, y_ + 14, name_of(picture_.processes[number]));
    y_ += kRow;
    for (const Lane& worker : worker_lanes(picture_, number)) lane(worker);
    y_ += kRow / 2;
    for (std::size_t i = 0; i < picture_.lanes.size(); ++i) {
      if (picture_.lanes[i].process != number) continue;
      rows_.resize(picture_.lanes.size());
      rows_[i] = y_ + kRow / 2;
      lane(picture_.lanes[i]);
    }
  }

  // A long span is a rectangle of its own, with its name; of short ones each column has what took most of it.
  void lane(const Lane& lane) {
    const std::string name = lane.name.size() > 32 ? lane.name.substr(0, 31) + "…" : lane.name;
    text(12, y_ + 14, name);
    std::array<double, kDoings> sums{};
    int column = -1;
    for (const Span& span : lane.spans) {
      const double from = x(span.begin), to = x(span.end);
      const auto doing = static_cast<std::size_t>(picture_.labels[span.label].doing);
      if (to - from >= 2) {
        rectangle(from, to, doing, span.label);
        continue;
      }
      if (const int at = static_cast<int>(from); at != column) {
        flush(column, sums);
        column = at;
      }
      sums[doing] += to - from;
    }
    flush(column, sums);
    end_run();
    y_ += kRow;
  }
  void flush(int column, std::array<double, kDoings>& sums) {
    const auto most = std::ranges::max_element(sums);
    if (column < 0 || *most == 0) return;
    const int doing = static_cast<int>(most - sums.begin());
    if (run_doing_ != doing || run_end_ != column) {
      end_run();
      run_doing_ = doing;
      run_begin_ = column;
    }
    run_end_ = column + 1;
    sums.fill(0);
  }
  void end_run() {
    if (run_doing_ != kNothing)
      out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", run_begin_, y_ + 1,
                          run_end_ - run_begin_, kRow - 3, kColours[static_cast<std::size_t>(run_doing_)]);
    run_doing_ = kNothing;
  }
  void rectangle(double from, double to, std::size_t doing, std::uint32_t label) {
    const std::string& words = picture_.labels[label].text;
    out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"><title>{}: {}</title></rect>\n",
                        from, y_ + 1, to - from - 0.3, kRow - 3, kColours[doing], name_of(static_cast<Doing>(doing)),
                        html_escaped(words));
  }

  void arrows() {
    for (const TaskLine& task : picture_.tasks) {
      const char* colour = task.maker == task.runner ? "#555" : "#b0306a";
      arrow(task.made, task.maker, task.begun, task.runner, colour);
    }
    for (const Edge& edge : picture_.edges) {
      const TaskLine &before = picture_.tasks[edge.before], &after = picture_.tasks[edge.after];
      arrow(before.ended, before.finisher, after.begun, after.runner, "#e07020");
    }
  }
  void arrow(std::int64_t from, std::uint32_t from_lane, std::int64_t to, std::uint32_t to_lane, const char* colour) {
    if (from < 0 || to < 0 || from_lane == kNone || to_lane == kNone) return;
    out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\" stroke=\"{}\"/>\n", x(from), rows_[from_lane],
                        x(to), rows_[to_lane], colour);
  }

  const Picture& picture_;
  double scale_;
  std::string out_;
  std::vector<int> rows_;
  int y_ = kTop, run_doing_ = kNothing, run_begin_ = 0, run_end_ = 0;
};

}  // namespace

std::string trace_svg(const Picture& picture) { return Drawing(picture).page(); }

}  // namespace tulle::tools
