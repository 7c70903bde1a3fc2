// SPDX-License-Identifier: Apache-2.0
// The affinity policies, by the rules of OpenMP 5.2 §10.1.3.
#include "omp/binding/placement.h"

#include <gtest/gtest.h>

#include <string>

namespace tulle::omp {
namespace {

// The places of all members, and their partitions where they differ from the outer one.
std::string team(ProcBind policy, Placement outer, uint32_t nthreads) {
  std::string text;
  for (uint32_t num = 0; num < nthreads; ++num) {
    Placement p = place_member(policy, outer, nthreads, num);
    text += (num == 0 ? "" : " ") + std::to_string(p.place);
    if (p.first != outer.first || p.count != outer.count)
      text += "[" + std::to_string(p.first) + "+" + std::to_string(p.count) + "]";
  }
  return text;
}

TEST(Placement, Primary) { EXPECT_EQ(team(ProcBind::primary, {3, 0, 8}, 3), "3 3 3"); }

TEST(Placement, CloseWithRoom) {
  EXPECT_EQ(team(ProcBind::close, {0, 0, 8}, 4), "0 1 2 3");
  EXPECT_EQ(team(ProcBind::close, {6, 0, 8}, 4), "6 7 0 1") << "wraps round";
  EXPECT_EQ(team(ProcBind::close, {5, 4, 4}, 4), "5 6 7 4") << "within the partition";
}

TEST(Placement, CloseCrowded) {
  EXPECT_EQ(team(ProcBind::close, {0, 0, 2}, 4), "0 0 1 1");
  EXPECT_EQ(team(ProcBind::close, {1, 0, 3}, 7), "1 1 1 2 2 0 0");
}

TEST(Placement, SpreadWithRoom) {
  EXPECT_EQ(team(ProcBind::spread, {0, 0, 8}, 4), "0[0+2] 2[2+2] 4[4+2] 6[6+2]");
  EXPECT_EQ(team(ProcBind::spread, {0, 0, 8}, 3), "0[0+3] 3[3+3] 6[6+2]");
  EXPECT_EQ(team(ProcBind::spread, {5, 0, 8}, 4), "5[4+2] 6[6+2] 0[0+2] 2[2+2]");
  EXPECT_EQ(team(ProcBind::spread, {5, 0, 8}, 1), "5");
}

TEST(Placement, SpreadCrowded) {
  EXPECT_EQ(team(ProcBind::spread, {0, 0, 2}, 4), "0[0+1] 0[0+1] 1[1+1] 1[1+1]");
}

TEST(Placement, NestedSpreadThenClose) {
  Placement outer = place_member(ProcBind::spread, {0, 0, 8}, 2, 1);
  EXPECT_EQ(outer.place, 4);
  EXPECT_EQ(team(ProcBind::close, outer, 4), "4 5 6 7");
}

TEST(Placement, Off) {
  EXPECT_EQ(team(ProcBind::off, {0, 0, 8}, 2), "-1 -1");
  EXPECT_EQ(team(ProcBind::close, {-1, 0, 0}, 2), "-1 -1");
}

TEST(Placement, ClauseNeedsBindingOn) {
  EXPECT_EQ(region_policy(ProcBind::spread, ProcBind::off), ProcBind::off);
  EXPECT_EQ(region_policy(ProcBind::spread, ProcBind::on), ProcBind::spread);
  EXPECT_EQ(region_policy(ProcBind::off, ProcBind::close), ProcBind::close);
}

TEST(Placement, LibompHasItsOwnWays) {
  auto of = [](ProcBind bind, const char* variable, Peer peer = Peer::libomp) {
    return bind_of_peer(bind, {Origin::environment, variable}, peer);
  };
  EXPECT_EQ(of(ProcBind::on, "OMP_PROC_BIND", Peer::libgomp), ProcBind::on);
  EXPECT_EQ(of(ProcBind::close, "KMP_AFFINITY", Peer::libgomp), ProcBind::close);
  EXPECT_EQ(of(ProcBind::on, "OMP_PROC_BIND"), ProcBind::spread);
  EXPECT_EQ(of(ProcBind::on, "OMP_PLACES"), ProcBind::spread);
  EXPECT_EQ(of(ProcBind::close, "OMP_PROC_BIND"), ProcBind::close);
  EXPECT_EQ(of(ProcBind::off, "OMP_PROC_BIND"), ProcBind::off);
  EXPECT_EQ(of(ProcBind::close, "KMP_AFFINITY"), ProcBind::in_turn);
  EXPECT_EQ(of(ProcBind::spread, "KMP_AFFINITY"), ProcBind::spread);
  EXPECT_EQ(of(ProcBind::on, "GOMP_CPU_AFFINITY"), ProcBind::in_turn);
  EXPECT_EQ(team(ProcBind::in_turn, {0, 0, 3}, 7), "0 1 2 0 1 2 0");
}

}  // namespace
}  // namespace tulle::omp
