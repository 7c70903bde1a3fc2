// SPDX-License-Identifier: Apache-2.0
// The table of environment variables: see environment.h.
#include "omp/environment/environment.h"
#include "omp/environment/environment_print.h"
#include "omp/environment/environment_values.h"
#include "omp/icv/device_list.h"
#include "omp/icv/environment_parse.h"

namespace tulle::omp {
namespace {

template <auto Member, auto Parse>
bool assign(std::string_view text, const char* name, GlobalIcv& icv) {
  auto& setting = icv.*Member;
  if (!Parse(text, setting.value)) return false;
  setting.source = {Origin::environment, name};
  return true;
}

template <auto Member>
void print(const GlobalIcv& icv, TextBuffer& out) {
  print_value(out, (icv.*Member).value);
}

template <auto Member, auto Print>
void print_by(const GlobalIcv& icv, TextBuffer& out) {
  Print(out, (icv.*Member).value);
}

template <auto Member>
const Source& source(const GlobalIcv& icv) {
  return (icv.*Member).source;
}

// A variable that heads its setting, one that is a further name of it, and one whose values need a
// spelling of their own.
template <auto Member, auto Parse>
constexpr Variable head(const char* name, const char* accepts, const char* standard,
                        const char* meaning, bool per_device = false) {
  return {name,       accepts, standard, meaning, true, per_device, &assign<Member, Parse>,
          &print<Member>, &source<Member>};
}

template <auto Member, auto Parse>
constexpr Variable also(const char* name, const char* accepts, const char* meaning,
                        bool per_device = false) {
  return {name,       accepts, "", meaning, false, per_device, &assign<Member, Parse>,
          &print<Member>, &source<Member>};
}

template <auto Member, auto Parse, auto Print>
constexpr Variable spelled(const char* name, const char* accepts, const char* standard,
                           const char* meaning, bool heads, bool per_device = false) {
  return {name,       accepts, standard, meaning, heads, per_device, &assign<Member, Parse>,
          &print_by<Member, Print>, &source<Member>};
}

// A variable whose setting is one of the devices'.
template <auto Member, auto Parse>
bool assign_of_devices(std::string_view text, const char* name, GlobalIcv&) {
  auto& setting = device_settings.*Member;
  if (!Parse(text, setting.value)) return false;
  setting.source = {Origin::environment, name};
  return true;
}

template <auto Member>
void print_of_devices(const GlobalIcv&, TextBuffer& out) {
  print_value(out, (device_settings.*Member).value);
}

template <auto Member>
const Source& source_of_devices(const GlobalIcv&) {
  return (device_settings.*Member).source;
}

template <auto Member, auto Parse>
constexpr Variable of_devices(const char* name, const char* accepts, const char* standard, const char* meaning) {
  return {name, accepts, standard, meaning, true, false, &assign_of_devices<Member, Parse>,
          &print_of_devices<Member>, &source_of_devices<Member>};
}

bool keep_device_list(std::string_view text, const char*& out) { return is_device_list(text) && keep_text(text, out); }

// A variable whose values, or some of them, name files: those are ignored where the environment is a stranger's.
constexpr Variable naming_files(Variable variable, bool (*names_file)(std::string_view)) {
  variable.names_file = names_file;
  return variable;
}

bool any_text(std::string_view) { return true; }
bool names_graph_file(std::string_view text) { return text.find(':') != std::string_view::npos; }
bool is_path(std::string_view text) { return text.find('/') != std::string_view::npos; }

constexpr bool kPerDevice = true;

template <int32_t Least>
bool at_least(std::string_view text, int32_t& out) {
  return parse_int(text, Least, out);
}

template <uint64_t Unit>
bool size_in(std::string_view text, size_t& out) {
  return parse_size(text, Unit, out);
}

template <uint64_t Unit>
bool duration_in(std::string_view text, uint64_t& out) {
  return parse_duration_us(text, Unit, out);
}

using G = GlobalIcv;

constexpr Variable kVariables[] = {
    // Read first: it decides whether the others may complain.
    head<&G::warnings, parse_bool>("KMP_WARNINGS", "TRUE | FALSE", "TRUE",
                                   "Whether bad values and the like are reported."),

    head<&G::num_threads, parse_num_threads>(
        "OMP_NUM_THREADS", "list of numbers from 1 on", "the usable CPUs",
        "Threads of a parallel region, for each nesting level.", kPerDevice),
    head<&G::dynamic, parse_bool>(
        "OMP_DYNAMIC", "TRUE | FALSE", "FALSE",
        "Whether the runtime may choose team sizes; FALSE where it is said keeps all of them.", kPerDevice),
    head<&G::schedule, parse_schedule>(
        "OMP_SCHEDULE",
        "[MONOTONIC: | NONMONOTONIC:]STATIC | DYNAMIC | GUIDED | AUTO | TRAPEZOIDAL | STATIC_STEAL[,chunk]",
        "DYNAMIC; STATIC for code of Clang and Intel", "Schedule of loops that say schedule(runtime).", kPerDevice),
    head<&G::thread_limit, at_least<1>>("OMP_THREAD_LIMIT", "number from 1 on", "2147483647",
                                        "Most threads of a contention group.", kPerDevice),
    also<&G::thread_limit, at_least<1>>("KMP_DEVICE_THREAD_LIMIT", "number from 1 on",
                                        "Further name of OMP_THREAD_LIMIT."),
    also<&G::thread_limit, at_least<1>>("KMP_ALL_THREADS", "number from 1 on",
                                        "Further name of OMP_THREAD_LIMIT."),
    also<&G::max_active_levels, parse_nested>("OMP_NESTED", "TRUE | FALSE",
                                              "TRUE: OMP_MAX_ACTIVE_LEVELS at its most; FALSE: 1.",
                                              kPerDevice),
    head<&G::max_active_levels, at_least<0>>(
        "OMP_MAX_ACTIVE_LEVELS", "number from 0 on",
        "1; without a limit if OMP_NUM_THREADS or OMP_PROC_BIND is a list",
        "Most nested regions with more than one thread.", kPerDevice),

    head<&G::proc_bind, parse_proc_bind>(
        "OMP_PROC_BIND", "TRUE | FALSE | list of PRIMARY, CLOSE, SPREAD",
        "FALSE; TRUE if places are given",
        "Whether and how threads are bound to places, for each nesting level.", kPerDevice),
    head<&G::places, check_places>(
        "OMP_PLACES", "THREADS | CORES | LL_CACHES | SOCKETS | NUMA_DOMAINS[(count[:stride])], or "
        "list of places such as {0,1}:4:2", "THREADS if threads are bound, else none",
        "The places that threads are bound to.", kPerDevice),
    head<&G::cpu_affinity, check_cpu_affinity>(
        "GOMP_CPU_AFFINITY", "CPUs, ranges and strides such as 0 3 4-15:2", "none",
        "Places of one CPU each, in this order; OMP_PLACES goes before it."),
    head<&G::kmp_affinity, check_kmp_affinity>(
        "KMP_AFFINITY", "[modifier,...]NONE | COMPACT | SCATTER | BALANCED | EXPLICIT | DISABLED"
        "[,permute[,offset]]", "none",
        "Places and binding in one; goes before OMP_PLACES and OMP_PROC_BIND."),
    head<&G::kmp_hw_subset, check_hw_subset>(
        "KMP_HW_SUBSET", "[:]list such as 2s,4c@1,1t", "the whole machine",
        "The part of the machine to use: sockets, NUMA nodes, caches, cores, hardware threads."),
    head<&G::teams_bind, parse_word<ProcBind>>(
        "KMP_TEAMS_PROC_BIND", "SPREAD | CLOSE | PRIMARY | TRUE | FALSE", "SPREAD",
        "How the teams of a league of Clang- and Intel-built code are dealt out to places."),

    head<&G::stack_size, size_in<1024>>("OMP_STACKSIZE", "number[B | K | M | G | T]",
                                        "0B, which is the limit of the process",
                                        "Stack of each thread; K if there is no unit.", kPerDevice),
    also<&G::stack_size, size_in<1024>>("GOMP_STACKSIZE", "number[B | K | M | G | T]",
                                        "Further name of OMP_STACKSIZE."),
    also<&G::stack_size, size_in<1>>("KMP_STACKSIZE", "number[B | K | M | G | T]",
                                     "Further name of OMP_STACKSIZE; bytes if there is no unit."),

    head<&G::wait_policy, parse_wait_policy>(
        "OMP_WAIT_POLICY", "ACTIVE | PASSIVE", "BOUNDED, which polls for a short time",
        "Whether a thread that waits polls or sleeps.", kPerDevice),
    {"KMP_LIBRARY", "THROUGHPUT | TURNAROUND | SERIAL", "",
     "TURNAROUND: OMP_WAIT_POLICY=ACTIVE; SERIAL: every team has one thread.", false, false,
     &assign_kmp_library, &print<&G::wait_policy>, &source<&G::wait_policy>},
    spelled<&G::spin_count, parse_spin_count, print_spin_count>(
        "GOMP_SPINCOUNT", "number[k | M | G | T] | INFINITY", "as TULLE_BLOCKTIME",
        "The same as a number of polls, 50 to the microsecond.", true),
    spelled<&G::blocktime_us, duration_in<1000>, print_duration>(
        "KMP_BLOCKTIME", "number[us | ms | s] | INFINITE", "",
        "Further name of TULLE_BLOCKTIME; ms if there is no unit.", false),

    head<&G::cancellation, parse_bool>("OMP_CANCELLATION", "TRUE | FALSE", "FALSE",
                                       "Whether the cancel directive has an effect."),
    head<&G::max_task_priority, at_least<0>>("OMP_MAX_TASK_PRIORITY", "number from 0 on", "0",
                                             "Highest task priority that is honoured."),
    head<&G::num_teams, at_least<1>>("OMP_NUM_TEAMS", "number from 1 on", "0, which is our choice",
                                     "Most teams of a teams region.", kPerDevice),
    head<&G::teams_thread_limit, at_least<1>>("OMP_TEAMS_THREAD_LIMIT", "number from 1 on",
                                              "0, which is our choice",
                                              "Most threads of each team of a teams region.",
                                              kPerDevice),
    also<&G::teams_thread_limit, at_least<1>>("KMP_TEAMS_THREAD_LIMIT", "number from 1 on",
                                              "Further name of OMP_TEAMS_THREAD_LIMIT."),
    head<&G::default_device, at_least<0>>("OMP_DEFAULT_DEVICE", "number from 0 on", "0",
                                          "Device of target constructs that name none."),
    head<&G::target_offload, parse_word<TargetOffload>>(
        "OMP_TARGET_OFFLOAD", "MANDATORY | DISABLED | DEFAULT", "DEFAULT",
        "Whether target constructs may, must or must not leave the host."),
    spelled<&G::allocator, parse_allocator, print_allocator>(
        "OMP_ALLOCATOR", "predefined allocator, or memory space[:traits]", "omp_default_mem_alloc",
        "Allocator of allocate clauses and routines that name none.", true, kPerDevice),

    head<&G::display_env, parse_display_env>("OMP_DISPLAY_ENV", "TRUE | FALSE | VERBOSE", "FALSE",
                                             "Whether the variables are printed at start."),
    head<&G::display_affinity, parse_bool>("OMP_DISPLAY_AFFINITY", "TRUE | FALSE", "FALSE",
                                           "Whether the binding of threads is printed."),
    head<&G::affinity_format, keep_text>("OMP_AFFINITY_FORMAT", "text with % fields",
                                         "that of libgomp or libomp, as the code's compiler has it",
                                         "How the binding of a thread is printed.", kPerDevice),
    head<&G::tool, parse_tool_use>("OMP_TOOL", "ENABLED | DISABLED", "ENABLED",
                                   "Whether an OMPT tool may register."),
    naming_files(head<&G::tool_libraries, keep_text>("OMP_TOOL_LIBRARIES", "list of paths", "none",
                                                     "OMPT tools to look for."),
                 any_text),
    naming_files(head<&G::tool_verbose_init, keep_text>(
                     "OMP_TOOL_VERBOSE_INIT", "DISABLED | STDOUT | STDERR | file", "DISABLED",
                     "Where the search for a tool is logged."),
                 any_text),
    head<&G::debug, parse_bool>("OMP_DEBUG", "ENABLED | DISABLED", "DISABLED",
                                 "Whether the runtime prints what it does."),
    also<&G::debug, parse_bool>("GOMP_DEBUG", "1 | 0", "Further name of OMP_DEBUG."),

    head<&G::ordered_reductions, parse_bool>(
        "KMP_DETERMINISTIC_REDUCTION", "TRUE | FALSE", "FALSE",
        "Whether threads of Clang- and Intel-built code combine reductions in the order of their numbers."),
    head<&G::settings_shown, parse_bool>("KMP_SETTINGS", "TRUE | FALSE", "FALSE",
                                         "TRUE: as OMP_DISPLAY_ENV=VERBOSE."),
    head<&G::version_shown, parse_bool>("KMP_VERSION", "TRUE | FALSE", "FALSE",
                                        "Whether the version is printed at start."),

    naming_files(
        head<&G::policy, parse_policy>(
            "TULLE_POLICY",
            "DEFAULT | SPREAD | AFFINITY | SCATTER | SHARED | RANDOM | path of a shared object, with a slash in "
            "it[:number]",
            "DEFAULT",
            "Where threads and bubbles go, and a parameter of the policy; all but DEFAULT bind workers to CPUs."),
        is_path),
    naming_files(
        head<&G::placement, keep_text>("TULLE_PLACEMENT", "path", "none",
                                       "File that says at the end where the threads of each team ran."),
        any_text),
    head<&G::tls, parse_word<TlsMode>>(
        "TULLE_TLS", "AUTO | WHOLE | BARE", "AUTO",
        "Whether each OpenMP thread has all that the C library keeps for a thread of its own: unless "
        "the program is known not to notice, always, or never."),
    head<&G::learns, parse_bool>(
        "TULLE_LEARN", "TRUE | FALSE", "TRUE",
        "Whether a nested region whose members were seen to spin on each other is run otherwise from then on."),
    head<&G::workers, parse_unsigned>("TULLE_WORKERS", "number from 0 on", "0, which is the usable CPUs",
                                      "OS threads that run OpenMP threads."),
    head<&G::barrier, parse_word<LargeBarrier>>(
        "TULLE_BARRIER", "AUTO | TREE | COUNTER", "AUTO",
        "Where teams of more than eight threads meet that have a worker each: at a tree of flags if there are no more "
        "workers than CPUs, in any case, or never. TREE also has regions begin and end by the tree's leaders whatever "
        "caches there are."),
    head<&G::shares_cpus, parse_bool>("TULLE_SHARE", "TRUE | FALSE", "FALSE",
                                      "Whether processes that all say TRUE divide the CPUs that they may use."),
    spelled<&G::blocktime_us, duration_in<1>, print_duration>(
        "TULLE_BLOCKTIME", "number[us | ms | s] | INFINITE", "500us; 0us if passive, INFINITE if active",
        "How long a waiting thread polls before it sleeps; us if there is no unit.", true),
    spelled<&G::monitor_tick_us, duration_in<1>, print_duration>(
        "TULLE_MONITOR_TICK", "number[us | ms | s]", "2000us",
        "How often the monitor looks for a worker that does not come back.", true),
    head<&G::waits, parse_bool>(
        "TULLE_WAITS", "TRUE | FALSE", "TRUE",
        "Whether waits in the C library let others have the core at once, and sched_yield lets team mates run."),
    head<&G::stack_limit, parse_unsigned>(
        "TULLE_STACK_LIMIT", "number from 0 on", "16000",
        "Stacks in use from which on no worker takes one for another task, but one every 10 ms; 0: none."),
    head<&G::task_limit, parse_unsigned>(
        "TULLE_TASK_LIMIT", "number from 0 on", "1000000",
        "Unfinished tasks of a team from which on TULLE_TASK_CUTOFF holds."),
    head<&G::task_cutoff, parse_word<TaskCutoff>>(
        "TULLE_TASK_CUTOFF", "ADAPTIVE | YIELD | WORK_FIRST | NONE", "ADAPTIVE",
        "What a thread does that makes tasks at the limit: calls them, waits until half are gone, calls "
        "them until half are gone, or goes on."),
    head<&G::task_creation, parse_word<TaskCreation>>(
        "TULLE_TASK_CREATION", "ADAPTIVE | BREADTH_FIRST | WORK_FIRST", "ADAPTIVE",
        "Whether a new task is queued while few are, always, or run before the task that makes it goes on."),
    head<&G::task_queues, parse_word<TaskQueues>>(
        "TULLE_TASK_QUEUES", "PARTITIONED | GLOBAL", "PARTITIONED",
        "Whether each worker has a queue of a team's tasks, or the team has one."),
    head<&G::task_distribution, parse_word<TaskDistribution>>(
        "TULLE_TASK_DISTRIBUTION", "OWN | ROUND_ROBIN | ADAPTIVE", "OWN",
        "Whose queue new tasks go to: their maker's, all in turn, or all in turn while one thread makes them."),
    naming_files(head<&G::task_graph, parse_task_graph>(
                     "TULLE_TASK_GRAPH", "OFF | AUTO | RECORD:path | REPLAY:path", "OFF",
                     "Whether graphs of dependent tasks that repeat are recorded and replayed, written to a file at the "
                     "end, or read from one."),
                 names_graph_file),
    of_devices<&DeviceSettings::devices, keep_device_list>(
        "TULLE_DEVICES", "cluster:cpus | process:number | mpi[:number], with ; between", "",
        "The devices: each cluster is one, of those CPUs of this process; process makes that many of processes, mpi of MPI's ranks."),
    of_devices<&DeviceSettings::wait, parse_word<TargetWait>>(
        "TULLE_TARGET_WAIT", "BLOCK_NO_OS | BLOCK_OS | NO_BLOCK", "BLOCK_NO_OS",
        "How a thread waits for a device: its core goes on with others, it sleeps in the kernel, or it polls."),
};

// Of libomp and Intel's runtime: they tune what Tulle does not have or does in any case.
constexpr const char* kIgnored[] = {
    "KMP_ABORT_DELAY",          "KMP_ADAPTIVE_LOCK_PROPS",     "KMP_ALIGN_ALLOC",
    "KMP_ALL_THREADPRIVATE",    "KMP_ATOMIC_MODE",             "KMP_CONSISTENCY_CHECK",
    "KMP_CPUINFO_FILE",         "KMP_DISP_NUM_BUFFERS",
    "KMP_DUPLICATE_LIB_OK",     "KMP_DYNAMIC_MODE",            "KMP_ENABLE_TASK_THROTTLING",
    "KMP_FORCE_REDUCTION",      "KMP_FOREIGN_TPRIVATE",        "KMP_FORKJOIN_BARRIER",
    "KMP_FORKJOIN_FRAMES",      "KMP_GTID_MODE",               "KMP_HANDLE_SIGNALS",
    "KMP_HOT_TEAMS_MAX_LEVEL",  "KMP_HOT_TEAMS_MODE",          "KMP_INHERIT_FP_CONTROL",
    "KMP_INIT_AT_FORK",         "KMP_INIT_WAIT",               "KMP_LOCK_KIND",
    "KMP_MALLOC_POOL_INCR",     "KMP_MONITOR_STACKSIZE",       "KMP_NEXT_WAIT",
    "KMP_NUM_LOCKS_IN_BLOCK",   "KMP_PLAIN_BARRIER",           "KMP_REDUCTION_BARRIER",
    "KMP_SCHEDULE",             "KMP_SPIN_BACKOFF_PARAMS",     "KMP_STACKOFFSET",
    "KMP_STACKPAD",             "KMP_STORAGE_MAP",             "KMP_TASKING",
    "KMP_TASKLOOP_MIN_TASKS",   "KMP_TASK_STEALING_CONSTRAINT", "KMP_TOPOLOGY_METHOD",
    "KMP_TPAUSE",               "KMP_USER_LEVEL_MWAIT",        "KMP_USE_YIELD",
    "LIBOMP_NUM_HIDDEN_HELPER_THREADS",
    "LIBOMP_USE_HIDDEN_HELPER_TASK",
};

}  // namespace

std::span<const Variable> environment_variables() { return kVariables; }
std::span<const char* const> ignored_variables() { return kIgnored; }

}  // namespace tulle::omp
