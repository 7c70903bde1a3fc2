// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/graph_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "recorded_sample.h"
#include "temporary_folder.h"

namespace tulle::omp {
namespace {

std::string encoded(const RecordedGraphs& graphs) {
  Array<char> bytes;
  EXPECT_TRUE(encode_graphs(graphs, bytes));
  return {bytes.data(), bytes.size()};
}

const char* problem_of(const std::string& bytes) {
  RecordedGraphs read;
  const char* problem = nullptr;
  bool right = decode_graphs({bytes.data(), bytes.size()}, read, &problem);
  EXPECT_EQ(right, problem == nullptr);
  return problem;
}

TEST(GraphFile, GivesBackWhatWasWritten) {
  RecordedGraphs sample;
  fill_sample(sample);
  std::string bytes = encoded(sample);
  RecordedGraphs read;
  const char* problem = nullptr;
  ASSERT_TRUE(decode_graphs({bytes.data(), bytes.size()}, read, &problem)) << problem;
  ASSERT_EQ(read.count, sample.count);
  EXPECT_TRUE(read.modules[0] == sample.modules[0]);
  EXPECT_EQ(read.graphs[1].id, sample.graphs[1].id);
  EXPECT_EQ(read.graphs[0].region, sample.graphs[0].region);
  EXPECT_EQ(encoded(read), bytes);
}

TEST(GraphFile, RefusesEachAlteredByteAndEachCut) {
  RecordedGraphs sample;
  fill_sample(sample);
  std::string bytes = encoded(sample);
  EXPECT_EQ(problem_of(bytes), nullptr);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ change);
      ASSERT_NE(problem_of(altered), nullptr) << at;
    }
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(problem_of(bytes.substr(0, size)), nullptr) << size;
  EXPECT_NE(problem_of(bytes + "x"), nullptr);
}

// Files whose checksum is right: what they hold is looked at all the same.
TEST(GraphFile, IsReadToItsEndWhateverItHolds) {
  RecordedGraphs sample;
  fill_sample(sample);
  std::string bytes = encoded(sample);
  constexpr size_t kChecksumAt = 12, kCheckedFrom = 16;
  for (size_t at = kCheckedFrom; at < bytes.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ change);
      uint32_t checksum = crc32(std::span(altered).subspan(kCheckedFrom));
      memcpy(&altered[kChecksumAt], &checksum, sizeof checksum);
      RecordedGraphs read;
      const char* problem = nullptr;
      if (!decode_graphs({altered.data(), altered.size()}, read, &problem)) continue;
      for (size_t i = 0; i < read.count; ++i)
        EXPECT_EQ(read.graphs[i].item_counts.size(), read.graphs[i].graph.tasks());
    }
}

TEST(GraphFile, SaysWhatItIsNot) {
  EXPECT_STREQ(problem_of(""), "it is cut or longer than it was");
  EXPECT_STREQ(problem_of(std::string(100, 'x')), "it is no file of task graphs");
  RecordedGraphs sample;
  fill_sample(sample);
  std::string later = encoded(sample);
  ++later[8];
  EXPECT_STREQ(problem_of(later), "it is of another version");
}

TEST(GraphFile, IsReplacedAsAWholeOrLeftAlone) {
  TemporaryFolder own;
  const std::string& folder = own.path();
  std::string path = folder + "/graphs";
  RecordedGraphs sample, read, none;
  fill_sample(sample);
  const char* problem = nullptr;
  ASSERT_TRUE(save_graphs(path.c_str(), sample, &problem)) << problem;
  ASSERT_TRUE(load_graphs(path.c_str(), read, &problem)) << problem;
  EXPECT_EQ(read.count, sample.count);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_FALSE(save_graphs((folder + "/none/graphs").c_str(), sample, &problem));
  EXPECT_STREQ(problem, "No such file or directory");
  EXPECT_FALSE(load_graphs((folder + "/none").c_str(), none, &problem));
  EXPECT_STREQ(problem, "No such file or directory");
}

}  // namespace
}  // namespace tulle::omp
