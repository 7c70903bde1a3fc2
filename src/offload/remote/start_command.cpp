// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/start_command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace tulle::offload {

namespace {

constexpr const char* kEnv = "/usr/bin/env";
constexpr const char* kStarted = "_TULLE_STARTED_AS_DEVICE";
constexpr const char* kPassed[] = {"GOMP_", "KMP_", "LD_", "LIBOMPTARGET_", "OMP_", "TULLE_"};

bool is_passed(const char* variable) {
  for (const char* prefix : kPassed)
    if (strncmp(variable, prefix, strlen(prefix)) == 0) return true;
  return false;
}

}  // namespace

StartCommand::StartCommand() {
  add(kEnv);
  add(kStarted, "=1");
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (is_passed(*variable)) add(*variable);
  add_program();
  add_arguments();
  if (!words_.push(nullptr)) why_none_ = "there is no memory for the command that starts a rank";
}

StartCommand::~StartCommand() {
  for (char* word : words_) free(word);
}

void StartCommand::add(const char* word, const char* more) {
  char* copy = nullptr;
  if (asprintf(&copy, "%s%s", word, more) >= 0 && words_.push(copy)) return;
  why_none_ = "there is no memory for the command that starts a rank";
}

// For env(1) a word with `=` is a variable.
void StartCommand::add_program() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  if (length <= 0 || strchr(path, '=') != nullptr) why_none_ = "the program's path is none that can be started again";
  add(path);
}

void StartCommand::add_arguments() {
  FILE* file = fopen("/proc/self/cmdline", "re");
  char* word = nullptr;
  size_t room = 0;
  for (int i = 0; file != nullptr && getdelim(&word, &room, '\0', file) > 0; ++i)
    if (i != 0) add(word);
  free(word);
  if (file != nullptr) fclose(file);
}

bool was_started_as_device() {
  const char* started = getenv(kStarted);
  return started != nullptr && *started == '1';
}

}  // namespace tulle::offload
