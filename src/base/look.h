// SPDX-License-Identifier: Apache-2.0
// Fields that are written plainly by whoever holds their record, and looked at by others who hold
// nothing: the record may be reused meanwhile. Both go through here, as relaxed atomic operations that
// cost what plain ones do. Whoever looks says why a stale value is harmless.
#pragma once

namespace tulle {

template <class T>
inline T look(const T& field) {
  T value;
  __atomic_load(&field, &value, __ATOMIC_RELAXED);
  return value;
}

// Holder of the record only.
template <class T, class Value>
inline void set_looked_at(T& field, Value value) {
  T stored = static_cast<T>(value);
  __atomic_store(&field, &stored, __ATOMIC_RELAXED);
}

}  // namespace tulle
