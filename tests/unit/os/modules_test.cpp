// SPDX-License-Identifier: Apache-2.0
#include "os/modules.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

constexpr const char* kSeldomUsed = "libutil.so.1";  // of the C library, which has moved all functions elsewhere

TEST(Modules, AreSeenToComeAndToGo) {
  ASSERT_EQ(dlopen(kSeldomUsed, RTLD_LAZY | RTLD_NOLOAD), nullptr);
  const link_map* last = os::last_module();
  EXPECT_NE(last, nullptr);
  const unsigned long long before = os::modules_so_far();
  void* module = dlopen(kSeldomUsed, RTLD_LAZY);
  ASSERT_NE(module, nullptr) << dlerror();
  EXPECT_EQ(os::last_module(), nullptr);
  EXPECT_EQ(os::modules_so_far(), before + 1);
  dlclose(module);
  EXPECT_EQ(os::last_module(), last);
}

TEST(Modules, StayOnceTheyAreNoted) {
  void* module = dlopen(kSeldomUsed, RTLD_LAZY);
  ASSERT_NE(module, nullptr) << dlerror();
  os::note_last_module();
  EXPECT_EQ(os::last_module(), module);
  dlclose(module);
  EXPECT_EQ(os::last_module(), module);
}

}  // namespace
}  // namespace tulle
