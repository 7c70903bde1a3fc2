# SPDX-License-Identifier: Apache-2.0
"""`tulle info` and `tulle libdir`."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TULLE, LIBDIR = sys.argv[1:3]
MACHINE = """<?xml version="1.0"?><topology version="2.0"><object type="Machine" os_index="0"
 cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1">
<object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>
<object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"></object>
</object></topology>"""


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


class CommandLine(unittest.TestCase):
    def expect(self, status, *words):
        done = tulle(*words)
        self.assertEqual((done.returncode, done.stdout), (status, ""), words)
        self.assertRegex(done.stderr, r"^tulle: [^\n]*\n$")
        return done.stderr

    def test_each_mistake_gets_a_line_and_a_status(self):
        for words in ((), ("frobnicate",), ("--frobnicate",), ("info", "--frobnicate"), ("info", "word"),
                      ("libdir", "word"), ("simulate", "--frobnicate")):
            self.expect(2, *words)
        for words in (("run",), ("run", "--frobnicate"), ("info", "--placement")):
            self.expect(125, *words)

    def test_names_what_there_is(self):
        for command in "run", "info", "bench", "simulate", "graph", "libdir":
            self.assertIn(command, self.expect(2, "frobnicate"))


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

    def test_lists_the_devices(self):
        cpus = sorted(os.sched_getaffinity(0))
        self.assertEqual(info()["devices"], [])
        self.assertNotIn("Devices", tulle("info").stdout)
        wanted = [{"number": 0, "kind": "cluster", "cpus": str(cpus[0])}]
        self.assertEqual(info(TULLE_DEVICES=f"cluster:{cpus[0]}")["devices"], wanted)
        self.assertIn(f"Devices\n  0  cluster of CPU {cpus[0]}\n", tulle("info", TULLE_DEVICES=f"cluster:{cpus[0]}").stdout)
        self.assertEqual(info(TULLE_DEVICES=f"cluster:{cpus[0]}", OMP_TARGET_OFFLOAD="disabled")["devices"], [])
        self.assertIn("Devices: none", tulle("info", TULLE_DEVICES="process:100").stdout)
        if len(cpus) > 1:
            devices = info(TULLE_DEVICES=f"process:1;cluster:{cpus[0]}")["devices"]
            self.assertEqual([device["kind"] for device in devices], ["process", "cluster"])
            self.assertEqual(devices[0]["cpus"].split("-")[0].split(",")[0], str(cpus[1]))

    def test_machine_has_a_leaf_for_each_cpu(self):
        machine = info()["machine"]
        leaves = [p for p in parts(machine["tree"]) if p["kind"] == "hardware thread"]
        self.assertEqual(len(leaves), machine["tree"]["cpus"])
        self.assertEqual(machine["source"], "sysfs")

    def test_variables_of_hwloc_have_it_asked(self):
        shapes = [[(part["kind"], part["allowed"]) for part in parts(read["machine"]["tree"]) if part["allowed"] > 0]
                  for read in (info(HWLOC_THISSYSTEM="1"), info())]
        self.assertEqual(info(HWLOC_THISSYSTEM="1")["machine"]["source"], "hwloc")
        self.assertEqual(shapes[0], shapes[1])
        self.assertEqual(info(HWLOC_SYNTHETIC="pack:2 core:4 pu:2")["machine"]["tree"]["cpus"], 16)

    def test_shape_without_the_module_of_hwloc(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, file in (("bin", TULLE), ("lib", pathlib.Path(LIBDIR) / "libgomp-tulle.so.1.0")):
                os.mkdir(pathlib.Path(folder) / name)
                shutil.copy(file, pathlib.Path(folder) / name)
            done = subprocess.run([folder + "/bin/tulle", "info", "--json"], capture_output=True, text=True, timeout=300,
                                  check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        machine, whole = json.loads(done.stdout)["machine"], info()["machine"]
        self.assertEqual(machine["source"], "sysfs")
        shapes = [[(part["kind"], part["allowed"]) for part in parts(read["tree"]) if part["allowed"] > 0]
                  for read in (machine, whole)]
        self.assertEqual(shapes[0], shapes[1])

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
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r'^tulle: fruit: .*"numa:8 core:2 pu:1"\n$')

    def test_files_that_are_no_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "machine.xml"
            for text in "", "<topology", "no XML at all", MACHINE.replace("</object>", "", 2):
                file.write_text(text)
                done = tulle("info", "--topology", str(file))
                self.assertEqual((done.returncode, done.stdout), (2, ""), text)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_file_that_hwloc_crashes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            module = pathlib.Path(folder) / "crash.so"
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", module], check=True, text=True,
                           input="int hwloc_topology_load(void *t) { return *(volatile int *)0; }")
            done = tulle("info", "--topology", "numa:2 core:2 pu:1", LD_PRELOAD=str(module))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^tulle: numa:2 core:2 pu:1: libhwloc crashes .*\n$")

    def test_a_sandbox_without_sysfs(self):
        hide = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                'mount -t tmpfs none /sys && exec "$0" "$@"')
        if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("the system allows no name spaces")
        done = tulle("info", before=hide)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Machine (from affinity)", done.stdout)

    def test_whole_machine_is_no_limit(self):
        report = info()
        if report["cpus"]["usable"] == report["cpus"]["online"]:
            self.assertEqual(report["cpus"]["limited_by"], "machine")
            out = tulle("info").stdout
            self.assertIn(" (all)\n", out)
            self.assertNotIn("affinity mask\n", out)  # the origin of OMP_NUM_THREADS

    def test_controls_name_their_origin(self):
        controls = {c["name"]: c for c in info(OMP_NUM_THREADS="5,2")["controls"]}
        self.assertEqual(controls["OMP_NUM_THREADS"]["value"], "5,2")
        self.assertEqual(controls["OMP_NUM_THREADS"]["origin"], "environment")
        self.assertIn("OMP_NUM_THREADS", tulle("info").stdout)


unittest.main(argv=sys.argv[:1])
