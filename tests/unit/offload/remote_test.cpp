// SPDX-License-Identifier: Apache-2.0
// What host and rank say to each other, over a transport that is two lists in memory: orders and answers, streams in parts,
// loss, and the names of code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "offload/remote/code_place.h"
#include "offload/remote/conversation.h"
#include "offload/remote/start_command.h"
#include "omp/thread/team.h"

namespace tulle::offload {
namespace {

// Keeps what is said, and tells of what a test puts in.
struct Transport : tulle_remote {
  struct Said {
    int peer;
    Packet packet;
    std::string rest;
  };
  struct Moved {
    int lane;
    char* memory;
    size_t bytes;
    void* transfer;
  };
  std::vector<Said> said;
  std::deque<Moved> moving;
  std::deque<std::string> coming;
  int lost_peer = -1;
  int ends = 0, together = -1;

  static Transport& of(tulle_remote* self) { return *static_cast<Transport*>(self); }
  static void keep_packet(tulle_remote* self, int peer, const void* bytes, size_t count) {
    Said each{peer, {}, {}};
    memcpy(&each.packet, bytes, sizeof each.packet);
    each.rest.assign(static_cast<const char*>(bytes) + sizeof each.packet, count - sizeof each.packet);
    of(self).said.push_back(each);
  }
  static void keep_sent(tulle_remote* self, int, int lane, const void* from, size_t bytes, void* transfer) {
    of(self).moving.push_back({lane, static_cast<char*>(const_cast<void*>(from)), bytes, transfer});
  }
  static void keep_wanted(tulle_remote* self, int, int lane, void* to, size_t bytes, void* transfer) {
    of(self).moving.push_back({lane, static_cast<char*>(to), bytes, transfer});
  }
  static int tell(tulle_remote* self, const tulle_remote_events* events, void* context) {
    Transport& all = of(self);
    int told = 0;
    if (all.lost_peer >= 0) {
      events->lost(context, all.lost_peer);
      all.lost_peer = -1;
      ++told;
    }
    for (; !all.coming.empty(); ++told) {
      std::string bytes = all.coming.front();
      all.coming.pop_front();
      events->packet(context, 1, bytes.data(), bytes.size());
    }
    return told;
  }
  static void note_end(tulle_remote* self, int with_all) {
    ++of(self).ends;
    of(self).together = with_all;
  }

  Transport() : tulle_remote{0, 3, keep_packet, keep_sent, keep_wanted, tell, note_end} {}

  void comes(const Packet& packet, const std::string& rest = {}) {
    std::string bytes(reinterpret_cast<const char*>(&packet), sizeof packet);
    coming.push_back(bytes + rest);
  }
};

struct RemoteTest : testing::Test {
  Transport transport;
  Line line{&transport};
  int losses = 0;
  bool at_end = false;
  int ran = 0, failures = 0;
  Conversation talk{line, 1, {hear_of_region, lose, fail, this}};

  static void hear_of_region(void* test, const Packet&) { ++static_cast<RemoteTest*>(test)->ran; }
  static void lose(void* test, bool at_end) {
    ++static_cast<RemoteTest*>(test)->losses;
    static_cast<RemoteTest*>(test)->at_end = at_end;
  }
  static void fail(void* test) { ++static_cast<RemoteTest*>(test)->failures; }
  static void SetUpTestSuite() { omp::self_or_attach(); }
  void ask() {
    Line::Hold hold(line);
    line.ask();
  }
  void close(Line::Close how) {
    Line::Hold hold(line);
    line.close(how);
  }
};

TEST_F(RemoteTest, AnOrderHasItsAnswer) {
  Answer answer;
  ASSERT_TRUE(talk.ask(answer, {Packet::find, 1, 0x20, 0, 0x30}));
  ASSERT_EQ(transport.said.size(), 1U);
  EXPECT_EQ(transport.said[0].peer, 1);
  EXPECT_EQ(transport.said[0].packet.kind, Packet::find);
  EXPECT_EQ(transport.said[0].packet.code, 0x30U);
  transport.comes({Packet::welcome, 0, 0, 0, 0});  // nobody waits for it
  ask();
  EXPECT_FALSE(answer.event.happened());
  transport.comes({Packet::found, 0, 0x77, 0, 0});
  line.wait_for(answer.event);
  EXPECT_EQ(answer.packet.address, 0x77U);
  EXPECT_FALSE(answer.failed);
}

TEST_F(RemoteTest, OrdersOfSeveralKindsAreUnderWayAtOnce) {
  Answer region, copy;
  char into[5] = "....";
  copy.into = into;
  ASSERT_TRUE(talk.ask(region, {Packet::hello, 0, 0, 0, 0}));
  ASSERT_TRUE(talk.ask(copy, {Packet::get, 0, 0x10, 3, 0}));
  transport.comes({Packet::given, 0, 0, 3, 0}, "abc");
  ask();
  EXPECT_TRUE(copy.event.happened());
  EXPECT_STREQ(into, "abc.");
  EXPECT_FALSE(region.event.happened());
  transport.comes({Packet::welcome, 0, 0, 0, 0});
  ask();
  EXPECT_TRUE(region.event.happened());
}

TEST_F(RemoteTest, TheLongestPacketIsWhole) {
  std::string rest(Packet::kMostRest, 'x');
  rest.back() = 'y';
  talk.say({Packet::put, 0, 0x10, rest.size(), 0}, rest.data(), rest.size());
  ASSERT_EQ(transport.said.size(), 1U);
  EXPECT_EQ(transport.said[0].rest, rest);
  EXPECT_EQ(sizeof(Packet) + Packet::kMostRest, size_t{TULLE_REMOTE_PACKET});
}

TEST_F(RemoteTest, APacketThatIsTooShortIsNone) {
  Answer answer;
  ASSERT_TRUE(talk.ask(answer, {Packet::hello, 0, 0, 0, 0}));
  transport.coming.push_back("short");
  ask();
  EXPECT_FALSE(answer.event.happened());
}

TEST_F(RemoteTest, WhoWaitsHearsOfALoss) {
  Answer region, copy, late;
  talk.ask(region, {Packet::hello, 0, 0, 0, 0});
  talk.ask(copy, {Packet::get, 0, 0, 1, 0});
  transport.lost_peer = 1;
  ask();
  EXPECT_EQ(losses, 1);
  EXPECT_EQ(failures, 1);
  EXPECT_FALSE(at_end);
  EXPECT_TRUE(region.event.happened() && region.failed);
  EXPECT_TRUE(copy.event.happened() && copy.failed);
  size_t before = transport.said.size();
  EXPECT_FALSE(talk.ask(late, {Packet::hello, 0, 0, 0, 0}));
  talk.say({Packet::empty, 0, 0, 1, 0});
  EXPECT_EQ(transport.said.size(), before);
  close(Line::Close::process_ends);
  EXPECT_EQ(transport.together, 0);
  EXPECT_EQ(losses, 1);
}

// Nobody goes on while the process ends, but where the program alone leaves the line.
TEST_F(RemoteTest, TheEndOfTheLine) {
  Answer region;
  talk.ask(region, {Packet::hello, 0, 0, 0, 0});
  close(Line::Close::line_ends);
  close(Line::Close::process_ends);
  EXPECT_EQ(transport.ends, 1);
  EXPECT_EQ(transport.together, 1);
  EXPECT_TRUE(at_end);
  EXPECT_TRUE(region.event.happened() && region.failed);
}

TEST_F(RemoteTest, TheEndOfTheProcess) {
  Answer region;
  talk.ask(region, {Packet::hello, 0, 0, 0, 0});
  close(Line::Close::process_ends);
  EXPECT_TRUE(at_end);
  EXPECT_EQ(failures, 0);
  EXPECT_FALSE(region.event.happened());
}

struct StreamTest : RemoteTest, testing::WithParamInterface<size_t> {
  // One that is under way, from anywhere in the row.
  void end_one(size_t at) {
    auto each = transport.moving.begin() + static_cast<ptrdiff_t>(at % transport.moving.size());
    auto* transfer = static_cast<Transfer*>(each->transfer);
    transport.moving.erase(each);
    Line::Hold hold(line);
    transfer->done(transfer);
  }
};

// All bytes once and in order, few parts at a time, and the end once.
TEST_P(StreamTest, MovesAllBytes) {
  const size_t bytes = GetParam();
  std::vector<char> data(bytes);
  Answer answer;
  Stream stream;
  ASSERT_TRUE(talk.ask(answer, {Packet::put, 0, 0x10, bytes, 0}, stream, Stream::Way::send, data.data()));
  EXPECT_EQ(transport.said[0].packet.bytes, bytes);
  size_t most = 0, moved = 0;
  char* next = data.data();
  for (size_t step = 0; !transport.moving.empty(); ++step) {
    most = std::max(most, transport.moving.size());
    for (const Transport::Moved& each : transport.moving) {
      if (each.memory < next) continue;
      EXPECT_EQ(each.memory, next);
      EXPECT_EQ(each.lane, kToDevice);
      next += each.bytes;
      moved += each.bytes;
    }
    end_one(step * 5);
  }
  EXPECT_EQ(moved, bytes);
  EXPECT_LE(most, 8U);
  EXPECT_FALSE(answer.event.happened());  // the rank's word is missing
  transport.comes({Packet::taken, 0, 0, 0, 0});
  ask();
  EXPECT_TRUE(answer.event.happened());
}

INSTANTIATE_TEST_SUITE_P(Sizes, StreamTest,
                         testing::Values(1, 4096, size_t{1} << 22, (size_t{1} << 22) + 1, size_t{8} << 22,
                                         (size_t{20} << 22) + 17));

int some_function() { return 1; }
int some_variable = 2;

TEST(CodePlaceTest, ThereAndBack) {
  for (void* each : {reinterpret_cast<void*>(&some_function), static_cast<void*>(&some_variable),
                     reinterpret_cast<void*>(&memcpy)}) {
    CodePlace place = place_of(each);
    EXPECT_NE(place.module, 0U);
    EXPECT_EQ(address_of(place), each);
  }
}

TEST(CodePlaceTest, NowhereInTheCode) {
  int local = 0;
  EXPECT_EQ(place_of(&local).module, 0U);
  EXPECT_EQ(address_of({12345, 0x10}), nullptr);
  CodePlace place = place_of(reinterpret_cast<void*>(&some_function));
  EXPECT_EQ(address_of({place.module, uint64_t{1} << 40}), nullptr);
}

TEST(StartCommandTest, HasTheProgramAndItsVariables) {
  setenv("OMP_NUM_THREADS", "3", 1);
  setenv("SOMETHING_ELSE", "4", 1);
  StartCommand command;
  ASSERT_EQ(command.why_none(), nullptr);
  std::vector<std::string> words;
  for (char* const* word = command.words(); *word != nullptr; ++word) words.emplace_back(*word);
  auto has = [&](const std::string& text) { return std::count(words.begin(), words.end(), text) == 1; };
  EXPECT_EQ(words.front(), "/usr/bin/env");
  EXPECT_TRUE(has("OMP_NUM_THREADS=3"));
  EXPECT_FALSE(has("SOMETHING_ELSE=4"));
  auto program = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) { return word[0] == '/'; });
  ASSERT_NE(program, words.end());
  EXPECT_NE(program->find("unit_offload"), std::string::npos);
  for (auto word = words.begin() + 1; word != program; ++word) EXPECT_NE(word->find('='), std::string::npos);
}

}  // namespace
}  // namespace tulle::offload
