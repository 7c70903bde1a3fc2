// SPDX-License-Identifier: Apache-2.0
#include "abi/libc/next.h"

#include <dlfcn.h>

#include "arch/symbol_versions.h"

namespace tulle::libc {

namespace {

struct Symbol {
  const char* name;
  const char* version;
};

constexpr Symbol kSymbols[] = {
    {"sched_yield", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_yield", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_cond_wait", TULLE_OLD_GLIBC("2.3.2")},
    {"pthread_cond_timedwait", TULLE_OLD_GLIBC("2.3.2")},
    {"pthread_cond_wait", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_cond_timedwait", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_cond_clockwait", "GLIBC_2.34"},
    {"pthread_cond_signal", TULLE_OLD_GLIBC("2.3.2")},
    {"pthread_cond_broadcast", TULLE_OLD_GLIBC("2.3.2")},
    {"pthread_barrier_init", "GLIBC_2.34"},
    {"pthread_barrier_destroy", "GLIBC_2.34"},
    {"pthread_barrierattr_getpshared", "GLIBC_2.34"},
    {"pthread_barrier_wait", "GLIBC_2.34"},
    {"pthread_join", "GLIBC_2.34"},
    {"pthread_timedjoin_np", "GLIBC_2.34"},
    {"pthread_clockjoin_np", "GLIBC_2.34"},
    {"sem_wait", "GLIBC_2.34"},
    {"sem_trywait", "GLIBC_2.34"},
    {"sem_timedwait", "GLIBC_2.34"},
    {"sem_clockwait", "GLIBC_2.34"},
    {"sem_post", "GLIBC_2.34"},
    {"pthread_mutex_lock", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_mutex_trylock", "GLIBC_2.34"},
    {"pthread_mutex_timedlock", "GLIBC_2.34"},
    {"pthread_mutex_clocklock", "GLIBC_2.34"},
    {"nanosleep", TULLE_OLD_GLIBC("2.2.5")},
    {"clock_nanosleep", "GLIBC_2.17"},
    {"usleep", TULLE_OLD_GLIBC("2.2.5")},
    {"sleep", TULLE_OLD_GLIBC("2.2.5")},
    {"poll", TULLE_OLD_GLIBC("2.2.5")},
    {"__poll_chk", TULLE_OLD_GLIBC("2.16")},
    {"ppoll", TULLE_OLD_GLIBC("2.4")},
    {"__ppoll_chk", TULLE_OLD_GLIBC("2.16")},
    {"select", TULLE_OLD_GLIBC("2.2.5")},
    {"pselect", TULLE_OLD_GLIBC("2.2.5")},
    {"epoll_wait", TULLE_OLD_GLIBC("2.3.2")},
    {"epoll_pwait", TULLE_OLD_GLIBC("2.6")},
    {"epoll_pwait2", "GLIBC_2.35"},
    {"syscall", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_sigmask", "GLIBC_2.32"},
    {"sigprocmask", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_kill", "GLIBC_2.34"},
    {"sigwait", TULLE_OLD_GLIBC("2.2.5")},
    {"sigwaitinfo", TULLE_OLD_GLIBC("2.2.5")},
    {"sigtimedwait", TULLE_OLD_GLIBC("2.2.5")},
    {"sigsuspend", TULLE_OLD_GLIBC("2.2.5")},
    {"pthread_setaffinity_np", "GLIBC_2.34"},
    {"pthread_getaffinity_np", "GLIBC_2.32"},
    {"pthread_getcpuclockid", "GLIBC_2.34"},
};
static_assert(sizeof kSymbols / sizeof *kSymbols == kFunctions);

std::atomic<void*> c_library{nullptr};

void* of_c_library(const Symbol& symbol) {
  void* library = c_library.load(std::memory_order_relaxed);
  if (library == nullptr) library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  c_library.store(library, std::memory_order_relaxed);
  void* found = dlvsym(library, symbol.name, symbol.version);
  return found != nullptr ? found : dlsym(library, symbol.name);
}

}  // namespace

std::atomic<void*> next_functions[kFunctions];

// Relaxed: all who look find the same. The C library itself may stand before us: then no module finds ours by itself.
void* find_next(Function function) {
  const Symbol& symbol = kSymbols[function];
  void* found = dlvsym(RTLD_NEXT, symbol.name, symbol.version);
  if (found == nullptr) found = dlsym(RTLD_NEXT, symbol.name);
  if (found == nullptr) found = of_c_library(symbol);
  if (found != nullptr) next_functions[function].store(found, std::memory_order_relaxed);
  return found;
}

namespace {

// Not at the first call: that may be one in which the dynamic linker cannot be asked.
__attribute__((constructor)) void find_all() {
  for (uint32_t function = 0; function < kFunctions; ++function) find_next(static_cast<Function>(function));
}

}  // namespace

}  // namespace tulle::libc
