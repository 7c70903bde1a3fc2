// SPDX-License-Identifier: Apache-2.0
#include "described_machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "status.h"

namespace tulle::tools {
namespace {

constexpr unsigned kPatienceSeconds = 20;
constexpr const char* kEnd = "end\t";

// A line for each part, its kind last, and one with the source.
void write_parts(int file, const EachPart& each) {
  std::FILE* out = fdopen(file, "w");
  const char* source = each(
      [](void* context, const tulle_machine_part* part) {
        fmt::print(static_cast<std::FILE*>(context), "{}\t{}\t{}\t{}\t{}\t{}\t{}\n", part->depth, part->cache_level,
                   part->number, part->os_index, part->cpus, part->allowed, part->kind);
      },
      out);
  fmt::print(out, "{}{}\n", kEnd, source != nullptr ? source : "");
  std::fflush(out);
}

[[noreturn]] void run_child(int file, const EachPart& each) {
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  std::signal(SIGALRM, SIG_DFL);
  alarm(kPatienceSeconds);
  write_parts(file, each);
  _exit(kDone);
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(file, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

void expect_normal_end(pid_t child, const std::string& description) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Failure(fmt::format("waitpid: {}", std::strerror(errno)));
  if (!WIFSIGNALED(status)) return;
  if (WTERMSIG(status) == SIGALRM)
    throw BadCommandLine(fmt::format("{}: libhwloc has not read it after {} s", description, kPatienceSeconds));
  throw BadCommandLine(
      fmt::format("{}: libhwloc crashes when it reads this ({})", description, strsignal(WTERMSIG(status))));
}

std::string take_parts(const std::string& text, const std::function<void(const tulle_machine_part&)>& add) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with(kEnd)) return line.substr(std::strlen(kEnd));
    std::istringstream fields(line);
    tulle_machine_part part{};
    std::string kind;
    fields >> part.depth >> part.cache_level >> part.number >> part.os_index >> part.cpus >> part.allowed >> std::ws;
    std::getline(fields, kind);
    part.kind = kind.c_str();
    add(part);
  }
  return "";
}

}  // namespace

std::string read_in_child(const std::string& description, const EachPart& each,
                          const std::function<void(const tulle_machine_part&)>& add) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(fmt::format("pipe: {}", std::strerror(errno)));
  pid_t child = fork();
  if (child < 0) throw Failure(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) run_child(ends[1], each);
  close(ends[1]);
  std::string text = read_all(ends[0]);
  close(ends[0]);
  expect_normal_end(child, description);
  return take_parts(text, add);
}

}  // namespace tulle::tools
