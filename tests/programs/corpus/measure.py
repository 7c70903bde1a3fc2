# SPDX-License-Identifier: Apache-2.0
"""Runs a command some times at once: how long it took, what it used, what it said."""
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

LOOK_S = 0.01  # between two counts of OS threads


@dataclass
class Run:
    """All processes of one turn. `failure`: empty, "no end", or how the first that failed ended."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_kib: int = 0
    os_threads: int = 0
    failure: str = ""
    outputs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextlib.contextmanager
def quota(cpus: float | None):
    """A control group of that many CPUs' time: the file that processes enter it by; None where there can be none."""
    if cpus is None:
        yield None
        return
    root = Path("/sys/fs/cgroup")
    first = (root / "cpu").is_dir()
    group = root / ("cpu" if first else "") / f"tulle-corpus-{os.getpid()}"
    group.mkdir()
    try:
        period = 100000
        if first:
            (group / "cpu.cfs_period_us").write_text(str(period))
            (group / "cpu.cfs_quota_us").write_text(str(round(cpus * period)))
        else:
            (group / "cpu.max").write_text(f"{round(cpus * period)} {period}")
        yield group / "cgroup.procs"
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    for _ in range(50):
        try:
            group.rmdir()
            return
        except OSError:
            time.sleep(0.1)


def can_limit() -> bool:
    try:
        with quota(1.5):
            return True
    except OSError:
        return False


def _descendants(process: int) -> list[int]:
    found, at = [process], 0
    while at < len(found):
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{found[at]}/task"):
                found += map(int, Path(f"/proc/{found[at]}/task/{task}/children").read_text().split())
        at += 1
    return found


def _state(process: int) -> tuple[int, int]:
    """OS threads of a process, and the most memory in KiB that it ever had; zeros if it is over."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
        fields = dict(line.split(":", 1) for line in text.splitlines())
        return int(fields["Threads"]), int(fields["VmHWM"].split()[0])
    except (OSError, KeyError):
        return 0, 0


class _Watch(threading.Thread):
    """Looks at a process and its descendants until it is told to end: the most OS threads that were there at once,
    and the most memory of one of them. (What wait4 says of memory includes ours before the program began.)"""

    def __init__(self, process: int):
        super().__init__(daemon=True)
        self.process, self.os_threads, self.peak_kib, self.over = process, 0, 0, threading.Event()

    def run(self):
        while not self.over.wait(LOOK_S):
            states = [_state(one) for one in _descendants(self.process)]
            self.os_threads = max(self.os_threads, sum(threads for threads, _ in states))
            self.peak_kib = max(self.peak_kib, *(memory for _, memory in states))


class _Process:
    """One of those that run at once, in a copy of the input's folder."""

    def __init__(self, command, env, folder, group, nice):
        self.folder = folder
        self.out, self.err = (folder.parent / f"{folder.name}.{name}" for name in ("out", "err"))

        def enter():
            if nice:
                os.setpriority(os.PRIO_PROCESS, 0, nice)
            if group is not None:
                group.write_text(str(os.getpid()))

        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.popen = subprocess.Popen(
                command, env={**env, "HOME": str(folder)}, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True, preexec_fn=enter)

    def end(self, run: Run) -> None:
        _, status, usage = os.wait4(self.popen.pid, 0)
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        run.cpu_seconds += usage.ru_utime + usage.ru_stime
        if self.popen.returncode and not run.failure:
            code = self.popen.returncode
            run.failure = signal.Signals(-code).name if code < 0 else f"exit status {code}"

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)


class _Limit:
    """Kills processes that take longer."""

    def __init__(self, processes: list[_Process], seconds: float):
        self.processes, self.passed = processes, threading.Event()
        self.timer = threading.Timer(seconds, self._end_all)
        self.timer.start()

    def _end_all(self) -> None:
        self.passed.set()
        for process in self.processes:
            process.kill()


def _wait(run: Run, processes: list[_Process], watching: _Watch | None, limit_s: float) -> None:
    begin, limit = time.monotonic(), _Limit(processes, limit_s)
    for process in processes:
        process.end(run)
    run.seconds = time.monotonic() - begin
    limit.timer.cancel()
    if watching:
        watching.over.set()
        watching.join()
        run.os_threads, run.peak_kib = watching.os_threads, watching.peak_kib
    run.failure = "no end" if limit.passed.is_set() else run.failure


def measure(command, env, prepared: Path, answer, *, at_once=1, group=None, watch=False, nice=0, limit_s=120.0) -> Run:
    """One turn. `answer(output, folder)` is asked for each process before its folder is taken away."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="tulle-corpus-") as scratch:
        folders = [Path(scratch) / str(number) for number in range(at_once)]
        for folder in folders:
            shutil.copytree(prepared, folder)
        processes = [_Process(command, env, folder, group, nice) for folder in folders]
        watching = _Watch(processes[0].popen.pid) if watch else None
        if watching:
            watching.start()
        _wait(run, processes, watching, limit_s)
        for process in processes:
            run.errors.append(process.err.read_text(errors="replace"))
            output = process.out.read_text(errors="replace")
            run.outputs.append(output if run.failure else answer(output, process.folder))
    return run
