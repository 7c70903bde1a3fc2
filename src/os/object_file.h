// SPDX-License-Identifier: Apache-2.0
// Shared objects that are bytes in memory.
#pragma once

#include <cstddef>

namespace tulle::os {

// A further copy of the object, apart from all that are loaded; dlclose() gives it back. Null: dlerror() says why,
// or, where it says nothing, there is no memory.
void* load_object(const char* begin, size_t bytes);

// The module of that name that lies beside this library; it stays open. Null: there is none, or it cannot be loaded;
// dlerror() may say why.
void* load_beside(const char* file);

}  // namespace tulle::os
