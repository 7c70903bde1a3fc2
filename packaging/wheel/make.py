# SPDX-License-Identifier: Apache-2.0
"""Packs the portable libraries and the Python package into a wheel that needs no Python ABI.

usage: make.py VERSION PORTABLE_FOLDER DISTRIBUTION_FOLDER"""
import base64
import hashlib
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIBRARIES = ("libgomp.so.1", "libomp.so.5", "libiomp5.so", "libtulle-topology.so")
HWLOC_LICENCE = pathlib.Path("/usr/share/doc/libhwloc-dev/copyright")
# Read by every interpreter of the environment at its start; costs one look at a variable.
PTH = "import os; os.environ.get('TULLE') == '1' and __import__('tulle._runtime')._runtime.preload_at_start()\n"
MACHINES = {62: "x86_64", 183: "aarch64"}  # numbers of ELF's header


def tag_of(library):
    """The wheel's, after the processor that a library was built for, perhaps on another one."""
    machine = MACHINES[int.from_bytes(library.read_bytes()[18:20], "little")]
    return f"py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}"


def metadata(version):
    about = (HERE / "README.md").read_text()
    return (f"Metadata-Version: 2.1\nName: tulle\nVersion: {version}\n"
            "Summary: An OpenMP runtime on user-level threads, under wheels that are built already\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\n"
            "Classifier: Operating System :: POSIX :: Linux\nClassifier: Typing :: Typed\n"
            f"Description-Content-Type: text/markdown\n\n{about}")


def contents(version, portable, tag):
    """(path in the wheel, bytes) of all but RECORD."""
    for path in sorted((HERE / "tulle").iterdir()):
        if path.is_file():
            yield f"tulle/{path.name}", path.read_bytes()
    yield "tulle/_version.py", (f'# SPDX-License-Identifier: Apache-2.0\n"""Made with the wheel."""\n'
                                f'__version__ = "{version}"\n').encode()
    for name in LIBRARIES:
        file = portable / name
        if not file.exists() and name == "libtulle-topology.so":
            print("wheel: without hwloc (TULLE_HWLOC_ARCHIVE): no descriptions of other machines will be understood", file=sys.stderr)
            continue
        yield f"tulle/lib/{name}", file.read_bytes()
    yield "tulle.pth", PTH.encode()
    info = f"tulle-{version}.dist-info"
    yield f"{info}/METADATA", metadata(version).encode()
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.removeprefix("py3-none-").split("."))
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tulle\nRoot-Is-Purelib: false\n{tags}".encode()
    yield f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes()
    if HWLOC_LICENCE.exists() and (portable / "libtulle-topology.so").exists():
        yield f"{info}/licenses/hwloc", HWLOC_LICENCE.read_bytes()


def record_line(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def main():
    version, portable, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    tag = tag_of(portable / LIBRARIES[0])
    wheel = folder / f"tulle-{version}-{tag}.whl"
    record = f"tulle-{version}.dist-info/RECORD"
    lines = ""
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path, data):
            # One date for all: the same sources make the same wheel.
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if ".so" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)

        for path, data in contents(version, portable, tag):
            lines += record_line(path, data)
            add(path, data)
        add(record, (lines + f"{record},,\n").encode())
    print(wheel)


if __name__ == "__main__":
    main()
