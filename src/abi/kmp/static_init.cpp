// SPDX-License-Identifier: Apache-2.0
//
// Static loop schedules of Clang, Flang and Intel's compilers: worksharing loops, distribute, and
// both at once, for 32 and 64 bits, signed and unsigned. The caller runs its part without coming back
// before __kmpc_for_static_fini. Reads the calling thread's record, changes nothing.
#include "abi/kmp/context.h"
#include "abi/kmp/layout.h"
#include "abi/kmp/static_split.h"
#include "omp/thread/asked_size.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "omp/worksharing/loop.h"

namespace tulle::kmp {
namespace {

template <class T>
using Signed = std::make_signed_t<T>;

template <class T>
Part<T> split(Bounds<T> space, Signed<T> step, Share share, ScheduleCode code, Signed<T> chunk) {
  switch (code) {
    case ScheduleCode::static_chunked:
    case ScheduleCode::distribute_chunked:
      return split_chunked(space, step, share, chunk);
    case ScheduleCode::static_balanced_chunked:
      return split_even_chunks(space, step, share, chunk);
    default:
      return split_even(space, step, share);
  }
}

bool is_distribute(ScheduleCode code) {
  return code == ScheduleCode::distribute_chunked || code == ScheduleCode::distribute_even;
}

template <class T>
void static_init(int32_t schedule, int32_t* last, T* lower, T* upper, Signed<T>* stride,
                 Signed<T> step, Signed<T> chunk) {
  const Bounds<T> space{*lower, *upper};
  if (space.empty(step)) {
    if (last) *last = 0;
    *stride = step;
    return;
  }
  omp::ask_size(omp::self_or_attach()->team);
  const ScheduleCode code = schedule_code(schedule);
  const Share share = is_distribute(code) ? league_share() : team_share();
  const Part<T> part = split(space, step, share, code, chunk);
  *lower = part.bounds.lower;
  *upper = part.bounds.upper;
  *stride = part.stride;
  if (last) *last = part.last;
}

// distribute parallel for: an even part for the team, of which each member takes its share.
template <class T>
void dist_static_init(int32_t schedule, int32_t* last, T* lower, T* upper, T* upper_dist,
                      Signed<T>* stride, Signed<T> step, Signed<T> chunk) {
  const Bounds<T> space{*lower, *upper};
  *upper_dist = *upper;
  *stride = step;
  if (last) *last = 0;
  if (space.empty(step)) return;
  const Part<T> team = split_even(space, step, league_share());
  *lower = team.bounds.lower;
  *upper = *upper_dist = team.bounds.upper;
  if (team.bounds.empty(step)) return;
  const Part<T> part = split(team.bounds, step, team_share(), schedule_code(schedule), chunk);
  *lower = part.bounds.lower;
  *upper = part.bounds.upper;
  *stride = part.stride;
  if (last) *last = team.last && part.last;
}

// distribute with a chunk: the caller moves on by the stride itself.
template <class T>
void team_static_init(int32_t* last, T* lower, T* upper, Signed<T>* stride, Signed<T> step,
                      Signed<T> chunk) {
  const Bounds<T> space{*lower, *upper};
  *stride = step;
  if (last) *last = 0;
  if (space.empty(step)) return;
  const Part<T> part = split_chunked(space, step, league_share(), chunk);
  *lower = part.bounds.lower;
  *upper = part.bounds.upper;
  *stride = part.stride;
  if (last) *last = part.last;
}

// What the compiler says of the construct that a static split is for.
omp::tool::WorkKind work_kind(const Ident* location) {
  constexpr int32_t kSections = 0x400, kDistribute = 0x800;
  const int32_t flags = location ? location->flags : 0;
  if (flags & kSections) return omp::tool::WorkKind::sections;
  return flags & kDistribute ? omp::tool::WorkKind::distribute : omp::tool::WorkKind::loop_static;
}

// The only chunk of a part that is one; what chunks follow the first one the compiled code finds itself.
template <class T>
void tell_part(omp::Thread* thread, ScheduleCode code, Bounds<T> space, Bounds<T> part, Signed<T> step) {
  using omp::tool::DispatchKind;
  const bool of_league = code == ScheduleCode::distribute_even;
  if ((code != ScheduleCode::static_even && !of_league) || space.empty(step) || part.empty(step)) return;
  omp::tool::dispatch_chunk(thread, of_league ? DispatchKind::distribute_chunk : DispatchKind::loop_chunk,
                            Bounds<T>{space.lower, part.lower}.last_index(step), uint64_t{part.last_index(step)} + 1);
}

template <class T>
TULLE_COLD void told_static_init(const Ident* location, int32_t schedule, int32_t* last, T* lower, T* upper,
                                 Signed<T>* stride, Signed<T> step, Signed<T> chunk, const void* code) {
  const Bounds<T> space{*lower, *upper};
  const omp::tool::WorkKind kind = work_kind(location);
  omp::Thread* thread = omp::self_or_attach();
  omp::tool::called_from(thread, code);
  omp::tool::begin_work(thread, kind, omp::space_through(space.lower, space.upper, step).trips);
  static_init<T>(schedule, last, lower, upper, stride, step, chunk);
  if (kind != omp::tool::WorkKind::sections)
    tell_part<T>(thread, schedule_code(schedule), space, {*lower, *upper}, step);
  else if (!space.empty(step) && !Bounds<T>{*lower, *upper}.empty(step))
    omp::tool::dispatch_section(thread);  // the first of its part; where the others begin the compiled code does not say
}

// The loop that a team of a league has of it.
template <class T>
TULLE_COLD void told_dist_static_init(int32_t schedule, int32_t* last, T* lower, T* upper, T* upper_dist, Signed<T>* stride,
                                      Signed<T> step, Signed<T> chunk, const void* code) {
  Bounds<T> space{*lower, *upper};
  omp::Thread* thread = omp::self_or_attach();
  omp::tool::called_from(thread, code);
  if (!space.empty(step)) space = split_even(space, step, league_share()).bounds;
  const uint64_t trips = space.empty(step) ? 0 : omp::space_through(space.lower, space.upper, step).trips;
  omp::tool::begin_work(thread, omp::tool::WorkKind::loop_static, trips);
  dist_static_init<T>(schedule, last, lower, upper, upper_dist, stride, step, chunk);
  tell_part<T>(thread, schedule_code(schedule), space, {*lower, *upper}, step);
}

}  // namespace

#define TULLE_STATIC_INIT(suffix, T, S)                                                          \
  TULLE_KMP void __kmpc_for_static_init_##suffix(Ident* location, int32_t, int32_t schedule,     \
                                                 int32_t* last, T* lower, T* upper, S* stride,   \
                                                 S step, S chunk) {                              \
    if (omp::tool::active())                                                                     \
      return told_static_init<T>(location, schedule, last, lower, upper, stride, step, chunk,    \
                                 TULLE_CALLER());                                                \
    static_init<T>(schedule, last, lower, upper, stride, step, chunk);                           \
  }                                                                                              \
  TULLE_KMP void __kmpc_dist_for_static_init_##suffix(                                           \
      Ident*, int32_t, int32_t schedule, int32_t* last, T* lower, T* upper, T* upper_dist,       \
      S* stride, S step, S chunk) {                                                              \
    if (omp::tool::active())                                                                     \
      return told_dist_static_init<T>(schedule, last, lower, upper, upper_dist, stride, step,    \
                                      chunk, TULLE_CALLER());                                    \
    dist_static_init<T>(schedule, last, lower, upper, upper_dist, stride, step, chunk);          \
  }                                                                                              \
  TULLE_KMP void __kmpc_team_static_init_##suffix(Ident*, int32_t, int32_t* last, T* lower,      \
                                                  T* upper, S* stride, S step, S chunk) {        \
    team_static_init<T>(last, lower, upper, stride, step, chunk);                                \
  }

TULLE_STATIC_INIT(4, int32_t, int32_t)
TULLE_STATIC_INIT(4u, uint32_t, int32_t)
TULLE_STATIC_INIT(8, int64_t, int64_t)
TULLE_STATIC_INIT(8u, uint64_t, int64_t)

#undef TULLE_STATIC_INIT

// Nothing is held between init and fini.
TULLE_KMP void __kmpc_for_static_fini(Ident*, int32_t) {
  if (omp::tool::active()) omp::tool::end_work(omp::self());
}

}  // namespace tulle::kmp
