// SPDX-License-Identifier: Apache-2.0
#include "trace_otf2.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "library.h"
#include "otf2/writer.h"
#include "output.h"
#include "status.h"

namespace tulle::tools {
namespace {

WriteOtf2* writer() {
  const std::filesystem::path file = library_folder() / "libtulle-otf2.so";
  if (!std::filesystem::exists(file))
    throw Failure("--otf2: this build has no OTF2 (it needs libopen-trace-format2-dev where Tulle is built)");
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* write = module == nullptr ? nullptr : dlsym(module, kWriteOtf2);
  if (write == nullptr) throw Failure(fmt::format("--otf2: {}", dlerror()));
  return reinterpret_cast<WriteOtf2*>(write);
}

WriteOtf2* writer_to(const std::string& folder) {
  if (folder == "-") throw BadCommandLine("--otf2 writes a folder, not standard output");
  if (std::filesystem::exists(folder)) throw Failure(fmt::format("--otf2: {} is there already", folder));
  return writer();
}

}  // namespace

void require_otf2(const std::string& folder) {
  writer_to(folder);
  require_output(folder);
}

void write_otf2(const Picture& picture, const std::string& folder) {
  if (const char* problem = writer_to(folder)(picture, folder.c_str())) throw Failure(fmt::format("--otf2: {}: {}", folder, problem));
}

}  // namespace tulle::tools
