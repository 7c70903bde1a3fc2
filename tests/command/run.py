# SPDX-License-Identifier: Apache-2.0
"""`tulle run`: environment, exit status, and where options end."""
import os
import subprocess
import sys
import tempfile
import unittest

TULLE, LIBDIR = sys.argv[1:3]


def run(*words, command=TULLE, **environment):
    inherited = {k: v for k, v in os.environ.items()
                 if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    return subprocess.run([command, "run", *words], capture_output=True, text=True, timeout=300,
                          check=False, env={**inherited, **environment})


def environment_of(*words, **environment):
    out = run(*words, "env", **environment).stdout
    return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)


class Run(unittest.TestCase):
    def test_puts_the_library_under_the_program(self):
        seen = environment_of()
        self.assertEqual(seen["LD_LIBRARY_PATH"], LIBDIR)
        self.assertEqual(seen["LD_PRELOAD"], LIBDIR + "/libgomp.so.1")

    def test_the_program_has_the_library_loaded(self):
        maps = run("cat", "/proc/self/maps").stdout
        self.assertIn("libgomp-tulle.so.1.0", maps)

    def test_a_sandbox_without_proc(self):
        hide = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                'mount -t tmpfs none /proc && exec "$0" "$@"')
        if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("the system allows no name spaces")
        done = subprocess.run([*hide, TULLE, "run", "true"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertRegex(done.stderr, "^tulle: where this command lies cannot be read from /proc: [^\n]*\n$")

    def test_goes_before_what_was_set(self):
        seen = environment_of(LD_LIBRARY_PATH="/a:/b", LD_PRELOAD="libc.so.6")
        self.assertEqual(seen["LD_LIBRARY_PATH"], LIBDIR + ":/a:/b")
        self.assertEqual(seen["LD_PRELOAD"], LIBDIR + "/libgomp.so.1 libc.so.6")

    def test_options_are_variables(self):
        seen = environment_of("-t", "4,2", "--policy=spread", "--wait-policy", "passive",
                              "--places", "cores", "--bind", "close", "--stacksize", "2M", "-v")
        self.assertEqual(
            {k: v for k, v in seen.items() if k.startswith(("OMP_", "TULLE_")) and k != "TULLE_SERVED"},
            {"OMP_NUM_THREADS": "4,2", "TULLE_POLICY": "spread", "OMP_WAIT_POLICY": "passive",
             "OMP_PLACES": "cores", "OMP_PROC_BIND": "close", "OMP_STACKSIZE": "2M",
             "OMP_DISPLAY_ENV": "TRUE"})

    def test_compatible_undoes_what_is_our_own(self):
        seen = environment_of("--compatible", TULLE_POLICY="spread", TULLE_SHARE="true", TULLE_TASK_GRAPH="auto")
        self.assertEqual({k: v for k, v in seen.items() if k.startswith(("OMP_", "TULLE_"))},
                         {"OMP_DYNAMIC": "false", "TULLE_TLS": "whole", "TULLE_LEARN": "false",
                          "TULLE_POLICY": "default", "TULLE_WAITS": "false", "TULLE_SHARE": "false",
                          "TULLE_TASK_GRAPH": "off", "TULLE_TASK_CREATION": "breadth_first", "TULLE_MPI": "off"})
        self.assertEqual(environment_of("--compatible", "--tls", "bare")["TULLE_TLS"], "bare")

    def test_share_leaves_no_threads_that_poll(self):
        def shared(*words, **environment):
            seen = environment_of(*words, **environment)
            return seen.get("TULLE_SHARE"), seen.get("OPENBLAS_NUM_THREADS")
        self.assertEqual(shared(), (None, None))
        self.assertEqual(shared("--share"), ("true", "1"))
        self.assertEqual(shared("--compatible", "--share", OPENBLAS_NUM_THREADS="2"), ("true", "2"))

    def test_an_option_goes_before_the_environment(self):
        self.assertEqual(environment_of("-t3", OMP_NUM_THREADS="7")["OMP_NUM_THREADS"], "3")
        self.assertEqual(environment_of(OMP_NUM_THREADS="7")["OMP_NUM_THREADS"], "7")

    def test_options_end_at_the_program(self):
        self.assertEqual(run("-t", "2", "echo", "-t", "--", "x").stdout, "-t -- x\n")
        self.assertEqual(run("-t", "2", "--", "printf", "%s", "--help").stdout, "--help")

    def test_exit_status_is_the_programs(self):
        self.assertEqual(run("sh", "-c", "exit 3").returncode, 3)
        self.assertLess(run("sh", "-c", "kill -9 $$").returncode, 0)

    def test_exit_status_of_its_own(self):
        self.assertEqual(run("no-such-program").returncode, 127)
        self.assertEqual(run("/etc/passwd").returncode, 126)
        self.assertEqual(run().returncode, 125)
        self.assertEqual(run("--no-such-option", "true").returncode, 125)

    def test_print_can_be_read_by_a_shell(self):
        out = run("--print", "--places", "{0}, {1}'s").stdout
        shown = subprocess.run(["sh", "-c", out + 'printf %s "$OMP_PLACES"'],
                               capture_output=True, text=True, check=True,
                               env={"PATH": os.environ["PATH"]}).stdout
        self.assertEqual(shown, "{0}, {1}'s")

    def test_a_folder_with_a_space(self):
        with tempfile.TemporaryDirectory(prefix="a folder ") as folder:
            os.mkdir(folder + "/bin")
            with open(TULLE, "rb") as source, open(folder + "/bin/tulle", "wb") as copy:
                copy.write(source.read())
            os.chmod(folder + "/bin/tulle", 0o755)
            os.symlink(LIBDIR, folder + "/lib")
            done = run("cat", "/proc/self/maps", command=folder + "/bin/tulle")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("libgomp-tulle.so.1.0", done.stdout)


unittest.main(argv=sys.argv[:1])
