// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "library.h"
#include "mpi.h"

namespace tulle::tools {
namespace {

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

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> runtime_variables(const std::string& program) {
  std::filesystem::path folder = library_folder();
  std::string preload = preload_name(folder / "libgomp.so.1");
  if (std::filesystem::path object = mpi_object(program, folder); !object.empty())
    preload += ' ' + preload_name(object);
  return {{"LD_LIBRARY_PATH", before(folder.string(), "LD_LIBRARY_PATH", ':')},
          {"LD_PRELOAD", before(preload, "LD_PRELOAD", ' ')}};
}

int become(std::vector<std::string> program,
           const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& argument : program) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  int error = errno;
  fmt::print(stderr, "tulle: {}: {}\n", program[0], std::strerror(error));
  return error == ENOENT ? kNotFound : kCannotRun;
}

const std::vector<Run::Option>& Run::options() {
  static const std::vector<Option> table = {
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
      {"--tls", "TULLE_TLS", "MODE", "auto, own or shared thread-local storage"},
      {"--mpi", "TULLE_MPI", "MODE", "off: blocking calls of MPI keep their core"},
  };
  return table;
}

Run::Run(CLI::App& app)
    : command_(app.add_subcommand("run", "Run a program on Tulle")), values_(options().size()) {
  for (std::size_t i = 0; i < options().size(); ++i) {
    const Option& option = options()[i];
    command_->add_option(option.flag, values_[i], option.meaning)
        ->option_text(fmt::format("{} ({})", option.value_name, option.variable));
  }
  command_->add_flag("-v,--verbose", verbosity_,
                     "Show the control variables at start; twice: all, and debugging output");
  command_->add_flag("--print", print_, "Print the environment instead of running");
  command_->footer("tulle run [OPTIONS] [--] PROGRAM [ARGS...]\n");
}

bool Run::takes_next_word(const std::string& option) const {
  const CLI::Option* known = command_->get_option_no_throw(option);
  return known != nullptr && known->get_items_expected_max() > 0;
}

void Run::take_program(std::vector<std::string>& words) {
  if (words.empty() || words[0] != "run") return;
  std::size_t at = 1;
  while (at < words.size() && words[at] != "--" && words[at].starts_with('-'))
    at += takes_next_word(words[at]) ? 2 : 1;
  if (at >= words.size()) return;
  auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
  program_.assign(*first == "--" ? first + 1 : first, words.end());
  words.erase(first, words.end());
}

std::vector<std::pair<std::string, std::string>> Run::environment() const {
  auto variables = runtime_variables(program_.empty() ? "" : program_[0]);
  for (std::size_t i = 0; i < options().size(); ++i)
    if (!values_[i].empty()) variables.emplace_back(options()[i].variable, values_[i]);
  if (verbosity_ > 0)
    variables.emplace_back("OMP_DISPLAY_ENV", verbosity_ > 1 ? "VERBOSE" : "TRUE");
  if (verbosity_ > 1) variables.emplace_back("OMP_DEBUG", "ENABLED");
  return variables;
}

int Run::operator()() const {
  auto variables = environment();
  if (print_) {
    for (const auto& [name, value] : variables) fmt::print("export {}={}\n", name, quoted(value));
    return 0;
  }
  if (program_.empty()) throw BadCommandLine("run: no program was named");
  return become(program_, variables);
}

}  // namespace tulle::tools
