# SPDX-License-Identifier: Apache-2.0
"""What is measured: each scenario is a program with arguments at several numbers of threads.

By number of threads, `bound` is the most that Tulle may take of the best peer's time, and `most_ns` the
most that it may take at all, in nanoseconds or the row's own unit; `self_bound` is the most at 36 threads of its own
time at two.
"""
import fnmatch
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scenario:
    name: str
    group: str
    program: str = "constructs"
    arguments: tuple[str, ...] = ()
    threads: tuple[int, ...] = (2,)
    bound: dict[int, float] = field(default_factory=dict)
    most_ns: dict[int, float] = field(default_factory=dict)
    self_bound: float | None = None
    measuring: bool = True  # the program takes the options of the measuring frame
    controls: tuple[tuple[str, str], ...] = ()  # environment of our runtime only
    quick: bool = True
    quick_threads: tuple[int, ...] = (2, 36)  # those of `threads` that a quick run takes
    slow: bool = False  # peers need many seconds: one round, three times the time limit
    compilers: tuple[str, ...] = ("gcc", "clang")


def _flat() -> list[Scenario]:
    """The flat case; atomic is compiled inline and only shows the machine."""
    names = {
        "parallel": (1, 2, 36, 72), "assignment": (1, 2, 4, 36, 72), "parallel_if0": (2,), "parallel_for": (2, 36),
        "reduction": (2, 36), "barrier": (2, 36, 72), "single": (2,), "copyprivate": (2,), "sections": (2,),
        "critical": (2,), "lock": (2, 36), "atomic": (2,), "for_static": (2,), "for_static_1": (2,),
        "for_dynamic": (2, 36), "for_dynamic_16": (2,), "for_guided": (2,), "for_guided_16": (2,),
        "for_runtime": (2,), "ordered": (2,),
    }
    found = [Scenario(name, "flat", arguments=("--case", name), threads=threads, bound={2: 1.1},
                      quick_threads=(2, 36) if name in ("parallel", "barrier") else (2,),
                      most_ns={36: 3000.0} if name == "parallel" else {})
             for name, threads in names.items()]
    found.append(Scenario("atomic_fallback", "flat", arguments=("--case", "atomic_fallback"),
                          bound={2: 1.1}, compilers=("gcc",)))
    return found


def _tasks() -> list[Scenario]:
    bounds = {"task_linear": 0.4, "task_recursive_tied": 0.25, "task_recursive_untied": 0.25,
              "task_fib": 0.12, "task_wavefront": 0.35, "taskloop": 1.0}
    waits = {"task_barrier": (2,), "task_wait": (1, 2), "task_wait_siblings": (1, 2)}
    return ([Scenario(name, "tasks", arguments=("--case", name), threads=(2, 36), bound={2: bound},
                      self_bound=1.5) for name, bound in bounds.items()]
            + [Scenario(name, "tasks", arguments=("--case", name), threads=threads, bound={n: 1.0 for n in threads},
                        quick=False) for name, threads in waits.items()])


def _nested() -> list[Scenario]:
    return [
        Scenario("nested_100", "nested", arguments=("--case", "nested_100"), threads=(2, 4, 36, 72),
                 bound={2: 1 / 15, 36: 1 / 250}),
        Scenario("nested_100_whole", "nested", arguments=("--case", "nested_100"), threads=(2, 36),
                 bound={36: 1 / 800}, controls=(("TULLE_TLS", "whole"),)),
        Scenario("nested_1000", "nested", arguments=("--case", "nested_1000"), threads=(2, 4, 36),
                 bound={36: 1 / 250}, quick=False),
        Scenario("pthread_regions", "nested", arguments=("--case", "pthread_regions"), threads=(8,)),
        Scenario("team_tree", "nested", arguments=("--case", "team_tree"), threads=(4,),
                 bound={4: 1 / 20}),
    ]


def _whole() -> list[Scenario]:
    """Constructs of the flat case whose members carry what the C library keeps for a thread."""
    return [Scenario(f"{name}_whole", "whole", arguments=("--case", name), threads=(2, 36), bound={2: 1.1},
                     quick_threads=(2, 36), controls=(("TULLE_TLS", "whole"),))
            for name in ("parallel", "barrier", "for_static", "single")]


MEETING_THREADS = (2, 4, 8, 16, 64)


def _meeting() -> list[Scenario]:
    """At most what the best peer takes where locks and sched_yield are all; one and a half times that elsewhere."""
    cases = ("flags", "yields", "nested", "pthread_barrier", "condition", "futures", "epoll", "polled_regions",
             "polled_taskyield", "polled_critical", "polled_mutex", "sections", "shared_core")
    level = ("yields", "polled_critical", "shared_core")
    return [Scenario(f"meet_{name}", "meeting", "meeting", ("--case", f"meet_{name}"), threads=MEETING_THREADS,
                     bound={n: 1.0 if name in level else 1.5 for n in MEETING_THREADS}, quick_threads=(4,))
            for name in cases]


def _process() -> list[Scenario]:
    return [
        Scenario("startup", "process", "process", ("--startup", "10"), measuring=False),
        Scenario("loading", "process", "process", ("--loading", "10"), measuring=False),
        Scenario("idle", "process", "process", ("--idle", "0.3"), measuring=False, compilers=("gcc",)),
        Scenario("serial", "process", "process", ("--serial", "0.3"), measuring=False, compilers=("gcc",)),
        *_members(),
    ]


def _members() -> list[Scenario]:
    """A member's first region, and what is kept of it, in bytes: whole ones of ours."""
    return [Scenario(f"member_{name}", "process", "process", (f"--{name}",), measuring=False, most_ns={2: most},
                     controls=(("TULLE_TLS", "whole"),), compilers=("gcc",))
            for name, most in (("creation", 30_000.0), ("memory", 24.0 * 1024))]


WORK_THREADS = (1, 2, 4, 36, 72)


def _work(program: str, names: list[str], threads: tuple[int, ...] = WORK_THREADS,
          quick: tuple[str, ...] = (), **more) -> list[Scenario]:
    return [Scenario(name, program, program, ("--case", name), threads=threads, quick=name in quick,
                     **{"quick_threads": (2,), **more}) for name in names]


def _patterns() -> list[Scenario]:
    shapes = ["linear_tied", "linear_untied", "linear2048_tied", "recursive_tied", "recursive_untied",
              "recursive2048_untied", "mixed_tied", "mixed_untied"]
    sized = [f"{shape}_{ns}ns" for shape in shapes for ns in (250, 1000, 4000, 16000)]
    metg = [f"metg_{kind}_{tie}" for kind in ("linear", "recursive", "mixed")
            for tie in ("tied", "untied")]
    return (_work("patterns", sized, (2,), ("linear_tied_1000ns", "recursive_untied_1000ns"))
            + _work("patterns", metg, (2,), ("metg_linear_tied", "metg_recursive_untied"))
            + _with_cut_offs())


def _grain() -> list[Scenario]:
    """From no work at all to a microsecond, on one thread and on two: what the second one costs."""
    shapes = ["linear_tied", "linear_untied", "recursive_tied", "recursive_untied", "fib", "wavefront",
              "graph", "taskloop"]
    return [scenario for shape in shapes for scenario in
            _work("grain", [f"grain_{shape}_{ns}ns" for ns in (0, 20, 50, 100, 200, 400, 1000)], (1, 2),
                  ("grain_linear_tied_0ns", "grain_wavefront_0ns"), quick_threads=(1, 2))]


def _graphs() -> list[Scenario]:
    """Graphs that repeat: found anew each time, by themselves, and where the program says so."""
    found = []
    for shape in ("wavefront", "cholesky", "pathfinding"):
        name = f"graph_{shape}"
        quick = shape == "wavefront"
        found += _work("graphs", [name, f"{name}_closed"], (1, 2), (name, f"{name}_closed") if quick else ())
        found.append(Scenario(f"{name}_auto", "graphs", "graphs", ("--case", name), threads=(1, 2), quick=quick,
                              controls=(("TULLE_TASK_GRAPH", "auto"),)))
    return found


def _grains(program: str, grains: tuple[int, ...], quick: int) -> list[Scenario]:
    """Tasks with dependences at the paper's grains; without finding them anew (recorded, built by hand, by itself);
    and without any."""
    found = _work(program, [f"{program}_{n}" for n in grains], (1, 2, 36), (f"{program}_{quick}",))
    for n in grains:
        ways = [f"{program}_{n}_{way}" for way in ("closed", "built", "tasks", "loops")]
        found += _work(program, ways, (2,))
        found.append(Scenario(f"{program}_{n}_auto", program, program, ("--case", f"{program}_{n}"), threads=(2,),
                              quick=False, controls=(("TULLE_TASK_GRAPH", "auto"),)))
    return found


def _with_cut_offs() -> list[Scenario]:
    """The policies that hold back a producer of many tasks, in force from 64 unfinished ones on."""
    return [Scenario(f"{shape}_{policy}", "patterns", "patterns", ("--case", shape), quick=False,
                     controls=(("TULLE_TASK_CREATION", "breadth_first"), ("TULLE_TASK_LIMIT", "64"),
                               ("TULLE_TASK_CUTOFF", policy)))
            for shape in ("linear2048_tied_1000ns", "recursive2048_untied_1000ns")
            for policy in ("yield", "work_first", "none")]


def _workloads() -> list[Scenario]:
    bots = ["alignment", "fft", "fib_final", "fib_manual", "floorplan", "health", "knapsack", "nqueens",
            "sort", "sparselu", "strassen"]
    zones = ["outer", "inner", "4x4", "16x4", "16x8", "16x4_hinted"]
    return [
        *_work("uts", ["uts_locks", "uts_tasks"], quick=("uts_locks", "uts_tasks"),
               quick_threads=(2, 36)),
        *_work("cloverleaf", ["cloverleaf_32", "cloverleaf_96", "cloverleaf_256"],
               quick=("cloverleaf_32",), quick_threads=(2, 36)),
        *_work("cg", ["cg_10", "cg_20", "cg_50", "cg_100"], quick=("cg_10",)),
        *_work("cg", ["cutoff_16", "cutoff_256", "cutoff_4096"]),
        *_work("multizone", ["multizone_" + z for z in zones], (2, 4), ("multizone_4x4",)),
        *_work("octree", ["octree"], (2, 4), ("octree",), bound={4: 1 / 20}),
        *_work("octree", ["octree_large"], (4,), bound={4: 1 / 20}, slow=True),
        *_patterns(),
        *_grain(),
        *_work("taskmem", ["memory_live_task", "memory_suspended_task"], (2,)),
        *_grains("cholesky", (4, 20, 120, 816, 5984), 816),
        *_grains("pathfinding", (16, 64, 256, 1024, 4096), 1024),
        *_graphs(),
        *_work("bots", ["bots_" + b for b in bots], (1, 2, 36), ("bots_sort", "bots_nqueens")),
    ]


def everything() -> list[Scenario]:
    return _flat() + _tasks() + _nested() + _whole() + _meeting() + _process() + _workloads()


def select(patterns: list[str]) -> list[Scenario]:
    """Scenarios by name, group, wildcard or prefix; the first of these that fits a pattern counts."""
    if not patterns:
        return everything()
    exact = {s.name for s in everything()} | {s.group for s in everything()}

    def matches(scenario: Scenario, pattern: str) -> bool:
        if pattern in exact:
            return pattern in (scenario.name, scenario.group)
        if any(c in pattern for c in "*?["):
            return fnmatch.fnmatch(scenario.name, pattern)
        return scenario.name.startswith(pattern)

    return [s for s in everything() if any(matches(s, p) for p in patterns)]
