# SPDX-License-Identifier: Apache-2.0
# A build for another processor, whose programs an emulator runs: which tests there are, and the part of the
# programs that `make test` takes, a few of each construct and of what depends on the processor.
set(folders unit conformance stress regress)

set(TULLE_EMULATED_PART
  parallel/team.c parallel/arguments.c parallel/classes.cpp loop/schedules.c loop/ordered.c loop/doacross.c
  single/copyprivate.cpp critical/critical.c barrier/completes_tasks.c cancel/cancel.c reduction/user.cpp lock/nest.c
  threadprivate/addresses.c threadprivate/classes.cpp nested/constructs.c task/depend.c task/taskgroup.c task/data.cpp
  exceptions/suspended.cpp fortran/reductions.f90
  errno.c float_control.c thread_local.cpp identity.c suspended_handlers.cpp)

# Of the unit tests, those of the lower layers.
set(TULLE_EMULATED_UNITS base arch os sync memory topology ult sched)

# Left out: what hwloc has to describe (there is none for the target), and what goes by a field of signals that the
# emulator clears (si_errno) or by /proc/self/stat, which it makes up.
set(TULLE_EMULATED_WITHOUT_os Meeting.*:Pauses.*)  # the latter change their length when they are translated
set(TULLE_EMULATED_WITHOUT_ult Port.OsThreadsTakeLittleMemory)  # an emulator keeps what it has translated for each
set(TULLE_EMULATED_WITHOUT_topology Synthetic.* Xml.* Restricted.* Machine.* SysfsHere.*
  Sysfs.NodesWithinAPackageAndCachesWithinANode)
set(TULLE_EMULATED_WITHOUT_sched
  Affinity*.* Scatter.* Shared.* Random.* Makespan.* Plugin.* Hooks.* BubblesFigure*.* SimulatedHost.* Spread.* Host.*
  QueueTree.* Victims.* Clusters.* WorkerNodes.* Policies/*.*
  Watch.ALoopThatWaitsIsInPlace Watch.WhoComputesGoesOn Registers.WhoIsAskedAnswers)
