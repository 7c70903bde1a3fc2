// SPDX-License-Identifier: Apache-2.0
#include "arch/current.h"

thread_local void* tulle_current = nullptr;
thread_local void* tulle_lent = nullptr;
