# SPDX-License-Identifier: Apache-2.0
"""The Debian package: lintian has nothing to say, it works from where it is installed, and goes without a trace.
usage: debian.py BUILD_FOLDER SOURCES VERSION"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, SOURCES, VERSION = sys.argv[1:4]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed_files(root):
    return [path for path in root.rglob("*") if path.is_file() and "var/lib/dpkg" not in str(path)]


def newest_libc_of(root):
    """The newest version of the C library that a file below root needs."""
    needed = [(2, 0)]
    for path in installed_files(root):
        if not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            needs = run("readelf", "-W", "--version-info", path).partition("Version needs section")[2]
            needed += [tuple(map(int, version.split("."))) for version in re.findall(r"Name: GLIBC_([\d.]+)", needs)]
    return max(needed)


if shutil.which("dpkg-deb") is None:
    print("skipped: no dpkg")
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    run(pathlib.Path(SOURCES) / "packaging/debian/make.sh", BUILD, folder / "dist")
    package = next((folder / "dist").glob(f"tulle_{VERSION}_*.deb"))
    root = folder / "root"
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    dpkg = ("dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless",
            f"--log={folder}/log")
    if os.getuid() != 0:
        run("dpkg-deb", "-x", package, root)
    else:
        run(*dpkg, "-i", package)
    command = root / "usr/bin/tulle"
    maps = run(command, "run", "cat", "/proc/self/maps")
    if f"{root}/usr/lib/tulle/libgomp-tulle.so.1.0" not in maps:
        sys.exit("the installed command does not load the installed runtime")
    depends = run("dpkg-deb", "--field", package, "Depends")
    if tuple(map(int, re.search(r"libc6 \(>= ([\d.]+)\)", depends)[1].split("."))) < newest_libc_of(root):
        sys.exit(f"needs a C library of {newest_libc_of(root)}, and says: {depends}")
    if os.getuid() == 0:
        run(*dpkg, "-P", "tulle")
        if installed_files(root):
            sys.exit(f"left: {installed_files(root)}")
    print("the package installs, works and goes")
