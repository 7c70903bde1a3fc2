# SPDX-License-Identifier: Apache-2.0
"""The chapters of the report: a title, and which paper and figure a group of scenarios stands for."""
from dataclasses import dataclass

GLTO = "Castelló et al., GLTO"
MAGOMP = "Thibault et al., MaGOMP and BubbleSched"
SOCRATES = "P-SOCRATES, chapter 6"
FOREST = "Broquedis et al., ForestGOMP"


@dataclass(frozen=True)
class Family:
    title: str
    source: str
    text: str
    size_axis: str = ""  # what a number at the end of a scenario's name means
    short: str = ""  # in the list of contents


FAMILIES = {
    "flat": Family("Constructs", f"{GLTO}, Figure 7; EPCC's microbenchmarks",
                   "The cost of one construct. In a region the time is that of opening and closing it."),
    "tasks": Family("The cost of a task", f"{SOCRATES}, Figures 6.6 to 6.9",
                    "Empty tasks from one producer, in a binary tree, in fib, in a wavefront with two "
                    "predecessors, and in a taskloop; the time is that of one task.",
                  short="Tasks"),
    "nested": Family("Nested regions", f"{GLTO}, Figures 8 and 9, Table II; {FOREST}",
                     "Two nested loops of 100 and 1,000 iterations without work; regions opened by eight "
                     "pthreads at once; a tree of teams of four. Time of a nest, of a region, of a team. "
                     "A member that never waits is a plain call in Tulle: a ULT is made when one has to "
                     "wait and keeps its stack. The peers have OS threads only.",
                  short="Nested"),
    "whole": Family("Whole members", "",
                    "Constructs of teams whose members carry the C library's record of a thread: what that adds shows "
                    "beside the same constructs above. For a nest see nested_100_whole.", short="Whole"),
    "meeting": Family("Members that meet by means of their own", "",
                      "Barriers of flags, with and without sched_yield; sections and nested members that spin for "
                      "each other; waits in the C library; polling by regions, by taskyield and by critical sections; "
                      "barriers of a team whose members share a core. The time is that of a region in which all "
                      "members meet once.", short="Meeting"),
    "process": Family("A process", "", "Wall time of a program that opens one region; CPU time burnt in "
                                       "0.3 s outside regions; time to make a member, and its memory (members of "
                                       "Tulle's are whole).",
                  short="Process"),
    "uts": Family("Unbalanced tree search", f"{GLTO}, Figure 4",
                  "Threads that share the nodes through stacks under locks; a task for each node.",
                  short="UTS"),
    "cloverleaf": Family("Compressible flow", f"{GLTO}, Figure 6",
                         "Three steps of 121 small parallel loops on a square grid.", "cells an edge",
                  short="Cloverleaf"),
    "cg": Family("Conjugate gradient with tasks", f"{GLTO}, Figures 10 to 14, Table III",
                 "A task for every 10 to 100 rows of the product, one producer; and 4,000 tasks with a "
                 "limit on those unfinished.", "rows a task, or limit",
                  short="CG"),
    "multizone": Family("Multi-zone stencil", f"{MAGOMP}, Figures 4 and 5",
                        "Sixteen zones whose areas differ by a factor of 25, outer × inner threads, "
                        "in Fortran.",
                  short="Multi-zone"),
    "octree": Family("Octree surface reconstruction", f"{FOREST}, Figure 3",
                     "A team of four at each division of a cube of points.",
                  short="Octree"),
    "patterns": Family("Task patterns over task sizes", f"{SOCRATES}, Figures 6.6 to 6.11",
                       "LINEAR, RECURSIVE and MIXED, tied and untied; METG is the smallest task that "
                       "reaches half of the ideal speed.", "task size (ns)",
                  short="Patterns"),
    "grain": Family("What a second thread does for fine tasks", "",
                    "The time of one task against the length of its own work, on one thread and on two. Below "
                    "the length at which handing a task over pays, two threads had better take what one "
                    "takes: the last figure divides the one by the other.", "task size (ns)",
                    short="Grain"),
    "taskmem": Family("The memory of a task", f"{SOCRATES}, beside Figure 6.14",
                      "Bytes that one more live task takes: 100,000 held back by a dependence; a chain of "
                      "2,000 that each wait for a child.",
                  short="Memory"),
    "cholesky": Family("Blocked Cholesky", f"{SOCRATES}, Figures 6.13a and 6.14a",
                       "The same matrix in 4 to 5,984 tasks with dependences; the memory is what the "
                       "process took beside the matrix. `closed`: the graph is recorded and replayed; `built`: by "
                       "hand; `tasks`: without dependences, with taskwaits; `loops`.", "tasks",
                  short="Cholesky"),
    "pathfinding": Family("Path planning in 3-D", f"{SOCRATES}, Figures 6.13b and 6.14b",
                          "The same grid in 16 to 4,096 tasks with dependences.", "tasks",
                  short="Path planning"),
    "graphs": Family("Graphs that repeat", f"{SOCRATES}, section 6.3.1",
                     "Dependent tasks that do nothing, from one producer: dependences found anew each time, under "
                     "TULLE_TASK_GRAPH=auto, and replayed where the program says so. The time is that of one task.",
                     short="Graphs"),
    "bots": Family("Kernels of the Barcelona OpenMP tasks suite", f"{SOCRATES}, Figure 6.12",
                   "Written anew; see the workload's page.",
                  short="BOTS"),
}


def family(group: str) -> Family:
    return FAMILIES.get(group, Family(group, "", ""))
