// SPDX-License-Identifier: Apache-2.0
#include "watched_run.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "library.h"
#include "run.h"
#include "scratch_file.h"
#include "status.h"

namespace tulle::tools {
namespace {

constexpr int kShortestLookUs = 500, kLongestLookUs = 50000;
constexpr int kPassedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

pid_t child_to_signal = 0;  // W: start; R: pass_on

void pass_on(int signal) { kill(child_to_signal, signal); }

volatile std::sig_atomic_t requests = 0;

void note_request(int) { requests = 1; }

// The terminal sends its signals to the child too; those that are meant for one process are passed on.
void hand_signals_to(pid_t child) {
  child_to_signal = child;
  for (int signal : {SIGINT, SIGQUIT}) std::signal(signal, SIG_IGN);
  for (int signal : kPassedOn) std::signal(signal, pass_on);
}

// A signal that comes meanwhile waits until there is somebody to hand it to.
pid_t start(const std::vector<std::string>& program, const Variables& variables) {
  sigset_t before, passed_on;
  sigemptyset(&passed_on);
  for (int signal : kPassedOn) sigaddset(&passed_on, signal);
  sigprocmask(SIG_BLOCK, &passed_on, &before);
  pid_t child = fork();
  if (child < 0) throw Failure(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    _exit(become(program, variables));
  }
  hand_signals_to(child);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return child;
}

bool is_runtime(const std::string& file) {
  std::string name = file.substr(file.rfind('/') + 1);
  return name.starts_with("libgomp") || name.starts_with("libomp") || name.starts_with("libiomp5");
}

// Other runtimes than ours that a process has mapped.
void look_at_maps(pid_t process, std::set<std::string>& others) {
  std::string own = library_folder().string();
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    std::string file = line.substr(slash);
    if (is_runtime(file) && !file.starts_with(own + "/")) others.insert(file);
  }
}

// Looks at what it maps until it ends: often at first, for programs that are soon over.
int watch(pid_t child, std::set<std::string>& others) {
  int status = 0, pause = kShortestLookUs;
  for (;;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) throw Failure(fmt::format("waitpid: {}", std::strerror(errno)));
    look_at_maps(child, others);
    usleep(static_cast<useconds_t>(pause));
    pause = std::min(2 * pause, kLongestLookUs);
  }
}

void report(const std::string& notes, const std::set<std::string>& others, const std::string& program) {
  std::map<std::string, int> served;
  std::ifstream file(notes);
  std::string process, name;
  while (file >> process && std::getline(file >> std::ws, name)) ++served[name];
  for (const auto& [who, count] : served)
    fmt::print(stderr, "tulle: {} ran on Tulle{}\n", who, count > 1 ? fmt::format(", {} processes", count) : "");
  const char* beside = served.empty() ? "was loaded, and nothing called Tulle" : "was loaded too";
  for (const std::string& other : others) fmt::print(stderr, "tulle: {} {}\n", other, beside);
  if (served.empty() && others.empty()) fmt::print(stderr, "tulle: {} called no OpenMP runtime\n", program);
}

}  // namespace

int run_to_its_end(const std::vector<std::string>& program, const Variables& variables) {
  const pid_t child = start(program, variables);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Failure(fmt::format("waitpid: {}", std::strerror(errno)));
  return status;
}

int run_and_look(const std::vector<std::string>& program, const Variables& variables, const std::function<void()>& look,
                 const std::function<void()>& asked) {
  const pid_t child = start(program, variables);
  std::signal(SIGUSR1, note_request);
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) throw Failure(fmt::format("waitpid: {}", std::strerror(errno)));
    if (requests != 0) {
      requests = 0;
      asked();
    }
    look();
    usleep(kLongestLookUs);
  }
}

int end_with(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

int run_and_show(const Watching& watching, const std::function<int(const std::string&)>& run,
                 const std::function<void(const std::string&)>& show) {
  if (!watching.read.empty()) {
    if (!watching.program.empty()) throw BadCommandLine(fmt::format("{}: --read runs no program", watching.name));
    show(watching.read);
    return kDone;
  }
  if (watching.program.empty()) throw BadCommandLine(fmt::format("{}: no program was named", watching.name));
  RecordFolder folder(watching.kept);
  const int status = run(folder.path());
  try {
    show(folder.path());
  } catch (const Failure& problem) {
    fmt::print(stderr, "tulle: {}: {}\n", watching.name, problem.what());
  }
  folder.remove_scratch();  // where a signal ends the command, nothing else does
  return end_with(status);
}

int run_and_report(const std::vector<std::string>& program, Variables variables) {
  int status = 0;
  {
    ScratchFile notes;
    variables.emplace_back("TULLE_SERVED", notes.path());
    pid_t child = start(program, variables);
    std::set<std::string> others;
    status = watch(child, others);
    report(notes.path(), others, program[0]);
  }
  return end_with(status);
}

}  // namespace tulle::tools
