// SPDX-License-Identifier: Apache-2.0
// A program without OpenMP.
int main(void) { return 0; }
