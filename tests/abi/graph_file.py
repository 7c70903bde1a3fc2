# SPDX-License-Identifier: Apache-2.0
"""Files of task graphs: recorded, shown and replayed; each byte altered, each length, another program's.

usage: graph_file.py PROGRAM OTHER_PROGRAM COMMAND RUNTIME_FOLDER FOLDER
"""
import json
import os
import pathlib
import subprocess
import sys

program, other, command, runtime, folder = sys.argv[1:]
file = pathlib.Path(folder, "graphs")
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "TULLE_"))}


def run(path, mode=None, *arguments):
    """Output, and lines of messages."""
    env = PLAIN | {"LD_LIBRARY_PATH": runtime}
    if mode:
        env["TULLE_TASK_GRAPH"] = mode
    done = subprocess.run([path, *arguments], env=env, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode or not done.stdout.startswith("right, "):
        sys.exit(f"{mode}: status {done.returncode}, {done.stdout!r}, {done.stderr!r}")
    return done.stdout.strip(), done.stderr.splitlines()


def expect(what, actual, wanted):
    if actual != wanted:
        sys.exit(f"{what}: {actual!r}, not {wanted!r}")


def refused(what, contents):
    altered = pathlib.Path(folder, "altered")
    altered.write_bytes(contents)
    output, lines = run(program, f"replay:{altered}")
    expect(what, (output, len(lines)), ("right, 0 replayed", 1))
    if str(altered) not in lines[0] or "is not replayed" not in lines[0]:
        sys.exit(f"{what}: {lines[0]}")


def recorded(*arguments):
    file.unlink(missing_ok=True)
    expect("recording", run(program, f"record:{file}", *arguments), ("right, 0 replayed", []))
    shown = subprocess.run([command, "graph", "--json", file], capture_output=True, text=True, check=True)
    (graph,) = json.loads(shown.stdout)
    expect("shown", (graph["tasks"], graph["edges"]), (4, 4))


def main():
    file.unlink(missing_ok=True)
    expect("unset", run(program), ("right, 0 replayed", []))
    expect("off", run(program, "off"), ("right, 0 replayed", []))
    expect("auto", run(program, "auto")[1], [])
    recorded("1")  # nothing comes after the region in which it was made
    recorded()
    # Nothing is called before it could be kept, so every task goes through the graph, but those that were
    # complete at once; from the first repetition on.
    output, lines = run(program, f"replay:{file}")
    expect("replaying", lines, [])
    if output == "right, 0 replayed":
        sys.exit("nothing was replayed")
    output, lines = run(other, f"replay:{file}")
    expect("another program", (output, len(lines)), ("right, 0 replayed", 1))
    if "code that is not in this program" not in lines[0]:
        sys.exit(lines[0])
    output, lines = run(program, f"replay:{folder}/nothing")
    expect("no file", (output, len(lines)), ("right, 0 replayed", 1))
    output, lines = run(program, f"record:{folder}/no/folder")
    expect("no folder", (output, len(lines)), ("right, 0 replayed", 1))
    output, lines = run(program, "backwards")
    expect("no such mode", (output, len(lines)), ("right, 0 replayed", 1))
    whole = file.read_bytes()
    for i, byte in enumerate(whole):
        refused(f"byte {i}", whole[:i] + bytes([byte ^ (1 << i % 8)]) + whole[i + 1:])
    for length in range(len(whole)):
        refused(f"cut to {length}", whole[:length])
    refused("longer", whole + b"\0")
    print(f"{len(whole)} bytes")


main()
