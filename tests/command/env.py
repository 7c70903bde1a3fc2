# SPDX-License-Identifier: Apache-2.0
"""`tulle env`: what it prints is read by whom it is for.
usage: env.py TULLE LIBDIR"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TULLE, LIBDIR = sys.argv[1:3]
WANTED = {"LD_LIBRARY_PATH": LIBDIR, "LD_PRELOAD": f"{LIBDIR}/libgomp.so.1", "OMP_NUM_THREADS": "4,2",
          "OMP_PLACES": "{0}, {1}'s \"50%\" $x"}


def env(*words):
    done = subprocess.run([TULLE, "env", *words], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def lines_for(surroundings):
    status, out, err = env("--for", surroundings, "-t", "4,2", "--places", WANTED["OMP_PLACES"])
    if status != 0:
        raise AssertionError(err)
    return out


def seen_by_shell(lines, **environment):
    out = subprocess.run(["sh", "-c", lines + "\nexec env"], capture_output=True, text=True, check=True,
                         env={"PATH": os.environ["PATH"], **environment}).stdout
    seen = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
    return {name: seen.get(name) for name in WANTED}


class Env(unittest.TestCase):
    def test_shell(self):
        self.assertEqual(seen_by_shell(lines_for("shell")), WANTED)
        behind = seen_by_shell(lines_for("shell"), LD_LIBRARY_PATH="/a b:/c", LD_PRELOAD="libc.so.6")
        self.assertEqual(behind["LD_LIBRARY_PATH"], LIBDIR + ":/a b:/c")
        self.assertEqual(behind["LD_PRELOAD"], f"{LIBDIR}/libgomp.so.1 libc.so.6")
        self.assertEqual(env(), env("--for", "shell"))

    def test_jupyter(self):
        self.assertEqual(json.loads(lines_for("jupyter")), {"env": WANTED})

    def test_systemd(self):
        unit = lines_for("systemd")
        self.assertTrue(unit.startswith("[Service]\n"))
        values = dict(re.findall(r'^Environment="(\w+)=(.*)"$', unit, re.M))
        unescaped = {name: re.sub(r"\\(.)", r"\1", value).replace("%%", "%") for name, value in values.items()}
        self.assertEqual(unescaped, WANTED)

    def test_docker(self):
        values = dict(re.findall(r'^ENV (\w+)="(.*)"$', lines_for("docker"), re.M))
        self.assertEqual({name: re.sub(r"\\(.)", r"\1", value) for name, value in values.items()}, WANTED)
        self.assertIn(f"COPY tulle {os.path.dirname(os.path.dirname(os.path.realpath(TULLE)))}\n", lines_for("docker"))

    def test_github(self):
        with tempfile.NamedTemporaryFile("r") as file:
            subprocess.run(["sh", "-c", lines_for("github")], check=True, env={**os.environ, "GITHUB_ENV": file.name})
            self.assertEqual(dict(line.rstrip("\n").split("=", 1) for line in file), WANTED)

    def test_slurm(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/srun", "w", encoding="utf-8") as srun:
                srun.write('#!/bin/sh\n[ "$1" = --export=ALL ] && shift && exec "$@"\n')
            os.chmod(f"{folder}/srun", 0o755)
            os.symlink(shutil.which("env"), f"{folder}/program")
            out = subprocess.run(["sh", "-c", lines_for("slurm")], cwd=folder, capture_output=True, text=True, check=True,
                                 env={"PATH": f"{folder}:{os.environ['PATH']}"}).stdout
        seen = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
        self.assertEqual({name: seen.get(name) for name in WANTED}, WANTED)

    def test_module(self):
        text = lines_for("module")
        self.assertIn(f'prepend_path("LD_PRELOAD", "{LIBDIR}/libgomp.so.1", ":")\n', text)
        self.assertIn('setenv("OMP_NUM_THREADS", "4,2")\n', text)
        lua = next(filter(None, map(shutil.which, ("lua", "lua5.4", "lua5.3", "lua5.1"))), None)
        if lua is None:
            self.skipTest("no lua")
        known = "function setenv(n, v) print(n..'='..v) end function help() end conflict, prepend_path = help, setenv\n"
        out = subprocess.run([lua, "-"], input=known + text, capture_output=True, text=True, check=True).stdout
        seen = dict(line.split("=", 1) for line in out.splitlines())
        self.assertEqual({name: seen.get(name) for name in WANTED}, WANTED)

    def test_what_is_unknown(self):
        status, out, err = env("--for", "emacs")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^tulle: .*emacs.*shell, jupyter, systemd, docker, github, slurm, module\n$")


unittest.main(argv=sys.argv[:1])
