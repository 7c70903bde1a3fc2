// SPDX-License-Identifier: Apache-2.0
// Printing of the control variables. OMP_DISPLAY_ENV and its kin are obeyed when the library is
// loaded, since that is when their users look; without them, loading does nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp/environment/display.h"
#include "omp/environment/environment.h"
#include "omp/places/places.h"

namespace tulle::omp {
namespace {

constexpr std::size_t kMaxLine = 1024;
constexpr const char* kOpenMpVersion = "202111";

bool is_openmp(const Variable& variable) { return strncmp(variable.name, "OMP_", 4) == 0; }

// The places as they were found, in the grammar of OMP_PLACES.
void display_places() {
  const PlaceList& list = places();
  for (int place = 0; place < list.count(); ++place) {
    fputs(place == 0 ? "{" : ",{", stderr);
    std::span<const int> cpus = list.cpus(place);
    for (std::size_t i = 0; i < cpus.size();) {
      std::size_t run = 1;
      while (i + run < cpus.size() && cpus[i + run] == cpus[i] + static_cast<int>(run)) ++run;
      fprintf(stderr, run == 1 ? "%s%d" : "%s%d:%zu", i == 0 ? "" : ",", cpus[i], run);
      i += run;
    }
    fputc('}', stderr);
  }
}

void display_line(const Variable& variable, const GlobalIcv& icv) {
  char value[kMaxLine];
  TextBuffer out(value, sizeof value);
  variable.print(icv, out);
  fprintf(stderr, "  [host] %s = '", variable.name);
  if (strcmp(variable.name, "OMP_PLACES") == 0)
    display_places();
  else
    fputs(value, stderr);
  fputs("'\n", stderr);
}

__attribute__((constructor)) void display_when_loaded() {
  bool asked = getenv("OMP_DISPLAY_ENV") != nullptr || getenv("KMP_SETTINGS") != nullptr ||
               getenv("KMP_VERSION") != nullptr;
  if (!asked) return;
  const GlobalIcv& icv = global_icv();
  if (icv.version_shown.value) fputs("Tulle " TULLE_VERSION_STRING "\n", stderr);
  DisplayEnv wanted = icv.settings_shown.value ? DisplayEnv::verbose : icv.display_env.value;
  if (wanted != DisplayEnv::off) display_environment(wanted == DisplayEnv::verbose);
}

}  // namespace

void display_environment(bool verbose) {
  const GlobalIcv& icv = global_icv();
  flockfile(stderr);
  fprintf(stderr, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '%s'\n", kOpenMpVersion);
  for (const Variable& variable : environment_variables())
    if (variable.heads && (verbose || is_openmp(variable))) display_line(variable, icv);
  fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
  funlockfile(stderr);
}

}  // namespace tulle::omp
