# SPDX-License-Identifier: Apache-2.0
"""The recipes of packaging/ name this version, options of this build and what it needs; Lmod, where it is installed,
loads the module and takes it away again.
usage: recipes.py BUILD_FOLDER SOURCES VERSION"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD, SOURCES = map(pathlib.Path, sys.argv[1:3])
VERSION = sys.argv[3]
PACKAGING = SOURCES / "packaging"
LMOD = pathlib.Path("/usr/share/lmod/lmod/libexec/lmod")


def expect(condition, complaint):
    if not condition:
        sys.exit(complaint)


def run(*words, **env):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, **env})
    expect(done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def options_of_build():
    """Names that the build's cache knows."""
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^(TULLE_\w+):", cache, re.M))


def check_recipe(path, version_pattern):
    text = path.read_text(encoding="utf-8")
    found = re.search(version_pattern, text)
    expect(found and found.group(1) == VERSION, f"{path}: not of version {VERSION}")
    unknown = set(re.findall(r"TULLE_\w+", text)) - options_of_build()
    expect(not unknown, f"{path}: the build has no {', '.join(sorted(unknown))}")
    needed = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)",
                       (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    expect(re.search(rf"cmake(@| >=){re.escape(needed)}", text), f"{path}: not CMake {needed}")


def check_conda():
    path = PACKAGING / "conda/meta.yaml"
    check_recipe(path, r'set version = "([\d.]+)"')
    try:
        import yaml
    except ImportError:
        print("conda: not read as YAML, Python has no reader of it")
        return
    text = re.sub(r"\{%.*?%\}", "", path.read_text(encoding="utf-8"))
    recipe = yaml.safe_load(re.sub(r"\{\{.*?\}\}", "filled", text))
    mutex = next(output for output in recipe["outputs"] if output["name"] == "_openmp_mutex")
    expect(mutex["build"]["string"].endswith("_tulle"), "conda: the variant is not called tulle")


def check_spack():
    path = PACKAGING / "spack/package.py"
    check_recipe(path, r'version\("([\d.]+)"\)')
    compile(path.read_text(encoding="utf-8"), str(path), "exec")


def after(*steps, folder):
    """The variables of a shell that has done this with modules."""
    script = "".join(f'eval "$({LMOD} bash {step})"\n' for step in steps) + "env"
    lines = run("bash", "-ec", script, MODULEPATH=folder, LMOD_CMD=str(LMOD)).splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def check_lmod(folder):
    run(PACKAGING / "lmod/make.sh", BUILD, folder)
    module = pathlib.Path(folder) / f"tulle/{VERSION}.lua"
    expect(module.exists(), f"no {module.name}")
    if not LMOD.exists():
        print("lmod: not installed")
        return
    library = str(BUILD / "lib/libgomp.so.1")
    loaded = after("load tulle", folder=folder)
    expect(loaded.get("LD_PRELOAD") == library, f"lmod: LD_PRELOAD is {loaded.get('LD_PRELOAD')}")
    expect(str(BUILD / "lib") in loaded.get("LD_LIBRARY_PATH", ""), "lmod: no LD_LIBRARY_PATH")
    gone = after("load tulle", "unload tulle", folder=folder)
    expect(library not in gone.get("LD_PRELOAD", ""), "lmod: LD_PRELOAD stays after the module is unloaded")


check_spack()
check_conda()
with tempfile.TemporaryDirectory() as scratch:
    check_lmod(scratch)
print("the recipes fit the build")
