// SPDX-License-Identifier: Apache-2.0
// A call with a number of arguments that is known only when it is made.
#pragma once

#include <cstddef>

// Calls function(first, second, words[0], …, words[count - 1]); each word is an integer or a pointer.
// Exceptions pass through.
extern "C" __attribute__((visibility("hidden"))) void tulle_call_words(
    void (*function)(), void* first, void* second, void* const* words, size_t count);
