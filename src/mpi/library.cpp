// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace tulle::mpi {

Tools tools;

namespace {

// Names that the MPIs' libraries have had, by ABI.
constexpr const char* kOpenMpi[] = {"libmpi.so.40"};
constexpr const char* kMpich[] = {"libmpich.so.12", "libmpi.so.12"};

#ifdef OPEN_MPI
constexpr auto& kMine = kOpenMpi;
constexpr auto& kOther = kMpich;
#else
constexpr auto& kMine = kMpich;
constexpr auto& kOther = kOpenMpi;
#endif

struct Found {
  const char* mine = nullptr;
  const char* other = nullptr;
};

template <size_t kCount>
bool is_one_of(const char* path, const char* const (&names)[kCount]) {
  const char* slash = strrchr(path, '/');
  const char* file = slash != nullptr ? slash + 1 : path;
  for (const char* name : names) {
    size_t length = strlen(name);
    if (strncmp(file, name, length) == 0 && (file[length] == '\0' || file[length] == '.')) return true;
  }
  return false;
}

int look_at(dl_phdr_info* info, size_t, void* argument) {
  auto* found = static_cast<Found*>(argument);
  if (info->dlpi_name == nullptr) return 0;
  // The first one is what the program's calls are bound to: another one may stand before the library.
  if (found->mine == nullptr && is_one_of(info->dlpi_name, kMine)) found->mine = info->dlpi_name;
  if (is_one_of(info->dlpi_name, kOther)) found->other = info->dlpi_name;
  return 0;
}

Found loaded() {
  Found found;
  dl_iterate_phdr(look_at, &found);
  return found;
}

bool tools_found = false;

// A tool's definition of an MPI_ call between this object and the library; null: there is none.
void* find_tool(const char* name, void* library) {
  void* next = dlsym(RTLD_NEXT, name);
  if (next == dlsym(library, name)) return nullptr;
  tools_found = true;
  return next;
}

template <class Function>
void set(Function*& slot, void* found) {
  slot = reinterpret_cast<Function*>(found);
}

// This object's own name goes from the list of what is loaded first, and the program begins anew.
void begin_without() {
  const char* list = getenv("LD_PRELOAD");
  Dl_info self;
  if (list == nullptr || dladdr(reinterpret_cast<void*>(&find_library), &self) == 0) return;
  char* rest = strdup(list);
  char* kept = static_cast<char*>(calloc(strlen(list) + 2, 1));
  const char* name = strrchr(self.dli_fname, '/');
  name = name != nullptr ? name + 1 : self.dli_fname;
  for (char* word = strtok(rest, ": "); word != nullptr; word = strtok(nullptr, ": ")) {
    if (strstr(word, name) != nullptr) continue;
    if (*kept != '\0') strcat(kept, ":");
    strcat(kept, word);
  }
  if (strlen(kept) + 1 >= strlen(list)) return;  // it was not there: once more would be for ever
  setenv("LD_PRELOAD", kept, 1);
  FILE* file = fopen("/proc/self/cmdline", "r");
  if (file == nullptr) return;
  static char words[1 << 20];
  size_t length = fread(words, 1, sizeof(words) - 1, file);
  fclose(file);
  static char* arguments[1 << 16];
  size_t count = 0;
  for (char* word = words; word < words + length && count + 1 < sizeof(arguments) / sizeof(*arguments);
       word += strlen(word) + 1)
    arguments[count++] = word;
  if (length + 1 < sizeof(words)) execv("/proc/self/exe", arguments);
}

// An MPI of another name than those above, to which the program's calls would have been bound.
bool is_before_another() { return dlsym(RTLD_NEXT, "PMPI_Init") != nullptr; }

// Before anything of the program has run.
__attribute__((constructor)) void look_for_library() {
  Found found = loaded();
  if (found.other != nullptr || (found.mine == nullptr && is_before_another())) {
    report(found.mine != nullptr ? "two MPIs in one process: blocking calls stay as they are"
                                 : "libtulle-mpi is for another MPI than this program's: blocking calls stay as they are");
    begin_without();
  }
  if (found.mine != nullptr) find_library();
}

}  // namespace

bool has_tools() { return tools_found; }

void report(const char* line) { fprintf(stderr, "tulle: %s\n", line); }

void find_library() {
  Found found = loaded();
  void* library = found.mine != nullptr ? dlopen(found.mine, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  if (library == nullptr) {
    report("libtulle-mpi: the MPI that it was built for is not in this process");
    abort();
  }
#define TULLE_MPI_REAL(name) set(real.name, dlsym(library, "PMPI_" #name));
#include <tulle_mpi_real.inc>
#define TULLE_MPI_TOOL(name) set(tools.name, find_tool("MPI_" #name, library));
#include <tulle_mpi_tools.inc>
}

}  // namespace tulle::mpi
