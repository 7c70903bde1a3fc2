# SPDX-License-Identifier: Apache-2.0
"""Installs the build into a fresh folder and uses it from there: the command, pkg-config, CMake."""
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, SOURCES, LIBDIR, VERSION = sys.argv[1:5]


def run(*words, **variables):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=300,
                          check=False, env={**os.environ, **variables})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def expect(what, seen, wanted):
    if seen != wanted:
        sys.exit(f"{what}: {seen!r} instead of {wanted!r}")


def check_command(prefix):
    expect("tulle libdir", run(prefix / "bin" / "tulle", "libdir"), str(prefix / LIBDIR / "tulle"))
    maps = run(prefix / "bin" / "tulle", "run", "cat", "/proc/self/maps")
    expect("tulle run loads the installed library",
           str(prefix / LIBDIR / "tulle" / "libgomp-tulle.so.1.0") in maps, True)
    run(prefix / "bin" / "tulle", "info", "--json")


def check_pkg_config(prefix, folder):
    found = {"PKG_CONFIG_PATH": str(prefix / LIBDIR / "pkgconfig")}
    expect("version of tulle.pc", run("pkg-config", "--modversion", "tulle", **found), VERSION)
    flags = run("pkg-config", "--cflags", "--libs", "tulle", **found).split()
    for compiler, suffix in (("cc", "c"), ("c++", "cpp")):
        program = folder / f"by-{compiler}"
        source = folder / f"extension.{suffix}"
        source.write_text((pathlib.Path(SOURCES) / "extension.c").read_text())
        run(compiler, "-Wall", "-Wextra", "-Werror", source, *flags, "-o", program)
        expect("on Tulle", run(program), VERSION)
    # The same object without the library, as on another runtime.
    run("cc", folder / "extension.c", flags[0], "-o", folder / "elsewhere")
    expect("elsewhere", run(folder / "elsewhere"), "another runtime")


def check_cmake(prefix, folder):
    (folder / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(Tulle {VERSION} REQUIRED)
add_executable(on_tulle extension.c)
target_link_libraries(on_tulle PRIVATE Tulle::runtime)
add_executable(headers extension.c)
target_link_libraries(headers PRIVATE Tulle::headers)
""")
    run("cmake", "-S", folder, "-B", folder / "out", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "out")
    expect("Tulle::runtime", run(folder / "out" / "on_tulle"), VERSION)
    expect("Tulle::headers", run(folder / "out" / "headers"), "another runtime")


with tempfile.TemporaryDirectory() as scratch:
    scratch_folder = pathlib.Path(scratch).resolve()
    installed = scratch_folder / "prefix"
    run("cmake", "--install", BUILD, "--prefix", installed)
    check_command(installed)
    check_pkg_config(installed, scratch_folder)
    check_cmake(installed, scratch_folder)
    print("the installed command and packages work")
