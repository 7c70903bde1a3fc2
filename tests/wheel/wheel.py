# SPDX-License-Identifier: Apache-2.0
"""The wheel in a fresh virtual environment: what it may need of the system, and what its functions do.
usage: wheel.py WHEEL BUNDLED_RUNTIME VERSION"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

WHEEL, BUNDLED_RUNTIME, VERSION = sys.argv[1:4]
FLOOR = (2, 17)
SYSTEM = {"libc.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "libgomp.so.1"}


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        with zipfile.ZipFile(WHEEL) as archive:
            archive.extractall(cls.folder)
        cls.libraries = sorted((cls.folder / "tulle" / "lib").iterdir())

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def dynamic(self, library, *options):
        return subprocess.run(["readelf", "-W", *options, library], capture_output=True, text=True, check=True).stdout

    def test_all_names_are_there(self):
        names = {library.name for library in self.libraries}
        self.assertLessEqual({"libgomp.so.1", "libomp.so.5", "libiomp5.so"}, names)
        for library in self.libraries:
            if library.name != "libtulle-topology.so":
                self.assertIn(f"soname: [{library.name}]", self.dynamic(library, "-d"))

    def test_needs_an_old_libc_alone(self):
        for library in self.libraries:
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", self.dynamic(library, "-d")))
            self.assertLessEqual(needed, SYSTEM, library)
            # What it defines under such versions stands before the C library's own; only needs bind it to one.
            needs = self.dynamic(library, "-V").partition("Version needs section")[2]
            for version in re.findall(r"Name: GLIBC_([\d.]+)", needs):
                self.assertLessEqual(tuple(map(int, version.split("."))), FLOOR, library)

    def test_names_of_other_runtimes_have_their_versions(self):
        versions = set(re.findall(r"Name: (\w+)", self.dynamic(self.folder / "tulle/lib/libgomp.so.1", "-V")))
        for name in "libomp.so.5", "libiomp5.so":
            self.assertIn("VERSION", set(re.findall(r"Name: (\w+)", self.dynamic(self.folder / "tulle/lib" / name, "-V"))))
        self.assertIn("VERSION", versions)

    def test_nothing_outside_of_its_folders(self):
        tops = {path.name for path in self.folder.iterdir()}
        self.assertEqual(tops, {"tulle", "tulle.pth", f"tulle-{VERSION}.dist-info"})
        self.assertTrue((self.folder / f"tulle-{VERSION}.dist-info/licenses/LICENSE").exists())


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.scratch.name)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        cls.python = folder / "venv" / "bin" / "python"
        subprocess.run([cls.python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", WHEEL],
                       check=True)
        cls.folder = folder

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_python(self, *words, status=0, **variables):
        done = subprocess.run([self.python, *words], capture_output=True, text=True, timeout=300, check=False,
                              cwd=self.folder, env={"PATH": "/usr/bin:/bin", **variables})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def test_preload_and_info(self):
        out, err = self.run_python("-c", """
import os, tulle
assert not tulle.in_use()
try:
    tulle.info()
except tulle.NotLoaded as error:
    print(error)
tulle.preload()
tulle.preload()
assert tulle.in_use() and os.environ["TULLE"] == "1"
known = tulle.info()
print(known["version"], known["controls"]["OMP_NUM_THREADS"]["value"], known["cpus"]["usable"] > 0)
import ctypes
for name in "libgomp.so.1", "libomp.so.5", "libiomp5.so":
    assert ctypes.CDLL(name).omp_get_max_threads() == 3
""", OMP_NUM_THREADS="3")
        self.assertEqual((out, err), (f"call tulle.preload() first\n{VERSION} 3 True\n", ""))

    def test_refuses_beside_another(self):
        code = f"import ctypes, tulle; ctypes.CDLL({BUNDLED_RUNTIME!r})\ntulle.preload()"
        _, err = self.run_python("-c", code, status=1)
        self.assertIn(f"AlreadyLoaded: {BUNDLED_RUNTIME} is in use already", err)

    def test_variable_reaches_children_and_nothing_else(self):
        code = """
import multiprocessing, subprocess, tulle
def where(_=None):
    return tulle.in_use()
if __name__ == "__main__":
    print(where())
    for method in "spawn", "forkserver", "fork":
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, pool.map(where, [0]))
    print("libgomp" in subprocess.run(["cat", "/proc/self/maps"], capture_output=True, text=True).stdout)
"""
        (self.folder / "script.py").write_text(code)
        used = "True\nspawn [True]\nforkserver [True]\nfork [True]\nFalse\n"
        self.assertEqual(self.run_python("script.py", TULLE="1"), (used, ""))
        self.assertEqual(self.run_python("-m", "tulle", "run", "script.py"), (used, ""))
        self.assertEqual(self.run_python("script.py")[0].splitlines()[0], "False")

    def test_command(self):
        self.assertEqual(self.run_python("-m", "tulle", "--version"), (f"tulle {VERSION}\n", ""))
        self.assertIn("Usable CPUs: ", self.run_python("-m", "tulle", "info")[0])
        code = "import os, sys, tulle; print(sys.argv, tulle.in_use(), os.environ['OMP_NUM_THREADS'])"
        self.assertEqual(self.run_python("-m", "tulle", "run", "-t", "4,2", "-c", code, "a", "-b")[0],
                         "['-c', 'a', '-b'] True 4,2\n")
        self.assertEqual(self.run_python("-m", "tulle", "run", "sh", "-c", "echo $LD_PRELOAD; exit 3", status=3)[0],
                         self.run_python("-m", "tulle", "libdir")[0].rstrip() + "/libgomp.so.1\n")
        self.assertIn("(", self.run_python("-m", "tulle", "run", "-m", "platform")[0] + "(")
        for words, status in ((("frobnicate",), 2), (("run",), 125), (("run", "--frobnicate", "x"), 125),
                              (("run", "none.py"), 127), (("run", "no-such-program"), 127)):
            out, err = self.run_python("-m", "tulle", *words, status=status)
            self.assertEqual(out, "")
            self.assertRegex(err, r"^tulle: [^\n]*\n$")

    def test_threads_as_a_table(self):
        out, _ = self.run_python("-c", f"""
import ctypes, tulle
tulle.preload()
ctypes.CDLL({BUNDLED_RUNTIME!r})
print(tulle.threads())
""", OMP_NUM_THREADS="3")
        lines = out.splitlines()
        self.assertRegex(lines[0], "^API +threads +runs on +file$")
        self.assertTrue(any(re.match(r"openmp +3 +Tulle +/.*libgomp.so.1$", line) for line in lines), out)
        self.assertTrue(any(line.endswith(BUNDLED_RUNTIME) for line in lines), out)

    def test_start_costs_nothing_where_nobody_asks(self):
        measure = ("import sys, time; line = open([p for p in sys.path if 'site-packages' in p][0] + '/tulle.pth').read()"
                   "\ndef cost():\n  begin = time.perf_counter(); exec(line); return time.perf_counter() - begin"
                   "\nprint(min(cost() for _ in range(100)) * 1e6, 'tulle' in sys.modules)")
        cost, imported = self.run_python("-c", measure)[0].split()
        self.assertEqual(imported, "False")
        self.assertLess(float(cost), 100)  # microseconds

    def test_removed_without_a_trace(self):
        venv = self.folder / "another"
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        before = sorted(venv.rglob("*"))
        pip = [venv / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-q", "--no-index", "--no-compile", WHEEL], check=True)
        subprocess.run([*pip, "uninstall", "-q", "-y", "tulle"], check=True)
        left = set(sorted(venv.rglob("*"))) - set(before)
        self.assertEqual({path for path in left if "__pycache__" not in str(path)}, set())


unittest.main(argv=sys.argv[:1])
