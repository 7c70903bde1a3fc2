// SPDX-License-Identifier: Apache-2.0
// What the runtime keeps for the life of the process is no leak: the texts of settings and place
// lists, which tests make again and again, and a team's tables that a larger one has replaced, at
// which a worker may still look.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
  return "leak:tulle::omp::keep_text\n"
         "leak:tulle::omp::PlaceBuilder\n"
         "leak:make_room\n"
         "leak:make_seats\n";
}
