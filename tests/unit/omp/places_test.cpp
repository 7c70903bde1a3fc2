// SPDX-License-Identifier: Apache-2.0
// Places of machines that are described, not had.
#include "omp/places/places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "omp/places/kmp_affinity.h"
#include "omp/places/places_parse.h"
#include "topology/builder.h"

namespace tulle::omp {
namespace {

using topology::Kind;

// Packages of cores of hardware threads; processor numbers count first threads first, as firmware
// likes to.
topology::TreePtr machine_of(int packages, int cores, int threads) {
  topology::Builder builder("test");
  int leaf = 0;
  for (int p = 0; p < packages; ++p) {
    builder.add(Kind::package, p, 0, leaf, cores * threads);
    for (int c = 0; c < cores; ++c) {
      builder.add(Kind::core, c, 0, leaf, threads);
      for (int t = 0; t < threads; ++t)
        builder.add(Kind::cpu, t * packages * cores + p * cores + c, 0, leaf++, 1);
    }
  }
  return builder.build();
}

CpuSet cpus_of(const topology::Tree& tree) { return tree.cpus(topology::Tree::kRoot); }

std::string shown(const PlaceList& list) {
  std::string text;
  for (int i = 0; i < list.count(); ++i) {
    text += i == 0 ? "{" : " {";
    bool first = true;
    for (int cpu : list.cpus(i)) {
      text += (first ? "" : ",") + std::to_string(cpu);
      first = false;
    }
    text += "}";
  }
  return text;
}

std::string places_of(const char* text, const topology::Tree& tree) {
  PlaceBuilder builder(cpus_of(tree));
  if (!places_are_valid(text)) return "not valid";
  if (!add_places(text, tree, builder)) return "failed";
  return shown(builder.take());
}

std::vector<std::string> lines_reported;

// What make_places says from now on.
std::vector<std::string>& reported() {
  lines_reported.clear();
  return lines_reported;
}
void report(const char* line) { lines_reported.push_back(line); }

std::string kmp(const char* text, const topology::Tree& tree) {
  PlaceBuilder builder(cpus_of(tree));
  if (!add_kmp_affinity(text, tree, builder)) return "not valid";
  return shown(builder.take());
}

TEST(Places, Names) {
  topology::TreePtr tree = machine_of(2, 2, 2);
  EXPECT_EQ(places_of("threads", *tree), "{0} {4} {1} {5} {2} {6} {3} {7}");
  EXPECT_EQ(places_of("Cores", *tree), "{0,4} {1,5} {2,6} {3,7}");
  EXPECT_EQ(places_of("sockets", *tree), "{0,1,4,5} {2,3,6,7}");
  EXPECT_EQ(places_of("cores(3)", *tree), "{0,4} {1,5} {2,6}");
  EXPECT_EQ(places_of("cores(2:2)", *tree), "{0,4} {2,6}");
  EXPECT_EQ(places_of("numa_domains", *tree), "{0,1,2,3,4,5,6,7}");
}

TEST(Places, Lists) {
  topology::TreePtr tree = machine_of(1, 8, 1);
  EXPECT_EQ(places_of("{0,1},{2,3}", *tree), "{0,1} {2,3}");
  EXPECT_EQ(places_of("{0:2}:3:2", *tree), "{0,1} {2,3} {4,5}");
  EXPECT_EQ(places_of("{0:4:2}", *tree), "{0,2,4,6}");
  EXPECT_EQ(places_of("{6:3:-2}", *tree), "{2,4,6}");
  EXPECT_EQ(places_of("{7}:3:-3", *tree), "{7} {4} {1}");
  EXPECT_EQ(places_of("{0:8,!3}", *tree), "{0,1,2,4,5,6,7}");
  EXPECT_EQ(places_of("{0}:4,!{2}", *tree), "{0} {1} {3}");
  EXPECT_EQ(places_of("3,1", *tree), "{3} {1}");
  EXPECT_EQ(places_of("{6}:1000", *tree), "{6} {7}") << "what the machine has not is left out";
}

TEST(Places, BadTexts) {
  topology::TreePtr tree = machine_of(1, 2, 1);
  for (const char* text : {"", "core", "cores(", "cores()", "cores(0)", "cores(1", "{}", "{0", "{0}}",
                           "{0,}", "{0}:0", "{0}:2:0", "{-1}", "{0}{1}", "{0:99999999999}", "{1:3:-1}"})
    EXPECT_EQ(places_of(text, *tree), "not valid") << text;
}

TEST(Places, CpuAffinity) {
  topology::TreePtr tree = machine_of(1, 16, 1);
  PlaceBuilder builder(cpus_of(*tree));
  ASSERT_TRUE(add_cpu_affinity("0 3 1-2, 4-15:4", builder));
  EXPECT_EQ(shown(builder.take()), "{0} {3} {1} {2} {4} {8} {12}");
  for (const char* text : {"", "a", "3-1", "1-", "1-4:0", ",1"})
    EXPECT_FALSE(cpu_affinity_is_valid(text)) << text;
}

TEST(Places, UnusableProcessorsAreLeftOut) {
  topology::TreePtr tree = machine_of(1, 4, 1);
  GlobalIcv icv{};
  icv.places = {"{0},{1},{2,3}", {Origin::environment, "OMP_PLACES"}};
  CpuSet usable;
  usable.add(1);
  usable.add(3);
  std::vector<std::string>& lines = reported();
  EXPECT_EQ(shown(make_places(icv, *tree, usable, report)), "{1} {3}");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("OMP_PLACES=\"{0},{1},{2,3}\" names places without"), std::string::npos);
  lines.clear();
  icv.places.value = "threads";
  EXPECT_EQ(shown(make_places(icv, *tree, usable, report)), "{1} {3}");
  EXPECT_TRUE(lines.empty()) << "a name stands for what there is";
}

TEST(Places, NothingUsableIsReportedOnce) {
  topology::TreePtr tree = machine_of(1, 4, 1);
  for (const char* text : {"{40}", "!{0}"}) {
    GlobalIcv icv{};
    icv.places = {text, {Origin::environment, "OMP_PLACES"}};
    std::vector<std::string>& lines = reported();
    EXPECT_EQ(shown(make_places(icv, *tree, cpus_of(*tree), report)), "{0} {1} {2} {3}");
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("OMP_PLACES=\"" + std::string(text) + "\" names no CPU"), std::string::npos);
  }
}

TEST(Places, AnEmptySubsetIsReported) {
  topology::TreePtr tree = machine_of(1, 4, 1);
  GlobalIcv icv{};
  icv.kmp_hw_subset = {"1c@5", {Origin::environment, "KMP_HW_SUBSET"}};
  icv.proc_bind.source = icv.kmp_hw_subset.source;
  std::vector<std::string>& lines = reported();
  EXPECT_EQ(shown(make_places(icv, *tree, cpus_of(*tree), report)), "{0,1,2,3}");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("KMP_HW_SUBSET=\"1c@5\" names no CPU"), std::string::npos);
}

TEST(KmpAffinity, OrdersOfPlaces) {
  topology::TreePtr tree = machine_of(2, 2, 2);
  EXPECT_EQ(kmp("compact", *tree), "{0,4} {1,5} {2,6} {3,7}");
  EXPECT_EQ(kmp("granularity=fine,compact", *tree), "{0} {4} {1} {5} {2} {6} {3} {7}");
  EXPECT_EQ(kmp("granularity=fine,compact,1,0", *tree), "{0} {1} {2} {3} {4} {5} {6} {7}");
  EXPECT_EQ(kmp("granularity=fine,scatter", *tree), "{0} {2} {1} {3} {4} {6} {5} {7}");
  EXPECT_EQ(kmp("scatter", *tree), "{0,4} {2,6} {1,5} {3,7}");
  EXPECT_EQ(kmp("compact,0,1", *tree), "{1,5} {2,6} {3,7} {0,4}");
  EXPECT_EQ(kmp("verbose,granularity=core,balanced", *tree), "{0,4} {1,5} {2,6} {3,7}");
  EXPECT_EQ(kmp("explicit,proclist=[3,0-1,{4,5}]", *tree), "{3} {0} {1} {4,5}");
  EXPECT_EQ(kmp("none", *tree), "");
}

TEST(KmpAffinity, WithoutATypeAsksForNoPlaces) {
  for (const char* text : {"verbose", "granularity=fine", "respect,reset"})
    EXPECT_FALSE(asks_for_places(text)) << text;
  EXPECT_FALSE(asks_for_places(nullptr));
  EXPECT_TRUE(asks_for_places("granularity=fine,none"));
  topology::TreePtr tree = machine_of(1, 2, 1);
  GlobalIcv icv{};
  icv.kmp_affinity = {"granularity=fine", {Origin::environment, "KMP_AFFINITY"}};
  icv.places = {"{1},{0}", {Origin::environment, "OMP_PLACES"}};
  EXPECT_EQ(shown(make_places(icv, *tree, cpus_of(*tree), nullptr)), "{1} {0}");
  KmpAffinity affinity;
  EXPECT_TRUE(parse_kmp_affinity("compact,reset", affinity) && affinity.reset);
  EXPECT_TRUE(parse_kmp_affinity("reset,noreset", affinity) && !affinity.reset);
}

TEST(KmpAffinity, BadTexts) {
  KmpAffinity affinity;
  for (const char* text : {"", "sideways", "compact,1,2,3", "1,compact", "explicit",
                           "explicit,proclist=[", "granularity=huge,compact", "compact,,1",
                           "compact,scatter"})
    EXPECT_FALSE(parse_kmp_affinity(text, affinity)) << text;
}

TEST(HwSubset, LeavesPartsOfParts) {
  topology::TreePtr tree = machine_of(2, 4, 2);
  auto count = [&](const char* text) { return hw_subset_cpus(text, *tree).count(); };
  EXPECT_EQ(count("1s"), 8);
  EXPECT_EQ(count("2s,2c,1t"), 4);
  EXPECT_EQ(count("1T"), 8);
  EXPECT_EQ(count("1s,3c@1"), 6);
  EXPECT_EQ(count("3c"), 12) << "of each socket";
  EXPECT_EQ(count("2c,1s"), 4) << "the order of items does not matter";
  CpuSet second = hw_subset_cpus("1s@1,1c@2,1t", *tree);
  EXPECT_TRUE(second.contains(6) && second.count() == 1);
  HwSubset subset;
  for (const char* text : {"", "4", "c", "1s,2s", "1s,", "2x", "0c", "1c:", "1s,:1c", "1c:foo", "1c:eff",
                           "1s:intel_core", "1c@1@2"})
    EXPECT_FALSE(parse_hw_subset(text, subset)) << text;
}

TEST(HwSubset, CountsLevelsThatAreNamedAlone) {
  topology::TreePtr tree = machine_of(2, 4, 2);
  auto cpus = [&](const char* text) { return hw_subset_cpus(text, *tree); };
  EXPECT_EQ(cpus(":1c").count(), 2) << "of the whole machine, with all its hardware threads";
  EXPECT_EQ(cpus(":3t").count(), 3);
  EXPECT_TRUE(cpus(":1c@4,1t") == cpus("1s@1,1c,1t"));
  EXPECT_EQ(cpus("2t@1").count(), 8) << "without the colon of each core";
}

TEST(HwSubset, ReadsAttributesOfCores) {
  topology::TreePtr tree = machine_of(2, 4, 2);
  auto count = [&](const char* text) { return hw_subset_cpus(text, *tree).count(); };
  EXPECT_EQ(count("1s,3c:intel_core@1"), 6);
  EXPECT_EQ(count("1s,3c@1:eff0"), 6);
  EXPECT_EQ(count("1s,2c:intel_atom,1t"), 2);
}

TEST(HwSubset, CachesOfOneCoreAreCores) {
  topology::TreePtr tree = machine_of(2, 4, 2);
  auto count = [&](const char* text) { return hw_subset_cpus(text, *tree).count(); };
  EXPECT_EQ(count("1l2"), 4);
  EXPECT_EQ(count(":3l2"), 6);
  EXPECT_EQ(count("1s,2l2@1,1t"), 2);
}

TEST(HwSubset, AloneIsOnePlace) {
  topology::TreePtr tree = machine_of(2, 2, 1);
  GlobalIcv icv{};
  Source source{Origin::environment, "KMP_HW_SUBSET"};
  icv.kmp_hw_subset = {"1s", source};
  icv.proc_bind = {{1, {ProcBind::on}}, source};
  EXPECT_EQ(shown(make_places(icv, *tree, cpus_of(*tree), nullptr)), "{0,1}");
  icv.kmp_affinity = {"none", {Origin::environment, "KMP_AFFINITY"}};
  EXPECT_EQ(shown(make_places(icv, *tree, cpus_of(*tree), nullptr)), "{0,1}");
}

}  // namespace
}  // namespace tulle::omp
