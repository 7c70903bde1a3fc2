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

ScratchFile::ScratchFile() : path_((std::filesystem::temp_directory_path() / "tulle-XXXXXX").string()) {
  int file = mkstemp(path_.data());
  if (file < 0) throw Failure(fmt::format("{}: {}", path_, std::strerror(errno)));
  close(file);
}

ScratchFile::~ScratchFile() { unlink(path_.c_str()); }

}  // namespace tulle::tools
