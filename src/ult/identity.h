// SPDX-License-Identifier: Apache-2.0
// Whether anybody in the process can tell OpenMP threads apart by what the C library keeps for each OS
// thread. Then each member of a team is whole: it has the record of an OS thread of its own
// (ult/tls_block.h). Else members are bare. Any thread.
#pragma once

namespace tulle::ult {

// What showed it first.
struct IdentityUse {
  char module[64];     // file name, the end of it if it is long
  const char* name;    // of the function that it imports; null: see the reason
  const char* reason;
};

// Null: every module that is loaded is known to be harmless. Looks again only when modules have come
// since; who was whole stays so, for addresses may be held.
const IdentityUse* identity_use();

}  // namespace tulle::ult
