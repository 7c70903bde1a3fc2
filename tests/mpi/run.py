#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of two ranks on Tulle: `run.py MPI MPIRUN TULLE LIBDIR CHECK PROGRAM [ARGUMENT]`."""
import os
import subprocess
import sys

MPI, MPIRUN, TULLE, LIBDIR, CHECK, PROGRAM, *REST = sys.argv[1:]
LIMIT_S = 120
ATTEMPTS = 8  # of what a busy machine may spoil


def launch(*words, ranks="2", **environment):
    """The program's lines, sorted; what it said besides; its status."""
    options = {"openmpi": ["--allow-run-as-root", "--bind-to", "none", "--oversubscribe"], "mpich": []}[MPI]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    done = subprocess.run(["timeout", str(LIMIT_S), MPIRUN, *options, "-n", ranks, *words], text=True, check=False,
                          capture_output=True, env={**inherited, **environment})
    return sorted(done.stdout.split("\n")), done.stderr, done.returncode


def on_tulle(*words, **options):
    return launch(TULLE, "run", "--", *words, **options)


def expect(holds, *what):
    if not holds:
        sys.exit("\n".join(str(each) for each in what))


def same():
    """At each number of threads as on the compiler's runtime with the library alone."""
    for threads in REST:
        plain, told, status = launch(PROGRAM, OMP_NUM_THREADS=threads)
        expect(status == 0 and len(plain) > 10, "the library alone:", status, told)
        lines, told, status = on_tulle(PROGRAM, OMP_NUM_THREADS=threads)
        expect(status == 0 and lines == plain, f"{threads} threads: status {status}", told,
               *(f"{'only' if line in plain else 'more'}: {line}" for line in sorted(set(plain) ^ set(lines))))


def same_on_one_more():
    """Tasks that libgomp needs threads for; Tulle does with one."""
    plain, told, status = launch(PROGRAM, OMP_NUM_THREADS="12")
    expect(status == 0 and len(plain) > 10, "the library alone:", status, told)
    for threads in REST:
        lines, told, status = on_tulle(PROGRAM, OMP_NUM_THREADS=threads)
        expect(status == 0 and lines == plain, f"{threads} threads: status {status}", told, *lines)


def ends():
    for threads in ("1", "2", "8"):
        lines, told, status = on_tulle(PROGRAM, *REST, OMP_NUM_THREADS=threads)
        expect(status == 0 and lines == ["", "right"], f"{threads} threads: status {status}", told, lines)


def overlap():
    for _ in range(ATTEMPTS):
        lines, told, status = on_tulle(PROGRAM)
        expect(status == 0, status, told)
        if float(lines[1]) <= 0.58:
            return
    sys.exit(f"tasks took {lines[1]} of the time without")


def beside():
    for _ in range(ATTEMPTS):
        lines, told, status = on_tulle(PROGRAM)
        expect(status == 0, status, told)
        if "right" in lines:
            return
    sys.exit(told)


def trap():
    """Each ends, with one thread too; what is an error of the program is told of once by each rank."""
    name = REST[0]
    for threads in ("1", "4"):
        lines, told, status = on_tulle(PROGRAM, name, OMP_NUM_THREADS=threads)
        if name in ("abort", "fatal"):
            expect(status not in (0, 124), "ends in another way", status, told)
            expect(name == "abort" or MPI == "openmpi" or "Fatal error in " in told + "".join(lines), lines, told)
            continue
        expect(status == 0 and lines == ["", "right"], f"{threads} threads: status {status}", told, lines)
        expect(told.count("same time, which MPI does not allow") == (2 if name == "twice" else 0), told)


def strangers():
    for threads in ("1", "4"):
        lines, told, status = on_tulle(PROGRAM, OMP_NUM_THREADS=threads)
        expect(status == 0 and "right" in lines, f"{threads} threads: status {status}", told, lines)


def grid():
    """Threads times ranks, in collectives."""
    for ranks in ("1", "2", "3", "4"):
        for threads in ("1", "2", "8"):
            lines, told, status = on_tulle(PROGRAM, ranks=ranks, OMP_NUM_THREADS=threads)
            expect(status == 0 and lines == ["", "right"], f"{ranks} ranks, {threads} threads: {status}", told, lines)


def refused():
    """The library gives less than is asked for: one line, and all is as without."""
    objects = f"{LIBDIR}/libgomp.so.1:{LIBDIR}/libtulle-mpi-{MPI}.so"
    for given in ("single", "funneled", "serialized"):
        lines, told, status = launch("env", f"LD_PRELOAD={objects}:{REST[0]}", PROGRAM, LOWER_LEVEL=given)
        expect(status == 0 and "multiple" not in lines, given, status, told, lines)
        expect(told.count("does not give MPI_THREAD_MULTIPLE") == 2, given, told)


def alone():
    """Where nothing else could run a call stays what it is."""
    objects = f"{LIBDIR}/libgomp.so.1:{LIBDIR}/libtulle-mpi-{MPI}.so"
    lines, told, status = launch("env", f"LD_PRELOAD={objects}:{REST[0]}", PROGRAM)
    expect(status == 0 and "outside 0 alone 0 beside a task 1 of two 1 at rest 0" in lines, status, told, lines)


def library(name):
    """Where the loader finds it."""
    known = subprocess.run(["/sbin/ldconfig", "-p"], text=True, check=True, capture_output=True).stdout
    return next(line.split()[-1] for line in known.splitlines() if line.split()[0] == name)


def level():
    object_of = {name: f"{LIBDIR}/libtulle-mpi-{name}.so" for name in ("openmpi", "mpich")}
    other = object_of["mpich" if MPI == "openmpi" else "openmpi"]
    expect("multiple" in on_tulle(PROGRAM)[0], "the level is raised")
    expect("multiple" not in on_tulle(PROGRAM, TULLE_MPI="off")[0], "TULLE_MPI=off leaves it")
    lines, told, status = launch("env", f"LD_PRELOAD={object_of[MPI]}", PROGRAM)
    expect(status == 0 and "multiple" not in lines and "not Tulle" in told, "without Tulle nothing changes", told)
    if not os.path.exists(other):
        return
    lines, told, status = launch("env", f"LD_PRELOAD={LIBDIR}/libgomp.so.1:{other}", PROGRAM)
    expect(status == 0 and "multiple" not in lines and told.count("another MPI") == 2, "the other object", status, told)
    both = [library("libmpi.so.40"), library("libmpich.so.12")]
    both = ":".join(both if MPI == "openmpi" else reversed(both))  # the first one is what calls are bound to
    lines, told, status = launch("env", f"LD_PRELOAD={LIBDIR}/libgomp.so.1:{object_of[MPI]}:{both}", PROGRAM)
    expect(status == 0 and "multiple" not in lines and told.count("two MPIs in one process") == 2, "two", status, told)


def another():
    """An MPI that the object knows nothing of: one line, and all is as without."""
    words = [PROGRAM, "two", "words"]
    plain, told, status = launch(*words)
    expect(status == 0 and len(plain) == 3, "without", status, told, plain)
    lines, told, status = launch("env", f"LD_PRELOAD={LIBDIR}/libgomp.so.1:{LIBDIR}/libtulle-mpi-{MPI}.so", *words)
    expect(status == 0 and lines == plain and told.count("another MPI") == 2, status, told, lines)


def tool():
    """It sees the same calls above and below, and without."""
    tool_object = REST[0]
    for preload in (f"{tool_object}:{LIBDIR}/libgomp.so.1:{LIBDIR}/libtulle-mpi-{MPI}.so",
                    f"{LIBDIR}/libgomp.so.1:{LIBDIR}/libtulle-mpi-{MPI}.so:{tool_object}"):
        lines, told, status = launch("env", f"LD_PRELOAD={preload}", PROGRAM, OMP_NUM_THREADS="1")
        expect(status == 0 and told.count("tool: 192 sent") == 2 and lines == ["", "right"], preload, lines, told)


globals()[CHECK]()
