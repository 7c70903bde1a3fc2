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


def check_glt(prefix, folder):
    found = {"PKG_CONFIG_PATH": str(prefix / LIBDIR / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "tulle-glt", **found).split()
    (folder / "glt.c").write_text("#include <glt.h>\n#include <stdio.h>\n"
                                  "int main(int c, char **v) { glt_init(c, v); printf(\"%d\", glt_get_num_threads());"
                                  " glt_finalize(); return 0; }\n")
    run("cc", "-Wall", "-Wextra", "-Werror", folder / "glt.c", *flags, "-o", folder / "by-glt")
    expect("libtulle-glt", run(folder / "by-glt", GLT_NUM_THREADS="3"), "3")


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


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def check_contents(prefix):
    for path in ("share/doc/tulle/LICENSE", "share/tulle/installed.txt", f"{LIBDIR}/tulle/libgomp.so.1"):
        expect(f"{path} is installed", (prefix / path).exists(), True)
    expect("bin/tulle has debug information", "debug_info" in run("readelf", "-SW", prefix / "bin" / "tulle"), False)
    sections = run("readelf", "-SW", prefix / LIBDIR / "tulle" / "libgomp-tulle.so.1.0")
    if "debug_info" in sections:
        line = next(line for line in sections.splitlines() if ".debug_info" in line)
        expect("the runtime's debug information is compressed", " C " in line, True)


def uninstall(prefix, **variables):
    run("cmake", f"-DPREFIX={prefix}", "-P", pathlib.Path(SOURCES).parents[1] / "cmake" / "Uninstall.cmake", **variables)


def check_uninstall(folder):
    """Into a fresh folder with a space, beside others' files, twice, below DESTDIR, and moved before."""
    fresh = folder / "a fresh prefix"
    for _ in range(2):
        run("cmake", "--install", BUILD, "--prefix", fresh)
    uninstall(fresh)
    expect("left in a fresh prefix", everything_in(fresh) if fresh.exists() else [], [])

    shared = folder / "shared"
    (shared / "bin").mkdir(parents=True)
    (shared / "bin" / "other").write_text("not ours")
    (shared / LIBDIR / "pkgconfig").mkdir(parents=True)
    before = everything_in(shared)
    run("cmake", "--install", BUILD, "--prefix", shared)
    moved = folder / "moved"
    shared.rename(moved)
    (moved / "share" / "doc" / "theirs").mkdir()
    uninstall(moved)
    expect("left beside others", everything_in(moved), sorted([*before, "share", "share/doc", "share/doc/theirs"]))

    staged = folder / "stage"
    run("cmake", "--install", BUILD, "--prefix", "/opt/tulle", DESTDIR=str(staged))
    expect("staged", (staged / "opt/tulle/bin/tulle").exists(), True)
    uninstall("/opt/tulle", DESTDIR=str(staged))
    expect("left in the stage", [p for p in staged.rglob("*") if not p.is_dir()], [])


def check_deep_library_folder(folder):
    """tulle.pc where the library folder is several levels deep, as on Debian."""
    deep = folder / "deep"
    run("cmake", "-S", pathlib.Path(SOURCES).parents[1], "-B", folder / "configured", "-G", "Ninja",
        "-DTULLE_TESTS=OFF", "-DTULLE_TOOLS=OFF", "-DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu")
    run("cmake", "--install", folder / "configured", "--prefix", deep, "--component", "development")
    found = {"PKG_CONFIG_PATH": str(deep / "lib/x86_64-linux-gnu/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "tulle", **found).split()
    header, library = flags[0][2:], flags[1].split(",")[3]
    expect("the headers' folder", os.path.realpath(header), str(deep / "include"))
    expect("the library", os.path.realpath(library), str(deep / "lib/x86_64-linux-gnu/tulle/libgomp.so.1"))


with tempfile.TemporaryDirectory() as scratch:
    scratch_folder = pathlib.Path(scratch).resolve()
    installed = scratch_folder / "first"
    run("cmake", "--install", BUILD, "--prefix", installed)
    installed = installed.rename(scratch_folder / "prefix")  # it can be moved as a whole
    check_contents(installed)
    check_command(installed)
    check_pkg_config(installed, scratch_folder)
    check_glt(installed, scratch_folder)
    check_cmake(installed, scratch_folder)
    check_uninstall(scratch_folder)
    check_deep_library_folder(scratch_folder)
    print("the installed command and packages work")
