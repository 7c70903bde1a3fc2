# SPDX-License-Identifier: Apache-2.0
"""Runs a program with an empty folder as its last argument, which is gone afterwards.

usage: in_folder.py PROGRAM [ARGUMENTS...]
"""
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.run([*sys.argv[1:], folder]).returncode)
