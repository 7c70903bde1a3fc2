// SPDX-License-Identifier: Apache-2.0
// An empty file, or folder, that goes with its owner.
#pragma once

#include <optional>
#include <string>

namespace tulle::tools {

class ScratchFile {
 public:
  ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Where watched processes leave what they wrote: a folder of the user's, which stays, or a scratch one.
class RecordFolder {
 public:
  explicit RecordFolder(const std::string& chosen);
  const std::string& path() const { return path_; }
  void remove_scratch() { scratch_.reset(); }

 private:
  std::optional<ScratchFolder> scratch_;
  std::string path_;
};

}  // namespace tulle::tools
