// SPDX-License-Identifier: Apache-2.0
// Processes that meet in a folder of the test's own: those that compute, end, and stop, and records, files and
// folders that are not what they should be.
#include "os/peers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "os/clock.h"
#include "temporary_folder.h"

namespace tulle::os {
namespace {

constexpr uint64_t kWhile = 60000000;

class Meeting : public ::testing::Test {
 protected:
  Meeting() { mask_.add(0); }  // any would do: it is part of the name
  ~Meeting() override {
    for (pid_t child : children_) end(child);
  }

  PeersLook look(Peers& peers) const { return peers.look(mask_, folder_.c_str()); }
  // After some time beyond the first.
  PeersLook look_twice(Peers& peers) const {
    look(peers);
    sleep_for(kWhile);
    return look(peers);
  }

  // A process that has entered itself, and computes or sleeps until it is killed.
  pid_t start(bool computes) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
      Peers peers;
      look(peers);
      (void)!write(ready[1], "", 1);
      volatile bool goes_on = computes;  // a loop without effect need not stay
      while (goes_on) {
      }
      for (;;) pause();
    }
    char byte;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    children_.push_back(child);
    return child;
  }

  static void end(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }

  std::filesystem::path file() const { return std::filesystem::directory_iterator(folder_)->path(); }

  TemporaryFolder own_;
  const std::string& folder_ = own_.path();
  CpuSet mask_;
  std::vector<pid_t> children_;
};

TEST_F(Meeting, AloneThereIsNobody) {
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, WhoComputesIsSeenToUseACore) {
  start(true);
  Peers peers;
  PeersLook found = look_twice(peers);
  ASSERT_EQ(found.count, 1u);
  for (int i = 0; i < 200 && found.used[0] < kSomeUse; ++i) found = look_twice(peers);  // others may have the cores
  ASSERT_EQ(found.count, 1u);
  EXPECT_GE(found.used[0], kSomeUse);
  EXPECT_LE(found.used[0], 1500u);
}

TEST_F(Meeting, WhoSleepsOrIsStoppedUsesNothing) {
  start(false);
  kill(start(true), SIGSTOP);
  Peers peers;
  PeersLook found = look_twice(peers);
  ASSERT_EQ(found.count, 2u);
  EXPECT_LT(found.used[0], kSomeUse);
  EXPECT_LT(found.used[1], kSomeUse);
}

TEST_F(Meeting, TheDeadAreForgottenAndTheirRecordsUsedAgain) {
  for (int i = 0; i < 3 * static_cast<int>(kMaxPeers) / 2; ++i) end(start(false));
  EXPECT_LE(std::filesystem::file_size(file()), sizeof(PeerRecord));
  children_.clear();
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, AnotherMaskIsAnotherMeeting) {
  start(true);
  mask_.add(1);
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, AChildOfForkIsAProcessOfItsOwn) {
  Peers peers;
  look(peers);
  pid_t child = fork();
  if (child == 0) _exit(look(peers).count == 1 ? 12 : 1);  // sees its parent, and enters itself
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 12);
  EXPECT_EQ(std::filesystem::file_size(file()), 2 * sizeof(PeerRecord));
}

TEST_F(Meeting, RecordsOfOthersAreNotBelieved) {
  Peers peers;
  look(peers);
  PeerRecord lies[] = {{getpid(), 0}, {1, 12345}, {-1, 1}, {INT64_MAX, 1}, {getppid(), 0}, {0, 0}};
  std::ofstream out(file(), std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(lies), sizeof lies);
  out << "half";
  out.close();
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, WhoseRecordIsGoneEntersItselfAgain) {
  start(true);
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 1u);
  std::filesystem::resize_file(file(), 3);
  EXPECT_EQ(look(peers).count, 0u);
  EXPECT_EQ(look(peers).count, 0u);
  EXPECT_EQ(std::filesystem::file_size(file()), sizeof(PeerRecord));
  start(true);
  EXPECT_EQ(look_twice(peers).count, 1u);
}

TEST_F(Meeting, ALockThatIsKeptIsNotWaitedFor) {
  Peers first;
  look(first);
  int held = open(file().c_str(), O_RDWR);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  Peers peers;
  uint64_t begin = now();
  look(peers);
  EXPECT_LT(now() - begin, 2000000000u);
  close(held);
}

TEST_F(Meeting, AFileThatOthersMayWriteIsNotUsed) {
  start(true);
  ASSERT_EQ(chmod(file().c_str(), 0666), 0);
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, ALinkIsNotFollowed) {
  start(true);
  std::filesystem::path path = file(), elsewhere = path.string() + ".elsewhere";
  std::filesystem::rename(path, elsewhere);
  std::filesystem::create_symlink(elsewhere, path);
  Peers peers;
  EXPECT_EQ(look_twice(peers).count, 0u);
}

TEST_F(Meeting, WithoutAFolderAProcessIsAlone) {
  Peers peers;
  EXPECT_EQ(peers.look(mask_, "/proc/none").count, 0u);
  Peers others;
  EXPECT_EQ(others.look(mask_, "/proc").count, 0u);  // nothing can be made there
}

// Alone, and in a child, for what it does to itself would stay.
template <class Function>
int status_of(Function function) {
  pid_t child = fork();
  if (child == 0) _exit(function());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST_F(Meeting, WhereNothingMayBeWrittenNobodyIsTold) {
  int status = status_of([&] {
    rlimit none{0, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) return 2;
    Peers peers;
    return look_twice(peers).count == 0 ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::filesystem::file_size(file()), 0u);
}

// Below the test's folder, in a name space of its own: full before anybody enters, and read-only.
TEST_F(Meeting, OnAFullOrReadOnlyFileSystemAProcessIsAlone) {
  constexpr int kNotAllowed = 77;
  int status = status_of([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return kNotAllowed;
    if (mount("none", folder_.c_str(), "tmpfs", 0, "size=4k,mode=700") != 0) return kNotAllowed;
    { std::ofstream(folder_ + "/filler") << std::string(4096, 'x'); }
    Peers full;
    if (look_twice(full).count != 0) return 1;
    std::filesystem::remove(folder_ + "/filler");
    if (std::filesystem::file_size(file()) != 0) return 2;
    const pid_t other = start(true);
    Peers writable, read_only;
    if (look_twice(writable).count != 1) return 3;
    if (mount("none", folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return kNotAllowed;
    const uint32_t seen = look_twice(read_only).count;
    end(other);
    return seen == 0 ? 0 : 4;
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotAllowed) GTEST_SKIP() << "no file system may be mounted";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tulle::os
