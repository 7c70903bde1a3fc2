// SPDX-License-Identifier: Apache-2.0
// Records that are linked by `next`. Owner: one thread.
#pragma once

namespace tulle {

// A chain that was built last in, first out, turned over, with `behind` at its end.
template <class Record>
Record* turned_over(Record* newest, Record* behind = nullptr) {
  while (newest != nullptr) {
    Record* before = newest->next;
    newest->next = behind;
    behind = newest;
    newest = before;
  }
  return behind;
}

}  // namespace tulle
