// SPDX-License-Identifier: Apache-2.0
#include "omp/region/stray.h"

#include "omp/region/guests.h"
#include "os/report.h"
#include "sched/announce.h"
#include "sched/guest.h"
#include "sched/pool.h"
#include "sched/worker.h"

namespace tulle::omp {

namespace {

// A region is entered and left in frames of one function: its two calls differ by less than two stacks do.
constexpr uintptr_t kSameStack = 4096;

uintptr_t here() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }

void make_fit_anew(Thread* outer) {
  for (Team* cached : {outer->inner, outer->inner_alone})
    if (cached != nullptr) cached->meets_at = MeetAt::anew;
}

bool is_stray(const sched::Worker* w) {
  return w->guests != sched::Guests::itself && !sched::runs_on_its_stack(w);
}

void report_stray() {
  static std::atomic<bool> reported{false};
  if (reported.exchange(true, std::memory_order_relaxed)) return;  // relaxed: it guards no data
  os::report("a parallel region was entered on a stack that the program has switched to by itself: "
             "user-level threads that switch inside of regions have to be made known (tulle/host.h)");
}

}  // namespace

Thread* caller_without_room(Thread* outer) {
  sched::Worker* w = outer->worker;
  make_fit_anew(outer);
  if (!is_stray(w)) return outer;
  if (w->guests == sched::Guests::none && sched::running_guest() != nullptr) {
    sched::expect_guests(w);
    Thread* guest = self();
    return guest != nullptr ? guest : attach_guest();
  }
  report_stray();
  return outer;
}

void note_stray_slow(Team* team, Thread* outer) {
  if (outer->team->strayed_at == 0 && !is_stray(outer->worker)) return;
  team->strayed_at = here();
  team->apart = true;
  team->may_rest = false;
  team->meets_at = MeetAt::anew;
  sched::set_seated(team, false);
  if (team->members_made != 0) make_fit_anew(team->members[0]);  // those entered in it are looked at too
}

void expect_own_region(const Team* team) {
  if (team->parent == nullptr)
    os::fatal("a parallel region is left on an OS thread that is in none: "
              "user-level threads that switch inside of regions have to be made known (tulle/host.h)");
  if (team->strayed_at == 0 || here() - team->strayed_at + kSameStack < 2 * kSameStack) return;
  os::fatal("a parallel region is left while another one is the current one, which was entered on another stack: "
            "user-level threads that switch inside of regions have to be made known (tulle/host.h)");
}

}  // namespace tulle::omp
