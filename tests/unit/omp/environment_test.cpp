// SPDX-License-Identifier: Apache-2.0
// What the environment variables accept, what follows from them, and what is said of bad values.
#include "omp/environment/environment.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "omp/data/allocator.h"
#include "omp/environment/environment_unknown.h"
#include "omp/icv/environment_parse.h"

namespace tulle::omp {
namespace {

std::map<std::string, std::string> variables;
std::vector<std::string> lines;

const char* get(const char* name) {
  auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

GlobalIcv read(std::map<std::string, std::string> set, int cpus = 8) {
  variables = std::move(set);
  lines.clear();
  GlobalIcv icv;
  read_environment({get, cpus, Origin::affinity_mask, [](const char*) { return 3; },
                    [](const char* line) { lines.push_back(line); }},
                   icv);
  return icv;
}

GlobalIcv read_as_stranger(std::map<std::string, std::string> set) {
  variables = std::move(set);
  lines.clear();
  GlobalIcv icv;
  read_environment({get, 8, Origin::affinity_mask, [](const char*) { return 3; },
                    [](const char* line) { lines.push_back(line); }, nullptr, nullptr, true},
                   icv);
  return icv;
}

std::string shown(const GlobalIcv& icv, std::string_view name) {
  for (const Variable& variable : environment_variables()) {
    if (variable.name != name) continue;
    char text[256];
    TextBuffer out(text, sizeof text);
    variable.print(icv, out);
    return text;
  }
  return "no such variable";
}

TEST(Environment, StandardValues) {
  GlobalIcv icv = read({});
  EXPECT_EQ(shown(icv, "OMP_NUM_THREADS"), "8");
  EXPECT_EQ(icv.num_threads.source.origin, Origin::affinity_mask);
  EXPECT_EQ(icv.max_active_levels.value, 1);
  EXPECT_EQ(shown(icv, "OMP_SCHEDULE"), "DYNAMIC");
  EXPECT_EQ(shown(icv, "OMP_PROC_BIND"), "FALSE");
  EXPECT_EQ(icv.wait_policy.value, WaitPolicy::bounded);
  EXPECT_EQ(shown(icv, "OMP_ALLOCATOR"), "omp_default_mem_alloc");
  EXPECT_TRUE(lines.empty());
}

TEST(Environment, ListOfNumbersOfThreadsLiftsTheLimitOfLevels) {
  GlobalIcv icv = read({{"OMP_NUM_THREADS", " 4, 3 ,2 "}});
  EXPECT_EQ(shown(icv, "OMP_NUM_THREADS"), "4,3,2");
  EXPECT_EQ(icv.max_active_levels.value, kMaxActiveLevels);
  EXPECT_STREQ(icv.max_active_levels.source.variable, "OMP_NUM_THREADS");
  icv = read({{"OMP_NUM_THREADS", "4,3"}, {"OMP_MAX_ACTIVE_LEVELS", "1"}});
  EXPECT_EQ(icv.max_active_levels.value, 1);
  icv = read({{"OMP_PROC_BIND", "spread,close"}});
  EXPECT_EQ(icv.max_active_levels.value, kMaxActiveLevels);
}

TEST(Environment, NestedYieldsToMaxActiveLevels) {
  EXPECT_EQ(read({{"OMP_NESTED", "true"}}).max_active_levels.value, kMaxActiveLevels);
  GlobalIcv icv = read({{"OMP_NESTED", "true"}, {"OMP_MAX_ACTIVE_LEVELS", "3"}});
  EXPECT_EQ(icv.max_active_levels.value, 3);
}

TEST(Environment, KmpGoesBeforeGompGoesBeforeOmp) {
  GlobalIcv icv = read({{"OMP_STACKSIZE", "1M"}, {"GOMP_STACKSIZE", "2M"}});
  EXPECT_EQ(icv.stack_size.value, 2u << 20);
  icv = read({{"OMP_STACKSIZE", "1M"}, {"GOMP_STACKSIZE", "2M"}, {"KMP_STACKSIZE", "4194304"}});
  EXPECT_EQ(icv.stack_size.value, 4u << 20);
  EXPECT_STREQ(icv.stack_size.source.variable, "KMP_STACKSIZE");
}

TEST(Environment, BadValueLeavesTheWeakerVariableInForce) {
  GlobalIcv icv = read({{"OMP_STACKSIZE", "1M"}, {"KMP_STACKSIZE", "lots"}});
  EXPECT_EQ(icv.stack_size.value, 1u << 20);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("KMP_STACKSIZE=\"lots\""), std::string::npos);
  EXPECT_NE(lines[0].find("using \"1M\""), std::string::npos);
}

TEST(Environment, EachBadValueGetsOneLine) {
  std::map<std::string, std::string> bad;
  for (const Variable& variable : environment_variables())
    if (variable.assign != nullptr) bad[variable.name] = "\x01?";
  std::size_t texts = 0;
  for (const char* text : {"OMP_AFFINITY_FORMAT", "OMP_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT",
                           "TULLE_PLACEMENT"})
    texts += bad.erase(text);
  read(bad);
  EXPECT_EQ(texts, 4u);
  EXPECT_EQ(lines.size(), bad.size());
  for (const std::string& line : lines) EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(Environment, KmpWarningsSilences) {
  read({{"KMP_WARNINGS", "0"}, {"OMP_NUM_THREADS", "none"}});
  EXPECT_TRUE(lines.empty());
}

TEST(Environment, EmptyValueIsBad) {
  read({{"OMP_NUM_THREADS", ""}});
  EXPECT_EQ(lines.size(), 1u);
}

TEST(Environment, WaitPolicies) {
  EXPECT_EQ(read({{"OMP_WAIT_POLICY", "passive"}}).blocktime_us.value, 0u);
  EXPECT_EQ(read({{"OMP_WAIT_POLICY", "Active"}}).blocktime_us.value, kEndless);
  EXPECT_EQ(read({{"KMP_BLOCKTIME", "3"}}).blocktime_us.value, 3000u);
  EXPECT_EQ(read({{"KMP_BLOCKTIME", "infinite"}}).blocktime_us.value, kEndless);
  EXPECT_EQ(read({{"KMP_BLOCKTIME", "3"}, {"TULLE_BLOCKTIME", "70us"}}).blocktime_us.value, 70u);
  GlobalIcv icv = read({{"GOMP_SPINCOUNT", "5k"}});
  EXPECT_EQ(icv.spin_count.value, 5000u);
  EXPECT_EQ(icv.blocktime_us.value, 100u);
  EXPECT_EQ(read({{"GOMP_SPINCOUNT", "infinity"}}).blocktime_us.value, kEndless);
  EXPECT_EQ(read({{"GOMP_SPINCOUNT", "1M"}, {"KMP_BLOCKTIME", "0"}}).spin_count.value, 0u);
  icv = read({{"OMP_WAIT_POLICY", "passive"}, {"KMP_LIBRARY", "turnaround"}});
  EXPECT_EQ(icv.wait_policy.value, WaitPolicy::active);
}

TEST(Environment, SerialLibraryMeansTeamsOfOne) {
  GlobalIcv icv = read({{"KMP_LIBRARY", "serial"}, {"OMP_NUM_THREADS", "4"}});
  EXPECT_EQ(icv.thread_limit.value, 1);
  EXPECT_TRUE(icv.serial_library.value);
}

TEST(Environment, ThreadLimitBoundsTheStandardTeamOnly) {
  EXPECT_EQ(read({{"OMP_THREAD_LIMIT", "3"}}).num_threads.value.values[0], 3u);
  GlobalIcv icv = read({{"OMP_THREAD_LIMIT", "3"}, {"OMP_NUM_THREADS", "5"}});
  EXPECT_EQ(icv.num_threads.value.values[0], 5u);
}

TEST(Environment, FormForAllDevicesIsWeaker) {
  EXPECT_EQ(read({{"OMP_NUM_THREADS_ALL", "5"}}).num_threads.value.values[0], 5u);
  GlobalIcv icv = read({{"OMP_NUM_THREADS_ALL", "5"}, {"OMP_NUM_THREADS", "6"}});
  EXPECT_EQ(icv.num_threads.value.values[0], 6u);
  EXPECT_EQ(read({{"OMP_NUM_THREADS_DEV", "5"}}).num_threads.value.values[0], 8u);
}

TEST(Environment, GivenPlacesAskForBinding) {
  GlobalIcv icv = read({{"OMP_PLACES", "cores"}});
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::on);
  EXPECT_STREQ(icv.proc_bind.source.variable, "OMP_PLACES");
  icv = read({{"OMP_PLACES", "cores"}, {"OMP_PROC_BIND", "false"}});
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::off);
  EXPECT_EQ(read({{"GOMP_CPU_AFFINITY", "0-3"}}).proc_bind.value.values[0], ProcBind::on);
  icv = read({{"KMP_AFFINITY", "granularity=fine,compact,1,0"}, {"OMP_PROC_BIND", "spread"}});
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::close);
  EXPECT_EQ(read({{"OMP_PLACES", "nowhere"}}).proc_bind.value.values[0], ProcBind::off);
  icv = read({{"KMP_AFFINITY", "granularity=fine"}, {"OMP_PROC_BIND", "spread"}});
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::spread) << "no type";
}

TEST(Environment, VerboseAffinityIsDisplayed) {
  EXPECT_FALSE(read({{"KMP_AFFINITY", "compact"}}).display_affinity.value);
  GlobalIcv icv = read({{"KMP_AFFINITY", "verbose,compact"}});
  EXPECT_TRUE(icv.display_affinity.value);
  EXPECT_STREQ(icv.display_affinity.source.variable, "KMP_AFFINITY");
  EXPECT_TRUE(read({{"KMP_AFFINITY", "verbose"}}).display_affinity.value);
  EXPECT_FALSE(read({{"KMP_AFFINITY", "verbose,noverbose,compact"}}).display_affinity.value);
  icv = read({{"KMP_AFFINITY", "verbose,compact"}, {"OMP_DISPLAY_AFFINITY", "false"}});
  EXPECT_FALSE(icv.display_affinity.value);
}

TEST(Environment, HardwareSubsetBoundsTheTeam) {
  EXPECT_GT(read({}).cpus, 3);
  GlobalIcv icv = read({{"KMP_HW_SUBSET", "1s,3c"}});
  EXPECT_EQ(icv.cpus, 3);
  EXPECT_EQ(read({{"KMP_HW_SUBSET", "1s,3c"}, {"OMP_NUM_THREADS", "5"}}).cpus, 3);
  EXPECT_EQ(icv.num_threads.value.values[0], 3u);
  EXPECT_STREQ(icv.num_threads.source.variable, "KMP_HW_SUBSET");
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::on);
}

TEST(Environment, HardwareSubsetBesideAffinity) {
  GlobalIcv icv = read({{"KMP_HW_SUBSET", "1s,3c"}, {"KMP_AFFINITY", "none"}});
  EXPECT_EQ(icv.num_threads.value.values[0], 3u);
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::on);
  EXPECT_STREQ(icv.proc_bind.source.variable, "KMP_HW_SUBSET");
  icv = read({{"KMP_HW_SUBSET", "1s,3c"}, {"KMP_AFFINITY", "disabled"}});
  EXPECT_EQ(icv.num_threads.value.values[0], static_cast<uint32_t>(read({}).cpus));
  EXPECT_EQ(icv.proc_bind.value.values[0], ProcBind::off);
  EXPECT_EQ(icv.kmp_hw_subset.value, nullptr);
  icv = read({{"KMP_HW_SUBSET", "1s,3c"}, {"KMP_AFFINITY", "scatter"}});
  EXPECT_EQ(icv.cpus, 3);
  EXPECT_STREQ(icv.proc_bind.source.variable, "KMP_AFFINITY");
}

TEST(Environment, OfAStrangerNamesNoFiles) {
  GlobalIcv icv = read_as_stranger({{"TULLE_PLACEMENT", "out"}, {"TULLE_POLICY", "/tmp/x.so"},
                                    {"OMP_TOOL_LIBRARIES", "y.so"}, {"OMP_TOOL_VERBOSE_INIT", "z"}});
  EXPECT_EQ(icv.placement.value, nullptr);
  EXPECT_STREQ(icv.policy.value, "DEFAULT");
  EXPECT_EQ(icv.tool_libraries.value, nullptr);
  EXPECT_EQ(icv.tool_verbose_init.value, nullptr);
  ASSERT_EQ(lines.size(), 4u);
  for (const std::string& line : lines) EXPECT_NE(line.find("names a file and is ignored"), std::string::npos);
  icv = read_as_stranger({{"TULLE_POLICY", "spread"}, {"OMP_NUM_THREADS", "3"}});
  EXPECT_STREQ(icv.policy.value, "spread");
  EXPECT_EQ(icv.num_threads.value.values[0], 3u);
  EXPECT_TRUE(lines.empty());
}

TEST(Environment, SpacesAroundAPolicyAreNoPartOfIt) {
  EXPECT_STREQ(read({{"TULLE_POLICY", " Default\t"}}).policy.value, "DEFAULT");
  EXPECT_STREQ(read({{"TULLE_POLICY", " spread:2 "}}).policy.value, "spread:2");
  EXPECT_STREQ(read({{"TULLE_POLICY", " /opt/a policy.so "}}).policy.value, "/opt/a policy.so");
  EXPECT_TRUE(lines.empty());
  EXPECT_STREQ(read({{"TULLE_POLICY", "spread :2"}}).policy.value, "DEFAULT");
  EXPECT_EQ(lines.size(), 1u);
}

TEST(Environment, Allocators) {
  EXPECT_EQ(read({{"OMP_ALLOCATOR", "omp_high_bw_mem_alloc"}}).allocator.value, 4u);
  EXPECT_EQ(read({{"OMP_ALLOCATOR", "omp_large_cap_mem_space"}}).allocator.value, 2u);
  GlobalIcv icv = read({{"OMP_ALLOCATOR", "omp_default_mem_space:alignment=64,pinned=false"}});
  EXPECT_GT(icv.allocator.value, 8u);
  EXPECT_TRUE(lines.empty());
  destroy_allocator(icv.allocator.value);
  EXPECT_EQ(read({{"OMP_ALLOCATOR", "omp_default_mem_space:colour=3"}}).allocator.value, 1u);
  EXPECT_EQ(lines.size(), 1u);
}

TEST(Parse, Booleans) {
  for (const char* text : {"TRUE", " true ", "1", "yes", "on", ".T."}) {
    bool value = false;
    EXPECT_TRUE(parse_bool(text, value) && value) << text;
  }
  for (const char* text : {"False", "0", "no", "OFF"}) {
    bool value = true;
    EXPECT_TRUE(parse_bool(text, value) && !value) << text;
  }
  bool value = false;
  for (const char* text : {"", "2", "truely", "true false"}) EXPECT_FALSE(parse_bool(text, value));
}

TEST(Parse, Sizes) {
  size_t size = 0;
  EXPECT_TRUE(parse_size("512", 1024, size) && size == 512u << 10);
  EXPECT_TRUE(parse_size(" 4 m ", 1024, size) && size == 4u << 20);
  EXPECT_TRUE(parse_size("100B", 1024, size) && size == 100);
  EXPECT_TRUE(parse_size("2GB", 1, size) && size == size_t{2} << 30);
  for (const char* text : {"", "M", "-1", "1X", "1MM", "1 M M", "18446744073709551615G"})
    EXPECT_FALSE(parse_size(text, 1024, size)) << text;
}

TEST(Parse, Schedules) {
  RunSchedule schedule{};
  EXPECT_TRUE(parse_schedule("monotonic:Dynamic, 4", schedule));
  EXPECT_EQ(schedule.kind, ScheduleKind::dynamic);
  EXPECT_EQ(schedule.chunk, 4);
  EXPECT_TRUE(schedule.monotonic);
  EXPECT_TRUE(parse_schedule("nonmonotonic:guided", schedule) && schedule.chunk == 1);
  EXPECT_TRUE(parse_schedule("static", schedule) && schedule.chunk == 0);
  EXPECT_TRUE(parse_schedule("auto", schedule) && schedule.chunk == 1);
  EXPECT_TRUE(parse_schedule("auto,7", schedule) && schedule.chunk == 7);
  EXPECT_TRUE(parse_schedule("trapezoidal", schedule));
  EXPECT_EQ(schedule.kind, ScheduleKind::trapezoidal);
  EXPECT_TRUE(parse_schedule("static_steal,4", schedule) && schedule.chunk == 4);
  EXPECT_EQ(schedule.kind, ScheduleKind::dynamic);
  for (const char* text : {"", "static,", "dynamic,-1", "monotonic", "fair", "static,1,2"})
    EXPECT_FALSE(parse_schedule(text, schedule)) << text;
}

TEST(Environment, ChunkOfAutoIsReportedToProgramsOfLibompAlone) {
  for (bool libomp : {false, true}) {
    for (const char* text : {"auto", "auto,5", "static,5"}) {
      variables = {{"OMP_SCHEDULE", text}};
      lines.clear();
      GlobalIcv icv;
      Environment environment{get, 8, Origin::affinity_mask, [](const char*) { return 3; },
                              [](const char* line) { lines.push_back(line); }};
      environment.asks_as_libomp = libomp ? +[] { return true; } : +[] { return false; };
      read_environment(environment, icv);
      EXPECT_EQ(lines.size(), libomp && std::string(text) == "auto,5" ? 1u : 0u) << text;
    }
  }
}

TEST(Parse, ListsOfNumbers) {
  NumThreadsList list{};
  for (const char* text : {"", "0", "-2", "1,", "1,,2", "1 2", "4294967296", "x"})
    EXPECT_FALSE(parse_num_threads(text, list)) << text;
}

TEST(Parse, WhatIsPrintedCanBeReadAgain) {
  GlobalIcv icv = read({{"OMP_SCHEDULE", "monotonic:guided,5"},
                        {"OMP_PROC_BIND", "spread,close,primary"},
                        {"OMP_STACKSIZE", "3M"},
                        {"OMP_WAIT_POLICY", "active"},
                        {"TULLE_TLS", "whole"}});
  std::map<std::string, std::string> again;
  for (const char* name :
       {"OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_STACKSIZE", "OMP_WAIT_POLICY", "TULLE_TLS"})
    again[name] = shown(icv, name);
  GlobalIcv second = read(again);
  EXPECT_TRUE(lines.empty());
  for (const auto& [name, text] : again) EXPECT_EQ(shown(second, name), text);
}

TEST(Environment, SaysWhatIsAccepted) {
  read({{"OMP_NUM_THREADS", "0"}});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            "OMP_NUM_THREADS=\"0\" is not valid (accepted: list of numbers from 1 on); using \"8\"");
  read({{"TULLE_POLICY", "mypolicy.so"}});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("with a slash in it"), std::string::npos);
}

TEST(UnknownVariables, WhatTheyWereMeantToBe) {
  EXPECT_EQ(probable_variable("TULLE_POLCY"), "TULLE_POLICY");
  EXPECT_EQ(probable_variable("TULLE_BLOCK_TIME"), "TULLE_BLOCKTIME");
  EXPECT_EQ(probable_variable("TULLE_TASK_CUTOF"), "TULLE_TASK_CUTOFF");
  EXPECT_EQ(probable_variable("TULLE_NUM_THREADS"), "OMP_NUM_THREADS");
  EXPECT_EQ(probable_variable("TULLE_THREADS"), "OMP_NUM_THREADS");
  EXPECT_EQ(probable_variable("TULLE_STACK_SIZE"), "OMP_STACKSIZE");
}

TEST(UnknownVariables, WhatIsNotOurs) {
  for (const Variable& variable : environment_variables()) EXPECT_EQ(probable_variable(variable.name), "");
  for (const char* name : {"TULLE_", "TULLE_RUNTIME_DIR", "TULLE_QWERTYUIOP", "OMP_NUM_THREAD", "TULLE", "PATH"})
    EXPECT_EQ(probable_variable(name), "") << name;
  EXPECT_EQ(probable_variable("TULLE_" + std::string(200, 'X')), "");
}

TEST(UnknownVariables, OneLineEach) {
  static std::vector<std::string> said;
  said.clear();
  const char* const entries[] = {"TULLE_POLICY=spread", "TULLE_POLCY=spread", "no value", "TULLE_POLC", "HOME=/",
                                 "TULLE_WORKER=2", nullptr};
  report_unknown_variables(entries, [](const char* line) { said.push_back(line); });
  EXPECT_EQ(said, (std::vector<std::string>{"TULLE_POLCY is not known; TULLE_POLICY is",
                                            "TULLE_WORKER is not known; TULLE_WORKERS is"}));
}

}  // namespace
}  // namespace tulle::omp
