// SPDX-License-Identifier: Apache-2.0
// The text of each kind of value, in the spelling that the same variable accepts; that of enumerations
// is in environment_words.h. Pure: any thread.
#pragma once

#include "omp/icv/environment_words.h"
#include "omp/icv/icv.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {

void print_value(TextBuffer& out, bool value);
void print_value(TextBuffer& out, int32_t value);
void print_value(TextBuffer& out, uint32_t value);
void print_value(TextBuffer& out, size_t value);
void print_value(TextBuffer& out, const char* value);
void print_value(TextBuffer& out, const NumThreadsList& value);
void print_value(TextBuffer& out, const ProcBindList& value);
void print_value(TextBuffer& out, const RunSchedule& value);

void print_duration(TextBuffer& out, uint64_t microseconds);
void print_spin_count(TextBuffer& out, uint64_t count);
void print_allocator(TextBuffer& out, uintptr_t handle);

}  // namespace tulle::omp
