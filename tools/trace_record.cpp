// SPDX-License-Identifier: Apache-2.0
#include "trace_record.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "code_names.h"
#include "status.h"

namespace tulle::tools {
namespace {

namespace fs = std::filesystem;
using trace::Chunk;
using trace::Header;

class MappedFile {
 public:
  explicit MappedFile(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat found{};
    if (file < 0 || fstat(file, &found) != 0) throw Failure(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    size_ = static_cast<std::size_t>(found.st_size);
    data_ = size_ != 0 ? mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (data_ == MAP_FAILED || size_ < sizeof(Header) || std::memcmp(header().magic, trace::kMagic, sizeof trace::kMagic) != 0)
      throw Failure(fmt::format("{}: not a trace of this version", path.string()));
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data_ != MAP_FAILED) munmap(data_, size_);
  }
  const Header& header() const { return *static_cast<const Header*>(data_); }
  const Chunk* chunks() const { return reinterpret_cast<const Chunk*>(&header() + 1); }
  std::size_t chunk_count() const {
    const std::size_t room = (size_ - sizeof(Header)) / sizeof(Chunk);
    return std::min<std::size_t>(header().taken.load(std::memory_order_relaxed), room);
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

struct Mapping {
  std::uint64_t begin = 0, end = 0;
  std::string path;
};

std::vector<Mapping> read_maps(const fs::path& file) {
  std::vector<Mapping> maps;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    Mapping one;
    char dash = 0;
    std::istringstream words(line);
    std::string rights, offset, device, node;
    words >> std::hex >> one.begin >> dash >> one.end >> rights >> offset >> device >> node;
    if (!std::getline(words >> std::ws, one.path) || !one.path.starts_with('/')) continue;
    maps.push_back(one);
  }
  return maps;
}

bool is_fixed(const std::string& path) {
  Elf64_Ehdr head{};
  std::ifstream file(path, std::ios::binary);
  return file.read(reinterpret_cast<char*>(&head), sizeof head) && head.e_type == ET_EXEC;
}

struct Place {
  std::string module;
  std::uint64_t offset = 0;
};

// Of a call: the byte before, of the call and not of what follows it.
Place place_of(const std::vector<Mapping>& maps, std::uint64_t code) {
  for (const Mapping& one : maps) {
    if (code < one.begin || code >= one.end) continue;
    const auto first = std::ranges::find(maps, one.path, &Mapping::path);
    return {one.path, code - 1 - (is_fixed(one.path) ? 0 : first->begin)};
  }
  return {"", code};
}

// Nanoseconds of a tick, by two moments that are as far apart as can be had.
double tick_length(const MappedFile& file) {
  trace::ClockMoment last = file.header().end;
  for (std::size_t i = 0; i < file.chunk_count() && file.header().end.tick == 0; ++i)
    if (const Chunk& chunk = file.chunks()[i]; chunk.begin > last.tick) last = {chunk.begin, chunk.monotonic, 0};
  const trace::ClockMoment& begin = file.header().begin;
  if (last.tick <= begin.tick) return 1;
  return static_cast<double>(last.monotonic - begin.monotonic) / static_cast<double>(last.tick - begin.tick);
}

void read_chunk(const Chunk& chunk, double begin, double length, std::vector<TraceEvent>& events) {
  using namespace trace;
  for (const Record& record : chunk.events) {
    const std::uint64_t head = __atomic_load_n(&record.head, __ATOMIC_ACQUIRE);  // pairs with Thread::note
    if (head == 0) return;
    TraceEvent one;
    const auto part = [&](std::uint32_t from, std::uint32_t bits) { return head >> from & ((std::uint64_t{1} << bits) - 1); };
    one.time = static_cast<std::int64_t>(begin + static_cast<double>(part(0, kTimeBits)) * length);
    one.thread = chunk.thread;
    one.worker = static_cast<std::uint16_t>(part(kTimeBits, kWorkerBits));
    one.kind = static_cast<Kind>(part(kTimeBits + kWorkerBits, kKindBits));
    one.detail = static_cast<std::uint8_t>(head >> (kTimeBits + kWorkerBits + kKindBits));
    one.body = record.body;
    events.push_back(one);
  }
}

std::vector<TraceEvent> events_of(const MappedFile& file, std::int64_t begin, double length) {
  std::vector<const Chunk*> chunks;
  for (std::size_t i = 0; i < file.chunk_count(); ++i) chunks.push_back(&file.chunks()[i]);
  std::ranges::sort(chunks, {}, [](const Chunk* one) { return std::tuple(one->thread, one->sequence); });
  std::vector<TraceEvent> events;
  for (const Chunk* chunk : chunks) {
    const auto ticks = static_cast<double>(static_cast<std::int64_t>(chunk->begin - file.header().begin.tick));
    read_chunk(*chunk, static_cast<double>(begin) + ticks * length, length, events);
  }
  std::ranges::stable_sort(events, {}, &TraceEvent::time);
  return events;
}

struct OneFile {
  ProcessTrace process;
  std::vector<Place> places;
  std::string boot;
  std::int64_t ahead = 0;  // of the clock of the day over the one that events have
};

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

// On this machine, since it was started, and it is the one that has written to its file.
bool goes_on(const Header& header) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  if (boot != std::string(header.boot, strnlen(header.boot, sizeof header.boot))) return false;
  std::ifstream maps(fmt::format("/proc/{}/maps", header.process));
  const std::string text((std::istreambuf_iterator<char>(maps)), {});
  return text.find(fmt::format("/{}.", header.process)) != std::string::npos && text.find(".trace\n") != std::string::npos;
}

OneFile read_file(const fs::path& path) {
  const MappedFile file(path);
  const Header& header = file.header();
  OneFile one;
  one.boot.assign(header.boot, strnlen(header.boot, sizeof header.boot));
  one.ahead = static_cast<std::int64_t>(header.begin.real - header.begin.monotonic);
  ProcessTrace& process = one.process;
  process.pid = header.process;
  process.rank = header.rank;
  process.command.assign(header.command, strnlen(header.command, sizeof header.command));
  process.begin = static_cast<std::int64_t>(header.begin.monotonic);
  process.tick = tick_length(file);
  process.events = events_of(file, process.begin, process.tick);
  process.ended = header.end.tick != 0;
  process.cut_off = header.cut_off.load(std::memory_order_relaxed) != 0;
  process.end = process.events.empty() ? process.begin : process.events.back().time;
  if (process.ended) process.end = std::max(process.end, static_cast<std::int64_t>(header.end.monotonic));
  if (!process.ended && goes_on(header)) process.end = std::max(process.end, now());
  const std::vector<Mapping> maps = read_maps(path.string() + ".maps");
  for (const auto& site : header.sites) {
    const std::uint64_t code = site.load(std::memory_order_relaxed);
    one.places.push_back(code != 0 ? place_of(maps, code) : Place{});
  }
  return one;
}

void name_sites(std::vector<OneFile>& files) {
  CodeNames names;
  for (const OneFile& one : files)
    for (const Place& place : one.places) names.want(place.module, place.offset);
  names.look_up();
  for (OneFile& one : files)
    for (const Place& place : one.places)
      one.process.sites.push_back(place.offset == 0 ? "" : names.name(place.module, place.offset));
}

// Machines have monotonic clocks of their own: those of others are moved by what the clocks of the day say.
void move_to_one_axis(std::vector<OneFile>& files) {
  std::map<std::string, std::int64_t> ahead;
  for (const OneFile& one : files) ahead.emplace(one.boot, one.ahead);
  const std::int64_t own = files.front().ahead;
  std::int64_t first = INT64_MAX;
  for (const OneFile& one : files) first = std::min(first, one.process.begin + ahead[one.boot] - own);
  for (OneFile& one : files) {
    const std::int64_t move = ahead[one.boot] - own - first;
    one.process.begin += move, one.process.end += move;
    for (TraceEvent& event : one.process.events) event.time += move;
  }
}

}  // namespace

std::vector<ProcessTrace> read_traces(const fs::path& folder) {
  std::error_code wrong;
  std::vector<OneFile> files;
  for (const auto& entry : fs::directory_iterator(folder, wrong))
    if (entry.path().extension() == ".trace") files.push_back(read_file(entry.path()));
  if (wrong) throw Failure(fmt::format("{}: {}", folder.string(), wrong.message()));
  if (files.empty()) return {};
  name_sites(files);
  move_to_one_axis(files);
  std::vector<ProcessTrace> processes;
  for (OneFile& one : files) processes.push_back(std::move(one.process));
  std::ranges::stable_sort(processes, {}, [](const ProcessTrace& one) { return std::tuple(one.rank, one.begin); });
  return processes;
}

// A number that grows: chunks that are full, and what is in those that are not.
std::uint64_t events_so_far(const fs::path& path) try {
  const MappedFile file(path);
  std::uint64_t count = file.header().taken.load(std::memory_order_relaxed) * trace::kChunkEvents;
  for (std::size_t i = 0; i < file.chunk_count(); ++i) {
    const Chunk& chunk = file.chunks()[i];
    if (chunk.open.load(std::memory_order_relaxed) != 0)
      count += static_cast<std::uint64_t>(std::ranges::count_if(chunk.events, [](const auto& one) { return one.head != 0; }));
  }
  return count;
} catch (const Failure&) {
  return 0;
}

}  // namespace tulle::tools
