// SPDX-License-Identifier: Apache-2.0
// A folder of the test's own, though others run the same test at the same time; gone with the object.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>

namespace tulle {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "tulle-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr)
      throw std::filesystem::filesystem_error(path_, std::error_code(errno, std::generic_category()));
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tulle
