# SPDX-License-Identifier: Apache-2.0
"""The Python environment of the benchmarks: build/venv, made on first use.

It also brings two of the peers, which PyPI distributes as wheels; without them the others are measured.
"""
import os
import subprocess
import sys
from pathlib import Path

from . import naming

LIBRARIES = Path(__file__).resolve().parent.parent / "requirements.txt"
PEERS = Path(__file__).resolve().parent.parent / "peers.txt"


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def _run(command: list[str]) -> str:
    """What the command complained of, or nothing."""
    answer = subprocess.run(command, capture_output=True, text=True)
    return _last_line(answer.stderr or answer.stdout) if answer.returncode else ""


def _install(python: Path, packages: list[str]) -> str:
    return _run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "1",
                 "--timeout", "15", *packages])


def _up_to_date(stamp: Path, list_of_packages: Path) -> bool:
    return stamp.exists() and stamp.read_text() == list_of_packages.read_text()


def _announce(folder: Path) -> None:
    stamps = {LIBRARIES: "libraries.stamp", PEERS: "peers.stamp"}
    wanted = [p for packages, stamp in stamps.items() if not _up_to_date(folder / stamp, packages)
              for p in packages.read_text().split()]
    if wanted:
        print(f"{naming.command()}: fetching {', '.join(wanted)} from PyPI into {folder}", file=sys.stderr)


def _bring_libraries(folder: Path, python: Path) -> None:
    stamp = folder / "libraries.stamp"
    if _up_to_date(stamp, LIBRARIES):
        return
    complaint = "" if python.exists() else _run([sys.executable, "-m", "venv", str(folder)])
    complaint = complaint or _install(python, ["-r", str(LIBRARIES)])
    if complaint:
        sys.exit(f"{naming.command()}: the Python libraries of {LIBRARIES.name} could not be installed: {complaint}")
    stamp.write_text(LIBRARIES.read_text())


def _bring_peers(folder: Path, python: Path) -> None:
    stamp = folder / "peers.stamp"
    if _up_to_date(stamp, PEERS):
        return
    missing = [p for p in PEERS.read_text().split() if _install(python, [p])]
    if missing:
        print(f"{naming.command()}: PyPI did not give {' and '.join(missing)}; going on with what is there",
              file=sys.stderr)
    else:
        stamp.write_text(PEERS.read_text())


def enter(build: Path) -> None:
    """Continues this program under the interpreter of build/venv; returns if it already runs there."""
    folder = build / "venv"
    python = folder / "bin" / "python3"
    if Path(sys.prefix).resolve() == folder.resolve():
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _announce(folder)
        _bring_libraries(folder, python)
        _bring_peers(folder, python)
    except OSError as error:
        sys.exit(f"{naming.command()}: {error}")
    os.execv(str(python), [str(python), *sys.argv])
