// SPDX-License-Identifier: Apache-2.0
// Begins main on rank 0 alone: when the library is loaded, what the program calls first, the C library's start, is
// replaced in its import table by a function that gives it another main. So all of the program's constructors
// have run before a rank serves, device code's registration among them.
#include "offload/remote/program.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "arch/relocations.h"
#include "offload/remote/job.h"
#include "omp/icv/device_list.h"
#include "os/modules.h"
#include "os/report.h"
#include "os/secure.h"

namespace tulle::offload {

namespace {

constexpr const char* kOfMpi[] = {"MPI_Init", "mpi_init"};
constexpr const char* kOfDevices[] = {"GOMP_target", "__tgt_", "omp_target_", "omp_get_num_devices"};
constexpr const char* kOurs[] = {"libtulle-", "libmpi", "libmpich", "libompitrace", "ld-linux"};

bool begins_with_any(const char* name, const char* const* begin, const char* const* end) {
  for (; begin != end; ++begin)
    if (strncmp(name, *begin, strlen(*begin)) == 0) return true;
  return false;
}

struct Prefixes {
  const char* const* begin;
  const char* const* end;
};

int imports_any(dl_phdr_info* info, size_t, void* argument) {
  const auto* prefixes = static_cast<const Prefixes*>(argument);
  if (os::is_this_library(info) || os::name_begins_with_any(info->dlpi_name, kOurs)) return 0;
  auto is_one = [&](uint32_t, const char* name) { return begins_with_any(name, prefixes->begin, prefixes->end); };
  return os::visit_imports(os::read_dynamic(info), is_one) ? 1 : 0;
}

template <size_t n>
bool program_imports(const char* const (&names)[n]) {
  Prefixes prefixes{names, names + n};
  return dl_iterate_phdr(imports_any, &prefixes) != 0;
}

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main program_main = nullptr;
Start real_start = nullptr;

TULLE_MAY_SUSPEND int main_on_first_rank(int count, char** arguments, char** variables) {
  const char* why = nullptr;
  if (open_line(0, why) == nullptr) os::report("TULLE_DEVICES: %s; there are no devices over MPI", why);
  return program_main(count, arguments, variables);
}

int start(Main main, int count, char** arguments, void (*init)(), void (*fini)(), void (*rtld_fini)(), void* stack) {
  program_main = main;
  return real_start(main_on_first_rank, count, arguments, init, fini, rtld_fini, stack);
}

constexpr const char* kStart = "__libc_start_main";

// The program is the first one that is listed.
int replace_start(dl_phdr_info* info, size_t, void*) {
  os::Dynamic dynamic = os::read_dynamic(info);
  uint32_t symbol = 0;
  os::visit_imports(dynamic, [&](uint32_t number, const char* name) {
    if (strcmp(name, kStart) == 0) symbol = number;
    return symbol != 0;
  });
  for (int table = 0; table < 2 && symbol != 0; ++table) {
    const ElfW(Rela)* relocation = dynamic.relocations[table];
    const ElfW(Rela)* end = relocation + dynamic.relocation_bytes[table] / sizeof *relocation;
    for (; relocation != end; ++relocation) {
      if (!arch::is_import(ELF64_R_TYPE(relocation->r_info)) || ELF64_R_SYM(relocation->r_info) != symbol) continue;
      auto* slot = reinterpret_cast<uintptr_t*>(info->dlpi_addr + relocation->r_offset);
      // A slot that leads to the program itself has not been called through so far.
      if (!os::holds(info, *slot)) real_start = reinterpret_cast<Start>(*slot);
      os::replace_import(slot, reinterpret_cast<uintptr_t>(&start));
    }
  }
  return 1;
}

bool asks_for_ranks() {
  const char* text = getenv("TULLE_DEVICES");
  if (text == nullptr || os::has_more_rights_than_caller()) return false;
  std::string_view list = text;
  for (omp::DeviceItem item{}; omp::next_device_item(list, item);)
    if (item.kind == omp::DeviceKind::mpi) return true;
  return false;
}

__attribute__((constructor)) void look_at_program() {
  if (!asks_for_ranks() || !program_uses_devices() || starts_ranks() || why_no_ranks() != nullptr) return;
  real_start = reinterpret_cast<Start>(dlsym(RTLD_DEFAULT, kStart));
  if (real_start != nullptr) dl_iterate_phdr(replace_start, nullptr);
}

}  // namespace

bool program_uses_mpi() { return program_imports(kOfMpi); }
bool program_uses_devices() { return program_imports(kOfDevices); }

}  // namespace tulle::offload
