// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "status.h"

namespace tulle::tools {

void write_text(const std::string& text, const std::string& file) {
  FILE* out = file.empty() ? stderr : file == "-" ? stdout : std::fopen(file.c_str(), "we");
  if (out == nullptr) throw Failure(fmt::format("{}: {}", file, std::strerror(errno)));
  bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
  if (out != stderr && out != stdout) written = std::fclose(out) == 0 && written;
  if (!written) throw Failure(fmt::format("{}: {}", file, std::strerror(errno)));
}

void require_output(const std::string& file) {
  if (file.empty() || file == "-") return;
  const std::filesystem::path path = file;
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(path, ignored);
  const std::string needed = is_there ? file : (path.parent_path() / ".").string();
  int problem = access(needed.c_str(), W_OK) == 0 ? 0 : errno;
  if (std::filesystem::is_directory(path, ignored)) problem = EISDIR;
  if (problem != 0) throw Failure(fmt::format("{}: {}", file, std::strerror(problem)));
}

std::string html_escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

}  // namespace tulle::tools
