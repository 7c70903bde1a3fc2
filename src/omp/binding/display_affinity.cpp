// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "omp/binding/placement.h"
#include "omp/environment/display.h"
#include "omp/places/affinity_format.h"
#include "omp/places/places.h"
#include "omp/thread/team.h"
#include "omp/thread/league.h"
#include "os/cpus.h"
#include "os/thread.h"

namespace tulle::omp {
namespace {

AffinityInfo info_of(Thread* thread) {
  AffinityInfo info;
  info.native_thread = os::kernel_thread_id();
  Placement placement = placement_of(thread);
  if (placement.place >= 0)
    info.cpus = places().cpu_set(placement.place);
  else
    os::affinity_mask(0, info.cpus);
  if (thread == nullptr) return info;
  info.level = static_cast<int>(thread->team->level);
  info.thread_num = static_cast<int>(thread->num);
  info.num_threads = static_cast<int>(thread->team->nthreads);
  if (info.level > 0) info.ancestor_thread_num = static_cast<int>(thread->team->parent->num);
  if (const League* league = league_of(thread)) {
    info.team_num = static_cast<int>(league->team);
    info.num_teams = static_cast<int>(league->teams);
  }
  return info;
}

void expand(TextBuffer& out, std::string_view format, Thread* thread, Peer peer) {
  char set[kMaxAffinityFormat];
  TextBuffer standing(set, sizeof set);
  put_affinity_format(standing, peer);
  expand_affinity_format(out, format.empty() ? standing.text() : format, info_of(thread), peer);
}

void display(std::string_view format, Thread* thread, Peer peer) {
  char line[kMaxAffinityFormat * 2];
  TextBuffer out(line, sizeof line);
  expand(out, format, thread, peer);
  FILE* stream = peer == Peer::libomp ? stdout : stderr;
  fprintf(stream, "%s\n", line);
  fflush(stream);
}

}  // namespace

void capture_affinity(TextBuffer& out, std::string_view format, Peer peer) {
  expand(out, format, self(), peer);
}
void display_affinity(std::string_view format, Peer peer) { display(format, self(), peer); }
void display_affinity_of(Thread* thread, Peer peer) { display({}, thread, peer); }

}  // namespace tulle::omp
