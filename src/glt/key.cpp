// SPDX-License-Identifier: Apache-2.0
// A key is a place in the units' tables and the time of its making: a value from before belongs to a key that is
// gone.
#include "glt/key.h"

#include <tulle/glt.h>

#include <cstdlib>
#include <new>

#include "glt/object.h"
#include "glt/thread.h"
#include "sync/spinlock.h"

struct tulle_glt_key {
  void (*destructor)(void*);
  uint32_t place;
  uint64_t made;
};

namespace tulle::glt {

struct KeyValues {
  struct Value {
    uint64_t made;  // of the key; 0: none
    void* value;
  };
  uint32_t count = 0;
  Value* values = nullptr;
};

namespace {

constexpr uint32_t kMaxKeys = 1024;
constexpr int kRounds = 4;  // as pthread keys: destructors may set values anew

TULLE_HELD_AT_FORK sync::Spinlock keys_lock;
tulle_glt_key* keys[kMaxKeys] TULLE_GUARDED_BY(keys_lock);
uint64_t keys_made TULLE_GUARDED_BY(keys_lock) = 0;

KeyValues::Value* value_of(Unit* unit, const tulle_glt_key* key) {
  KeyValues* table = unit->values;
  if (table == nullptr || key->place >= table->count) return nullptr;
  return &table->values[key->place];
}

KeyValues::Value* make_value(Unit* unit, const tulle_glt_key* key) {
  if (unit->values == nullptr) unit->values = new_object<KeyValues>("a work unit's values");
  KeyValues* table = unit->values;
  if (key->place < table->count) return &table->values[key->place];
  uint32_t count = key->place + 8;
  void* larger = realloc(table->values, count * sizeof *table->values);
  if (larger == nullptr) os::fatal("no memory for a work unit's values");
  table->values = static_cast<KeyValues::Value*>(larger);
  while (table->count < count) table->values[table->count++] = {0, nullptr};
  return &table->values[key->place];
}

// What is to be destroyed of the value at `place`; null: nothing.
void (*destructor_of(KeyValues::Value& value, uint32_t place))(void*) {
  sync::Guard guard(keys_lock);
  tulle_glt_key* key = keys[place];
  return value.value != nullptr && key != nullptr && key->made == value.made ? key->destructor : nullptr;
}

bool destroy_values(KeyValues* table) {
  bool any = false;
  for (uint32_t place = 0; place < table->count; ++place) {
    KeyValues::Value& value = table->values[place];
    auto* destructor = destructor_of(value, place);
    void* old = value.value;
    value.value = nullptr;
    if (destructor == nullptr) continue;
    destructor(old);
    any = true;
  }
  return any;
}

Unit* running_unit(const char* function) { return thread_or_end(function)->running; }

}  // namespace

void end_values(Unit* unit) {
  if (KeyValues* table = unit->values) {
    for (int round = 0; round < kRounds && destroy_values(table); ++round) {}
    unit->values = nullptr;
    free(table->values);
    free(table);
  }
  end_guest(unit);
}

}  // namespace tulle::glt

using namespace tulle;
using namespace tulle::glt;

GLT_ENTRY void glt_key_create(void (*destructor)(void*), GLT_key* newkey) {
  sync::Guard guard(keys_lock);
  uint32_t place = 0;
  while (place < kMaxKeys && keys[place] != nullptr) ++place;
  if (place == kMaxKeys) os::fatal("glt_key_create: there are %u keys already", kMaxKeys);
  auto* key = new_object<tulle_glt_key>("a key");
  *key = {destructor, place, ++keys_made};
  keys[place] = key;
  *newkey = key;
}

GLT_ENTRY void glt_key_free(GLT_key* key) {
  {
    sync::Guard guard(keys_lock);
    keys[(*key)->place] = nullptr;
  }
  delete_object(key);
}

GLT_ENTRY void glt_key_set(GLT_key key, void* value) {
  *make_value(running_unit("glt_key_set"), key) = {key->made, value};
}

GLT_ENTRY void glt_key_get(GLT_key key, void** value) {
  KeyValues::Value* found = value_of(running_unit("glt_key_get"), key);
  *value = found != nullptr && found->made == key->made ? found->value : nullptr;
}
