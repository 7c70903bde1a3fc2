#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Barriers, regions, reductions and loops on machines of many cores, in the model of coherence (docs/scale.md).

usage: run.py MODEL MACHINES_FOLDER --json FILE [--plots FOLDER --venv FOLDER] [--machine NAME]... [--construct NAME]...
       [--jobs N]

MODEL is tulle-coherence. The JSON file holds `validation` (what others have published, beside what the model says)
and `rows`; times are in nanoseconds. A run that takes longer than LONGEST is left out and said to be. With
--construct the file's rows of others stay, and its validation.
"""
import argparse
import concurrent.futures
import json
import subprocess
import sys
from pathlib import Path

LONGEST = 150  # seconds
# A reduction as Clang makes it, which the runtime combines; and as GCC does, which adds by itself.
CONSTRUCTS = ("barrier", "region", "reduction", "additions", "dynamic", "monotonic", "guided")
PEERS = ("libgomp", "flags", "hyper", "dist", "tree")
BOUNDS = ("low", "middle", "high")
# The best of these by how much, per construct: what the runtime is to reach. Clusters of cores that share a last
# cache, and a slow mesh, leave more to win than a fast mesh.
CLUSTERED = dict.fromkeys(CONSTRUCTS, 0.85) | {"barrier": 0.7}
MESH = dict.fromkeys(CONSTRUCTS, 1.0) | {"barrier": 1.1}
RIVALS = ("hyper", "dist")
# Published ratios, where a matrix of the machine, or of one like it, is there:
# source, what, machine, threads, (construct, protocol) above, (construct, protocol) below, value.
PUBLISHED = (
    ("GCC bug 119588", "libgomp: a region by a barrier at 144 threads", "2x9654", 144,
     ("region", "libgomp"), ("barrier", "libgomp"), 4.3),
    ("GCC bug 119588", "LLVM: a region by a barrier at 144 threads", "2x9654", 144,
     ("region", "hyper"), ("barrier", "hyper"), 1.16),
)
# The same, as the most over three machines, two of which have no matrix: it can be contradicted, and no more.
PUBLISHED_MOST = (
    ("Gao et al., CLUSTER 2021", "barrier of GCC by a tuned tree, at most", "kunpeng920", 64,
     ("barrier", "libgomp"), ("barrier", "tree"), 12.6),
    ("Gao et al., CLUSTER 2021", "barrier of LLVM by a tuned tree, at most", "kunpeng920", 64,
     ("barrier", "hyper"), ("barrier", "tree"), 4.7),
)
# And times: source, what, machine, threads, construct, protocol, ns.
PUBLISHED_TIMES = (
    ("dyninst issue 2403", "libgomp: a region at 95 threads on Zen 2", "2x7742", 95, "region", "libgomp", 30000),
)
CLOSE = 1.5


class Model:
    def __init__(self, program: Path, machines: Path, jobs: int):
        self.program, self.machines = program, machines
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.asked = {}

    def _run(self, machine, construct, protocol, threads, bound):
        words = [self.program, self.machines / f"{machine}.json", construct, protocol, str(threads), bound]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)["ns"]

    def ask(self, *question):
        """Begins a run, once for each question; its result() is the time, or None."""
        if question not in self.asked:
            self.asked[question] = self.pool.submit(self._run, *question)
        return self.asked[question]


def description(model, machine):
    return json.loads((model.machines / f"{machine}.json").read_text())


def is_clustered(machine):
    return machine["cluster"] > 1 or machine["latencies"]["socket"][1] > 120


def row(model, name, construct):
    machine = description(model, name)
    threads = machine["cores"]
    own = {bound: model.ask(name, construct, "tulle", threads, bound).result() for bound in BOUNDS}
    peers = {peer: model.ask(name, construct, peer, threads, "middle").result() for peer in PEERS}
    target = (CLUSTERED if is_clustered(machine) else MESH)[construct]
    best = min((peers[rival] for rival in RIVALS if peers[rival]), default=None)
    ratio = round(own["middle"] / best, 3) if best and own["middle"] else None
    verdict = "no figure" if ratio is None else "met" if ratio <= target else "missed"
    return {"machine": machine["name"], "cores": threads, "construct": construct, "tulle": own["middle"],
            "low": own["low"], "high": own["high"], "peers": peers, "ratio": ratio, "target": target, "verdict": verdict}


def quotient(model, machine, threads, above, below):
    times = [model.ask(machine, construct, protocol, threads, "middle").result() for construct, protocol in (above, below)]
    return times[0] / times[1]


def validation(model):
    """What was published, and whether the model says the same to within CLOSE."""
    found = [(*each, quotient(model, *each[2:6]), each in PUBLISHED_MOST) for each in PUBLISHED + PUBLISHED_MOST]
    for source, what, machine, threads, _, _, published, value, is_most in found:
        agrees = "not contradicted" if is_most and value <= published else 1 / CLOSE <= value / published <= CLOSE
        yield {"source": source, "what": what, "machine": machine, "threads": threads, "published": published,
               "model": round(value, 2), "agrees": agrees}
    for source, what, machine, threads, construct, protocol, published in PUBLISHED_TIMES:
        value = model.ask(machine, construct, protocol, threads, "middle").result()
        yield {"source": source, "what": what, "machine": machine, "threads": threads, "published": published,
               "model": value, "agrees": 1 / CLOSE <= value / published <= CLOSE}


def begin_all(model, machines, constructs):
    """The longest runs come first, so that all processors are busy to the end."""
    for name in sorted(machines, key=lambda name: -description(model, name)["cores"]):
        for construct in constructs:
            for protocol, bound in [("tulle", b) for b in BOUNDS] + [(p, "middle") for p in PEERS]:
                model.ask(name, construct, protocol, description(model, name)["cores"], bound)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("machines", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--plots", type=Path)
    parser.add_argument("--venv", type=Path, help="of the benchmarks' libraries, which plots need")
    parser.add_argument("--machine", action="append", help="leave out the others")
    parser.add_argument("--construct", action="append", choices=CONSTRUCTS, help="leave out the others")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.venv:
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
        from harness import venv
        venv.enter(options.venv)
    model = Model(options.model, options.machines, options.jobs)
    machines = options.machine or sorted(file.stem for file in options.machines.glob("*.json"))
    constructs = options.construct or CONSTRUCTS
    begin_all(model, machines, constructs)
    rows = [row(model, name, construct) for construct in constructs for name in machines]
    before = json.loads(options.json.read_text()) if options.construct else {"rows": [], "validation": []}
    rows += [each for each in before["rows"] if each["construct"] not in constructs]
    rows.sort(key=lambda each: CONSTRUCTS.index(each["construct"]))
    found = before["validation"] if options.construct else [] if options.machine else list(validation(model))
    options.json.write_text(json.dumps({"validation": found, "rows": rows}, indent=1) + "\n")
    for each in rows:
        print(f"{each['machine']:42} {each['construct']:10} {each['tulle'] or 0:10.0f} ns  "
              f"{each['ratio'] or 0:8.2f} of the best, target {each['target']}: {each['verdict']}")
    if options.plots:
        import plots
        plots.write(rows, options.plots)


if __name__ == "__main__":
    main()
