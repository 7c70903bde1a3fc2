// SPDX-License-Identifier: Apache-2.0
// How a process of this program is started that is to be a device of this one, by somebody who knows neither its
// variables nor its words: MPI's launcher. It begins as this one did, under env(1), which sets what this library and the
// dynamic loader read.
#pragma once

#include "base/array.h"

namespace tulle::offload {

class StartCommand {
 public:
  StartCommand();
  ~StartCommand();
  StartCommand(const StartCommand&) = delete;
  StartCommand& operator=(const StartCommand&) = delete;

  // Null: there is one.
  const char* why_none() const { return why_none_; }
  char* const* words() { return words_.data(); }

 private:
  void add(const char* word, const char* more = "");
  void add_program();
  void add_arguments();

  Array<char*> words_;
  const char* why_none_ = nullptr;
};

// This process has been started so. Any thread.
bool was_started_as_device();

}  // namespace tulle::offload
