// SPDX-License-Identifier: Apache-2.0
#include "omp/binding/placement_record.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "base/hash.h"
#include "os/keep_errno.h"
#include "os/report.h"
#include "sched/worker_tree.h"
#include "sync/spinlock.h"
#include "ult/identity.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kNone = UINT32_MAX;  // number of a team that is not recorded
constexpr uint32_t kMost = uint32_t{1} << 20;

// A set of records that only grows: found by hashing, listed in the order of their arrival.
template <class Record>
class Records {
 public:
  // The record that equals `wanted`, added if it is new; kNone for no room.
  uint32_t find_or_add(const Record& wanted) {
    if (2 * size_ >= room_ && !grow()) return kNone;
    uint32_t slot = slot_of(wanted);
    if (slots_[slot] != kNone) return slots_[slot];
    records_[size_] = wanted;
    return slots_[slot] = size_++;
  }
  Record& operator[](uint32_t index) { return records_[index]; }
  uint32_t size() const { return size_; }

 private:
  uint32_t slot_of(const Record& wanted) const {
    uint32_t slot = static_cast<uint32_t>(wanted.hash() >> 32) & (room_ - 1);
    while (slots_[slot] != kNone && !records_[slots_[slot]].same(wanted))
      slot = (slot + 1) & (room_ - 1);
    return slot;
  }

  bool grow() {
    uint32_t room = room_ == 0 ? 1024 : 2 * room_;
    if (room > kMost) return false;
    auto* records = static_cast<Record*>(realloc(records_, room / 2 * sizeof(Record)));
    if (records == nullptr) return false;
    records_ = records;
    auto* slots = static_cast<uint32_t*>(malloc(room * sizeof(uint32_t)));
    if (slots == nullptr) return false;
    free(slots_);
    slots_ = slots;
    room_ = room;
    for (uint32_t i = 0; i < room; ++i) slots[i] = kNone;
    for (uint32_t i = 0; i < size_; ++i) slots[slot_of(records[i])] = i;
    return true;
  }

  Record* records_ = nullptr;  // room for half as many as slots
  uint32_t* slots_ = nullptr;
  uint32_t room_ = 0;
  uint32_t size_ = 0;
};

struct TeamRecord {
  uint32_t parent;  // kNone: an initial thread, told by `member`, which is its record
  uint32_t member;
  uint32_t level;
  const void* code;
  bool same(const TeamRecord& other) const {
    return parent == other.parent && member == other.member && code == other.code;
  }
  uint64_t hash() const {
    return golden_hash(golden_hash(golden_hash(0, parent), member), reinterpret_cast<uintptr_t>(code));
  }
};

struct MemberRecord {
  uint32_t team, member, leaf;
  uint64_t count;
  bool same(const MemberRecord& other) const {
    return team == other.team && member == other.member && leaf == other.leaf;
  }
  uint64_t hash() const { return golden_hash(golden_hash(golden_hash(0, team), member), leaf); }
};

TULLE_HELD_AT_FORK sync::Spinlock recording;
Records<TeamRecord> teams TULLE_GUARDED_BY(recording);
Records<MemberRecord> members TULLE_GUARDED_BY(recording);
uint64_t left_out TULLE_GUARDED_BY(recording) = 0;  // members for whom there was no room
pid_t recorder TULLE_GUARDED_BY(recording) = 0;     // the process; not a child that it forks

uint32_t number_of(const Thread* thread) TULLE_UNDER(recording) {
  const Thread* outer = thread->team->parent;
  const Team* around = outer->team;
  uint32_t parent = around->parent == nullptr ? kNone : around->recorded_as;
  if (around->parent != nullptr && parent == kNone) return kNone;
  return teams.find_or_add({parent, around->parent == nullptr ? outer->record : outer->num,
                            thread->team->level, thread->team->code});
}

// Which kind of member the program has, and why.
void write_kind(FILE* file) {
  TlsMode mode = global_icv().tls.value;
  const ult::IdentityUse* use = ult::identity_use();
  bool whole = mode == TlsMode::whole || (mode == TlsMode::automatic && use != nullptr);
  fprintf(file, "# members %s: ", whole ? "whole" : "bare");
  if (mode != TlsMode::automatic)
    fprintf(file, "TULLE_TLS\n");
  else if (use == nullptr)
    fprintf(file, "no module of the program can tell them apart\n");
  else if (use->name == nullptr)
    fprintf(file, "%s has %s\n", use->module, use->reason);
  else
    fprintf(file, "%s imports %s: %s\n", use->module, use->name, use->reason);
}

void write_to(FILE* file) TULLE_UNDER(recording) {
  fprintf(file, "# tulle placement 1\n");
  write_kind(file);
  for (uint32_t i = 0; i < members.size(); ++i) {
    const MemberRecord& member = members[i];
    fprintf(file, "%u\t%u\t%u\t%u\t%d\t%llu\n", teams[member.team].level, member.team, member.member,
            member.leaf, sched::cpu_of_leaf(member.leaf),
            static_cast<unsigned long long>(member.count));
  }
}

// After main(), and after whatever the program does at its exit.
__attribute__((destructor)) void write_records() {
  sync::Guard guard(recording);
  if (members.size() == 0 || recorder != getpid()) return;
  const char* path = global_icv().placement.value;
  FILE* file = fopen(path, "we");
  if (file != nullptr) write_to(file);
  if (file == nullptr || fclose(file) != 0)
    os::report("TULLE_PLACEMENT: \"%s\" cannot be written: %s", path, strerror(errno));
  else if (left_out != 0)
    os::report("TULLE_PLACEMENT: %llu threads are left out, of more teams than there is room for",
               static_cast<unsigned long long>(left_out));
}

}  // namespace

void record_member(const Thread* thread) {
  os::KeepErrno keep;
  uint32_t leaf = sched::leaf_number(thread->worker);
  sync::Guard guard(recording);
  if (recorder == 0) recorder = getpid();
  if (thread->num == 0) thread->team->recorded_as = number_of(thread);
  uint32_t team = thread->team->recorded_as;
  uint32_t member = team == kNone ? kNone : members.find_or_add({team, thread->num, leaf, 0});
  if (member == kNone)
    ++left_out;
  else
    ++members[member].count;
}

}  // namespace tulle::omp
