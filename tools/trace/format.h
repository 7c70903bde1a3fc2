// SPDX-License-Identifier: Apache-2.0
// What libtulle-trace writes of a process and `tulle trace` reads: one file, mapped by both. A header; then chunks of a
// page, each of one OpenMP thread's events, in the order in which they were taken. A chunk's events are whole up to the
// first whose head is zero, at any time: of a process that goes on, and of one that was killed.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::trace {

enum class Kind : uint8_t {
  none,
  thread_begin,  // detail: 1 for an initial thread
  thread_end,
  region_begin,  // id and site: the region's; extra: threads that were asked for
  region_end,
  member_begin,  // id and site: the region's; extra: the thread's number; detail: 1 for a target region, which has neither
  member_end,
  wait_begin,    // detail: ompt_sync_region_t; site
  wait_end,
  lock_wait,     // detail: ompt_mutex_t; address; site
  lock_got,
  lock_freed,
  task_create,   // id and site: the task's; extra: TaskExtra
  task_switch,   // detail: how the task before ended (ompt_task_status_t); id and site: the one that follows, 0: implicit
  depend,        // detail: ompt_dependence_type_t; address; of the task that the thread has just made
  work_begin,    // detail: ompt_work_t; site; id: iterations, as far as there is room
  work_end,
  mpi_begin,     // id: the call; site
  mpi_end,
  suspended,     // the thread gives its worker up, in the middle of its current task
  resumed,       // it goes on; address: ticks since it could have
  task_ready,    // id: of a task with dependences, which may begin now
  device_wait,   // detail: ompt_scope_endpoint_t
};

enum TaskExtra : uint16_t { kUndeferred = 1, kDepends = 2 };

// 40 bits of time, in ticks since the chunk's begin; 12 bits: the worker, kNoWorker for unknown; 6: kind; 6: detail.
struct Record {
  uint64_t head;
  uint64_t body;  // id (32 bits) and extra (16), or an address (48); and a site (16)
};
static_assert(sizeof(Record) == 16);

inline constexpr uint32_t kTimeBits = 40, kWorkerBits = 12, kKindBits = 6;
inline constexpr uint32_t kNoWorker = (1u << kWorkerBits) - 1;

inline constexpr uint64_t head_of(uint64_t time, uint32_t worker, Kind kind, uint32_t detail) {
  return time | static_cast<uint64_t>(worker) << kTimeBits |
         static_cast<uint64_t>(kind) << (kTimeBits + kWorkerBits) |
         static_cast<uint64_t>(detail) << (kTimeBits + kWorkerBits + kKindBits);
}
inline constexpr uint64_t body_of(uint32_t id, uint32_t extra, uint32_t site) {
  return id | static_cast<uint64_t>(extra & 0xffff) << 32 | static_cast<uint64_t>(site) << 48;
}
inline constexpr uint64_t body_of_address(uint64_t address, uint32_t site) {
  return (address & ((uint64_t{1} << 48) - 1)) | static_cast<uint64_t>(site) << 48;
}

// The same moment by the processor's counter and by the system's clocks, in nanoseconds.
struct ClockMoment {
  uint64_t tick, monotonic, real;
};

inline constexpr uint32_t kChunkEvents = 254;
struct Chunk {
  uint64_t begin, monotonic;  // the same moment: ticks, nanoseconds
  uint32_t thread;            // number of its record
  uint32_t sequence;          // among the thread's
  std::atomic<uint32_t> open; // a thread may still write into it; W: that thread
  uint32_t unused;
  Record events[kChunkEvents];
};
static_assert(sizeof(Chunk) == 4096);

inline constexpr uint32_t kSites = 4096;
inline constexpr char kMagic[8] = {'t', 'u', 'l', 'l', 'e', 't', 'r', '2'};

struct alignas(4096) Header {
  char magic[8];
  uint32_t process;
  int32_t rank;             // in its MPI job; -1: in none
  ClockMoment begin;
  ClockMoment end;          // zero: it has not come to its end
  uint64_t chunks;          // for which there is room
  uint32_t ring;            // the oldest ones make room for new ones
  std::atomic<uint32_t> cut_off;   // events were left out for want of room
  std::atomic<uint64_t> taken;     // chunks; more than there is room for in a ring
  char boot[40];            // of the machine, which its monotonic clock counts from
  char command[2048];
  // Places in the program's code; 0 is none. Open addressing: those that are taken do not change.
  std::atomic<uint64_t> sites[kSites];
};

}  // namespace tulle::trace
