// SPDX-License-Identifier: Apache-2.0
//
// Clauses of parallel and teams that come as calls before the region.
#include "abi/kmp/layout.h"
#include "abi/kmp/pushed.h"
#include "omp/region/parallel.h"
#include "omp/region/team_size.h"
#include "omp/region/teams.h"
#include "os/report.h"

namespace tulle::kmp {
namespace {

constexpr unsigned kThreadBits = 28;
constexpr unsigned kTeamBits = 20;
constexpr unsigned kLimitBits = 24;
constexpr uint32_t kMaxListLength = 4095;

void push_threads(int32_t threads) {
  omp::Thread* thread = omp::self_or_attach();
  auto clauses = pushed<PushedParallel>(thread);
  clauses.threads = clause_value(threads, kThreadBits);
  clauses.length = 0;
  push(thread, clauses);
}

// A list of one number is the plain clause.
void push_list(uint32_t length, const int32_t* list) {
  if (length == 0) return;
  if (length == 1) {
    push_threads(list[0]);
    return;
  }
  omp::Thread* thread = omp::self_or_attach();
  auto clauses = pushed<PushedParallel>(thread);
  clauses.threads = reinterpret_cast<uintptr_t>(list);
  clauses.length = std::min(length, kMaxListLength);
  push(thread, clauses);
}

// num_threads(strict: n), OpenMP 6.0 §12.1.2: what happens when there will be fewer.
void check_strict(int32_t threads, int32_t severity, const char* message) {
  if (threads < 1) return;
  const uint32_t asked = static_cast<uint32_t>(threads);
  const uint32_t granted = omp::team_size(omp::self_or_attach(), asked);
  if (granted >= asked) return;
  const char* said = message ? message : "num_threads(strict) cannot be met";
  if (static_cast<Severity>(severity) == Severity::fatal)
    os::fatal("%s: %u threads asked for, %u granted", said, asked, granted);
  os::report("%s: %u threads asked for, %u granted", said, asked, granted);
}

void push_teams(int32_t lower, int32_t upper, int32_t thread_limit) {
  PushedTeams clauses;
  clauses.upper = clause_value(upper, kTeamBits);
  clauses.lower = std::min<uint64_t>(clause_value(lower, kTeamBits), clauses.upper);
  clauses.thread_limit = clause_value(thread_limit, kLimitBits);
  push(omp::self_or_attach(), clauses);
}

}  // namespace

TULLE_KMP void __kmpc_push_num_threads(Ident*, int32_t, int32_t threads) { push_threads(threads); }

TULLE_KMP void __kmpc_push_num_threads_strict(Ident*, int32_t, int32_t threads, int32_t severity,
                                              const char* message) {
  push_threads(threads);
  check_strict(threads, severity, message);
}

TULLE_KMP void __kmpc_push_num_threads_list(Ident*, int32_t, uint32_t length, int32_t* list) {
  push_list(length, list);
}

TULLE_KMP void __kmpc_push_num_threads_list_strict(Ident*, int32_t, uint32_t length, int32_t* list,
                                                   int32_t severity, const char* message) {
  push_list(length, list);
  if (length != 0) check_strict(list[0], severity, message);
}

// Numbers are taken back by the region that used them.
TULLE_KMP void __kmpc_pop_num_threads(Ident*, int32_t) {}

// clang 22 writes primary as 5 and master, the older word for it, as 2.
TULLE_KMP void __kmpc_push_proc_bind(Ident*, int32_t, int32_t bind) {
  if (bind == 5) bind = static_cast<int32_t>(omp::ProcBind::primary);
  omp::Thread* thread = omp::self_or_attach();
  auto clauses = pushed<PushedParallel>(thread);
  clauses.bind = static_cast<uint32_t>(bind) & 7;
  push(thread, clauses);
}

// 0 for no clause. A bound that is not positive asks for one team.
TULLE_KMP void __kmpc_push_num_teams(Ident*, int32_t, int32_t teams, int32_t thread_limit) {
  push_teams(teams, teams, thread_limit);
}

TULLE_KMP void __kmpc_push_num_teams_51(Ident*, int32_t, int32_t lower, int32_t upper,
                                        int32_t thread_limit) {
  push_teams(lower == 0 ? upper : lower, upper == 0 ? lower : upper, thread_limit);
}

TULLE_KMP void __kmpc_set_thread_limit(Ident*, int32_t, int32_t thread_limit) {
  if (thread_limit > 0)
    omp::limit_threads(omp::self_or_attach(), static_cast<uint32_t>(thread_limit));
}

}  // namespace tulle::kmp
