// SPDX-License-Identifier: Apache-2.0
// Fields of the affinity format: names, padding, and what is not a field.
#include "omp/places/affinity_format.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace tulle::omp {
namespace {

std::string expand(std::string_view format, Peer peer = Peer::libgomp) {
  AffinityInfo info;
  info.team_num = 1;
  info.num_teams = 2;
  info.level = 3;
  info.thread_num = 4;
  info.num_threads = 5;
  info.ancestor_thread_num = -1;
  info.native_thread = 77;
  for (int cpu : {0, 1, 2, 8, 10, 11}) info.cpus.add(cpu);
  char text[512];
  TextBuffer out(text, sizeof text);
  expand_affinity_format(out, format, info, peer);
  EXPECT_EQ(out.length(), std::string_view(text).size());
  return text;
}

TEST(AffinityFormat, ShortAndLongNames) {
  EXPECT_EQ(expand("%t %T %L %n %N %a %i"), "1 2 3 4 5 -1 77");
  EXPECT_EQ(expand("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} "
                   "%{ancestor_tnum} %{native_thread_id}"),
            "1 2 3 4 5 -1 77");
  EXPECT_EQ(expand("%A"), "0-2,8,10-11");
  EXPECT_EQ(expand("%P"), std::to_string(getpid()));
  EXPECT_EQ(expand("%{host}"), expand("%H"));
}

TEST(AffinityFormat, Padding) {
  EXPECT_EQ(expand("[%4n][%.4n][%0.4n][%0.4a]"), "[4   ][   4][0004][-001]");
  EXPECT_EQ(expand("[%1A]"), "[0-2,8,10-11]") << "too narrow: nothing is cut";
}

TEST(AffinityFormat, WhatIsNoField) {
  EXPECT_EQ(expand("100%%"), "100%");
  EXPECT_EQ(expand("%x"), "undefined");
  EXPECT_EQ(expand("%{no_such}!"), "undefined!");
  EXPECT_EQ(expand("end%"), "endundefined");
  EXPECT_EQ(expand(""), "");
}

TEST(AffinityFormat, TwoCpusInARowAreNoRangeInLibomp) {
  EXPECT_EQ(expand("%A"), "0-2,8,10-11");
  EXPECT_EQ(expand("%A", Peer::libomp), "0-2,8,10,11");
}

TEST(AffinityFormat, LengthCountsWhatDoesNotFit) {
  char text[4];
  TextBuffer out(text, sizeof text);
  expand_affinity_format(out, "abcdef", AffinityInfo(), Peer::libgomp);
  EXPECT_STREQ(text, "abc");
  EXPECT_EQ(out.length(), 6u);
}

TEST(AffinityFormat, SetAndGet) {
  set_affinity_format("thread %n");
  char text[32];
  TextBuffer out(text, sizeof text);
  put_affinity_format(out, Peer::libgomp);
  EXPECT_STREQ(text, "thread %n");
}

}  // namespace
}  // namespace tulle::omp
