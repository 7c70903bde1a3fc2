// SPDX-License-Identifier: Apache-2.0
// A plug-in with thread-local data.
static __thread int own = -1;

void set_own(int value);
int get_own(void);

void set_own(int value) { own = value; }
int get_own(void) { return own; }
