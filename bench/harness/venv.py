# SPDX-License-Identifier: Apache-2.0
"""The Python environment of the benchmarks: build/venv, made on first use.

It also brings two of the peers, which PyPI distributes as wheels.
"""
import os
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements.txt"


def enter(build: Path) -> None:
    """Continues this program under the interpreter of build/venv; returns if it already runs there."""
    folder = build / "venv"
    python = folder / "bin" / "python3"
    if Path(sys.prefix).resolve() == folder.resolve():
        return
    stamp = folder / "requirements.stamp"
    if not stamp.exists() or stamp.read_text() != REQUIREMENTS.read_text():
        print(f"preparing {folder}", file=sys.stderr)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(REQUIREMENTS)], check=True)
        stamp.write_text(REQUIREMENTS.read_text())
    os.execv(str(python), [str(python), *sys.argv])
