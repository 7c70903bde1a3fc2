// SPDX-License-Identifier: Apache-2.0
#include "os/pages.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "arch/system_call.h"
#include "os/cpus.h"
#include "os/keep_errno.h"
#include "os/memory.h"

namespace tulle::os {

namespace {

constexpr int kPreferred = 1;  // MPOL_PREFERRED of the kernel's mempolicy interface
constexpr int kInterleave = 3;
constexpr int kMove = 2;  // MPOL_MF_MOVE: pages of this process alone

// It asks the kernel's page, which takes a tenth of a system call. Since glibc 2.29, and not linked by name: the library is
// to be loaded by older ones, too. Null: it is not there, or nobody has asked for nodes.
using GetCpu = int (*)(unsigned*, unsigned*);
std::atomic<GetCpu> getcpu_of_libc{nullptr};

// Nodes that have memory; empty if the kernel knows no nodes. They are numbered like CPUs.
CpuSet memory_nodes() {
  CpuSet nodes;
  char* text = nullptr;
  if (read_whole_file("/sys/devices/system/node/has_memory", &text) >= 0) {
    if (!parse_cpu_list(text, nodes)) nodes = CpuSet{};
    free(text);
  }
  return nodes;
}

void set_policy(void* address, size_t bytes, int mode, const CpuSet& nodes, int flags = 0) {
  arch::system_call(SYS_mbind, reinterpret_cast<long>(address), static_cast<long>(bytes), mode,
                    reinterpret_cast<long>(nodes.words()), kMaxCpus, flags);
}

void prefer_node(void* address, size_t bytes, int node, int flags = 0) {
  CpuSet one;
  one.add(node);
  set_policy(address, bytes, kPreferred, one, flags);
}

void spread_blocked(char* address, size_t bytes, const CpuSet& nodes) {
  size_t pages = (bytes + page_size() - 1) / page_size();
  size_t per_node = (pages + nodes.count() - 1) / nodes.count() * page_size();
  char* end = address + pages * page_size();
  for (int node = nodes.first(); node >= 0 && address < end; node = nodes.next(node)) {
    size_t part = std::min(per_node, static_cast<size_t>(end - address));
    prefer_node(address, part, node);
    address += part;
  }
}

}  // namespace

bool lock_pages(void* address, size_t bytes) {
  KeepErrno keep;
  return mlock(address, bytes) == 0;
}

void spread_pages(void* address, size_t bytes, PageSpread spread) {
  KeepErrno keep;
  CpuSet nodes = memory_nodes();
  if (nodes.count() <= 1) return;
  unsigned node = 0;
  if (spread == PageSpread::interleaved)
    set_policy(address, bytes, kInterleave, nodes);
  else if (spread == PageSpread::blocked)
    spread_blocked(static_cast<char*>(address), bytes, nodes);
  else if (arch::system_call(SYS_getcpu, 0, reinterpret_cast<long>(&node)) == 0)
    prefer_node(address, bytes, static_cast<int>(node));
}

int memory_node_count() {
  KeepErrno keep;
  const int count = std::max(1, memory_nodes().count());
  if (count > 1) getcpu_of_libc.store(reinterpret_cast<GetCpu>(dlsym(RTLD_DEFAULT, "getcpu")), std::memory_order_relaxed);
  return count;
}

int current_memory_node() {
  KeepErrno keep;
  unsigned cpu = 0, node = 0;
  const GetCpu ask = getcpu_of_libc.load(std::memory_order_relaxed);
  const long failed = ask != nullptr ? ask(&cpu, &node)
                                     : arch::system_call(SYS_getcpu, reinterpret_cast<long>(&cpu), reinterpret_cast<long>(&node));
  return failed == 0 ? static_cast<int>(node) : 0;
}

void put_at_node(void* address, size_t bytes, int node) {
  if (bytes != 0) prefer_node(address, bytes, node, kMove);
}

}  // namespace tulle::os
