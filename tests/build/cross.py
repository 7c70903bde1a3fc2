# SPDX-License-Identifier: Apache-2.0
"""The packages for another processor: its emulator runs a program on the wheel's libraries, and the command of the
Debian package. usage: cross.py DISTRIBUTION_FOLDER COMPILER EMULATOR LOADER_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

DISTRIBUTION, COMPILER, EMULATOR, LOADER = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
PROGRAM = """
#include <stdio.h>
int main(void) {
  long sum = 0;
#pragma omp parallel for num_threads(8) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  return printf("%ld\\n", sum) < 0;
}
"""


def run(*words, **variables):
    """Output and errors of what must end well."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False,
                          env={"PATH": "/usr/bin:/bin"} | variables)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def only(pattern):
    found = sorted(DISTRIBUTION.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{DISTRIBUTION}/{pattern}: one is expected, there are {found}")
    return found[0]


def emulated(*words, **variables):
    return run(EMULATOR, "-L", LOADER, *words, **variables)


def expect_served(program, library, whose):
    output, shown = emulated("-E", f"LD_LIBRARY_PATH={library}", program, OMP_DISPLAY_ENV="verbose")
    if output != "499500\n" or "TULLE_" not in shown:
        sys.exit(f"the {whose} runtime did not serve the program: {output}{shown}")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "program.c").write_text(PROGRAM)
    run(COMPILER, "-fopenmp", folder / "program.c", "-o", folder / "program")

    zipfile.ZipFile(only("tulle-*_aarch64.whl")).extractall(folder)
    expect_served(folder / "program", folder / "tulle/lib", "wheel's")

    run("dpkg-deb", "-x", only("tulle_*_arm64.deb"), folder / "root")
    library = folder / "root/usr/lib/tulle"
    output, _ = emulated(folder / "root/usr/bin/tulle", "info")
    if f"{library}/libgomp-tulle.so.1.0" not in output:
        sys.exit(f"the installed command does not ask the installed runtime: {output}")
    expect_served(folder / "program", library, "package's")
print("the wheel's and the package's libraries serve a program, and the command works")
