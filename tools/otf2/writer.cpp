// SPDX-License-Identifier: Apache-2.0
// A trace as an archive of the Open Trace Format 2, by its library. A process is a location group, an OpenMP thread a
// location; what threads did, and why they waited, are regions; tasks are created, switched to and completed by threads
// of the process's team. A region's enter says on which worker.
#include "otf2/writer.h"

#include <otf2/otf2.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace tulle::tools {
namespace {

constexpr std::uint64_t kEventChunk = 1 << 20, kDefinitionChunk = 4 << 20;  // bytes
constexpr OTF2_SystemTreeNodeRef kMachine = 0;
constexpr OTF2_AttributeRef kWorker = 0;
constexpr OTF2_GroupRef kAllThreads = 0;

std::string problem;

OTF2_ErrorCode note_problem(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  if (problem.empty()) problem = OTF2_Error_GetDescription(code);
  return code;
}

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

OTF2_RegionRole role_of(Doing doing) {
  switch (doing) {
    case Doing::serial: return OTF2_REGION_ROLE_CODE;
    case Doing::work: return OTF2_REGION_ROLE_PARALLEL;
    case Doing::task: return OTF2_REGION_ROLE_TASK;
    case Doing::barrier: return OTF2_REGION_ROLE_BARRIER;
    case Doing::tasks: return OTF2_REGION_ROLE_TASK_WAIT;
    case Doing::lock: return OTF2_REGION_ROLE_CRITICAL;
    case Doing::mpi:
    case Doing::other: return OTF2_REGION_ROLE_FUNCTION;
    case Doing::ready: return OTF2_REGION_ROLE_ARTIFICIAL;
  }
  return OTF2_REGION_ROLE_UNKNOWN;
}

OTF2_Paradigm paradigm_of(Doing doing) {
  if (doing == Doing::serial) return OTF2_PARADIGM_USER;
  return doing == Doing::mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_OPENMP;
}

// Of one location; those of one moment in the order in which they were added, what ends before what begins.
struct Event {
  enum class Kind : std::uint8_t { leave, complete, create, enter };
  std::int64_t time;
  Kind kind;
  std::uint32_t what;    // label, or task
  std::uint32_t task;    // of an enter
  std::uint16_t worker;  // of an enter
};

class Archive {
 public:
  Archive(const Picture& picture, const char* folder)
      : picture_(picture),
        archive_(OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, kEventChunk, kDefinitionChunk, OTF2_SUBSTRATE_POSIX,
                                   OTF2_COMPRESSION_NONE)) {}
  ~Archive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void write() {
    if (archive_ == nullptr) return;
    static const OTF2_FlushCallbacks callbacks = {flush, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive_, &callbacks, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    number_threads();
    write_events();
    write_local_definitions();
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (definitions_ != nullptr) write_definitions();
  }

 private:
  std::uint64_t at(std::int64_t time) const { return static_cast<std::uint64_t>(std::max<std::int64_t>(time - picture_.begin, 0)); }

  // A thread's number among those of its process, which are its team to the format.
  void number_threads() {
    std::vector<std::uint32_t> count(picture_.processes.size());
    for (const Lane& lane : picture_.lanes) number_.push_back(count[lane.process]++);
  }

  std::vector<std::vector<Event>> events() const {
    using Kind = Event::Kind;
    std::vector<std::vector<Event>> of_lane(picture_.lanes.size());
    const auto add = [&](std::uint32_t lane, std::int64_t time, Kind kind, std::uint32_t what, std::uint32_t task = kNone,
                         std::uint16_t worker = 0) {
      if (lane != kNone && time >= 0) of_lane[lane].push_back({time, kind, what, task, worker});
    };
    for (std::uint32_t i = 0; i < picture_.lanes.size(); ++i)
      for (const Span& span : picture_.lanes[i].spans) {
        if (span.end <= span.begin) continue;  // its leave would come before its enter
        add(i, span.begin, Kind::enter, span.label, span.task, span.worker);
        add(i, span.end, Kind::leave, span.label);
      }
    for (std::uint32_t i = 0; i < picture_.tasks.size(); ++i) {
      const TaskLine& task = picture_.tasks[i];
      if (task.maker == kNone) continue;  // it cannot be named
      add(task.maker, task.made, Kind::create, i);
      add(task.finisher, task.ended, Kind::complete, i);
    }
    for (auto& list : of_lane)
      std::ranges::stable_sort(list, [](const Event& a, const Event& b) {
        return a.time != b.time ? a.time < b.time : a.kind < b.kind;
      });
    return of_lane;
  }

  void write_events() {
    OTF2_Archive_OpenEvtFiles(archive_);
    OTF2_AttributeList* attributes = OTF2_AttributeList_New();
    const auto of_lane = events();
    for (std::uint32_t i = 0; i < of_lane.size(); ++i) {
      OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, i);
      if (writer == nullptr) break;
      for (const Event& event : of_lane[i]) write_event(writer, attributes, event);
      std::uint64_t count = 0;
      OTF2_EvtWriter_GetNumberOfEvents(writer, &count);
      counts_.push_back(count);
      OTF2_Archive_CloseEvtWriter(archive_, writer);
    }
    OTF2_AttributeList_Delete(attributes);
    OTF2_Archive_CloseEvtFiles(archive_);
  }

  // There are none, but readers look for the files.
  void write_local_definitions() {
    OTF2_Archive_OpenDefFiles(archive_);
    for (std::uint32_t i = 0; i < counts_.size(); ++i)
      if (OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive_, i)) OTF2_Archive_CloseDefWriter(archive_, writer);
    OTF2_Archive_CloseDefFiles(archive_);
  }

  void write_event(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes, const Event& event) const {
    const std::uint64_t time = at(event.time);
    switch (event.kind) {
      case Event::Kind::enter:
        if (event.task != kNone && picture_.tasks[event.task].maker != kNone)
          task_event(OTF2_EvtWriter_ThreadTaskSwitch, writer, time, event.task);
        OTF2_AttributeList_AddUint16(attributes, kWorker, event.worker);
        OTF2_EvtWriter_Enter(writer, attributes, time, event.what);  // which takes the attributes out of the list
        break;
      case Event::Kind::leave: OTF2_EvtWriter_Leave(writer, nullptr, time, event.what); break;
      case Event::Kind::create: task_event(OTF2_EvtWriter_ThreadTaskCreate, writer, time, event.what); break;
      case Event::Kind::complete: task_event(OTF2_EvtWriter_ThreadTaskComplete, writer, time, event.what); break;
    }
  }

  // A task is known by the thread that made it and a number.
  template <class Write>
  void task_event(Write write, OTF2_EvtWriter* writer, std::uint64_t time, std::uint32_t task) const {
    const std::uint32_t maker = picture_.tasks[task].maker;
    write(writer, nullptr, time, picture_.lanes[maker].process, number_[maker], task + 1);
  }

  OTF2_StringRef text(const std::string& text) {
    const auto [place, is_new] = texts_.emplace(text, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) OTF2_GlobalDefWriter_WriteString(definitions_, place->second, text.c_str());
    return place->second;
  }

  void write_definitions() {
    OTF2_GlobalDefWriter_WriteClockProperties(definitions_, 1'000'000'000, 0, at(picture_.end), OTF2_UNDEFINED_TIMESTAMP);
    const OTF2_StringRef none = text("");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, kMachine, text("machine"), text("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteAttribute(definitions_, kWorker, text("worker"), text("the worker that carried the thread"),
                                        OTF2_TYPE_UINT16);
    for (std::uint32_t i = 0; i < picture_.labels.size(); ++i) {
      const Label& label = picture_.labels[i];
      const OTF2_StringRef name = text(label.text.empty() ? name_of(label.doing) : label.text);
      OTF2_GlobalDefWriter_WriteRegion(definitions_, i, name, name, text(name_of(label.doing)), role_of(label.doing),
                                       paradigm_of(label.doing), OTF2_REGION_FLAG_NONE, none, 0, 0);
    }
    for (std::uint32_t i = 0; i < picture_.processes.size(); ++i)
      OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, i, text(name_of(picture_.processes[i])),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, kMachine, OTF2_UNDEFINED_LOCATION_GROUP);
    for (std::uint32_t i = 0; i < counts_.size(); ++i)
      OTF2_GlobalDefWriter_WriteLocation(definitions_, i, text(picture_.lanes[i].name), OTF2_LOCATION_TYPE_CPU_THREAD, counts_[i],
                                         picture_.lanes[i].process);
    write_teams();
  }

  // All threads; then of each process which of those are its team, and the team.
  void write_teams() {
    std::vector<std::uint64_t> all;
    std::vector<std::vector<std::uint64_t>> of_process(picture_.processes.size());
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
      all.push_back(i);
      of_process[picture_.lanes[i].process].push_back(i);
    }
    group(kAllThreads, "OpenMP threads", OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
    for (std::uint32_t i = 0; i < of_process.size(); ++i) {
      group(1 + i, name_of(picture_.processes[i]), OTF2_GROUP_TYPE_COMM_GROUP, of_process[i]);
      OTF2_GlobalDefWriter_WriteComm(definitions_, i, text(name_of(picture_.processes[i])), 1 + i, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE);
    }
  }

  void group(OTF2_GroupRef number, const std::string& name, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    OTF2_GlobalDefWriter_WriteGroup(definitions_, number, text(name), type, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
                                    static_cast<std::uint32_t>(members.size()), members.data());
  }

  const Picture& picture_;
  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::unordered_map<std::string, OTF2_StringRef> texts_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* tulle_write_otf2(const Picture& picture, const char* folder) {
  problem.clear();
  OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(note_problem, nullptr);
  Archive(picture, folder).write();
  OTF2_Error_RegisterCallback(before, nullptr);
  return problem.empty() ? nullptr : problem.c_str();
}

static_assert(std::is_same_v<decltype(tulle_write_otf2), WriteOtf2>);

}  // namespace tulle::tools
