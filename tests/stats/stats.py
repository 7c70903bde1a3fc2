# SPDX-License-Identifier: Apache-2.0
"""Runs a program under `tulle stats --json`."""
import json
import os
import subprocess
import tempfile
from pathlib import Path

TRIES = 3  # other programs that use the machine make threads wait where nothing is wrong
SHORT_PROGRAM_TRIES = 12  # programs of some milliseconds, on a machine that is slow for seconds at times


def stats(tulle, *program, options=("-t", "2"), before=None, settings=()):
    """The JSON, and what became of the command."""
    env = dict(settings) | {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "GOMP_", "TULLE_"))}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stats.json"
        done = subprocess.run([tulle, "stats", *options, "--json", "-o", file, "--", *map(str, program)], env=env,
                              capture_output=True, text=True, timeout=120, preexec_fn=before)
        if not file.exists():
            raise SystemExit(f"{program}: no statistics\n{done.stdout}{done.stderr}")
        return json.loads(file.read_text()), done


def is_so(fact, tries=TRIES):
    """Whether fact() is None in one of some tries; else what it was last."""
    for _ in range(tries):
        wrong = fact()
        if wrong is None:
            return None
    return wrong
