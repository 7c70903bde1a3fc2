// SPDX-License-Identifier: Apache-2.0
#include "scratch_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "status.h"

namespace tulle::tools {

namespace {

std::string pattern() {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  const char* chosen = std::getenv("TMPDIR");
  if (problem) throw Failure(fmt::format("TMPDIR: {}: {}", chosen != nullptr ? chosen : "/tmp", problem.message()));
  return (folder / "tulle-XXXXXX").string();
}

}  // namespace

ScratchFile::ScratchFile() : path_(pattern()) {
  int file = mkstemp(path_.data());
  if (file < 0) throw Failure(fmt::format("{}: {}", path_, std::strerror(errno)));
  close(file);
}

ScratchFile::~ScratchFile() { unlink(path_.c_str()); }

ScratchFolder::ScratchFolder() : path_(pattern()) {
  if (mkdtemp(path_.data()) == nullptr) throw Failure(fmt::format("{}: {}", path_, std::strerror(errno)));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

RecordFolder::RecordFolder(const std::string& chosen) {
  if (chosen.empty()) {
    scratch_.emplace();
    path_ = scratch_->path();
    return;
  }
  std::error_code problem;
  std::filesystem::create_directories(chosen, problem);
  if (!problem && access(chosen.c_str(), W_OK | X_OK) != 0) problem.assign(errno, std::generic_category());
  if (problem) throw Failure(fmt::format("--records: {}: {}", chosen, problem.message()));
  path_ = std::filesystem::absolute(chosen).string();
}

}  // namespace tulle::tools
