# SPDX-License-Identifier: Apache-2.0
"""Tulle in gdb: `tulle ults` lists the user-level threads that are suspended, with a backtrace each;
`tulle threads`, `tasks`, `locks` and `why-stuck` (tulle_stuck.py, tulle_dependences.py, beside it) say what each waits for.

Load it by `source tulle.py`; gdb loads it by itself beside a library in its auto-load safe-path.
It reads the library's debug information and writes nothing: works on processes and core files.
"""
import importlib.util
import os

import gdb
import gdb.unwinder

STACKS = "tulle::memory::(anonymous namespace)::all_stacks"
WORKERS = "tulle::sched::all_workers"
WORKER_COUNT = "tulle::sched::all_worker_count"

# The frame that the context switch leaves (src/arch/x86_64/context.S).
SAVED = {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}
FRAME = 64


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class Suspended(gdb.unwinder.Unwinder):
    """While `context` is set, the innermost frame of the selected thread seems called from there."""

    def __init__(self):
        super().__init__("tulle-suspended")
        self.context = None
        self.innermost = None

    def __call__(self, pending):
        if self.context is None or int(pending.read_register("rsp")) != self.innermost:
            return None
        word = gdb.lookup_type("unsigned long").pointer()
        info = pending.create_unwind_info(
            FrameId(pending.read_register("rsp"), pending.read_register("rip")))
        for register, offset in SAVED.items():
            info.add_saved_register(register, gdb.Value(self.context + offset).cast(word)
                                    .dereference())
        info.add_saved_register("rsp", gdb.Value(self.context + FRAME))
        return info

    def within(self, context, look):
        """What look() returns while the frames of a saved context are those of the selected thread."""
        gdb.newest_frame().select()
        self.innermost = int(gdb.newest_frame().read_register("rsp"))
        self.context = context
        gdb.invalidate_cached_frames()
        try:
            return look()
        finally:
            self.context = None
            gdb.invalidate_cached_frames()

    def backtrace(self, context):
        """The lines of `backtrace` for a saved context."""
        lines = self.within(context, lambda: gdb.execute("backtrace", to_string=True)).splitlines()
        return [line for line in lines if not line.startswith("#0 ")]


unwinder = Suspended()
gdb.unwinder.register_unwinder(None, unwinder, replace=True)


def static(name):
    symbol = gdb.lookup_static_symbol(name) or gdb.lookup_global_symbol(name)
    if symbol is None:
        raise gdb.GdbError("no debug information of Tulle: is its library loaded yet?")
    return symbol.value()


def plain(atomic):
    """The value of a std::atomic."""
    if atomic.type.strip_typedefs().has_key("_M_base"):  # bool's
        atomic = atomic["_M_base"]
    base = atomic["_M_b"] if atomic.type.strip_typedefs().has_key("_M_b") else atomic
    return base["_M_p"] if base.type.strip_typedefs().has_key("_M_p") else base["_M_i"]


def stacks():
    """Every stack: those of the pool and those that OS threads of the program began on."""
    stack_type = gdb.lookup_type("tulle::memory::Stack")
    head = static(STACKS)
    offset = next(f.bitpos // 8 for f in stack_type.fields() if f.name == "mapped")
    link = head["next"]
    while link != head.address:
        yield (link.cast(gdb.lookup_type("char").pointer()) - offset).cast(
            stack_type.pointer()).dereference()
        link = link["next"]
    workers = static(WORKERS)
    for i in range(int(plain(static(WORKER_COUNT)))):
        worker = plain(workers[i])
        if int(worker) != 0:
            yield worker["native_stack"]


def suspended():
    """The records of user-level threads that are suspended."""
    for stack in stacks():
        ult = stack["suspended"].cast(gdb.lookup_type("tulle::sched::Ult").pointer())
        if int(ult) != 0 and int(ult["context"]) != 0:
            yield ult


def title(ult):
    thread = ult["entity"].cast(gdb.lookup_type("tulle::omp::Thread").pointer())
    team = thread["team"]
    return "thread %d of %d, level %d, record %s" % (
        thread["num"], team["nthreads"], team["level"], ult["entity"].format_string(symbols=False))


class TullePrefix(gdb.Command):
    """What Tulle's OpenMP runtime holds."""

    def __init__(self):
        super().__init__("tulle", gdb.COMMAND_STATUS, prefix=True)


class Command(gdb.Command):
    """One that shows something; in one line why it cannot: of a process that is still being loaded, say."""

    def invoke(self, argument, from_tty):
        try:
            self.show()
        except gdb.error as error:
            raise gdb.GdbError("Tulle's data cannot be read: %s. Is its library loaded yet?" % str(error).rstrip("."))


class TulleUlts(Command):
    """List suspended user-level threads with their backtraces.

Usage: tulle ults
Names the OpenMP thread in whose name each was suspended, and its team."""

    def __init__(self):
        super().__init__("tulle ults", gdb.COMMAND_STATUS)

    def show(self):
        count = 0
        frame = gdb.selected_frame()
        level = frame.level()
        for ult in suspended():
            count += 1
            print("ULT %d: %s" % (count, title(ult)))
            for line in unwinder.backtrace(int(ult["context"])):
                print("  " + line)
        gdb.execute("frame %d" % level, to_string=True)
        print("%d suspended" % count)


def load_beside(name):
    """The other part, from the folder of this one."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location(name, file)
    part = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(part)
    return part


TullePrefix()
TulleUlts()
load_beside("tulle_stuck").add_commands(Command, suspended, unwinder, static, plain, load_beside("tulle_dependences"))
