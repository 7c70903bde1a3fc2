// SPDX-License-Identifier: Apache-2.0
// Libraries are told from /proc/PID/maps; what threads wait for, by gdb and the extension beside the runtime.
#include "doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elf_file.h"
#include "library.h"
#include "program.h"
#include "settings.h"
#include "status.h"

namespace tulle::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = "libgomp-tulle.so.1.0-gdb.py";

struct Kind {
  std::string_view name;  // begin of a library's
  const char* what;
  std::string_view folder = "";  // begin of that of the folder it is in
};
constexpr std::array kOpenMP = {std::string_view("libgomp"), std::string_view("libomp"), std::string_view("libiomp5")};
// Distributions have several under the name of the reference one, each in its own folder.
constexpr std::array<Kind, 14> kBlas = {{{"libblas", "OpenBLAS", "openblas"}, {"libblas", "BLIS", "blis"},
                                         {"libblas", "ATLAS", "atlas"}, {"libblas", "reference BLAS"},
                                         {"libopenblas", "OpenBLAS"}, {"libscipy_openblas", "OpenBLAS"},
                                         {"libblis", "BLIS"}, {"libmkl_rt", "MKL"}, {"libmkl_core", "MKL"},
                                         {"libsatlas", "ATLAS"}, {"libtatlas", "ATLAS"}, {"libflexiblas", "FlexiBLAS"},
                                         {"libarmpl", "Arm Performance Libraries"}, {"libnvpl_blas", "NVPL"}}};
constexpr std::array<Kind, 16> kPools = {{{"libtbb.", "oneTBB"}, {"libtbb12", "oneTBB"}, {"libtbb-", "oneTBB"},
                                          {"libhpx", "HPX"}, {"libqthread", "Qthreads"}, {"libarrow.", "Arrow"},
                                          {"libopencilk", "OpenCilk"}, {"libpthreadpool", "pthreadpool"},
                                          {"libdispatch", "libdispatch"}, {"libtorch_cpu", "PyTorch"},
                                          {"libtensorflow_framework", "TensorFlow"}, {"libonnxruntime", "ONNX Runtime"},
                                          {"libstarpu", "StarPU"}, {"libabt.", "Argobots"}, {"libuv.", "libuv"},
                                          {"libjvm.", "Java's virtual machine"}}};

bool is_openmp(std::string_view name) {
  return std::ranges::any_of(kOpenMP, [=](std::string_view known) { return name.starts_with(known); });
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line, '\n');
  std::ranges::replace(line, '\0', ' ');
  return line;
}

int number_of(const std::string& word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number <= 0)
    throw BadCommandLine(fmt::format("doctor: {} is not the number of a process", word));
  return number;
}

// The files that a process has mapped.
std::set<std::string> files_of(int process) {
  std::set<std::string> files;
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  if (!maps) throw Failure(fmt::format("{}: its memory cannot be looked at: {}", process, std::strerror(errno)));
  for (std::string line; std::getline(maps, line);)
    if (std::size_t slash = line.find('/'); slash != std::string::npos && line.find(".so") != std::string::npos)
      files.insert(line.substr(slash));
  return files;
}

std::string name_of(const std::string& file) { return fs::path(file).filename().string(); }

bool is_tulle(const std::string& file) { return name_of(file).starts_with("libgomp-tulle"); }

bool is_of(const std::string& file, const Kind& kind) {
  return name_of(file).starts_with(kind.name) &&
         fs::path(file).parent_path().filename().string().starts_with(kind.folder);
}

// Of OpenMP's threads Tulle carries those of libraries that do not bring a runtime under a name of its own.
std::string whose_threads(const std::string& file, const std::set<std::string>& files) {
  const std::optional<ElfFile> elf = read_elf(file);
  const auto needed = elf ? std::ranges::find_if(elf->needed, is_openmp) : std::vector<std::string>::const_iterator();
  if (!elf || needed == elf->needed.end()) return "threads of its own, if any, are not reached";
  if (std::ranges::count(files, *needed, name_of) == 0) return "its threads are OpenMP's";
  return fmt::format("its threads are those of {}, which is not reached", *needed);
}

void show_openmp(const std::set<std::string>& files) {
  bool present = false;
  for (const std::string& file : files)
    if (is_tulle(file)) present = true, fmt::print("  Tulle: {}\n", file);
  if (!present) fmt::print("  Tulle is not loaded\n");
  for (const std::string& file : files) {
    if (!is_openmp(name_of(file)) || is_tulle(file)) continue;
    fmt::print("  OpenMP runtime {}: {}\n", file,
               present ? "loaded beside Tulle; what binds to it by its own name is not reached" : "not reached");
  }
}

template <std::size_t n>
void show(const std::set<std::string>& files, const std::array<Kind, n>& kinds) {
  for (const std::string& file : files)
    for (const Kind& kind : kinds) {
      if (!is_of(file, kind)) continue;
      fmt::print("  {} {}: {}\n", kind.what, file, whose_threads(file, files));
      break;
    }
}

void show_os_threads(int process) {
  std::map<std::string, int> names;
  std::error_code error;
  int count = 0;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    ++names[first_line(thread.path() / "comm")];
    ++count;
  }
  std::string list;
  for (const auto& [name, number] : names) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", number, name);
  fmt::print("  {} OS thread{}: {}\n", count, count == 1 ? "" : "s", list);
}

// gdb's own words are left out; what it cannot do is said in one line.
int show_waits(int process) {
  if (find_program("gdb").empty()) throw Failure("gdb is not installed: what threads wait for is not shown");
  const fs::path extension = library_folder() / kExtension;
  if (!fs::exists(extension)) throw Failure(fmt::format("{} is not there", extension.string()));
  const std::string mark = "== tulle";
  std::string command = "DEBUGINFOD_URLS= gdb -nx -batch -iex 'set auto-load off' -iex 'set debuginfod enabled off'";
  command += fmt::format(" -p {}", process);
  for (const std::string& line : {fmt::format("source {}", extension.string()), std::string("echo == tulle\\n"),
                                  std::string("tulle why-stuck"), std::string("echo == tulle\\n")})
    command += " -ex " + quoted(line);
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw Failure(fmt::format("gdb: {}", std::strerror(errno)));
  std::string text;
  char part[4096];
  while (std::size_t length = std::fread(part, 1, sizeof part, pipe)) text.append(part, length);
  pclose(pipe);
  const std::size_t begin = text.find(mark), end = text.rfind(mark);
  const std::string said = begin != end ? text.substr(begin + mark.size() + 1, end - begin - mark.size() - 1) : "";
  if (said.empty()) {
    const std::size_t refused = text.find("ptrace:");
    const std::string why = refused != std::string::npos ? text.substr(refused, text.find('\n', refused) - refused)
                                                         : "it has no debug information of Tulle";
    throw Failure(fmt::format("gdb could not look at process {}: {}", process, why));
  }
  fmt::print("{}", said);
  return kDone;
}

}  // namespace

Doctor::Doctor(CLI::App& app)
    : command_(app.add_subcommand("doctor", "Say what a running process has of OpenMP, and what its threads wait for")) {
  command_->add_option("process", given_, "Its number")->required();
}

int Doctor::operator()() const {
  const int process = number_of(given_);
  if (kill(process, 0) != 0 && errno == ESRCH) throw Failure(fmt::format("{}: no such process", process));
  const std::set<std::string> files = files_of(process);
  fmt::print("process {}: {}\n", process, first_line(fmt::format("/proc/{}/cmdline", process)));
  show_openmp(files);
  show(files, kBlas);
  show(files, kPools);
  show_os_threads(process);
  const bool present = std::ranges::any_of(files, [](const auto& file) { return is_tulle(file); });
  if (!present) return kDone;
  std::fflush(stdout);
  return show_waits(process);
}

}  // namespace tulle::tools
