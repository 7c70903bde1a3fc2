// SPDX-License-Identifier: Apache-2.0
// The file is read and written, never mapped: whoever cuts it off does no harm. A process enters itself under a
// lock of the file, without waiting for one that is kept; a record is free when its process is gone. Records say
// when the process began, so that a number that is used again stands for nobody.
#include "os/peers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/keep_errno.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t length) {
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3;
  return hash;
}

uint64_t meeting_place(const CpuSet& mask) {
  uint64_t hash = hash_bytes(0xcbf29ce484222325, &mask, sizeof mask);
  char* groups = nullptr;
  ptrdiff_t length = read_whole_file("/proc/self/cgroup", &groups);
  if (length > 0) hash = hash_bytes(hash, groups, static_cast<size_t>(length));
  free(groups);
  return hash;
}

bool is_ours_alone(int opened) {
  struct stat state;  // by the kernel: the wheel's C libraries have the function under another name
  return arch::system_call(SYS_fstat, opened, reinterpret_cast<long>(&state)) == 0 && S_ISREG(state.st_mode) && state.st_uid == geteuid() &&
         (state.st_mode & 077) == 0;
}

// The file is opened for each look: a program may close what it has not opened, and use the number again.
int open_file(const char* path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file >= 0 && is_ours_alone(file)) return file;
  if (file >= 0) close(file);
  return -1;
}

// When a process began; 0: there is none.
uint64_t began(int64_t process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(process));
  int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return 0;
  ssize_t length = read(opened, text, sizeof text - 1);
  close(opened);
  if (length <= 0) return 0;
  text[length] = '\0';
  const char* at = strrchr(text, ')');  // proc(5): the name, the second field, may hold anything but ends here
  for (int field = 2; at != nullptr && field < 22; ++field) at = strchr(at + 1, ' ');
  return at == nullptr ? 0 : strtoull(at, nullptr, 10);
}

bool lives(const PeerRecord& record) {
  return record.process > 0 && record.process <= INT32_MAX && record.began != 0 &&
         began(record.process) == record.began;
}

// CPU time of a process in nanoseconds; 0: there is none.
uint64_t cpu_time(int64_t process) {
  // linux/posix-timers.h: CPUCLOCK_SCHED of a whole process.
  auto clock = static_cast<clockid_t>((~static_cast<unsigned>(process) << 3) | 2u);
  timespec t;
  if (arch::system_call(SYS_clock_gettime, clock, reinterpret_cast<long>(&t)) != 0) return 0;
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

// A write beyond the process's limit of file sizes would be answered by SIGXFSZ.
bool may_write_until(uint64_t end) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && end <= limit.rlim_cur;
}

uint32_t read_records(int file, PeerRecord* records) {
  ssize_t length = pread(file, records, kMaxPeers * sizeof(PeerRecord), 0);
  return length <= 0 ? 0 : static_cast<uint32_t>(static_cast<size_t>(length) / sizeof(PeerRecord));
}

}  // namespace

bool Peers::find_file(const CpuSet& mask, const char* folder) {
  if (path_[0] != '\0') return true;
  if (folder == nullptr) folder = getenv("XDG_RUNTIME_DIR");
  if (folder == nullptr || folder[0] != '/') folder = "/dev/shm";
  int length = snprintf(path_, sizeof path_, "%s/tulle-share-%u-%016llx", folder, static_cast<unsigned>(geteuid()),
                        static_cast<unsigned long long>(meeting_place(mask)));
  if (length > 0 && static_cast<size_t>(length) < sizeof path_) return true;
  path_[0] = '\0';
  return false;
}

void Peers::enter(int file, int64_t own) {
  if (flock(file, LOCK_EX | LOCK_NB) != 0) return;  // the next look tries again
  PeerRecord records[kMaxPeers];
  uint32_t count = read_records(file, records), at = 0;
  while (at < count && lives(records[at])) ++at;
  PeerRecord mine{own, began(own)};
  constexpr auto kSize = static_cast<ssize_t>(sizeof mine);
  if (at >= kMaxPeers || !may_write_until((at + 1) * sizeof mine)) return;
  if (pwrite(file, &mine, sizeof mine, static_cast<off_t>(at) * kSize) == kSize) entered_ = own;
}

// False: nobody is there.
bool Peers::use_of(const PeerRecord& record, Known& known, uint64_t elapsed, uint32_t& used) {
  uint64_t last = known.cpu_time;
  bool same = record.process > 0 && memcmp(&known.record, &record, sizeof record) == 0;
  if (!same && !lives(record)) return false;
  uint64_t time = cpu_time(record.process);
  known = {record, time};
  if (time < last && same) known.record = {};  // gone, or another one: its beginning is asked for again
  if (time == 0) return false;
  // Whoever is new counts as one that computes.
  uint64_t share = same && time >= last && elapsed != 0 ? (time - last) * 1000 / elapsed : 1000;
  used = static_cast<uint32_t>(share < 1000000 ? share : 1000000);
  return true;
}

PeersLook Peers::look(const CpuSet& mask, const char* folder) {
  KeepErrno keep;
  PeersLook found;
  int64_t own = process_id();
  uint64_t time = now(), elapsed = looked_at_ == 0 ? 0 : time - looked_at_;
  looked_at_ = time;
  int file = find_file(mask, folder) ? open_file(path_) : -1;
  if (file < 0) return found;
  PeerRecord records[kMaxPeers];
  if (entered_ != own) enter(file, own);
  uint32_t count = read_records(file, records);
  close(file);  // the lock goes with it
  bool stands = false;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t used;
    stands = stands || records[i].process == own;
    if (records[i].process == own || !use_of(records[i], known_[i], elapsed, used)) continue;
    found.used[found.count++] = used;
    found.before += used >= kSomeUse && records[i].process < own;
  }
  if (!stands) entered_ = 0;  // somebody has cleared the file
  return found;
}

}  // namespace tulle::os
