# SPDX-License-Identifier: Apache-2.0
"""TULLE_DEVICES and the variables beside it: which devices there are, and that what cannot be had ends in one line.

usage: settings.py PROGRAM RUNTIME_DIR COMPILER
"""
import os
import resource
import subprocess
import sys
import unittest

PROGRAM, RUNTIME, COMPILER = sys.argv[1:4]
CPUS = sorted(os.sched_getaffinity(0))
ONE = f"cluster:{CPUS[0]}"


def run(*arguments, **settings):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("OMP_", "TULLE_", "KMP_", "GOMP_"))}
    environment.update(settings, LD_LIBRARY_PATH=RUNTIME)
    return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=60)


def shared_memory():
    """What is in /dev/shm, but for what libomp and MPI have there in other tests meanwhile."""
    others = ("__KMP", "vader", "osc_", "openmpi", "ompi", "mpich", "psm", "ucx", "shm_")
    return sorted(name for name in os.listdir("/dev/shm") if not name.startswith(others))


class Settings(unittest.TestCase):
    def expect(self, result, output, *said, status=0):
        self.assertEqual(result.stdout.split("\n")[:-1], output, result.stderr)
        lines = result.stderr.split("\n")[:-1]
        self.assertEqual(len(lines), len(said), result.stderr)
        for line, words in zip(lines, said):
            self.assertIn(words, line)
        self.assertEqual(result.returncode, status)

    def test_none(self):
        self.expect(run(), ["0 devices", "0 host"])

    def test_none_but_mandatory(self):
        """The host is the default device of libgomp, which may then run the region; LLVM's runtime refuses."""
        result = run(OMP_TARGET_OFFLOAD="mandatory")
        if COMPILER == "gcc":
            return self.expect(result, ["0 devices", "0 host"])
        self.assertIn("mandatory", result.stderr)
        self.assertEqual(result.returncode, 1)

    def test_one(self):
        self.expect(run(TULLE_DEVICES=ONE), ["1 devices", "0 device"])
        self.expect(run("1", TULLE_DEVICES=ONE), ["1 host"])
        self.expect(run("7", TULLE_DEVICES=ONE), ["1 host"])

    @unittest.skipIf(len(CPUS) < 2, "one CPU")
    def test_two(self):
        two = f"{ONE}; cluster : {CPUS[1]}"
        self.expect(run(TULLE_DEVICES=two), ["2 devices", "0 device"])
        self.expect(run(TULLE_DEVICES=two, OMP_DEFAULT_DEVICE="1"), ["2 devices", "1 device"])
        self.expect(run(TULLE_DEVICES=two, OMP_DEFAULT_DEVICE="2"), ["2 devices", "2 host"])

    def test_host_only(self):
        self.expect(run(TULLE_DEVICES=ONE, OMP_TARGET_OFFLOAD="disabled"), ["0 devices", "0 host"])

    def test_mandatory(self):
        self.expect(run(TULLE_DEVICES=ONE, OMP_TARGET_OFFLOAD="mandatory"), ["1 devices", "0 device"])
        self.expect(run("7", TULLE_DEVICES=ONE, OMP_TARGET_OFFLOAD="mandatory"), [], "mandatory", status=1)

    def test_bad_lists(self):
        for text in ("cluster", "cluster:", "cluster:x", "cluster:3-1", "grid:0", "process:0", ";", "cluster:0,",
                     f"{ONE};;"):
            self.expect(run(TULLE_DEVICES=text), ["0 devices", "0 host"], "TULLE_DEVICES")

    def test_not_to_be_had(self):
        absent = CPUS[-1] + 1
        self.expect(run(TULLE_DEVICES=f"cluster:{absent}"), ["0 devices", "0 host"], "may not use")
        self.expect(run(TULLE_DEVICES=f"{ONE};{ONE}"), ["0 devices", "0 host"], "two devices")
        self.expect(run(TULLE_DEVICES=f"process:{len(CPUS) + 1}"), ["0 devices", "0 host"], "more devices")
        self.expect(run(TULLE_DEVICES="mpi"), ["0 devices", "0 host"], "mpirun has not started it")
        result = run(TULLE_DEVICES=f"cluster:{absent}", OMP_TARGET_OFFLOAD="mandatory")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no such device", result.stderr)

    def test_memory_ends(self):
        resource.setrlimit(resource.RLIMIT_AS, (1 << 36, resource.getrlimit(resource.RLIMIT_AS)[1]))
        self.expect(run("much", TULLE_DEVICES=ONE), ["host 7"], "no memory")
        self.expect(run("much", TULLE_DEVICES=ONE, OMP_TARGET_OFFLOAD="mandatory"), [], "no memory", status=1)

    def test_process(self):
        self.expect(run(TULLE_DEVICES="process:1"), ["1 devices", "0 device"])
        self.expect(run("fork", TULLE_DEVICES="process:1"), ["0 device", "0 host"])
        self.expect(run("much", TULLE_DEVICES="process:1"), ["host 7"], "no memory")

    def test_after_binding(self):
        last = f"cluster:{CPUS[-1]}"
        for bind in "primary", "close", "spread":
            self.expect(run("after a region", TULLE_DEVICES=last, OMP_PROC_BIND=bind), ["in it", "0 device"])
            self.expect(run("after a region", TULLE_DEVICES=f"process:{len(CPUS)}", OMP_PROC_BIND=bind),
                        ["in it", "0 device"])
        self.expect(run("after a region", TULLE_DEVICES=last, TULLE_POLICY="random"), ["in it", "0 device"])

    @unittest.skipIf(CPUS[-1] >= 64, "a CPU without a bit")
    def test_cpus_of_a_device(self):
        """Whatever the host's places are."""
        for bind in "false", "close", "spread", "primary":
            for cpu in CPUS[0], CPUS[-1]:
                self.expect(run("cpus", TULLE_DEVICES=f"cluster:{cpu}", OMP_PROC_BIND=bind), [f"{1 << cpu:x} {1 << cpu:x}"])
            all_cpus = sum(1 << cpu for cpu in CPUS)
            self.expect(run("cpus", TULLE_DEVICES="process:1", OMP_PROC_BIND=bind), [f"{all_cpus:x} {all_cpus:x}"])

    @unittest.skipIf(CPUS[-1] >= 64 or len(CPUS) < 2, "two CPUs with a bit each")
    def test_workers_of_a_device(self):
        """Its own, on its CPUs, whether the host's are bound or not."""
        first, second = (f"{1 << cpu:x}" for cpu in CPUS[:2])
        both = f"{(1 << CPUS[0]) + (1 << CPUS[1]):x}"
        for bind in "false", "close":
            for policy in "default", "spread":
                settings = {"OMP_PROC_BIND": bind, "TULLE_POLICY": policy}
                self.expect(run("workers", TULLE_DEVICES=f"cluster:{CPUS[0]},{CPUS[1]}", **settings),
                            [f"{both} {both}", "0 shared"])
                self.expect(run("workers", TULLE_DEVICES=f"cluster:{CPUS[0]};cluster:{CPUS[1]}", **settings),
                            [f"{first} {first}", f"{second} {second}", "0 shared"])

    def test_wait(self):
        self.expect(run("wait", TULLE_DEVICES="process:2"), ["0 device", "none", "mine"])

    def test_death(self):
        for how in "die", "die later":
            self.expect(run(how, TULLE_DEVICES="process:1"), ["31"], "ended by signal 9", "the host runs it")
        self.expect(run("die", TULLE_DEVICES="process:1", OMP_TARGET_OFFLOAD="mandatory"), [], "signal 9", "mandatory",
                    status=1)

    def test_nothing_is_left(self):
        before = shared_memory()
        run(TULLE_DEVICES="process:1")
        run("die", TULLE_DEVICES="process:1")
        self.assertEqual(shared_memory(), before)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"^{PROGRAM}"], capture_output=True).stdout, b"")

    def test_wrong_map(self):
        self.expect(run("overlap", TULLE_DEVICES=ONE), [], "in part only", status=1)

    def test_fork(self):
        self.expect(run("fork", TULLE_DEVICES=ONE), ["0 device", "0 host"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
