// SPDX-License-Identifier: Apache-2.0
// A module that asks for executable stacks, to be loaded by a program that does not.
int call_nested(int base, int value) {
  int add(int more) { return base + more; }
  int (*volatile function)(int) = add;
  return function(value);
}
