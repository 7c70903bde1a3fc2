# SPDX-License-Identifier: Apache-2.0
"""What OpenMP threads wait for, and for whom: `tulle threads`, `tasks`, `locks`, `why-stuck`. Part of tulle.py.

Threads are those of teams that something is known of: a user-level thread that is suspended, or one that a worker runs.
A wait is told by the runtime's function that waits; locks hold no owner, so who may hold one is who does not wait for it.
"""
import re

import gdb

# By the source file of the innermost function that is not the scheduler's: what is waited for.
KINDS = {
    "lock.cpp": "lock", "barrier.cpp": "barrier", "parallel.cpp": "end", "cancel.cpp": "barrier", "ordered.cpp": "ordered",
    "doacross_flags.cpp": "doacross", "doacross_loop.cpp": "doacross", "depend_wait.cpp": "dependences",
    "task_limit.cpp": "room", "critical.cpp": "reduction", "work_share.cpp": "construct", "outside.cpp": "outside",
    "combine.cpp": "reduction", "meeting_tree.h": "reduction",
}
TASK_WAITS = {"run_tasks_at_barrier": "barrier", "taskgroup_end": "taskgroup", "wait_for_others": "taskwait",
              "taskwait": "taskwait", "finish_tasks": "end", "give_way_to_tasks": "yield", "give_way": "yield", "taskyield": "yield"}
TEXTS = {
    "barrier": "a barrier", "end": "the end of the region", "ordered": "its turn in an ordered region",
    "doacross": "an earlier iteration (ordered depend)", "dependences": "tasks that it depends on",
    "room": "room for tasks", "reduction": "its turn in a reduction", "construct": "an earlier construct",
    "outside": "something outside of OpenMP", "taskwait": "its children (taskwait)", "taskgroup": "a taskgroup",
    "yield": "its turn (taskyield)", "other": "something that is not known",
}
CRITICAL = re.compile(r"\.?gomp_critical_user_(?P<name>.*?)(\.AS\d+|\.var|\[var\])*$|tulle::omp::unnamed_critical")
MPI = re.compile(r"(?:P?MPI|tulle|careful)_([A-Z]\w*)$")  # the library's, and what Tulle puts before it
MOST_FRAMES = 60
MAY_HOLD = "may hold"
EXPLICIT = 1  # of a task's bits


class Call:
    """A frame, as far as it is looked at."""

    def __init__(self, frame):
        self.name = frame.name() or "??"
        self.function = self.name.split("<", 1)[0].rsplit("::", 1)[-1]
        symtab = frame.find_sal()
        self.file = symtab.symtab.filename.rsplit("/", 1)[-1] if symtab.symtab else ""
        self.line = symtab.line
        self.module = gdb.solib_name(frame.pc()) or ""
        self.this = None
        if self.file == "lock.cpp":
            self.this = argument(frame, "this")

    def place(self):
        name = re.sub(r"\._omp_fn.*|\.omp_outlined.*", "", self.name)
        return "%s (%s:%d)" % (name, self.file, self.line) if self.file else name


def argument(frame, name):
    try:
        return int(frame.read_var(name))
    except (ValueError, gdb.error):
        return None


def calls():
    """The selected thread's frames, innermost first."""
    found, frame = [], gdb.newest_frame()
    while frame is not None and len(found) < MOST_FRAMES:
        found.append(Call(frame))
        try:
            frame = frame.older()
        except gdb.error:
            break
    return found


class Wait:
    """What a suspended user-level thread, or one that runs, is at."""

    def __init__(self, trace, runtime, running):
        self.object = None
        self.call = next(("MPI_" + MPI.match(call.name).group(1) for call in trace if MPI.match(call.name)), None)
        own = [call for call in trace if call.module != runtime and not call.name.startswith("tulle::")]
        if self.call is not None:  # the program is above MPI
            last = max(index for index, call in enumerate(own) if MPI.match(call.name))
            own = own[last + 1:]
        self.place = own[0].place() if own else ""
        self.kind = "mpi" if self.call is not None else "running" if running else self.kind_of(trace)
        self.running = self.kind == "running"
        if self.kind == "lock":
            self.object = next((call.this for call in trace if call.this is not None), None)

    @staticmethod
    def kind_of(trace):
        for call in trace:
            if not call.name.startswith("tulle::omp::"):
                if call.name.startswith("tulle::"):
                    continue
                return "outside"
            if call.function in TASK_WAITS and call.file == "task_wait.cpp":
                return TASK_WAITS[call.function]
            if call.file in KINDS and "_for_holder" not in call.name:
                return KINDS[call.file]
        return "other"

    def text(self):
        if self.kind == "running":
            return "runs, at %s" % self.place
        return "waits %s, at %s" % (self.what(), self.place)

    def what(self):
        if self.kind == "mpi":
            return "in %s" % self.call
        return "for " + (lock_name(self.object) if self.kind == "lock" else TEXTS[self.kind])


def symbol(address):
    if address is None:
        return "?"
    found = gdb.execute("info symbol %d" % address, to_string=True)
    known = re.match(r"(\S+)( \+ \d+)? in section", found)
    return known.group(1) + (known.group(2) or "").replace(" ", "") if known else "%#x" % address


def lock_name(address):
    name = symbol(address)
    critical = CRITICAL.match(name)
    if critical is None:
        return "the lock " + name
    return "the critical section" + (" " + critical.group("name") if critical.group("name") else "")


class Member:
    """An OpenMP thread of a team."""

    def __init__(self, record):
        self.record = record
        self.team = record["team"]
        self.address = int(record)
        self.waits = []  # of its implicit task and of tied tasks in its name

    def name(self):
        return "thread %d of %d, level %d" % (self.record["num"], self.team["nthreads"], self.team["level"])


class State:
    """All that is known of the process."""

    def __init__(self, suspended, unwinder, static, plain, dependences):
        self.plain = plain
        self.place_of, self.code_of = dependences.place_of, dependences.code_of
        workers = static("tulle::sched::all_workers")
        self.runtime = gdb.solib_name(int(static("tulle::sched::all_worker_count").address)) or ""
        self.members = {}
        self.tasks = []  # (task, text)
        self.thread_type = gdb.lookup_type("tulle::omp::Thread").pointer()
        self.task_type = gdb.lookup_type("tulle::omp::Task").pointer()
        selected, frame = gdb.selected_thread(), gdb.selected_frame().level()
        for ult in suspended():
            trace = unwinder.within(int(ult["context"]), calls)[1:]
            self.note(ult["entity"], Wait(trace, self.runtime, False), ult["frame"])
        for index in range(int(plain(static("tulle::sched::all_worker_count")))):
            self.look_at_worker(plain(workers[index]))
        selected.switch()
        gdb.execute("frame %d" % frame, to_string=True)
        implicit = [member.record["implicit"].address for member in self.members.values()]
        self.dependences = dependences.Dependences(plain, self.tasks, implicit)

    def look_at_worker(self, worker):
        if int(worker) == 0:
            return
        entity, tid = self.plain(worker["running"]), int(self.plain(worker["kernel_id"]))
        if int(entity) == 0:
            entity = worker["root"] if bool(self.plain(worker["busy"])) else entity
        if int(entity) == 0:
            return
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] == tid:
                thread.switch()
                trace = calls()
                if not any("wait_for_work" in call.name for call in trace):
                    self.note(entity, Wait(trace, self.runtime, True), entity["frame"])

    def note(self, entity, wait, frame):
        thread = entity.cast(self.thread_type)
        team = thread["team"]
        if int(team) == 0:
            return
        self.know(team)
        member = self.members.setdefault(int(thread), Member(thread))
        member.waits.append(wait)
        wait.member = member
        task = frame.cast(self.task_type)
        wait.task = int(task)
        explicit = int(frame) != 0 and bool(int(task["bits"]) & EXPLICIT)
        if explicit:
            self.tasks.append((task, wait))
        if not wait.place:  # the program's frame is gone: what it did last is this
            wait.place = self.place_of(self.code_of(task) if explicit else int(team["code"]))

    def know(self, team):
        while int(team) != 0:
            for number in range(int(team["nthreads"])):
                record = team["members"][number]
                if int(record) == 0:
                    continue
                self.members.setdefault(int(record), Member(record))
            parent = team["parent"]
            team = parent["team"] if int(parent) != 0 else parent

    def inner(self, member):
        """Who stands for it in a nested region that it has encountered."""
        return next((other for other in self.members.values() if int(other.team["parent"]) == member.address
                     and int(other.record["num"]) == 0 and other.waits), None)

    def state_of(self, member):
        if member.waits:
            return "; ".join(wait.text() for wait in member.waits)
        if self.inner(member) is not None:
            return "is in a nested region"
        begun = int(self.plain(member.record["active_generation"])) == int(member.team["generation"])
        return "has come to the end of the region" if begun and int(member.team["level"]) else "has not begun"


class Why:
    """Who waits for whom; and the circle if there is one."""

    def __init__(self, state, name_of):
        self.state, self.name_of = state, name_of
        self.known = [member for member in state.members.values() if member.waits]

    def same_team(self, member):
        return [other for other in self.state.members.values()
                if int(other.team) == int(member.team) and other is not member]

    def awaited(self, member, wait):
        """(others, why) that have to go on first."""
        if wait.kind == "lock":
            holders = [other for other in self.known
                       if other is not member and not any(w.object == wait.object for w in other.waits)]
            return holders, MAY_HOLD if len(holders) > 1 else "alone can hold"
        if wait.kind in ("barrier", "end"):
            return [other for other in self.same_team(member) if self.is_missing(other, wait)], "has not come to"
        return [], ""

    def is_missing(self, other, wait):
        if any(w.kind == wait.kind for w in other.waits):
            return False
        return wait.kind == "barrier" or bool(other.waits) or self.state.inner(other) is not None

    def onward(self, member):
        """(wait, other, why) for each other one that has to go on first."""
        for wait in member.waits:
            others, why = self.awaited(member, wait)
            for other in others:
                if other.waits:
                    yield wait, other, why

    def circle(self):
        """Steps (member, wait, other, why), each from where the last one led to, that end where they began."""
        ended = set()

        def look(member, path):
            if member.address in ended:
                return None
            for wait, other, why in self.onward(member):
                steps = path + [(member, wait, other, why)]
                first = next((at for at, step in enumerate(steps) if step[0] is other), None)
                if first is not None:
                    return steps[first:]
                found = look(other, steps)
                if found is not None:
                    return found
            ended.add(member.address)
            return None

        return next((found for found in (look(member, []) for member in self.known) if found is not None), None)

    def lines(self):
        for member in self.known:
            for wait in member.waits:
                yield "%s %s" % (member.name(), wait.text())
                others, why = self.awaited(member, wait)
                for other in others:
                    yield "    which %s %s: it %s" % (other.name(), why, self.state.state_of(other))
                if wait.kind == "lock" and not others:
                    yield "    nobody else can hold it but threads that have ended, or itself"
                yield from self.siblings(wait)
        for node in self.state.dependences.waiting:
            if node.task is not None and int(node.task) not in self.state.dependences.begun:
                yield "%s %s" % (self.name_of(node.task), self.state.dependences.state_of(node))
                yield from self.predecessors(node)
        yield self.verdict()

    def siblings(self, wait):
        node = self.state.dependences.waits_of(wait.task) if wait.kind == "dependences" else None
        return self.predecessors(node) if node is not None else []

    def predecessors(self, node):
        for other in node.predecessors:
            if not other.complete and other.task is not None:
                yield "    %s: it %s" % (self.name_of(other.task), self.state.dependences.state_of(other))

    def waiter(self, task):
        return next((member.name() for member in self.known for wait in member.waits if wait.task == task), "a thread")

    def verdict(self):
        if any(wait.running for member in self.known for wait in member.waits):
            return "Not stuck as far as can be seen: a thread runs."
        circle = self.circle()
        if circle is not None:
            sure = all(why != MAY_HOLD for _, _, _, why in circle)
            steps = ["%s waits %s, which %s %s" % (member.name(), wait.what(), other.name(), why)
                     for member, wait, other, why in circle]
            return "%s: %s." % ("Circle" if sure else "Perhaps a circle", "; ".join(steps))
        for member in self.known:
            for wait in member.waits:
                missing, _ = self.awaited(member, wait)
                if wait.kind == "barrier" and missing and not any(other.waits for other in missing):
                    return "Stuck: %s will not come to the barrier at %s." % (
                        ", ".join(other.name() for other in missing), wait.place)
        mpi = [(member, wait) for member in self.known for wait in member.waits if wait.kind == "mpi"]
        if mpi:
            return "Stuck: %s waits %s, at %s." % (mpi[0][0].name(), mpi[0][1].what(), mpi[0][1].place)
        told = self.state.dependences.verdict(self.waiter)
        if told is not None:
            return told
        return "Nothing runs, and no circle of OpenMP waits is seen." if self.known else "No OpenMP thread waits."


def add_commands(Command, suspended, unwinder, static, plain, dependences):
    def state():
        return State(suspended, unwinder, static, plain, dependences)

    class Threads(Command):
        """List OpenMP threads, what each does or waits for, and where.

Usage: tulle threads"""

        def __init__(self):
            super().__init__("tulle threads", gdb.COMMAND_STATUS)

        def show(self):
            now = state()
            for member in sorted(now.members.values(), key=lambda one: (int(one.team["level"]), int(one.team),
                                                                        int(one.record["num"]))):
                print("%s, record %#x: %s" % (member.name(), member.address, now.state_of(member)))

    class Tasks(Command):
        """List explicit tasks that have begun, and those that wait for others by dependences.

Usage: tulle tasks"""

        def __init__(self):
            super().__init__("tulle tasks", gdb.COMMAND_STATUS)

        def show(self):
            now = state()
            for task, wait in now.tasks:
                print("task %#x, %s, in the name of %s: %s" % (int(task), dependences.name_of(task), wait.member.name(),
                                                               wait.text()))
            waiting = [node for node in now.dependences.waiting if node.task is not None and int(node.task) not in
                       now.dependences.begun]
            for node in waiting:
                print("task %#x, %s: has not begun, %s" % (int(node.task), dependences.name_of(node.task),
                                                           now.dependences.state_of(node)))
            print("%d begun, %d waiting for others" % (len(now.tasks), len(waiting)))

    class Locks(Command):
        """List locks and critical sections that somebody waits for, and who may hold them.

Usage: tulle locks"""

        def __init__(self):
            super().__init__("tulle locks", gdb.COMMAND_STATUS)

        def show(self):
            now = state()
            why, locks = Why(now, dependences.name_of), {}
            for member in why.known:
                for wait in member.waits:
                    if wait.kind == "lock":
                        locks.setdefault(wait.object, []).append((member, wait))
            for address, waiters in locks.items():
                print(lock_name(address))
                for member, wait in waiters:
                    print("    %s waits, at %s" % (member.name(), wait.place))
                holders, text = why.awaited(*waiters[0])
                for other in holders:
                    print("    %s %s it" % (other.name(), text))
            print("%d with waiters" % len(locks))

    class WhyStuck(Command):
        """Say what each OpenMP thread waits for, and the circle if there is one.

Usage: tulle why-stuck"""

        def __init__(self):
            super().__init__("tulle why-stuck", gdb.COMMAND_STATUS)

        def show(self):
            for line in Why(state(), dependences.name_of).lines():
                print(line)

    for command in (Threads, Tasks, Locks, WhyStuck):
        command()
