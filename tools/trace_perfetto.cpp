// SPDX-License-Identifier: Apache-2.0
// Threads and workers are the format's threads: complete events ("X") for what they did, flows ("s", "f") for tasks and
// their dependences, a counter ("C") of tasks that have not begun.
#include "trace_perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "trace_workers.h"

namespace tulle::tools {
namespace {

constexpr std::uint32_t kFirstThread = 10000;  // workers come first

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  explicit Writer(const Picture& picture) : picture_(picture) {
    for (const Label& label : picture.labels)
      names_.push_back(quoted_json(label.text.empty() ? name_of(label.doing) : label.text));
    for (std::uint32_t i = 0; i < kDoings; ++i) kinds_.push_back(quoted_json(name_of(static_cast<Doing>(i))));
  }

  std::string page() {
    for (std::uint32_t i = 0; i < picture_.processes.size(); ++i) process(i);
    for (std::uint32_t i = 0; i < picture_.lanes.size(); ++i) lane(picture_.lanes[i], kFirstThread + i);
    for (std::size_t i = 0; i < picture_.tasks.size(); ++i) task(i);
    for (const Edge& edge : picture_.edges) dependence(edge);
    for (std::uint32_t i = 0; i < picture_.processes.size(); ++i) counter(i);
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + out_ + "\n]}\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    if (!out_.empty()) out_ += ",\n";
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }
  double us(std::int64_t time) const { return static_cast<double>(time - picture_.begin) * 1e-3; }
  std::uint32_t pid(std::uint32_t process) const { return picture_.processes[process].pid; }

  void name(const char* kind, std::uint32_t process, std::uint32_t thread, const std::string& name) {
    add(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", kind, pid(process), thread, quoted_json(name));
  }
  void process(std::uint32_t number) {
    name("process_name", number, 0, name_of(picture_.processes[number]));
    std::uint32_t thread = 0;
    for (const Lane& one : worker_lanes(picture_, number)) lane(one, ++thread);
  }
  void lane(const Lane& lane, std::uint32_t thread) {
    name("thread_name", lane.process, thread, lane.name);
    add(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})", pid(lane.process), thread, thread);
    for (const Span& span : lane.spans) {
      const auto kind = static_cast<std::size_t>(picture_.labels[span.label].doing);
      add(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}})", names_[span.label], kinds_[kind],
          pid(lane.process), thread, us(span.begin), static_cast<double>(span.end - span.begin) * 1e-3);
    }
  }
  void arrow(const char* kind, std::int64_t from, std::uint32_t from_lane, std::int64_t to, std::uint32_t to_lane) {
    if (from < 0 || to < 0 || from_lane == kNone || to_lane == kNone) return;
    ++arrows_;
    add(R"({{"ph":"s","name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{:.3f}}})", kind, kind, arrows_,
        pid(picture_.lanes[from_lane].process), kFirstThread + from_lane, us(from));
    add(R"({{"ph":"f","bp":"e","name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{:.3f}}})", kind, kind, arrows_,
        pid(picture_.lanes[to_lane].process), kFirstThread + to_lane, us(to));
  }
  void task(std::size_t number) {
    const TaskLine& task = picture_.tasks[number];
    arrow("task", task.made, task.maker, task.begun, task.runner);
  }
  void dependence(const Edge& edge) {
    const TaskLine &before = picture_.tasks[edge.before], &after = picture_.tasks[edge.after];
    arrow("dependence", before.ended, before.finisher, after.begun, after.runner);
  }
  void counter(std::uint32_t process) {
    std::vector<std::pair<std::int64_t, int>> steps;
    for (const TaskLine& task : picture_.tasks) {
      if (task.made < 0 || task.maker == kNone || picture_.lanes[task.maker].process != process) continue;
      steps.emplace_back(task.made, 1);
      if (task.begun >= 0) steps.emplace_back(task.begun, -1);
    }
    std::ranges::sort(steps);
    std::int64_t count = 0;
    for (const auto& [time, change] : steps)
      add(R"({{"ph":"C","name":"unstarted tasks","pid":{},"ts":{:.3f},"args":{{"tasks":{}}}}})", pid(process), us(time),
          count += change);
  }

  const Picture& picture_;
  std::vector<std::string> names_, kinds_;
  std::string out_;
  std::uint64_t arrows_ = 0;
};

}  // namespace

std::string trace_perfetto(const Picture& picture) { return Writer(picture).page(); }

}  // namespace tulle::tools
