#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs real programs of Debian and PyPI under their own OpenMP runtime and under Tulle, by turns, and compares
answers, time, CPU time, OS threads and memory; with --page it writes docs/corpus.md."""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "bench")]

import debian  # noqa: E402
import measure  # noqa: E402
import pypi  # noqa: E402
import situations  # noqa: E402
from harness import quiet, record  # noqa: E402

DRAWING = "matplotlib"
NOTHING_RUN = 77


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tulle", type=Path, required=True, help="the command")
    parser.add_argument("--folder", type=Path, required=True, help="for PyPI's libraries and the results")
    parser.add_argument("--only", default="", help="names of programs, with commas")
    parser.add_argument("--situations", default="", help="names of situations, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--limit", type=float, default=180.0, help="seconds for one turn")
    parser.add_argument("--installed", action="store_true", help="fetch nothing: only Debian's that are there")
    parser.add_argument("--page", action="store_true", help="write docs/corpus.md of all results in the folder")
    return parser.parse_args()


def fetch(folder: Path, names: Sequence[str] = ()) -> Path:
    """The interpreter of a virtual environment with the libraries; what cannot be had is named and left out."""
    python, stamp = folder / "venv/bin/python3", folder / "fetched.txt"
    wanted = [*pypi.wheels(names), DRAWING]
    there = stamp.read_text(encoding="utf-8").split() if stamp.exists() else []
    missing = [name for name in wanted if name not in there]
    if missing and not python.exists():
        venv.create(folder / "venv", with_pip=True)
    for name in missing:
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", name], check=False)
        if done.returncode == 0:
            there.append(name)
        else:
            print(f"{name} cannot be had, and is left out", file=sys.stderr)
    stamp.write_text("\n".join(there) + "\n", encoding="utf-8")
    return python


def selected(options) -> list:
    found = list(debian.PROGRAMS)
    names = [name for name in options.only.split(",") if name]
    if not options.installed:
        python = fetch(options.folder, names)
        there = (options.folder / "fetched.txt").read_text(encoding="utf-8").split()
        found += [one for one in pypi.programs(python) if one.wheel in there]
    unknown = set(names) - {one.name for one in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    absent = [one.name for one in found if not one.is_there()]
    if absent:
        print(f"not installed, and left out: {', '.join(absent)}", file=sys.stderr)
    return [one for one in found if one.is_there() and (not names or one.name in names)]


def version(one, folder: Path) -> str:
    if one.package:
        command = ["dpkg-query", "-W", "-f", "${Version}", one.package]
    else:
        command = [folder / "venv/bin/python3", "-c",
                   f"import importlib.metadata as m; print(m.version('{one.wheel}'), end='')"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def first_look(one, prepared: Path, options) -> tuple[str, str]:
    """The answer of its own runtime on two threads, and what keeps Tulle from serving this program, if anything."""
    situation = situations.SITUATIONS[0]
    env, words = situations.environment(situation), one.words(situation.threads)
    own = measure.measure(words, env, prepared, one.answer, limit_s=options.limit)
    if own.failure or not own.outputs[0].strip():
        return "", f"no answer under its own runtime: {own.failure} {own.errors[0][-500:]}"
    ours = measure.measure([options.tulle, "run", "-v", "--", *words], env, prepared, one.answer, limit_s=options.limit)
    fault = situations.wrong(one, own.outputs[0], ours)
    if fault:
        return own.outputs[0], f"{fault} under Tulle: {ours.errors[0][-500:]}"
    return own.outputs[0], "" if situations.served(ours.errors) else f"Tulle did not serve it: {ours.errors[0][-500:]}"


def others(watch: quiet.Watch, begin: os.times_result) -> float:
    """The share of the machine that other processes took since then."""
    return watch.others(sum(os.times()[:4]) - sum(begin[:4]))


def look_at(one, chosen, options) -> dict:
    """All that is found about one program."""
    found = {"name": one.name, "about": one.about, "version": version(one, options.folder), "situations": {},
             "source": "Debian" if one.package else "PyPI", "tolerance": one.tolerance}
    with tempfile.TemporaryDirectory(prefix="tulle-corpus-input-") as scratch:
        prepared = Path(scratch)
        one.prepare(prepared)
        wanted, found["wrong"] = first_look(one, prepared, options)
        for situation in chosen if not found["wrong"] else ():
            watch, begin = quiet.Watch(), os.times()
            found["situations"][situation.name] = situations.hold(
                one, situation, prepared, wanted, options.tulle, rounds=options.rounds, nice=options.nice,
                limit_s=options.limit)
            found["situations"][situation.name]["others"] = others(watch, begin)
    return found


def say(found: dict) -> bool:
    """A line for each situation; whether all is right."""
    if found["wrong"]:
        print(f"{found['name']}: {found['wrong']}", flush=True)
    right = not found["wrong"]
    for name, result in found["situations"].items():
        right &= "wrong" not in result
        if "wrong" in result:
            print(f"{found['name']}, {name}: {result['wrong']}\n{result['errors']}", flush=True)
            continue
        own, ours = result["own"], result["tulle"]
        print(f"{found['name']}, {name}: same answer; time {ours['seconds'] / own['seconds']:.2f} of "
              f"{own['seconds']:.2f} s, CPU {ours['cpu_seconds']:.2f} ({own['cpu_seconds']:.2f}) s, OS threads "
              f"{ours['os_threads']} ({own['os_threads']}), {ours['peak_kib'] / 1024:.0f} "
              f"({own['peak_kib'] / 1024:.0f}) MiB", flush=True)
    return right


def keep(folder: Path, found: dict) -> None:
    """One file for each program: what is measured again replaces what it was in that situation, and nothing else."""
    path = folder / "results" / f"{found['name'].replace(' ', '-').replace(',', '')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"situations": {}}
    if before.get("version") == found["version"]:
        found["situations"] = {**before["situations"], **found["situations"]}
    date = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes")
    path.write_text(json.dumps({**found, "date": date, "machine": record.machine()}, indent=1) + "\n",
                    encoding="utf-8")


def main() -> int:
    options = arguments()
    options.tulle, options.folder = options.tulle.resolve(), options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in options.situations.split(",") if name]
    chosen = [one for one in situations.SITUATIONS if not names or one.name in names]
    if not measure.can_limit():
        print("no control group can be made: nothing is run under a quota", file=sys.stderr)
        chosen = [one for one in chosen if one.cpus is None]
    wrong, programs = 0, selected(options)
    for one in programs:
        found = look_at(one, chosen, options)
        wrong += not say(found)
        keep(options.folder, found)
    if options.page:
        python = fetch(options.folder)
        subprocess.run([python, HERE / "page.py", options.folder, ROOT / "docs"], check=True)
    return 1 if wrong else 0 if programs else NOTHING_RUN


if __name__ == "__main__":
    sys.exit(main())
