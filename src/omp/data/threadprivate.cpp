// SPDX-License-Identifier: Apache-2.0
#include "omp/data/threadprivate.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/cacheline.h"
#include "base/hash.h"
#include "omp/thread/team.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// A variable that some thread has asked for or that was registered. Never freed; under the lock until
// `size` is set, constant afterwards.
struct PrivateVariable {
  PrivateVariable* next;
  void* original;
  size_t size;  // 0: registered, not used yet
  PrivateFunctions functions;
  char* beginning;  // the original's bytes at first use
};

// A thread's copies, by the original's address: open addressing, at most half full. W, R: owner.
struct PrivateTable {
  struct Entry {
    void* original;
    void* copy;
    const PrivateVariable* variable;
  };
  size_t mask;
  size_t used;
  Entry entries[];
};

namespace {

constexpr size_t kFirstEntries = 16;

TULLE_HELD_AT_FORK sync::Spinlock lock;
PrivateVariable* variables TULLE_GUARDED_BY(lock) = nullptr;

using VectorConstruct = void* (*)(void*, size_t);
using VectorCopy = void* (*)(void*, void*, size_t);
using VectorDestroy = void (*)(void*, size_t);

void* take_memory(size_t size) {
  void* memory = calloc(1, size);
  if (!memory) os::fatal("no memory for threadprivate data of %zu bytes", size);
  return memory;
}

PrivateVariable* find_variable_locked(void* original) TULLE_UNDER(lock) {
  for (PrivateVariable* variable = variables; variable; variable = variable->next)
    if (variable->original == original) return variable;
  auto* variable = static_cast<PrivateVariable*>(take_memory(sizeof(PrivateVariable)));
  variable->next = variables;
  variable->original = original;
  return variables = variable;
}

const PrivateVariable* find_variable(void* original, size_t size) {
  sync::Guard guard(lock);
  PrivateVariable* variable = find_variable_locked(original);
  if (variable->size == 0) {
    variable->size = size;
    variable->beginning = static_cast<char*>(take_memory(size));
    memcpy(variable->beginning, original, size);
  }
  return variable;
}

void construct(const PrivateVariable& variable, void* copy) {
  const PrivateFunctions& f = variable.functions;
  if (f.copy_construct) {
    if (f.count != 0)
      reinterpret_cast<VectorCopy>(reinterpret_cast<void (*)()>(f.copy_construct))(
          copy, variable.original, f.count);
    else
      f.copy_construct(copy, variable.original);
  } else if (f.construct) {
    if (f.count != 0)
      reinterpret_cast<VectorConstruct>(reinterpret_cast<void (*)()>(f.construct))(copy, f.count);
    else
      f.construct(copy);
  } else {
    memcpy(copy, variable.beginning, variable.size);
  }
}

void destroy(const PrivateVariable& variable, void* copy) {
  const PrivateFunctions& f = variable.functions;
  if (!f.destroy) return;
  if (f.count != 0)
    reinterpret_cast<VectorDestroy>(reinterpret_cast<void (*)()>(f.destroy))(copy, f.count);
  else
    f.destroy(copy);
}

// The thread that encountered the regions of which this one is member 0.
Thread* owner_of(Thread* thread) {
  while (thread->num == 0 && thread->team->parent) thread = thread->team->parent;
  return thread;
}

PrivateTable::Entry& slot(PrivateTable& table, const void* original) {
  size_t i = golden_hash(reinterpret_cast<uintptr_t>(original) >> 3) >> 32;
  while (table.entries[i & table.mask].original &&
         table.entries[i & table.mask].original != original)
    ++i;
  return table.entries[i & table.mask];
}

PrivateTable* make_table(size_t entries) {
  auto* table = static_cast<PrivateTable*>(
      take_memory(sizeof(PrivateTable) + entries * sizeof(PrivateTable::Entry)));
  table->mask = entries - 1;
  return table;
}

void make_room(Thread* owner) {
  PrivateTable* old = owner->privates;
  if (old && old->used * 2 <= old->mask) return;
  PrivateTable* table = make_table(old ? (old->mask + 1) * 2 : kFirstEntries);
  if (old) {
    for (size_t i = 0; i <= old->mask; ++i)
      if (old->entries[i].original) slot(*table, old->entries[i].original) = old->entries[i];
    table->used = old->used;
    free(old);
  }
  owner->privates = table;
}

TULLE_COLD void* make_copy(Thread* owner, void* original, size_t size) {
  const PrivateVariable* variable = find_variable(original, size);
  void* copy = original;
  if (owner->gtid != 0) {
    const size_t bytes = (size + kCacheLinePair - 1) & ~(kCacheLinePair - 1);
    copy = aligned_alloc(kCacheLinePair, bytes);
    if (!copy) os::fatal("no memory for threadprivate data of %zu bytes", size);
    construct(*variable, copy);
  }
  make_room(owner);
  slot(*owner->privates, original) = {original, copy, variable};
  ++owner->privates->used;
  return copy;
}

}  // namespace

void register_threadprivate(void* original, const PrivateFunctions& functions) {
  sync::Guard guard(lock);
  find_variable_locked(original)->functions = functions;
}

void* threadprivate(Thread* thread, void* original, size_t size) {
  Thread* owner = owner_of(thread);
  if (TULLE_LIKELY(owner->privates != nullptr)) {
    const PrivateTable::Entry& entry = slot(*owner->privates, original);
    if (TULLE_LIKELY(entry.original != nullptr)) return entry.copy;
  }
  return make_copy(owner, original, size);
}

void drop_threadprivates(Thread* thread) {
  PrivateTable* table = thread->privates;
  if (!table) return;
  for (size_t i = 0; i <= table->mask; ++i) {
    const PrivateTable::Entry& entry = table->entries[i];
    if (!entry.original || entry.copy == entry.original) continue;
    destroy(*entry.variable, entry.copy);
    free(entry.copy);
  }
  free(table);
  thread->privates = nullptr;
}

}  // namespace tulle::omp
