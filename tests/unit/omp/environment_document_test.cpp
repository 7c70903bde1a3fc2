// SPDX-License-Identifier: Apache-2.0
// docs/environment.md holds the very table that the runtime reads by.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "omp/environment/environment.h"

namespace tulle::omp {
namespace {

std::string document() {
  std::ifstream file(std::filesystem::path(TULLE_SOURCE_FOLDER) / "docs" / "environment.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string row(const Variable& variable) {
  return "| `" + std::string(variable.name) + "` | " + cell(variable.accepts) + " | " +
         cell(variable.standard) + " | " + cell(variable.meaning) + " |\n";
}

TEST(EnvironmentDocument, HoldsTheTable) {
  std::string table = "| Variable | Takes | Without it | Meaning |\n|---|---|---|---|\n";
  for (const Variable& variable : environment_variables()) table += row(variable);
  EXPECT_NE(document().find(table), std::string::npos) << "the table should be\n" << table;
}

TEST(EnvironmentDocument, NamesWhatIsIgnored) {
  std::string text = document();
  for (const char* name : ignored_variables())
    EXPECT_NE(text.find("`" + std::string(name) + "`"), std::string::npos) << name;
}

}  // namespace
}  // namespace tulle::omp
