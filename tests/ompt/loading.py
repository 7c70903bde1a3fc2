# SPDX-License-Identifier: Apache-2.0
"""How tools come in, alone and several at once, and what they are told by number.

usage: loading.py PROGRAM CHECKER COUNTER COMPILER
"""
import os
import re
import subprocess
import sys

THREADS = 4
# Regions of the program; two leagues, one of them in a target region, and those of the first one's two teams; one in a
# target region; those inside of them that three threads meet.
REGIONS = 1 + (1 + 2 + 1) + 1 + 1 + 1 + 1 + (1 + 3 + 1) + 1 + 50
ORDERED = 20  # iterations with an ordered region
# Sources and sinks of a loop of 40 iterations, and of a nest of 5 times 5.
OF_ITERATIONS = (40 + 39) + (25 + 20 + 20)
# Without a clause a taskloop has four parts for each thread.
TASKS = {"parts": 50, "parts in parts": 4 * 2, "undeferred parts": 10, "untied parts": 400, "reducing parts": 4 * THREADS,
         "fib(10)": 176, "chain": 20, "group": 20, "undeferred": 1, "untied": 40, "nested": 6, "serial": 1}


def run(program, tools, **settings):
    env = dict(os.environ, OMP_NUM_THREADS=str(THREADS), **settings)
    if tools:
        env["OMP_TOOL_LIBRARIES"] = ":".join(tools)
    return subprocess.run([program], env=env, capture_output=True, text=True, timeout=60)


def counts(answer):
    return {name: int(count) for name, count in re.findall(r"^ompt: (\w+) (\d+)$", answer.stdout, re.M)}


def expect(fact, what, answer):
    if not fact:
        sys.exit(f"{what}\n{answer.stdout}{answer.stderr}")


def main():
    program, checker, counter, compiler = sys.argv[1:]
    regions = REGIONS

    answer = run(program, [checker])
    told = counts(answer)
    expect(answer.returncode == 0, "the checker found something wrong", answer)
    expect(told["parallel_begin"] == regions, f"regions, not {regions}", answer)
    expect((told["league_begin"], told["team_begin"]) == (2, 5), "leagues of two and of three teams", answer)
    expect(told["target_begin"] == (2 if compiler == "gcc" else 0), "Clang's code calls target regions without a word", answer)
    expect(told["task_create"] == sum(TASKS.values()), f"tasks, not {sum(TASKS.values())}", answer)
    expect(told["dependences"] == TASKS["chain"] + OF_ITERATIONS, "tasks and iterations with dependences", answer)
    expect(told["nest_lock"] == 2 * THREADS, "nested locks", answer)
    expect(told["masked_begin"] == (compiler == "clang"), "GCC tells nothing of masked, Clang does", answer)

    if compiler == "gcc":  # Clang's code has no regions for devices without a compiler's option
        device = f"cluster:{min(os.sched_getaffinity(0))}"
        answer = run(program, [checker], TULLE_DEVICES=device, OMP_TARGET_OFFLOAD="mandatory", CHECKER_DEVICES="1")
        told = counts(answer)
        expect(answer.returncode == 0 and (told["parallel_begin"], told["target_begin"]) == (regions, 2),
               "regions in target regions on a group of CPUs", answer)
        answer = run(program, [checker], TULLE_DEVICES="process:1", OMP_TARGET_OFFLOAD="mandatory", CHECKER_DEVICES="1")
        told = counts(answer)
        expect(answer.returncode == 0 and not answer.stderr, "a tool in a device's process", answer)
        expect(told["target_begin"] == 0 and told["parallel_begin"] < regions, "regions of the device's process", answer)

    answer = run(program, [checker, counter])
    expect(answer.returncode == 0 and counts(answer) and f"counter: regions {regions} wrong 0" in answer.stdout,
           "two tools at once", answer)

    answer = run(program, [counter], COUNTER_CALLS="1")
    expect(f"regions {regions} wrong 0" in answer.stdout, "a tool that calls the runtime while it registers", answer)

    answer = run(program, [counter], COUNTER_REFUSES="1", OMP_TOOL_VERBOSE_INIT="stderr")
    expect(answer.returncode == 0 and "counter:" not in answer.stdout, "a tool that does not stay", answer)
    expect("does not stay" in answer.stderr and "none is used" in answer.stderr, "the log", answer)

    answer = run(program, ["/no/such/tool.so", counter], OMP_TOOL_VERBOSE_INIT="stdout")
    expect("/no/such/tool.so" in answer.stdout and f"regions {regions}" in answer.stdout, "a tool that is not there",
           answer)

    answer = run(program, [checker], OMP_TOOL="disabled")
    expect(answer.returncode == 0 and not answer.stdout, "OMP_TOOL=disabled", answer)

    answer = run(program, [], LD_PRELOAD=counter)
    expect(f"regions {regions} wrong 0" in answer.stdout, "a tool that is part of the program", answer)


if __name__ == "__main__":
    main()
