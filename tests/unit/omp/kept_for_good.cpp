// SPDX-License-Identifier: Apache-2.0
// What the runtime makes once and keeps for the life of the process is no leak where a test makes it
// again and again: the texts of settings, and place lists.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
  return "leak:tulle::omp::keep_text\n"
         "leak:tulle::omp::PlaceBuilder\n";
}
