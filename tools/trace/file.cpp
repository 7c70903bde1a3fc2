// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "stats/folder.h"
#include "stats/rank.h"
#include "stats/ticks.h"

namespace tulle::trace {

namespace {

constexpr uint64_t kDefaultMib = 256, kDefaultRingMib = 64, kLeastMib = 1, kMostMib = 64 * 1024;
constexpr uint64_t kStep = 64;  // chunks for which room on the disk is asked for at once

Header* header = nullptr;  // and the chunks behind it
Chunk* chunks = nullptr;
int file = -1;
char folder[PATH_MAX];     // W: the first open_file
char path[PATH_MAX + 64];

uint64_t ns_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

// The best of some tries: the operating system may take the processor away between two looks at clocks.
ClockMoment moment() {
  ClockMoment best{};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = stats::ticks();
    const uint64_t monotonic = ns_of(CLOCK_MONOTONIC), real = ns_of(CLOCK_REALTIME);
    const uint64_t took = stats::ticks() - before;
    if (took >= least) continue;
    least = took;
    best = {before + took / 2, monotonic, real};
  }
  return best;
}

size_t read_text(const char* name, char* text, size_t room) {
  const int from = open(name, O_RDONLY | O_CLOEXEC);
  if (from < 0) return 0;
  size_t length = 0;
  for (ssize_t got; length + 1 < room && (got = read(from, text + length, room - 1 - length)) > 0;)
    length += static_cast<size_t>(got);
  close(from);
  return length;
}

// One process number may name several programs, one after the other.
int new_file() {
  for (int i = 0; i < 1000; ++i) {
    std::snprintf(path, sizeof path, "%s/%d.%d.trace", folder, getpid(), i);
    const int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (made >= 0 || errno != EEXIST) return made;
  }
  return -1;
}

bool is_ring() { return std::getenv("TULLE_TRACE_RING") != nullptr; }

uint64_t chunks_asked() {
  const char* asked = std::getenv("TULLE_TRACE_MIB");
  uint64_t mib = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 0;
  if (mib < kLeastMib || mib > kMostMib) mib = is_ring() ? kDefaultRingMib : kDefaultMib;
  return mib * (1u << 20) / sizeof(Chunk);
}

size_t bytes_for(uint64_t count) { return sizeof(Header) + count * sizeof(Chunk); }

void fill_header(uint64_t count) {
  std::memcpy(header->magic, kMagic, sizeof kMagic);
  header->process = static_cast<uint32_t>(getpid());
  header->rank = stats::rank();
  header->begin = moment();
  header->chunks = count;
  header->ring = is_ring() ? 1 : 0;
  const size_t boot = read_text("/proc/sys/kernel/random/boot_id", header->boot, sizeof header->boot);
  if (boot > 0 && header->boot[boot - 1] == '\n') header->boot[boot - 1] = '\0';
  const size_t length = read_text("/proc/self/cmdline", header->command, sizeof header->command);
  for (size_t i = 0; i + 1 < length; ++i)
    if (header->command[i] == '\0') header->command[i] = ' ';
}

// Which files lie where in memory, beside the trace: names for the places in it.
void note_maps() {
  char name[sizeof path + 8];
  std::snprintf(name, sizeof name, "%s.maps", path);
  const int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  const int to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  char part[4096];
  for (ssize_t got; from >= 0 && to >= 0 && (got = read(from, part, sizeof part)) > 0;)
    if (write(to, part, static_cast<size_t>(got)) != got) break;
  if (from >= 0) close(from);
  if (to >= 0) close(to);
}

bool fail() {
  std::fprintf(stderr, "tulle: trace: cannot write %s: %s\n", path, std::strerror(errno));
  if (file >= 0) {
    close(file);
    unlink(path);
  }
  file = -1;
  return false;
}

// A full disk is found here, and not by a signal when the memory is touched.
bool make_room(uint64_t first) {
  const uint64_t count = header->chunks - first < kStep ? header->chunks - first : kStep;
  if (posix_fallocate(file, static_cast<off_t>(bytes_for(first)), static_cast<off_t>(count * sizeof(Chunk))) == 0)
    return true;
  header->cut_off.store(1, std::memory_order_relaxed);  // a word that is read afterwards
  return false;
}

// One that no thread writes into, claimed; null: this one is not to be had.
Chunk* claim(uint64_t number) {
  if (number >= header->chunks && header->ring == 0) return nullptr;
  if (number < header->chunks && number % kStep == 0 && !make_room(number)) return nullptr;
  Chunk* chunk = &chunks[number % header->chunks];
  uint32_t open = 0;
  return chunk->open.compare_exchange_strong(open, 1, std::memory_order_acquire) ? chunk : nullptr;  // pairs with its end
}

}  // namespace

bool open_file() {
  const bool again = header != nullptr;
  if (!again && !stats::find_folder("TULLE_TRACE", folder)) return false;
  if (file >= 0) close(file);
  const uint64_t count = chunks_asked();
  file = new_file();
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes_for(count))) != 0) return fail();
  if (const int wrong = posix_fallocate(file, 0, sizeof(Header)); wrong != 0) {
    errno = wrong;
    return fail();
  }
  void* where = mmap(header, bytes_for(count), PROT_READ | PROT_WRITE, MAP_SHARED | (again ? MAP_FIXED : 0), file, 0);
  if (where == MAP_FAILED) return fail();
  header = static_cast<Header*>(where);
  chunks = reinterpret_cast<Chunk*>(header + 1);
  fill_header(count);
  note_maps();
  return true;
}

void close_file() {
  if (file < 0) return;
  header->end = moment();
  note_maps();
}

Chunk* take_chunk(Chunk* before, uint32_t thread, uint32_t sequence) {
  if (before != nullptr) before->open.store(0, std::memory_order_release);  // pairs with claim
  for (uint64_t tries = 0; file >= 0 && tries < header->chunks; ++tries) {
    if (header->ring == 0 && header->taken.load(std::memory_order_relaxed) >= header->chunks) break;
    Chunk* chunk = claim(header->taken.fetch_add(1, std::memory_order_relaxed));
    if (chunk == nullptr && header->ring == 0) break;
    if (chunk == nullptr) continue;
    std::memset(chunk->events, 0, sizeof chunk->events);
    chunk->begin = stats::ticks();
    chunk->monotonic = ns_of(CLOCK_MONOTONIC);
    chunk->thread = thread;
    chunk->sequence = sequence;
    return chunk;
  }
  if (header != nullptr) header->cut_off.store(1, std::memory_order_relaxed);
  return nullptr;
}

uint32_t site_of(const void* code) {
  const auto word = reinterpret_cast<uint64_t>(code);
  if (word == 0) return 0;
  auto at = static_cast<uint32_t>((word * 0x9E3779B97F4A7C15u) >> 32) % kSites;
  for (uint32_t tried = 0; tried < kSites; ++tried, at = (at + 1) % kSites) {
    if (at == 0) continue;
    uint64_t found = header->sites[at].load(std::memory_order_relaxed);  // the word is all there is to see
    if (found == 0 && header->sites[at].compare_exchange_strong(found, word, std::memory_order_relaxed)) return at;
    if (found == word) return at;
  }
  return 0;
}

}  // namespace tulle::trace
