# SPDX-License-Identifier: Apache-2.0
"""What the README has a stranger type first does what the README says.
usage: readme.py TULLE README"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TULLE, README = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
section = README.read_text(encoding="utf-8").partition("## Ten seconds to try")[2]
commands = re.search(r"```sh\n(.*?)```", section, re.S)[1]
promised = re.findall(r"# (\d+), after ", commands)
if len(promised) != 2 or "$PWD/build/release/bin" not in commands:
    sys.exit("the README tries something else now")
with tempfile.TemporaryDirectory() as folder:
    bin_folder = pathlib.Path(folder) / "build/release"
    bin_folder.mkdir(parents=True)
    (bin_folder / "bin").symlink_to(TULLE.parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "TULLE_", "LD_"))}
    # Threads of the other runtime that poll would keep a busy machine's cores.
    env = {**kept, "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(["bash", "-e", "-c", commands], cwd=folder, env=env, capture_output=True, text=True, timeout=300,
                          check=False)
print(done.stdout, done.stderr)
sys.exit(done.returncode != 0 or done.stdout.split() != promised)
