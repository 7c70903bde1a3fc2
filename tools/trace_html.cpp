// SPDX-License-Identifier: Apache-2.0
// The page is the one of tools/viewer, with the trace as a JSON object, whose long lists are numbers of seven bits a
// byte, in base 64.
#include "trace_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "viewer/embedded.h"

namespace tulle::tools {
namespace {

using Json = nlohmann::ordered_json;

class Numbers {
 public:
  void add(std::uint64_t value) {
    for (; value > 127; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }
  std::string text() const;

 private:
  std::string bytes_;
};

std::string Numbers::text() const {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes_.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes_.size(); i += 3) {
    const auto byte = [&](std::size_t at) { return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0u; };
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) out += kDigits[three >> shift & 63];
    if (i + 1 >= bytes_.size()) out[out.size() - 2] = '=';
    if (i + 2 >= bytes_.size()) out[out.size() - 1] = '=';
  }
  return out;
}

// Numbers of tasks on the page: from 1 on, by when they were made.
std::vector<std::uint32_t> order_of(const std::vector<TaskLine>& tasks) {
  std::vector<std::uint32_t> order(tasks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t task) { return tasks[task].made; });
  return order;
}

std::string spans_of(const Lane& lane, std::int64_t begin, const std::vector<std::uint32_t>& numbers) {
  Numbers out;
  std::int64_t time = begin;
  for (const Span& span : lane.spans) {
    out.add(static_cast<std::uint64_t>(std::max<std::int64_t>(span.begin - time, 0)));
    out.add(static_cast<std::uint64_t>(span.end - span.begin));
    out.add(span.label);
    out.add(span.task == kNone ? 0 : numbers[span.task]);
    out.add(span.worker);
    time = span.end;
  }
  return out.text();
}

std::string tasks_of(const Picture& picture, const std::vector<std::uint32_t>& order) {
  Numbers out;
  const auto add = [&](std::int64_t time, std::uint32_t lane) {
    out.add(time < 0 ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(time - picture.begin, 0) + 1));
    out.add(lane == kNone ? 0 : lane + 1);
  };
  for (std::uint32_t number : order) {
    const TaskLine& task = picture.tasks[number];
    out.add(task.label);
    add(task.made, task.maker), add(task.ready, kNone), add(task.begun, task.runner), add(task.ended, task.finisher);
  }
  return out.text();
}

std::string edges_of(const Picture& picture, const std::vector<std::uint32_t>& numbers) {
  Numbers out;
  for (const Edge& edge : picture.edges) out.add(numbers[edge.before]), out.add(numbers[edge.after]);
  return out.text();
}

Json json_of(const Picture& picture) {
  const std::vector<std::uint32_t> order = order_of(picture.tasks);
  std::vector<std::uint32_t> numbers(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) numbers[order[i]] = i + 1;
  Json json = {{"title", picture.processes[0].command}, {"duration", picture.end - picture.begin},
               {"noWorker", trace::kNoWorker}, {"events", picture.events},
               {"doings", Json::array()}, {"labels", Json::array()}, {"processes", Json::array()}, {"lanes", Json::array()}};
  for (std::uint32_t i = 0; i < kDoings; ++i) json["doings"].push_back(name_of(static_cast<Doing>(i)));
  for (const Label& label : picture.labels) json["labels"].push_back({label.text, label.doing});
  for (const ProcessTrace& process : picture.processes) json["processes"].push_back({{"name", name_of(process)}});
  for (const Lane& lane : picture.lanes)
    json["lanes"].push_back({{"name", lane.name}, {"process", lane.process}, {"count", lane.spans.size()},
                             {"spans", spans_of(lane, picture.begin, numbers)}});
  json["taskCount"] = picture.tasks.size();
  json["tasks"] = tasks_of(picture, order);
  json["edgeCount"] = picture.edges.size();
  json["edges"] = edges_of(picture, numbers);
  return json;
}

// Text of a script must not end it.
std::string in_script(std::string text) {
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;) text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

std::string trace_html(const Picture& picture) {
  const std::string data = json_of(picture).dump(-1, ' ', false, Json::error_handler_t::replace);
  return std::string(kViewerPage) + "'use strict';\nconst data = " + in_script(data) + ";\n" + kViewerScript +
         "</script>\n</body></html>\n";
}

}  // namespace tulle::tools
