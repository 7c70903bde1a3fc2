# SPDX-License-Identifier: Apache-2.0
"""`tulle info` and `tulle libdir`."""
import json
import os
import subprocess
import sys
import unittest

TULLE, LIBDIR = sys.argv[1:3]


def tulle(*words, before=(), **environment):
    return subprocess.run([*before, TULLE, *words], capture_output=True, text=True, timeout=300,
                          check=False, env={**os.environ, **environment})


def info(*words, **options):
    done = tulle("info", "--json", *words, **options)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def parts(tree):
    yield tree
    for inner in tree.get("inner", []):
        yield from parts(inner)


class Info(unittest.TestCase):
    def test_libdir_holds_every_name(self):
        folder = tulle("libdir").stdout.strip()
        self.assertEqual(os.path.realpath(folder), os.path.realpath(LIBDIR))
        for name in ("libgomp.so.1", "libomp.so.5", "libiomp5.so"):
            self.assertTrue(os.path.exists(os.path.join(folder, name)), name)

    def test_versions_agree(self):
        self.assertEqual(tulle("--version").stdout, f"tulle {info()['version']}\n")

    def test_counts_the_affinity_mask(self):
        whole = info()["cpus"]
        self.assertEqual(whole["allowed"], len(os.sched_getaffinity(0)))
        if whole["allowed"] > 1:
            one = str(min(os.sched_getaffinity(0)))
            report = info(before=("taskset", "-c", one))
            self.assertEqual(report["cpus"]["usable"], 1)
            self.assertEqual(report["cpus"]["limited_by"], "affinity mask")
            self.assertEqual(report["machine"]["tree"]["allowed"], 1)

    def test_machine_has_a_leaf_for_each_cpu(self):
        machine = info()["machine"]
        leaves = [p for p in parts(machine["tree"]) if p["kind"] == "hardware thread"]
        self.assertEqual(len(leaves), machine["tree"]["cpus"])
        self.assertEqual(machine["source"], "hwloc")

    def test_another_machine(self):
        report = info("--topology", "pack:2 core:64 pu:2")
        self.assertEqual(report["machine"]["tree"]["cpus"], 256)
        self.assertNotIn("cpus", report)
        drawing = tulle("info", "--topology", "pack:2 core:64 pu:2").stdout
        self.assertIn("packages 0-1: CPUs 0-255, each:", drawing)
        self.assertIn("cores 0-63: CPUs 0-127, each:", drawing)
        self.assertLess(len(drawing.splitlines()), 12)

    def test_nonsense_is_refused(self):
        done = tulle("info", "--topology", "fruit")
        self.assertEqual(done.returncode, 1)
        self.assertIn("fruit", done.stderr)
        self.assertEqual(tulle("fruit").returncode, 2)

    def test_controls_name_their_origin(self):
        controls = {c["name"]: c for c in info(OMP_NUM_THREADS="5,2")["controls"]}
        self.assertEqual(controls["OMP_NUM_THREADS"]["value"], "5,2")
        self.assertEqual(controls["OMP_NUM_THREADS"]["origin"], "environment")
        self.assertIn("OMP_NUM_THREADS", tulle("info").stdout)


unittest.main(argv=sys.argv[:1])
