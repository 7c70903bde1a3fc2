// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <fmt/format.h>

#include <cstdlib>

#include "library.h"
#include "mpi.h"

namespace tulle::tools {
namespace {

struct Option {
  const char* flag;
  const char* variable;
  const char* value_name;
  const char* meaning;
};

constexpr Option kOptions[] = {
    {"-t,--threads", "OMP_NUM_THREADS", "LIST", "Threads of a region, for each nesting level"},
    {"--workers", "TULLE_WORKERS", "N", "OS threads that run OpenMP threads"},
    {"--policy", "TULLE_POLICY", "NAME", "Where threads and bubbles go"},
    {"--wait-policy", "OMP_WAIT_POLICY", "POLICY", "active or passive"},
    {"--blocktime", "TULLE_BLOCKTIME", "TIME", "How long to poll before sleeping, as 500us"},
    {"--levels", "OMP_MAX_ACTIVE_LEVELS", "N", "Most nested regions with several threads"},
    {"--dynamic", "OMP_DYNAMIC", "BOOL", "Whether the runtime may choose team sizes"},
    {"--schedule", "OMP_SCHEDULE", "KIND[,N]", "Schedule of loops that say schedule(runtime)"},
    {"--places", "OMP_PLACES", "PLACES", "Places that threads are bound to"},
    {"--bind", "OMP_PROC_BIND", "LIST", "false, true, primary, close or spread, by level"},
    {"--stacksize", "OMP_STACKSIZE", "SIZE", "Stack of each thread, as 4M"},
    {"--tls", "TULLE_TLS", "MODE", "auto, whole or bare: what the C library keeps for each member"},
    {"--mpi", "TULLE_MPI", "MODE", "off: blocking calls of MPI keep their core"},
};

// What makes Tulle's own choices those of the runtimes that it replaces.
constexpr std::pair<const char*, const char*> kCompatible[] = {
    {"OMP_DYNAMIC", "false"},   {"TULLE_TLS", "whole"},   {"TULLE_LEARN", "false"},
    {"TULLE_POLICY", "default"}, {"TULLE_WAITS", "false"}, {"TULLE_SHARE", "false"},
    {"TULLE_TASK_GRAPH", "off"}, {"TULLE_TASK_CREATION", "breadth_first"}, {"TULLE_MPI", "off"}};

// OpenBLAS for pthreads has threads of its own, which take no part in sharing and poll for tens of milliseconds after each call.
constexpr const char* kOpenBlasThreads = "OPENBLAS_NUM_THREADS";

std::string before(const std::string& value, const char* variable, char separator) {
  const char* old = std::getenv(variable);
  return old != nullptr && *old != '\0' ? value + separator + old : value;
}

// The preload list is split at spaces and colons; a folder with one of them is left to the search
// path, which is split at colons and semicolons.
std::string preload_name(const std::filesystem::path& file) {
  bool splits = file.string().find_first_of(" \t:") != std::string::npos;
  return splits ? file.filename() : file;
}

// Where `tulle stats` or `tulle trace` is at work, calls of MPI are seen by what stands before the program.
std::string preload_of_tools(const std::filesystem::path& folder) {
  std::string preload;
  for (const auto& [variable, name] : {std::pair("TULLE_STATS", "libtulle-stats.so"), std::pair("TULLE_TRACE", "libtulle-trace.so")})
    if (std::getenv(variable) != nullptr && std::filesystem::exists(folder / name)) preload += preload_name(folder / name) + ' ';
  return preload;
}

}  // namespace

Variables runtime_variables_alone() {
  std::filesystem::path folder = library_folder();
  return {{"LD_LIBRARY_PATH", folder.string()}, {"LD_PRELOAD", preload_name(folder / "libgomp.so.1")}};
}

Variables runtime_variables(const std::string& program) {
  std::filesystem::path folder = library_folder();
  std::string preload = preload_name(folder / "libgomp.so.1");
  if (std::filesystem::path object = mpi_object(program, folder); !object.empty())
    preload = preload_of_tools(folder) + preload + ' ' + preload_name(object);
  return {{"LD_LIBRARY_PATH", before(folder.string(), "LD_LIBRARY_PATH", ':')},
          {"LD_PRELOAD", before(preload, "LD_PRELOAD", ' ')}};
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Settings::Settings(CLI::App* command) : values_(std::size(kOptions)) {
  for (std::size_t i = 0; i < std::size(kOptions); ++i)
    command->add_option(kOptions[i].flag, values_[i], kOptions[i].meaning)
        ->option_text(fmt::format("{} ({})", kOptions[i].value_name, kOptions[i].variable));
  command->add_flag("--share", share_,
                    fmt::format("Divide the CPUs with other processes that do so (TULLE_SHARE=true, and {}=1 unless it is set)",
                                kOpenBlasThreads));
  command->add_flag("--compatible", compatible_,
                    "As libgomp and libomp have it in every respect, for a first look at a program that "
                    "misbehaves: threads that are whole, team sizes that are kept, tasks that are queued, nothing learned");
}

Variables Settings::variables() const {
  Variables variables;
  if (compatible_)  // options given go before these
    for (const auto& [name, value] : kCompatible) variables.emplace_back(name, value);
  if (share_) {
    variables.emplace_back("TULLE_SHARE", "true");
    if (std::getenv(kOpenBlasThreads) == nullptr) variables.emplace_back(kOpenBlasThreads, "1");
  }
  for (std::size_t i = 0; i < std::size(kOptions); ++i)
    if (!values_[i].empty()) variables.emplace_back(kOptions[i].variable, values_[i]);
  return variables;
}

}  // namespace tulle::tools
