// SPDX-License-Identifier: Apache-2.0
// Fork and join. A region is published by one store for each worker that takes part: the claims of
// its seat, in the line that holds function and data. Members that nobody else claims are called by
// the encountering thread at the join, on top of its own frames, which wait for exactly those.
#include "omp/region/parallel.h"

#include "arch/cpu.h"
#include "base/look.h"
#include "base/probe.h"
#include "omp/binding/placement.h"
#include "omp/region/cached_teams.h"
#include "omp/region/guests.h"
#include "omp/region/initial_team.h"
#include "omp/region/inner_teams.h"
#include "omp/region/lent_blocks.h"
#include "omp/region/members.h"
#include "omp/region/placed_team.h"
#include "omp/region/publish.h"
#include "omp/region/spinning.h"
#include "omp/region/stray.h"
#include "omp/region/team_size.h"
#include "omp/task/depend.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_serve.h"
#include "omp/task/task_wait.h"
#include "omp/tool/events.h"
#include "os/fence.h"
#include "sched/announce.h"
#include "sched/call_elsewhere.h"
#include "sched/enter.h"
#include "sched/give_way.h"
#include "sched/wait.h"
#include "sched/workers.h"
#include "ult/exception_state.h"

namespace tulle::omp {

namespace {

using sync::ClaimRange;

// Tools learn of other members where these call what the team has published.
TULLE_COLD void observe_begin(Thread* thread) {
  observe_member(thread);
  if (tool::active() && thread->num == 0) tool::begin_primary(thread);
}

// From the seat's line and from fields that stay as they are, so that beginning costs one cache miss.
void begin_member(const Team* team, Thread* thread, const uint32_t* counts, uint32_t generation) {
  thread->implicit.icv = team->icv;
  thread->innermost.store(&thread->implicit, std::memory_order_relaxed);
  set_looked_at(thread->next_barrier, look(counts[kBarriers]));
  thread->constructs = look(counts[kConstructs]);
  thread->singles = look(counts[kSingles]);
  thread->work_share = nullptr;
  thread->combined = 0;
  thread->interface_data = nullptr;
  thread->descent = kDescent;
  thread->implicit.group = nullptr;
  thread->implicit.born = 0;
  thread->implicit.balance.store(Task::kAlive, std::memory_order_relaxed);
  thread->active_generation.store(generation, std::memory_order_release);
  if (TULLE_UNLIKELY(team->observed)) observe_begin(thread);
  if (TULLE_UNLIKELY(thread->implicit.table != nullptr))  // made in the region before
    free_dependence_table(thread, &thread->implicit);
}

// The member's work is ordered before the join, and before what others do in its name.
TULLE_COLD void note_end(const Team* team, const Thread* thread) {
  ult::happens_before(&team->joiner);
  ult::happens_before(thread);
}

// Tasks may have ended after the members.
TULLE_COLD void note_join(const Team* team) {
  ult::happens_after(&team->joiner);
  ult::happens_after(&team->sleepers);
}

// Member 0 stands for the encountering thread: on its worker, under its block.
void begin_primary(Team* team, Thread* outer, Thread* primary) {
  sched::Worker* w = outer->worker;
  set_looked_at(primary->tls, outer->tls);
  set_looked_at(primary->native_tls, outer->native_tls);
  // Makers of tasks announce the team too: in the same runqueue, so under the same lock. A foreign
  // thread's frames may be on a spare worker, but only its own can lend its name, and looks nowhere else.
  sched::Worker* holder = outer->home != nullptr ? outer->home : w;
  if (team->holder.load(std::memory_order_relaxed) != holder)
    team->holder.store(holder, std::memory_order_relaxed);  // published with the claims
  primary->begin_call();
  sched::enter(w, primary, &primary->implicit, sched::footing_of(outer));
  begin_member(team, primary, team->first, team->generation);
}

// After a cancelled region members stand at different counts.
void settle_counts(Team* team, Thread* primary) {
  uint32_t barrier = primary->next_barrier, construct = primary->constructs,
           single = primary->singles;
  if (TULLE_UNLIKELY(team->cancelled.load(std::memory_order_relaxed) != 0)) {
    for (uint32_t i = 1; i < team->nthreads; ++i) {
      Thread* member = team->members[i];
      if (static_cast<int32_t>(member->next_barrier - barrier) > 0) barrier = member->next_barrier;
      if (static_cast<int32_t>(member->constructs - construct) > 0) construct = member->constructs;
      if (static_cast<int32_t>(member->singles - single) > 0) single = member->singles;
    }
    team->cancelled.store(0, std::memory_order_relaxed);
    team->arrivals.store(0, std::memory_order_relaxed);
    team->singles_taken.store(single, std::memory_order_relaxed);
  }
  team->first[kBarriers] = barrier + 1;
  team->first[kConstructs] = construct;
  team->first[kSingles] = single;
}

}  // namespace

namespace {

// The frame of `below` has ended, or waits for exactly the member that is about to be called on top:
// others may run tasks in its name, which may be what the member waits for. Not under a block that the
// member uses too.
bool lend_below(Team* team, Thread* below, const Thread* member) {
  if (member->tls == 0 && team->thread_locals) return false;
  if (TULLE_LIKELY(!team->tasks.used(below->next_barrier))) {
    sched::lend(below);
    os::hot_fence();  // before the look at the tasks; pairs with a sleeper's heavy fence
  } else {
    ult::happens_before(below);
    sched::release(below);
  }
  if (TULLE_UNLIKELY(team->tasks.used(below->next_barrier))) offer(team);
  return true;
}

// Its tied tasks may be waiting still; without any, nobody else knows the thread.
TULLE_INLINE void give_up(Team* team, Thread* ended) {
  if (TULLE_UNLIKELY(team->tasks.used(ended->next_barrier))) {
    sched::release(ended);
    return;
  }
  ended->mailbox.store(0, std::memory_order_release);  // pairs with may_lend()
}

TULLE_MAY_SUSPEND void call_body(const sched::Seat& seat, const Team* team, Thread* thread) {
  const uint32_t count = seat.call & sched::kWordCount;
  if (TULLE_LIKELY(count == sched::kOnlyData)) {
    seat.function(seat.words[0]);
  } else if (TULLE_LIKELY(count <= sched::kSeatWords)) {
    team->call_with_words(thread, seat.function, seat.words, count);
  } else {
    auto* words = static_cast<void* const*>(seat.words[0]);
    team->call_with_words(thread, seat.function, words, reinterpret_cast<uintptr_t>(seat.words[1]));
  }
}

// A member's own block, or the one in force.
uintptr_t tls_of(const Thread* thread, uintptr_t in_force) { return thread->tls != 0 ? thread->tls : in_force; }

// On the stack at hand, where `tls` is in force and `home` the footing's; a loop has its worker's block in force.
Thread* enter_member(const sched::Seat& seat, uint32_t generation, uint32_t number, sched::Worker* w,
                     uintptr_t tls, sched::Worker* home) {
  auto* team = static_cast<Team*>(seat.bubble);
  Thread* thread = team->members[number];
  thread->begin_call();
  sched::enter(w, thread, &thread->implicit, {tls_of(thread, tls), home});
  begin_member(team, thread, seat.counts, generation);
  return thread;
}

// Members of one seat that are called one after the other. The next one begins where the last one has ended, from block
// to block and from stack to stack: there is nothing in between for which the caller's own would have to be put in
// force, unless others may run tasks in the last one's name.
template <class Claim>
struct Calls {
  Team* team;
  const sched::Seat& seat;
  uint32_t generation;
  Claim claim;                    // of the next number, by a worker
  uint32_t number;                // claimed last; kNone: there are no more
  sched::Worker* only = nullptr;  // on which others may follow; null: on any, as called by its loop
  sched::Footing footing{};       // there
  bool may_follow = true;
  bool has_ended = false;
  uint32_t called = 0;
  Thread* thread = nullptr;           // in force
  arch::FloatControl control = 0;     // in force when it begins

  void begin(sched::Worker* w, sched::Footing on) {
    thread = enter_member(seat, generation, number, w, on.tls, on.home);
    has_ended = false;
    if (TULLE_UNLIKELY(team->by_leaders)) publish_as_leader(team, seat, generation, number);
  }

  TULLE_INLINE void go_on() {
    ++called;
    Thread* ended = thread;
    sched::Worker* w = ended->worker;
    number = claim(w);
    has_ended = number == ClaimRange::kNone || !may_follow || (only != nullptr && w != only) ||
                TULLE_UNLIKELY(team->tasks.used(ended->next_barrier));
    if (has_ended) return;
    const sched::Footing next = only != nullptr ? footing : sched::Footing{w->own_tls, nullptr};
    has_ended = !sched::moves_plainly(w, tls_of(team->members[number], next.tls), w->tls);
    if (TULLE_UNLIKELY(has_ended)) return;
    begin(w, next);
    give_up(team, ended);
  }

  TULLE_INLINE TULLE_MAY_SUSPEND void run_one() {
    sched::count_step(thread->worker);
    arch::use_float_control(control, seat.call);
    call_body(seat, team, thread);
    if (TULLE_UNLIKELY(ult::race_detector)) note_end(team, thread);
    go_on();
    if (!has_ended) control = arch::float_control();
  }

  // A whole member's frames lie on the stack of the pthread whose block it carries.
  sched::Place place() const {
    ult::TlsBlock* block = has_ended ? nullptr : thread->block;
    return block != nullptr && block->top != nullptr ? sched::Place{&block->stack, block->top} : sched::Place{};
  }

  TULLE_MAY_SUSPEND static sched::Place step(void* data) {
    auto* calls = static_cast<Calls*>(data);
    calls->run_one();
    return calls->place();
  }

  TULLE_MAY_SUSPEND TULLE_NOINLINE void run_whole() {
    while (!has_ended) {
      if (sched::Place own = place(); own.stack != nullptr)
        sched::call_elsewhere(own, step, this);
      else
        run_one();
    }
  }

  TULLE_INLINE TULLE_MAY_SUSPEND void run_bare() {
    do run_one();
    while (!has_ended);
  }

  // The one that has begun, and those that follow. The last one stays in force.
  TULLE_INLINE TULLE_MAY_SUSPEND void run() {
    const arch::FloatControl below = control = arch::float_control();
    if (TULLE_LIKELY(!team->thread_locals))
      run_bare();
    else
      run_whole();
    arch::restore_float_control(arch::float_control(), below);
  }
};

// Calls members on a loop's stack, `number` first, and then those that claim(worker) gives, until there is none. Returns
// how many; `w` is updated, and its own block in force.
template <class Claim>
TULLE_INLINE TULLE_MAY_SUSPEND uint32_t call_from_loop(const sched::Seat& seat, uint32_t generation, uint32_t number,
                                                       sched::Worker*& w, Claim claim) {
  Calls<Claim> calls{static_cast<Team*>(seat.bubble), seat, generation, claim, number};
  do {
    calls.begin(w, {w->tls, nullptr});
    calls.run();
    w = calls.thread->worker;
    sched::use_own_tls(w);  // before others may run something in its name, under its block
    give_up(calls.team, calls.thread);
  } while (calls.number != ClaimRange::kNone);
  return calls.called;
}

// Calls members of one seat while there are any: what is reserved for the worker, or from the low end at
// its own seat, from the high end at another's. Returns how many; `w` is updated.
uint32_t call_claimed(sched::Seat* seat, sched::Worker*& w) {
  uint32_t generation;
  if (TULLE_LIKELY(seat->worker == w)) {
    uint32_t number = seat->claims.claim_reserved(seat->own, generation);
    if (number != ClaimRange::kNone) {
      w = call_member(*seat, generation, number, w);
      return 1;
    }
  }
  if (!seat->claims.open_in(generation)) return 0;
  auto claim = [seat, generation](const sched::Worker* by) {
    return seat->worker == by ? seat->claims.claim_low(generation) : seat->claims.claim_high(generation);
  };
  uint32_t number = claim(w);
  return number != ClaimRange::kNone ? call_from_loop(*seat, generation, number, w, claim) : 0;
}

// Calls members of one seat on top of the frames of `below`, `number` first, and then those that claim(worker) gives.
template <class Claim>
TULLE_MAY_SUSPEND void call_all_on_top(Team* team, sched::Seat& seat, Thread* below, uint32_t number, Claim claim) {
  // The frames below keep their exceptions: in the thread's own block they would go along with a task that waits in its name.
  const bool own_blocks = team->thread_locals;
  ult::ExceptionState exceptions;
  if (TULLE_UNLIKELY(own_blocks)) ult::save_exception_state(exceptions);
  Calls<Claim> calls{team, seat, team->generation, claim, number};
  do {
    sched::Worker* before = calls.only = below->worker;
    calls.footing = sched::footing_of(below);
    const Thread* first = team->members[calls.number];
    if (!sched::moves_plainly(before, tls_of(first, calls.footing.tls), calls.footing.tls))
      sched::prepare_to_enter(before, first->tls);
    calls.begin(before, calls.footing);
    const bool lent = calls.may_follow = lend_below(team, below, calls.thread);
    calls.run();
    Thread* thread = calls.thread;
    sched::Worker* w = thread->worker;
    // The frames below go on when nothing runs in their thread's name any more; else under its block too.
    bool is_free = !lent || below->try_acquire();
    sched::Footing footing = calls.footing;
    if (w != before) footing.tls = below->tls != 0 ? below->tls : w->own_tls;
    if (is_free)
      sched::use_tls(w, footing.tls);
    else
      sched::use_own_tls(w);
    give_up(team, thread);
    if (is_free)
      sched::enter(w, below, &below->implicit, footing);
    else
      sched::take_back_later(below, w, &below->implicit, footing);
    if (lent) ult::happens_after(below);
  } while (calls.number != ClaimRange::kNone);
  team->ran_by_parent += calls.called;
  if (TULLE_UNLIKELY(seat.leader != nullptr)) {  // their cluster is counted as a whole
    team->to_finish += calls.called;
    report_finished(team, &seat, calls.called);
  }
  if (TULLE_UNLIKELY(own_blocks)) ult::restore_exception_state(exceptions);
}

TULLE_MAY_SUSPEND void call_unclaimed(Team* team, Thread* primary) {
  uint32_t generation = team->generation, count = seat_count(team);
  sched::Seat* seats = seats_of(team);
  auto low = [=](const sched::Worker*) { return seats[0].claims.claim_low(generation); };
  if (uint32_t number = low(nullptr); number != ClaimRange::kNone) call_all_on_top(team, seats[0], primary, number, low);
  const bool many = team->meets_at == MeetAt::tree;
  const bool all_ended = all_finished(team) || (TULLE_UNLIKELY(many) ? leave_time_to_many(team) : leave_time(team));
  for (uint32_t i = all_ended ? count : 1; i < count; ++i) {
    sched::Seat& seat = seats[i];
    if (has_cluster_ended(team, seat)) continue;
    take_back(seat);
    auto high = [&](const sched::Worker*) { return seat.claims.claim_high(generation); };
    if (uint32_t number = high(nullptr); number != ClaimRange::kNone) call_all_on_top(team, seat, primary, number, high);
  }
}

}  // namespace

sched::Worker* call_member(const sched::Seat& seat, uint32_t generation, uint32_t number, sched::Worker* w) {
  call_from_loop(seat, generation, number, w, [](const sched::Worker*) { return ClaimRange::kNone; });
  return w;
}

void call_on_top(Team* team, sched::Seat& seat, Thread* below, uint32_t number) {
  call_all_on_top(team, seat, below, number, [](const sched::Worker*) { return ClaimRange::kNone; });
}

namespace {

TULLE_NOINLINE bool poll_for_many(const Team* team) {
  auto done = [team] { return all_finished(team); };
  return sched::poll(done) || sched::poll_patiently(done, done, 0);
}

}  // namespace

void report_finished(Team* team, sched::Seat* seat, uint32_t called) {
  if (sched::Seat* leader = seat->leader; TULLE_UNLIKELY(leader != nullptr)) {
    called = count_below(seat, called);
    if (called == 0) return;
    seat = leader;
  }
  seat->finished.fetch_add(called, std::memory_order_acq_rel);  // pairs with the join's loads
  arch::fence_after_atomic();  // before the look; pairs with the waiter's in WaitList::add
  if (!team->joiner.empty()) team->joiner.wake_all();
}

void wait_for_members(Team* team) {
  auto done = [team] { return all_finished(team); };
  if (TULLE_UNLIKELY(team->meets_at == MeetAt::tree) && poll_for_many(team)) return;
  sched::wait(team->joiner, done);
}

namespace {

sched::Worker* serve_one(Team* team, sched::Seat* seat, sched::Worker* w) {
  sched::Worker* home = w;
  uint32_t called = call_claimed(seat, w);
  if (called == 0) return nullptr;
  // Stay at the seat for the next region, unless a member blocked and took this stack elsewhere.
  if (w == home && w == seat->worker) sched::take_seat(w, seat);
  report_finished(team, seat, called);
  return w;
}

}  // namespace

sched::Worker* serve_seat(sched::Seat* seat, sched::Worker* w) {
  auto* team = static_cast<Team*>(seat->bubble);
  if (TULLE_UNLIKELY(w->seat.load(std::memory_order_relaxed) != seat))  // W: w itself
    team->waking.go_on(seat_range(team));
  return serve_one(team, seat, w);
}

sched::Worker* serve_team(sched::Bubble* bubble, sched::Worker* w) {
  auto* team = static_cast<Team*>(bubble);
  team->waking.go_on(seat_range(team));
  bool any = false;
  for (uint32_t pass = 0; pass < 2; ++pass) {
    for (uint32_t i = 0; i < seat_count(team); ++i) {
      sched::Seat* seat = &seats_of(team)[i];
      // First the seat that is this worker's own, then what is left of others'.
      if ((pass == 0) != (seat->worker == w)) continue;
      if (sched::Worker* after = serve_one(team, seat, w)) {
        w = after;
        any = true;
      }
    }
  }
  if (!any && team->may_reopen.load(std::memory_order_relaxed)) return serve_tasks(team, w);
  return any ? w : nullptr;
}

uint32_t left_in_team(const sched::Bubble* bubble, const sched::Worker* worker, uint32_t enough) {
  auto* team = static_cast<Team*>(const_cast<sched::Bubble*>(bubble));
  uint32_t left = 0;
  uint32_t count = seat_count(team);
  const sched::Seat* seats = seats_of(team);
  for (uint32_t i = 0; i < count && left < enough; ++i) left += seats[i].claims.left();
  if (team->may_reopen.load(std::memory_order_relaxed) && can_serve_tasks(team, worker)) ++left;
  return left;
}

Thread* fork(Thread* outer, const RegionRequest& request, uint32_t nthreads,
             void (*before)(Thread*, void*), void* argument) {
  if (TULLE_UNLIKELY(!sched::has_room(outer->worker))) {
    Thread* caller = caller_without_room(outer);
    if (caller != outer) nthreads = team_size(caller, request.num_threads);
    outer = caller;
  }
  const bool may_spin = TULLE_UNLIKELY(nthreads > 1 && outer->team->active_level > 0) && TULLE_UNLIKELY(some_spin());
  if (TULLE_UNLIKELY(may_spin)) nthreads = size_if_spinning(outer, request, nthreads);
  const Icv* icv = outer->task()->icv;
  bool limited = nthreads > 1 && icv->thread_limit != kUnlimitedThreads;
  if (TULLE_UNLIKELY(limited)) nthreads = reserve_threads(outer, nthreads);
  Team* team = nthreads == 1 ? outer->inner_alone : outer->inner;
  if (TULLE_UNLIKELY(team == nullptr || team->nthreads != nthreads || !is_flat(team))) {
    team = fit_team(outer, nthreads);
    note_stray(team, outer);
  }
  if (TULLE_UNLIKELY(limited)) team->reserved = nthreads - 1;
  if (TULLE_UNLIKELY(icv_changes_inside(*icv))) {
    team->icv_inside = icv_inside(*icv);
    icv = &team->icv_inside;
  }
  keep(team->icv, icv);
  team->function = request.function;
  set_looked_at(team->code, request.code != nullptr ? request.code : reinterpret_cast<const void*>(request.function));
  team->data = request.data;
  team->words = request.words;
  keep(team->level, outer->team->level + 1);
  keep(team->active_level, outer->team->active_level + (team->nthreads > 1 ? 1 : 0));
  keep(team->observed, icv->observed);
  if (TULLE_UNLIKELY(icv->observed)) {
    bool by_libomp = request.words != nullptr || request.code != nullptr;
    observe_fork(team, outer, request.bind, by_libomp ? Peer::libomp : Peer::libgomp);
    if (tool::active())
      tool::begin_region(team, outer, nthreads, before == make_team_initial);
    else if (tool::have_left() && icv == &outer->own_icv && outer->team->parent == nullptr)
      observe_without_tools(outer);  // nobody else has these ICVs before the team begins
  }
  TULLE_PROBE_2(region_begin, team->code, team->nthreads);
  if (TULLE_UNLIKELY(team->combine_turn.load(std::memory_order_relaxed) != 0))
    team->combine_turn.store(0, std::memory_order_relaxed);  // published with the claims
  set_looked_at(team->generation, (team->generation + 1) & ClaimRange::kGenerationMask);

  Thread* primary = team->members[0];
  begin_primary(team, outer, primary);
  if (before != nullptr) {
    before(primary, argument);
    ult::happens_before(team);  // pairs with observe_member
  }
  if (team->published == 1) {
    if (TULLE_UNLIKELY(team->placed)) place_team(team, outer, primary);
    return primary;
  }
  if (TULLE_UNLIKELY(may_spin)) enter_gang(team);
  if (publish_members(team)) return primary;
  team->announced.store(true, std::memory_order_relaxed);
  sched::announce(team, team->holder.load(std::memory_order_relaxed));  // W: begin_primary
  team->waking.begin(seat_range(team), nthreads);
  if (TULLE_UNLIKELY(some_spin())) start_together_if_spinning(team);
  return primary;
}

namespace {

// All members and tasks have ended.
TULLE_MAY_SUSPEND TULLE_INLINE void meet(Team* team, Thread* primary, bool observed) {
  if (team->published > 1) {
    if (TULLE_LIKELY(!team->apart)) {
      call_unclaimed(team, primary);
      if (observed) observe_join(primary);
    }
    wait_for_members(team);
  } else if (TULLE_UNLIKELY(team->placed)) {
    join_placed(team, primary);
  }
  if (TULLE_UNLIKELY(team->tasks.used(primary->next_barrier))) finish_tasks(primary);
}

TULLE_MAY_SUSPEND TULLE_COLD void meet_observed(Team* team, Thread* primary) {
  const bool told = tool::is_told(team);
  if (told) tool::arrive(primary);
  meet(team, primary, true);
  if (told) tool::end_members(primary);
}

}  // namespace

void join() {
  Thread* primary = self_or_attach();  // the other one where the frames are on an OS thread that has used nothing yet
  Team* team = primary->team;
  Thread* outer = team->parent;
  if (TULLE_UNLIKELY(team->apart)) expect_own_region(team);
  if (TULLE_UNLIKELY(team->observed))
    meet_observed(team, primary);
  else
    meet(team, primary, false);
  if (TULLE_UNLIKELY(ult::race_detector)) note_join(team);
  if (team->announced.load(std::memory_order_relaxed)) {
    sched::withdraw(team);
    team->announced.store(false, std::memory_order_relaxed);
    if (TULLE_UNLIKELY(team->gang != 0)) leave_gang(team);
    if (team->may_reopen.load(std::memory_order_relaxed))
      team->may_reopen.store(false, std::memory_order_relaxed);
    if (TULLE_UNLIKELY(team->tasks.burst.load(std::memory_order_relaxed))) leave_burst(primary);
  }
  if (TULLE_UNLIKELY(team->reserved != 0)) give_back_threads(team);
  settle_counts(team, primary);
  sched::Worker* w = primary->worker;
  sched::count_step(w);  // others may have called all members
  sched::enter(w, outer, outer->frame, {w->tls, outer->home});
  // Inside of a region its own worker may be kept by a team mate that waits for it.
  if (TULLE_UNLIKELY(outer->home != nullptr && w != outer->home) && outer->team->parent == nullptr)
    sched::go_to(outer->home);
  else if (TULLE_UNLIKELY(sched::is_overdue(w)))
    sched::give_way_to_overdue(w);
  if (TULLE_UNLIKELY(team->observed) && tool::is_told(team)) tool::end_region(team, outer);
  TULLE_PROBE_1(region_end, team->code);
  if (TULLE_UNLIKELY(team->apart) && w->guests == sched::Guests::itself) leave_as_guest(outer);
  if (TULLE_UNLIKELY(team->may_rest)) let_rest(team, outer);
}

void parallel(Thread* outer, const RegionRequest& request) {
  fork(outer, request, team_size(outer, request.num_threads));
  request.function(request.data);
  join();
}

}  // namespace tulle::omp
