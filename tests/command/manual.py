# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completions know every command and option that --help names.
usage: manual.py TULLE"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

TULLE = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUALS = ROOT / "docs" / "man"
COMPLETION = ROOT / "tools" / "completion"


def help_of(*words):
    return subprocess.run([TULLE, *words, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout


def commands():
    after = help_of().split("Subcommands:")[1]
    return re.findall(r"^  (\w+) ", after, re.M)


def options_of(command):
    return set(re.findall(r"(?<![\w-])--[a-z-]+", "\n".join(re.findall(r"^ +-.*", help_of(command), re.M))))


class Manual(unittest.TestCase):
    def test_every_command_has_a_page(self):
        self.assertGreater(len(commands()), 5)
        overview = (MANUALS / "tulle.1").read_text()
        for command in commands():
            self.assertRegex(overview, rf"tulle[- ]{command}\b")
            self.assertTrue(command == "libdir" or (MANUALS / f"tulle-{command}.1").exists(), command)

    def test_every_option_is_in_its_page(self):
        for command in "run", "env", "info", "simulate", "graph", "stats", "trace":
            page = (MANUALS / f"tulle-{command}.1").read_text().replace("\\-", "-")
            self.assertGreater(len(options_of(command)), 2)
            for option in options_of(command):
                self.assertIn(option, page, command)

    def test_pages_are_well_formed(self):
        if shutil.which("man") is None or shutil.which("groff") is None:
            self.skipTest("no man")
        for page in MANUALS.glob("*.1"):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True,
                                  env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual(done.stderr, "", page)


class Completion(unittest.TestCase):
    def test_every_option_is_completed(self):
        for file in "tulle.bash", "_tulle", "tulle.fish":
            text = (COMPLETION / file).read_text()
            for command in commands():
                self.assertIn(command, text, file)
            for command in "run", "env", "info", "simulate", "graph", "stats", "trace":
                for option in options_of(command):
                    word = f"-l {option[2:]}" if file.endswith("fish") else option
                    self.assertIn(word, text, f"{file}: {command}")

    def completed_by_bash(self, *words):
        script = (f'source "{COMPLETION / "tulle.bash"}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tulle; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True,
                              check=True).stdout.split()

    def test_bash(self):
        self.assertEqual(self.completed_by_bash("tulle", "si"), ["simulate"])
        self.assertEqual(self.completed_by_bash("tulle", "run", "--pla"), ["--places"])
        self.assertEqual(self.completed_by_bash("tulle", "run", "--bind", "sp"), ["spread"])
        self.assertEqual(self.completed_by_bash("tulle", "env", "--for", "s"), ["shell", "systemd", "slurm"])

    def test_other_shells_can_read_theirs(self):
        for shell, file in (("zsh", "_tulle"), ("fish", "tulle.fish")):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", COMPLETION / file], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


unittest.main(argv=sys.argv[:1])
