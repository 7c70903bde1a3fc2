// SPDX-License-Identifier: Apache-2.0
// tulle-coherence MACHINE.json CONSTRUCT PROTOCOL THREADS low|middle|high [profile [CORE]]: runs one construct
// on simulated cores and prints what it took as JSON, and then, if asked for, a profile (coherence/profile.h). A process
// of its own for each, since the runtime is one for a process. `tulle simulate --construct` calls it.
#include <fmt/format.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/cores.h"
#include "coherence/lines.h"
#include "coherence/profile.h"
#include "coherence/protocols.h"

namespace tulle::coherence {
namespace {

constexpr std::string_view kConstructs[] = {"barrier", "region", "reduction", "additions", "dynamic",
                                            "monotonic", "guided", "tasks", "priorities", "critical", "nests", "sleep"};
constexpr std::string_view kOwn[] = {"tasks", "priorities", "critical", "nests", "sleep"};  // of this runtime alone
constexpr int kWarmUp = 5, kMeasured = 10, kSleeps = 3;
constexpr int kTripsOfThread = 64;    // of a loop
constexpr double kTrip = 200;         // ns
constexpr int kTasksOfThread = 16;    // which one thread makes, or, with priorities, each
constexpr double kTask = 2000;        // ns
constexpr int kSectionsOfThread = 8;  // critical ones
constexpr double kSection = 100, kBetweenSections = 1000;  // ns
constexpr int kInnerThreads = 4;      // of the region that each thread opens, TULLE_POLICY placing them if it is set
constexpr double kInner = 2000;       // ns, of each
constexpr std::uint64_t kLongEnough = 50000000;  // ns, for all to fall asleep

struct Times {
  double whole = 0, fork = 0, join = 0;  // ns of one
  double misses = 0;                     // lines that core 0 gets or takes, in one
  double fences = 0, wakes = 0;          // heavy ones until all sleep; system calls that wake them for one
};

struct Run {
  Protocol* protocol;
  int threads;
  std::uintptr_t shared_line;
  std::string_view construct;
  int profiled = kNoCore;            // as begin_profile takes it
  std::vector<double> begins, ends;  // of each thread's body
  Times times;
};

double now() {
  tulle_sim_now();
  return self().time;
}

std::uint64_t trips_of(const Run& run) { return static_cast<std::uint64_t>(run.threads) * kTripsOfThread; }

void spend(double nanoseconds) {
  self().time += nanoseconds;
  keep_order();  // or what follows on this core would come before what the others do meanwhile
}

void compute(std::uint64_t trips) { spend(static_cast<double>(trips) * kTrip); }
void task_body(void*) { spend(kTask); }
void section_body() { spend(kSection); }
void inner_body(void*, int) { spend(kInner); }

// What a region of the construct does.
void region_body(void* argument, int number) {
  auto* run = static_cast<Run*>(argument);
  run->begins[static_cast<std::size_t>(number)] = now();
  if (run->construct == "reduction") run->protocol->reduce(number);
  // What GCC makes of a scalar: one atomic addition by each.
  if (run->construct == "additions") change_line(run->shared_line, __builtin_return_address(0));
  if (run->construct == "dynamic") run->protocol->loop(trips_of(*run), Deal::one_by_one, compute);
  if (run->construct == "monotonic") run->protocol->loop(trips_of(*run), Deal::rising, compute);
  if (run->construct == "guided") run->protocol->loop(trips_of(*run), Deal::shrinking, compute);
  if (run->construct == "tasks" && number == 0) run->protocol->tasks(run->threads * kTasksOfThread, 0, task_body);
  if (run->construct == "priorities") run->protocol->tasks(kTasksOfThread, 1, task_body);
  if (run->construct == "nests") run->protocol->nest(kInnerThreads, inner_body);
  for (int i = 0; i < kSectionsOfThread && run->construct == "critical"; ++i) {
    spend(kBetweenSections);
    run->protocol->critical(section_body);
  }
  run->ends[static_cast<std::size_t>(number)] = now();
}

void measure_regions(Run& run) {
  for (int i = 0; i < kWarmUp; ++i) run.protocol->region(region_body, &run);
  begin_profile(run.profiled);
  std::uint64_t misses = self().misses;
  double begin = now();
  for (int i = 0; i < kMeasured; ++i) {
    double from = now();
    run.protocol->region(region_body, &run);
    double end = now();
    run.times.fork += *std::max_element(run.begins.begin(), run.begins.end()) - from;
    run.times.join += end - *std::max_element(run.ends.begin(), run.ends.end());
  }
  run.times.whole = (now() - begin) / kMeasured;
  run.times.misses = static_cast<double>(self().misses - misses) / kMeasured;
  run.times.fork /= kMeasured;
  run.times.join /= kMeasured;
}

void barriers_body(void* argument, int number) {
  auto* run = static_cast<Run*>(argument);
  for (int i = 0; i < kWarmUp; ++i) run->protocol->barrier(number);
  if (number == 0) begin_profile(run->profiled);
  std::uint64_t misses = self().misses;
  double begin = now();
  for (int i = 0; i < kMeasured; ++i) run->protocol->barrier(number);
  if (number != 0) return;
  run->times.whole = (now() - begin) / kMeasured;
  run->times.misses = static_cast<double>(self().misses - misses) / kMeasured;
}

// Regions that find the other threads' cores asleep.
void measure_sleep(Run& run) {
  static const std::uint32_t never = 0;
  for (int i = 0; i < kWarmUp; ++i) run.protocol->region(region_body, &run);
  begin_profile(run.profiled);
  for (int i = 0; i < kSleeps; ++i) {
    const Counts awake = counts();
    tulle_sim_wait(&never, 0, kLongEnough, UINT32_MAX);
    const Counts asleep = counts();
    const double from = now();
    run.protocol->region(region_body, &run);
    run.times.whole += now() - from;
    run.times.fences += static_cast<double>(asleep.heavy_fences - awake.heavy_fences);
    run.times.wakes += static_cast<double>(counts().wakes - asleep.wakes);
  }
  for (double* sum : {&run.times.whole, &run.times.fences, &run.times.wakes}) *sum /= kSleeps;
}

Bound bound_of(const std::string& text) {
  if (text == "low") return Bound::low;
  if (text == "middle") return Bound::middle;
  if (text == "high") return Bound::high;
  throw std::runtime_error(text + ": neither low nor middle nor high");
}

void expect(const std::string& word, const char* what, std::span<const std::string_view> known) {
  if (std::ranges::find(known, word) == known.end())
    throw std::runtime_error(fmt::format("{}: no such {}; there are {}", word, what, fmt::join(known, " ")));
}

int number_of(const std::string& text, const char* what, int least, int most) {
  int number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size() || number < least || number > most)
    throw std::runtime_error(fmt::format("{}: not a {} from {} to {}", text, what, least, most));
  return number;
}

// The runtime reads its settings when it is loaded, and addresses decide which data share a line.
void begin_again_with(char** words, const std::string& threads, bool sleeps) {
  if (std::getenv("TULLE_COHERENCE_RUN") != nullptr) return;
  setenv("TULLE_COHERENCE_RUN", "1", 1);
  setenv("TULLE_WORKERS", threads.c_str(), 1);
  setenv("OMP_NUM_THREADS", threads.c_str(), 1);
  for (auto [name, value] : {std::pair{"TULLE_TLS", "bare"}, {"OMP_PROC_BIND", "false"}, {"OMP_DYNAMIC", "false"},
                             {"OMP_STACKSIZE", "256K"}, {"OMP_MAX_ACTIVE_LEVELS", "2"}})
    setenv(name, value, 1);
  if (!sleeps) setenv("OMP_WAIT_POLICY", "active", 1);
  personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  execv("/proc/self/exe", words);
}

int run(const std::vector<std::string>& words, char** original) {
  const bool profiled = words.size() > 5 && words[5] == "profile";
  if (words.size() != 5 && !(profiled && words.size() <= 7))
    throw std::runtime_error(
        "usage: tulle-coherence MACHINE.json CONSTRUCT PROTOCOL THREADS low|middle|high [profile [CORE]]");
  Machine machine = read_machine(words[0], bound_of(words[4]));
  expect(words[1], "construct", kConstructs);
  expect(words[2], "protocol", kProtocols);
  Run run{};
  run.threads = number_of(words[3], "number of threads", 2, machine.cores);
  const bool sleeps = words[1] == "sleep";
  if (std::ranges::find(kOwn, words[1]) != std::end(kOwn) && words[2] != "tulle")
    throw std::runtime_error(fmt::format("{}: its {} is not in the model", words[2], words[1]));
  begin_again_with(original, words[3], sleeps);
  if (profiled) run.profiled = words.size() == 7 ? number_of(words[6], "core", 0, machine.cores - 1) : kAllCores;
  begin_cores(machine);
  auto protocol = make_protocol(words[2], run.threads, machine.cluster, machine.socket);
  alignas(64) static char shared_line[64];
  run.shared_line = reinterpret_cast<std::uintptr_t>(shared_line);
  run.protocol = protocol.get();
  run.begins.assign(static_cast<std::size_t>(run.threads), 0);
  run.ends = run.begins;
  run.construct = words[1];
  if (words[1] == "barrier")
    run.protocol->region(barriers_body, &run);
  else if (sleeps)
    measure_sleep(run);
  else
    measure_regions(run);
  if (sleeps) {
    fmt::print("{{\"ns\": {:.1f}, \"fences\": {:.1f}, \"wakes\": {:.1f}}}\n", run.times.whole, run.times.fences,
               run.times.wakes);
  } else {
    fmt::print("{{\"ns\": {:.1f}, \"fork\": {:.1f}, \"join\": {:.1f}, \"lines\": {:.1f}}}\n", run.times.whole,
               run.times.fork, run.times.join, run.times.misses);
  }
  if (profiled) print_profile();
  std::fflush(stdout);
  std::_Exit(0);  // the cores never end
}

}  // namespace
}  // namespace tulle::coherence

int main(int argc, char** argv) {
  try {
    return tulle::coherence::run({argv + 1, argv + argc}, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tulle-coherence: {}\n", error.what());
    return 1;
  }
}
