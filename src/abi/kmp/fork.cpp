// SPDX-License-Identifier: Apache-2.0
//
// parallel and teams of Clang, Flang and Intel's compilers: the region's function takes its captured
// variables as arguments, of which there may be hundreds. They are copied into the encountering
// thread's frame, where they stay until the join.
#include <alloca.h>

#include <algorithm>
#include <cstdarg>

#include "abi/kmp/layout.h"
#include "abi/kmp/pushed.h"
#include "arch/call_words.h"
#include "arch/float_control.h"
#include "omp/binding/placement.h"
#include "omp/region/parallel.h"
#include "omp/region/team_size.h"
#include "omp/region/teams.h"
#include "omp/tool/called.h"

namespace tulle::kmp {
namespace {

struct Region {
  Microtask function;
  void* const* words;
  uint32_t count;
};

constexpr uint32_t kRegisterWords = 4;

// Functions are published without their types.
template <class To, class From>
To retyped(From* function) {
  return reinterpret_cast<To>(reinterpret_cast<void (*)()>(function));
}

// Words that are not meant may be passed in registers, so there is room for as many.
void call_with_words(omp::Thread* thread, omp::RegionFunction function, void* const* words, uint32_t count) {
  int32_t gtid = static_cast<int32_t>(thread->gtid);
  int32_t number = static_cast<int32_t>(thread->num);
  if (TULLE_LIKELY(count <= kRegisterWords)) {
    using Function = void (*)(int32_t*, int32_t*, void*, void*, void*, void*);
    retyped<Function>(function)(&gtid, &number, words[0], words[1], words[2], words[3]);
  } else {
    tulle_call_words(reinterpret_cast<void (*)()>(function), &gtid, &number, words, count);
  }
}

void call_microtask(const Region& region, omp::Thread* thread) {
  call_with_words(thread, retyped<omp::RegionFunction>(region.function), region.words, region.count);
}

void run_member(void* data) { call_microtask(*static_cast<const Region*>(data), omp::self()); }

omp::RegionRequest request_of(const Region& region, const omp::RegionWords& words, uint32_t threads,
                              int32_t bind) {
  return {.function = retyped<omp::RegionFunction>(region.function),
          .data = nullptr,
          .num_threads = threads,
          .bind = static_cast<omp::ProcBind>(bind),
          .words = &words};
}

// num_threads(a, b, c): b and c are for the regions inside (OpenMP 6.0 §12.1.2).
void set_inner_threads(omp::Thread* primary, void* argument) {
  const auto& clauses = *static_cast<const PushedParallel*>(argument);
  omp::Team* team = primary->team;
  team->icv_inside = *team->icv;
  team->icv_inside.nthreads_inner = reinterpret_cast<const uint32_t*>(clauses.list() + 1);
  team->icv_inside.nthreads_inner_count = static_cast<uint16_t>(clauses.length - 1);
  omp::take_inner_threads(team->icv_inside);
  team->icv = &team->icv_inside;
  primary->implicit.icv = team->icv;
}

TULLE_COLD void fork_with_list(Region& region, omp::Thread* outer, PushedParallel clauses) {
  const uint32_t threads = static_cast<uint32_t>(std::max(clauses.list()[0], 1));
  const omp::RegionWords words{&call_with_words, region.words, region.count};
  omp::Thread* primary = omp::fork(outer, request_of(region, words, threads, clauses.bind),
                                  omp::team_size(outer, threads), &set_inner_threads, &clauses);
  call_microtask(region, primary);
  omp::join();
}

// The encountering thread goes on as it did before the region, whatever its member 0 leaves in force
// (libomp 22).
void fork_region(Region& region) {
  arch::KeepFloatControl keep;
  omp::Thread* outer = omp::self_or_attach();
  const auto clauses = pop<PushedParallel>(outer);
  if (TULLE_UNLIKELY(clauses.length != 0)) {
    fork_with_list(region, outer, clauses);
    return;
  }
  const uint32_t threads = static_cast<uint32_t>(clauses.threads);
  const omp::RegionWords words{&call_with_words, region.words, region.count};
  omp::Thread* primary =
      omp::fork(outer, request_of(region, words, threads, clauses.bind), omp::team_size(outer, threads));
  call_microtask(region, primary);
  omp::join();
}

void fork_alone(Region& region) {
  arch::KeepFloatControl keep;
  omp::Thread* outer = omp::self_or_attach();
  pop<PushedParallel>(outer);
  omp::Thread* alone = omp::fork(outer,
                                 {.function = &run_member,
                                  .data = &region,
                                  .code = reinterpret_cast<const void*>(region.function)},
                                 1);
  call_microtask(region, alone);
  omp::join();
}

void run_team(void* data) {
  omp::Thread* thread = omp::self();
  if (TULLE_UNLIKELY(omp::icv_of(thread).observed)) omp::bind_team(thread);
  call_microtask(*static_cast<const Region*>(data), thread);
}

// Teams have places of their own, as in libomp.
omp::ProcBind teams_bind() {
  const omp::ProcBind bind = omp::global_icv().teams_bind.value;
  return bind == omp::ProcBind::on ? omp::ProcBind::spread : bind;
}

void fork_league(Region& region) {
  omp::Thread* thread = omp::self_or_attach();
  const auto clauses = pop<PushedTeams>(thread);
  omp::run_league(thread, &run_team, &region, static_cast<uint32_t>(clauses.lower),
                  static_cast<uint32_t>(clauses.upper),
                  static_cast<uint32_t>(clauses.thread_limit), teams_bind(),
                  reinterpret_cast<const void*>(region.function));
  if (TULLE_UNLIKELY(omp::icv_of(thread).observed)) omp::bind_team(thread);
}

}  // namespace

// The variadic arguments as an array of words that lives in the caller's frame.
#define TULLE_COLLECT_WORDS(words, count, last)                                             \
  auto** words = static_cast<void**>(alloca(sizeof(void*) * (count + kRegisterWords)));     \
  {                                                                                         \
    va_list list;                                                                           \
    va_start(list, last);                                                                   \
    for (int32_t i = 0; i < count; ++i) words[i] = va_arg(list, void*);                     \
    va_end(list);                                                                           \
    for (uint32_t i = 0; i < kRegisterWords; ++i) words[count + i] = nullptr;               \
  }

TULLE_KMP void __kmpc_fork_call(Ident*, int32_t count, Microtask function, ...) {
  TULLE_CALLED();
  TULLE_COLLECT_WORDS(words, count, function)
  Region region{function, words, static_cast<uint32_t>(count)};
  fork_region(region);
}

TULLE_KMP void __kmpc_fork_call_if(Ident*, int32_t count, Microtask function, int32_t parallel,
                                   void* argument) {
  TULLE_CALLED();
  void* words[kRegisterWords] = {argument};
  Region region{function, words, static_cast<uint32_t>(count)};
  parallel ? fork_region(region) : fork_alone(region);
}

TULLE_KMP void __kmpc_fork_teams(Ident*, int32_t count, Microtask function, ...) {
  TULLE_CALLED();
  TULLE_COLLECT_WORDS(words, count, function)
  Region region{function, words, static_cast<uint32_t>(count)};
  fork_league(region);
}

#undef TULLE_COLLECT_WORDS

// A region of one thread, whose body the caller executes itself between these two calls.
TULLE_KMP void __kmpc_serialized_parallel(Ident*, int32_t) {
  TULLE_CALLED();
  omp::Thread* outer = omp::self_or_attach();
  pop<PushedParallel>(outer);
  omp::Thread* alone =
      omp::fork(outer, {.function = nullptr, .data = nullptr, .code = __builtin_return_address(0)}, 1);
  alone->implicit.float_control = arch::short_float_control();
}

TULLE_KMP void __kmpc_end_serialized_parallel(Ident*, int32_t) {
  arch::ShortFloatControl before = omp::self()->implicit.float_control;
  omp::join();
  arch::use_short_float_control(before);
}

}  // namespace tulle::kmp
