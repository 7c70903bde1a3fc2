// SPDX-License-Identifier: Apache-2.0
// The environment variables: one table names each, says what it accepts and means, and holds the
// functions that read and print it. docs/environment.md, OMP_DISPLAY_ENV, the messages about bad
// values and `tulle info` all come from this table. A later entry overrides an earlier one of the
// same setting: KMP_ over GOMP_ over OMP_, Tulle's own over all. Immutable; any thread.
#pragma once

#include <span>
#include <string_view>

#include "omp/icv/icv.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {

struct Variable {
  const char* name;
  const char* accepts;
  const char* standard;  // the value that holds without it, in words
  const char* meaning;
  bool heads;       // stands for its setting in listings; the others are further names of it
  bool per_device;  // OMP_x_ALL is read too (OpenMP 5.2 §21); OMP_x_DEV never concerns the host
  bool (*assign)(std::string_view text, const char* name, GlobalIcv& icv);
  void (*print)(const GlobalIcv& icv, TextBuffer& out);
  const Source& (*source)(const GlobalIcv& icv);
  bool (*names_file)(std::string_view text) = nullptr;  // whether a value names a file; null: none does
};

std::span<const Variable> environment_variables();

// Names that other runtimes know and that have nothing to set here: accepted in silence.
std::span<const char* const> ignored_variables();

// Where the environment is read from, what it cannot say, and who hears of bad values.
struct Environment {
  const char* (*get)(const char* name);
  int cpus;  // usable ones
  Origin cpus_origin;
  int (*cpus_within)(const char* hw_subset);  // those that a valid KMP_HW_SUBSET leaves of them
  void (*report)(const char* line);
  const char* const* entries = nullptr;  // all of it, as "NAME=value", ending with null
  bool (*asks_as_libomp)() = nullptr;  // whether a module of the program needs libomp by name; null: none does
  bool of_stranger = false;  // who set it has fewer rights than the process: files that it names are not touched
};

// Fills in everything: what is set, what follows from it, and the defaults.
void read_environment(const Environment& environment, GlobalIcv& icv);

// Whether that has happened for the process: what the environment says from then on is not read.
bool environment_is_read();

// Takes one variable as the environment's. False: there is none of that name, or it does not take the value.
bool assign_variable(std::string_view name, std::string_view text, GlobalIcv& icv);

}  // namespace tulle::omp
