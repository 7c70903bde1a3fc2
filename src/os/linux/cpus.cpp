// SPDX-License-Identifier: Apache-2.0
// Affinity mask and control-group quota on Linux. A quota may stand in any of the nested groups
// between the process's own and the mount point, in the version 1 and the version 2 hierarchy, so
// all of them are asked. Formats: proc_pid_mountinfo(5), cgroups(7), the kernel's cgroup-v2.rst.
#include "os/cpus.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/system_call.h"

namespace tulle::os {
namespace {

// Room for a path. A longer one is not followed: the caller's stack may be small.
constexpr int kPathRoom = 1024;

// A small file, cut off at the buffer's end. False if it cannot be read.
template <std::size_t Size>
bool read_small_file(const char* folder, const char* name, char (&text)[Size]) {
  char path[kPathRoom];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= kPathRoom) return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t got = read(fd, text, Size - 1);
  close(fd);
  text[got > 0 ? got : 0] = '\0';
  return got > 0;
}

// Takes the next line off `rest`, ending it with a null byte. Null at the end.
char* next_line(char** rest) {
  char* line = *rest;
  if (line == nullptr || *line == '\0') return nullptr;
  char* end = strchr(line, '\n');
  if (end != nullptr) *end = '\0';
  *rest = end != nullptr ? end + 1 : nullptr;
  return line;
}

// Whether `word` stands in a list that commas separate.
bool lists(const char* list, const char* word) {
  std::size_t length = strlen(word);
  for (const char* at = list; at != nullptr; at = strchr(at, ',')) {
    if (*at == ',') ++at;
    if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

// mountinfo writes space, tab, newline and backslash as three octal digits.
void unescape(char* text) {
  char* out = text;
  for (char* in = text; *in != '\0'; ++out) {
    if (in[0] == '\\' && in[1] >= '0' && in[1] <= '3' && in[2] != '\0' && in[3] != '\0') {
      *out = static_cast<char>((in[1] - '0') * 64 + (in[2] - '0') * 8 + (in[3] - '0'));
      in += 4;
    } else {
      *out = *in++;
    }
  }
  *out = '\0';
}

// The part of a control group's path below a mount whose root is `mount_root`. A path outside of it
// (another control-group namespace) counts as the mount point itself.
const char* below(const char* mount_root, const char* group) {
  std::size_t length = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
  if (strncmp(group, mount_root, length) != 0) return "";
  const char* rest = group + length;
  if (*rest != '/' || rest[1] == '\0' || strstr(rest, "/..") != nullptr) return "";
  return rest;
}

bool tighter(const CpuQuota& a, const CpuQuota& b) {
  if (!b.limited()) return true;
  return static_cast<double>(a.quota) / static_cast<double>(a.period) <
         static_cast<double>(b.quota) / static_cast<double>(b.period);
}

bool read_quota_v1(const char* folder, CpuQuota& quota) {
  char text[64];
  if (!read_small_file(folder, "cpu.cfs_quota_us", text)) return false;
  quota.quota = atol(text);
  if (quota.quota <= 0 || !read_small_file(folder, "cpu.cfs_period_us", text)) return false;
  quota.period = atol(text);
  return quota.period > 0;
}

bool read_quota_v2(const char* folder, CpuQuota& quota) {
  char text[64];
  return read_small_file(folder, "cpu.max", text) &&
         sscanf(text, "%ld %ld", &quota.quota, &quota.period) == 2 && quota.quota > 0 &&
         quota.period > 0;
}

// Asks the group and all groups around it, up to the mount point.
void ask_groups(int version, const char* mount_point, const char* rest, CpuQuota& tightest) {
  char folder[kPathRoom];
  int length = snprintf(folder, sizeof folder, "%s%s", mount_point, rest);
  if (length >= kPathRoom) return;
  std::size_t top = strlen(mount_point);
  for (;;) {
    CpuQuota quota;
    quota.version = version;
    snprintf(quota.group, sizeof quota.group, "%.*s", static_cast<int>(sizeof quota.group) - 1,
             folder);
    bool found = version == 1 ? read_quota_v1(folder, quota) : read_quota_v2(folder, quota);
    if (found && tighter(quota, tightest)) tightest = quota;
    char* slash = strrchr(folder, '/');
    if (slash == nullptr || slash < folder + top) return;
    *slash = '\0';
  }
}

struct CgroupMount {
  int version;
  char* root;
  char* point;
};

// Reads one line of mountinfo: "id parent major:minor root point options [fields] - type source
// options". False unless it is a hierarchy that limits CPU time.
bool parse_mount(char* line, CgroupMount& mount) {
  char* tail = strstr(line, " - ");
  if (tail == nullptr) return false;
  *tail = '\0';
  char* save = nullptr;
  char* type = strtok_r(tail + 3, " ", &save);
  strtok_r(nullptr, " ", &save);
  char* options = strtok_r(nullptr, " ", &save);
  if (type == nullptr || options == nullptr) return false;
  if (strcmp(type, "cgroup2") == 0)
    mount.version = 2;
  else if (strcmp(type, "cgroup") == 0 && lists(options, "cpu"))
    mount.version = 1;
  else
    return false;
  char* field = strtok_r(line, " ", &save);
  for (int i = 0; i < 3 && field != nullptr; ++i) field = strtok_r(nullptr, " ", &save);
  mount.root = field;
  mount.point = strtok_r(nullptr, " ", &save);
  if (mount.root == nullptr || mount.point == nullptr) return false;
  unescape(mount.root);
  unescape(mount.point);
  return true;
}

struct OwnGroups {
  char v1[kPathRoom] = "";
  char v2[kPathRoom] = "";
};

// Reads /proc/self/cgroup: lines of "number:controllers:path", version 2 as "0::path".
void read_own_groups(const char* root, OwnGroups& groups) {
  char path[kPathRoom];
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  char* text = nullptr;
  if (read_whole_file(path, &text) < 0) return;
  for (char *rest = text, *line; (line = next_line(&rest)) != nullptr;) {
    char* controllers = strchr(line, ':');
    char* group = controllers != nullptr ? strchr(++controllers, ':') : nullptr;
    if (group == nullptr) continue;
    *group++ = '\0';
    if (*controllers == '\0')
      snprintf(groups.v2, sizeof groups.v2, "%s", group);
    else if (lists(controllers, "cpu"))
      snprintf(groups.v1, sizeof groups.v1, "%s", group);
  }
  free(text);
}

// The hierarchy is mounted at the usual place, and the process's own group lies there. To write mountinfo takes the
// kernel longer than all else here.
bool ask_usual_place(const char* root, const OwnGroups& groups, CpuQuota& tightest) {
  const bool first = *groups.v1 != '\0';
  const char* group = first ? groups.v1 : groups.v2;
  if (*group != '/' || strstr(group, "/..") != nullptr) return false;
  const char* rest = group[1] == '\0' ? "" : group;
  char point[kPathRoom], members[kPathRoom];
  snprintf(point, sizeof point, "%s/sys/fs/cgroup%s", root, first ? "/cpu" : "");
  if (snprintf(members, sizeof members, "%s%s/cgroup.procs", point, rest) >= kPathRoom) return false;
  if (access(members, F_OK) != 0) return false;
  ask_groups(first ? 1 : 2, point, rest, tightest);
  return true;
}

}  // namespace

std::ptrdiff_t read_whole_file(const char* path, char** text) {
  *text = nullptr;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  std::size_t size = 0, room = 4096;
  char* buffer = static_cast<char*>(malloc(room));
  while (buffer != nullptr) {
    ssize_t got = read(fd, buffer + size, room - size - 1);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
    if (room - size > 1) continue;
    room *= 2;
    char* larger = static_cast<char*>(realloc(buffer, room));
    if (larger == nullptr) free(buffer);
    buffer = larger;
  }
  close(fd);
  if (buffer == nullptr) return -1;
  buffer[size] = '\0';
  *text = buffer;
  return static_cast<std::ptrdiff_t>(size);
}

CpuQuota cpu_quota(const char* root) {
  CpuQuota tightest;
  OwnGroups groups;
  read_own_groups(root, groups);
  if (ask_usual_place(root, groups, tightest)) return tightest;
  char path[kPathRoom];
  snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
  char* text = nullptr;
  if (read_whole_file(path, &text) < 0) return tightest;
  for (char *rest = text, *line; (line = next_line(&rest)) != nullptr;) {
    CgroupMount mount;
    if (!parse_mount(line, mount)) continue;
    const char* group = mount.version == 1 ? groups.v1 : groups.v2;
    if (*group == '\0') continue;
    snprintf(path, sizeof path, "%s%s", root, mount.point);
    ask_groups(mount.version, path, below(mount.root, group), tightest);
  }
  free(text);
  return tightest;
}

bool parse_cpu_list(const char* text, CpuSet& cpus) {
  cpus = CpuSet{};
  const char* at = text;
  while (*at != '\0' && *at != '\n') {
    char* end = nullptr;
    long first = strtol(at, &end, 10);
    if (end == at) return false;
    long last = first;
    if (*end == '-') {
      at = end + 1;
      last = strtol(at, &end, 10);
      if (end == at) return false;
    }
    if (first < 0 || last < first || last >= kMaxCpus) return false;
    for (long cpu = first; cpu <= last; ++cpu) cpus.add(static_cast<int>(cpu));
    if (*end == ',')
      ++end;
    else if (*end != '\0' && *end != '\n')
      return false;
    at = end;
  }
  return true;
}

int current_cpu() {
  unsigned cpu = 0;
  return arch::system_call(SYS_getcpu, reinterpret_cast<long>(&cpu), 0, 0) == 0 ? static_cast<int>(cpu) : -1;
}

CpuSet online_cpus(const char* root) {
  CpuSet cpus;
  char path[kPathRoom];
  char* text = nullptr;
  if (snprintf(path, sizeof path, "%s/sys/devices/system/cpu/online", root) >= kPathRoom) return cpus;
  if (read_whole_file(path, &text) < 0) return cpus;
  if (!parse_cpu_list(text, cpus)) cpus = CpuSet{};
  free(text);
  return cpus;
}

bool affinity_mask(int tid, CpuSet& mask) {
  mask = CpuSet{};
  auto* words = reinterpret_cast<cpu_set_t*>(mask.words());
  return sched_getaffinity(tid, kMaxCpus / CHAR_BIT, words) == 0 && !mask.empty();
}

bool set_affinity_mask(int tid, const CpuSet& mask) {
  auto* words = reinterpret_cast<const cpu_set_t*>(mask.words());
  return sched_setaffinity(tid, kMaxCpus / CHAR_BIT, words) == 0;
}

CpuSet allowed_cpus() {
  CpuSet allowed;
  if (affinity_mask(0, allowed)) return allowed;
  allowed = online_cpus();
  if (allowed.empty()) allowed.add(0);
  return allowed;
}

UsableCpus usable_cpus() {
  UsableCpus usable;
  usable.allowed = allowed_cpus();
  usable.quota = cpu_quota("");
  usable.count = usable.allowed.count();
  if (usable.quota.cpus() < usable.count) usable.count = usable.quota.cpus();
  return usable;
}

}  // namespace tulle::os
