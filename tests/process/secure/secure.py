# SPDX-License-Identifier: Apache-2.0
"""A set-user-ID program writes no file and loads no code that its environment names; others do."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, OBJECT = sys.argv[1:3]  # the program finds the runtime by itself, as such a one has to
NOBODY = 65534
SKIP = 77


def run(command, **settings):
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_"))}
    return subprocess.run(command, env={**environment, **settings}, capture_output=True, text=True,
                          timeout=120, check=False)


class Secure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tulle-secure-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.chmod(self.folder, 0o755)
        self.program = shutil.copy(PROGRAM, self.folder + "/program")
        self.object = shutil.copy(OBJECT, self.folder + "/loaded.so")
        os.chmod(self.object, 0o755)
        self.open = self.folder + "/open"
        os.mkdir(self.open)
        os.chmod(self.open, 0o1777)
        os.chown(self.program, 0, 0)

    def run_as(self, mode, **settings):
        os.chmod(self.program, mode)
        return run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", self.program],
                   **settings)

    def test_code_is_not_loaded(self):
        plain = self.run_as(0o755, TULLE_POLICY=self.object)
        self.assertIn(f"constructor ran as user {NOBODY}", plain.stderr, "without more rights it is")
        done = self.run_as(0o4755, TULLE_POLICY=self.object)
        self.assertEqual((done.returncode, done.stdout), (0, f"4 threads, user {NOBODY} as 0\n"))
        self.assertNotIn("constructor", done.stderr)
        self.assertEqual(done.stderr.count("TULLE_POLICY names a file and is ignored"), 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_files_are_not_written(self):
        file = self.open + "/placement"
        self.run_as(0o755, TULLE_PLACEMENT=file)
        self.assertTrue(os.path.exists(file), "without more rights it is written")
        os.remove(file)
        done = self.run_as(0o4755, TULLE_PLACEMENT=file)
        self.assertEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(file))
        self.assertEqual(done.stderr.count("TULLE_PLACEMENT names a file and is ignored"), 1)

    def test_each_variable_that_names_a_file(self):
        file = self.open + "/named"
        for name, value in (("OMP_TOOL_LIBRARIES", file), ("OMP_TOOL_VERBOSE_INIT", file), ("TULLE_PLACEMENT", file),
                            ("TULLE_POLICY", file), ("TULLE_SERVED", file), ("TULLE_TASK_GRAPH", "record:" + file),
                            ("TULLE_TASK_GRAPH", "replay:" + file)):
            done = self.run_as(0o4755, **{name: value})
            self.assertEqual(done.stderr, f"tulle: {name} names a file and is ignored: the process has rights "
                                          "that who started it may lack\n")
            self.assertEqual(done.returncode, 0)
            self.assertFalse(os.path.exists(file), name)

    def test_processes_that_share_write_no_file(self):
        settings = {"TULLE_SHARE": "true", "XDG_RUNTIME_DIR": self.open}
        self.run_as(0o755, **settings)
        self.assertNotEqual(os.listdir(self.open), [], "without more rights one is written")
        shutil.rmtree(self.open)
        os.mkdir(self.open)
        os.chmod(self.open, 0o1777)
        done = self.run_as(0o4755, **settings)
        self.assertEqual(done.stderr.count("TULLE_SHARE needs a file and is ignored"), 1, done.stderr)
        self.assertEqual(os.listdir(self.open), [])

    def test_capabilities_count_as_rights(self):
        os.chmod(self.program, 0o755)
        # The kernel's vfs_cap_data, revision 2, effective: CAP_NET_BIND_SERVICE is permitted.
        try:
            os.setxattr(self.program, "security.capability", struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0))
        except OSError as error:
            self.skipTest(f"no file capabilities here: {error}")
        file = self.open + "/placement"
        done = self.run_as(0o755, TULLE_PLACEMENT=file)
        self.assertEqual(done.stderr.count("TULLE_PLACEMENT names a file and is ignored"), 1, done.stderr)
        self.assertFalse(os.path.exists(file))

    def test_other_settings_hold(self):
        done = self.run_as(0o4755, TULLE_POLICY="spread", OMP_NUM_THREADS="3", OMP_DISPLAY_ENV="true")
        self.assertIn("OMP_NUM_THREADS = '3'", done.stderr)
        self.assertNotIn("ignored", done.stderr)

    def test_hwloc_loads_nothing(self):
        settings = {"HWLOC_PLUGINS_PATH": self.folder, "HWLOC_PLUGINS_VERBOSE": "1", "OMP_PLACES": "cores"}
        done = self.run_as(0o4755, **settings)
        self.assertEqual((done.returncode, done.stderr),
                         (0, "tulle: the variables of hwloc (HWLOC_*) are ignored: the process has rights that who "
                             "started it may lack\n"))


def set_user_id_works():
    """Whether this process may make such programs, and the file system lets them be."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return False
    with tempfile.TemporaryDirectory(prefix="tulle-secure-") as folder:
        os.chmod(folder, 0o755)
        copy = shutil.copy(shutil.which("id"), folder + "/id")
        os.chmod(copy, 0o4755)
        seen = run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", copy, "-u"])
        return seen.stdout == "0\n"


if __name__ == "__main__":
    if not set_user_id_works():
        sys.exit(SKIP)
    unittest.main(argv=sys.argv[:1])
