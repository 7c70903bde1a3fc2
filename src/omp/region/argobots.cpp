// SPDX-License-Identifier: Apache-2.0
// Argobots is found by weak references, as sanitizers are. Names, types and numbers are those of Argobots 1.2;
// versions before 1.1 lack some. A tasklet cannot wait, and an OS thread that is no execution stream has no thread of
// its: both are ordinary OS threads.
#include "omp/region/argobots.h"

#include <atomic>
#include <cstddef>
#include <cstring>

#include "base/cacheline.h"
#include "omp/region/guests.h"
#include "os/report.h"
#include "sched/guest.h"
#include "tulle/host.h"
#include "ult/port_contract.h"

extern "C" {
__attribute__((weak)) int ABT_self_get_type(int* type);
__attribute__((weak)) int ABT_self_get_thread(void** thread);
__attribute__((weak)) int ABT_self_get_specific(void* key, void** value);
__attribute__((weak)) int ABT_self_set_specific(void* key, void* value);
__attribute__((weak)) int ABT_key_create(void (*destructor)(void*), void** key);
__attribute__((weak)) int ABT_key_free(void** key);
__attribute__((weak)) int ABT_eventual_create(int bytes, void** eventual);
__attribute__((weak)) int ABT_eventual_wait(void* eventual, void** value);
__attribute__((weak)) int ABT_eventual_set(void* eventual, void* value, int bytes);
__attribute__((weak)) int ABT_eventual_free(void** eventual);
__attribute__((weak)) int ABT_thread_get_attr(void* thread, void** attributes);
__attribute__((weak)) int ABT_thread_attr_get_stack(void* attributes, void** lowest, size_t* bytes);
__attribute__((weak)) int ABT_thread_attr_free(void** attributes);
}

namespace tulle::omp {

namespace {

constexpr int kUlt = 0;  // ABT_UNIT_TYPE_THREAD

void check(int error, const char* what) {
  if (error != 0) os::fatal("Argobots: %s failed (%d)", what, error);
}

void thread_ends(void* word) {
  if (word != nullptr) guest_ended(word);
}

std::atomic<void*> key{nullptr};

void* make_key() {
  void* made = nullptr;
  check(ABT_key_create(thread_ends, &made), "ABT_key_create");
  void* known = nullptr;
  if (key.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return made;
  ABT_key_free(&made);
  return known;
}

void* self() {
  int type;
  void* thread;
  if (ABT_self_get_type(&type) != 0 || type != kUlt || ABT_self_get_thread(&thread) != 0) return nullptr;
  return thread;
}

void* get() {
  void* word = nullptr;
  void* known = key.load(std::memory_order_acquire);  // pairs with make_key
  if (known != nullptr) ABT_self_get_specific(known, &word);
  return word;
}

void set(void* word) {
  void* known = key.load(std::memory_order_acquire);  // pairs with make_key
  check(ABT_self_set_specific(known != nullptr ? known : make_key(), word), "ABT_self_set_specific");
}

void* waiter() {
  void* eventual;
  check(ABT_eventual_create(0, &eventual), "ABT_eventual_create");
  return eventual;
}

void wait(void* eventual) {
  check(ABT_eventual_wait(eventual, nullptr), "ABT_eventual_wait");
  ABT_eventual_free(&eventual);
}

void wake(void* eventual) { check(ABT_eventual_set(eventual, nullptr, 0), "ABT_eventual_set"); }

int stack(void* thread, void** lowest, size_t* bytes) {
  void* attributes;
  if (ABT_thread_get_attr(thread, &attributes) != 0) return 0;
  int error = ABT_thread_attr_get_stack(attributes, lowest, bytes);
  ABT_thread_attr_free(&attributes);
  return error == 0 && *lowest != nullptr;
}

// Then its threads are no guests of the runtime.
bool carries_the_runtime() {
  for (const char* module : ult::port::kModules)
    if (strncmp(module, "libabt", 6) == 0) return true;
  return false;
}

}  // namespace

void look_for_argobots() {
  if (ABT_self_get_type == nullptr || ABT_self_get_specific == nullptr || carries_the_runtime()) return;
  sched::set_host({sizeof(tulle_ult_host), self, get, set, waiter, wait, wake, stack});
}

}  // namespace tulle::omp
