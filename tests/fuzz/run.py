#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random OpenMP programs on a runtime and names the seeds that fail.
usage: run.py --seeds A..B --runtime DIR [--compiler gcc|clang] [--threads N,...] [--rounds N]
              [--seconds S] [--mode alone|pairs] [--validate] [--shrink] [--until SECONDS]
              [--sanitizer thread|address]
Batches of seeds make one program each; its compiler, language, thread counts, policy and other
settings go by the seed's number (settings.py) unless they are given. --validate runs a failing seed
under the compiler's own runtime as well: where that fails too, the program is to blame. --shrink
leaves out constructs as long as it still fails. --until goes on with the seeds behind B for so many
seconds. --sanitizer builds the programs with one, for a runtime that was built with it: its reports fail."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import generate
from settings import BATCH, GRAPHS_IN_FILE, POLICIES, known_policies, settings_of

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / 'include'


def can_fix_addresses():
    """The thread sanitizer of GCC 12 cannot place its shadow where the kernel randomises addresses widely."""
    return shutil.which('setarch') and subprocess.run(['setarch', '-R', 'true'], capture_output=True).returncode == 0


class Fuzzer:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = pathlib.Path(folder)
        self.policies = POLICIES if arguments.sanitizer else known_policies(arguments.runtime)

    def settings(self, number):
        a = self.arguments
        settings = settings_of(number, self.policies, a.compiler)
        settings.threads = a.threads or settings.threads
        settings.mode = a.mode or settings.mode
        return settings

    def build(self, numbers, settings, omitted=()):
        source = self.folder / f'seed_{numbers[0]}.{"cpp" if settings.language == "c++" else "c"}'
        program = source.with_suffix('')
        source.write_text(generate.source(numbers, settings.language, settings.compiler,
                                          settings.thread_locals, omitted))
        sanitizer = self.arguments.sanitizer
        command = settings.command() + ([f'-fsanitize={sanitizer}', '-g'] if sanitizer else []) + [
            f'-I{HERE}', f'-I{INCLUDE}', str(source), '-o', str(program)]
        try:
            built = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            print(f'seeds {numbers[0]}..{numbers[-1]}: {command[0]} does not end')
            return None
        if built.returncode != 0:
            print(f'seeds {numbers[0]}..{numbers[-1]}: {command[0]} fails\n{built.stderr[:400]}')
            return None
        return program

    def run(self, program, settings, seed=None, rounds=None, own_runtime=False):
        """None, or how it failed; twice where the first run writes down graphs that the second one replays."""
        if settings.environment.get('TULLE_TASK_GRAPH') != GRAPHS_IN_FILE:
            return self.run_once(program, settings.environment, settings, seed, rounds, own_runtime)
        file = program.with_suffix('.graphs')
        file.unlink(missing_ok=True)
        for mode in ('record', 'replay'):
            environment = settings.environment | {'TULLE_TASK_GRAPH': f'{mode}:{file}'}
            text = self.run_once(program, environment, settings, seed, rounds, own_runtime)
            if text is None and mode == 'record' and not own_runtime and not file.exists():
                return 'no graphs were written down'
            if text is not None:
                return text
        return None

    def run_once(self, program, variables, settings, seed, rounds, own_runtime):
        a = self.arguments
        environment = dict(os.environ, **variables)
        environment.pop('LD_LIBRARY_PATH', None)
        if not own_runtime:
            environment['LD_LIBRARY_PATH'] = a.runtime
        fixed = ['setarch', '-R'] if a.sanitizer == 'thread' and can_fix_addresses() else []
        command = fixed + [str(program), str(rounds or a.rounds), str(a.seconds),
                   'alone' if seed is not None else settings.mode, ','.join(map(str, settings.threads))]
        if seed is not None:
            command.append(str(seed))
        try:
            ended = subprocess.run(command, env=environment, capture_output=True, text=True,
                                   timeout=a.seconds * (BATCH + 2))
        except subprocess.TimeoutExpired:
            return 'no end, and no signal arrives'
        if ended.returncode == 0:
            return None
        if a.sanitizer and 'Sanitizer' in ended.stderr:
            return f'{ended.stderr[:8000]}\n{a.sanitizer} sanitizer'
        return ended.stderr.strip()[-3000:] or f'exit status {ended.returncode}'

    def batch(self, numbers):
        """The failures of one batch: (seed, text)."""
        settings = self.settings(numbers[0])
        program = self.build(numbers, settings)
        if program is None:
            return [(numbers[0], 'no program')]
        text = self.run(program, settings)
        if text is None:
            return []
        words = text.split('\n')[-1].split()
        seed = int(words[1].rstrip(':')) if words[:1] == ['seed'] else numbers[0]
        failures = [(seed, text)]
        if self.arguments.sanitizer:  # what it reports ends no program
            return failures
        # The rest of the batch did not run: each alone.
        for number in numbers[numbers.index(seed) + 1 if seed in numbers else 0:]:
            text = self.run(program, settings, number)
            if text is not None:
                failures.append((number, text))
        return failures

    def blame(self, seed):
        """What its own runtime makes of the seed."""
        settings = self.settings(seed)
        program = self.build([seed], settings)
        return program and (self.run(program, settings, seed, own_runtime=True) or 'passes')

    def still_fails(self, seed, settings, omitted):
        program = self.build([seed], settings, omitted)
        return program is not None and any(
            self.run(program, settings, seed, self.arguments.rounds * 5) for _ in range(3))

    def shrink(self, seed):
        """Leaves out halves, quarters, ... of the constructs, as long as the seed still fails."""
        settings = self.settings(seed)
        for threads in settings.threads:
            settings.threads = (threads,)
            if self.still_fails(seed, settings, ()):
                break
        else:
            return 'the seed does not fail alone'
        omitted = set()
        size = (len(generate.identities(seed)) + 1) // 2
        while size >= 1:
            kept = generate.identities(seed, omitted)
            for start in range(0, len(kept), size):
                part = set(kept[start:start + size]) & set(generate.identities(seed, omitted))
                if part and self.still_fails(seed, settings, omitted | part):
                    omitted |= part
            size //= 2
        return f'/* {settings.text()}, {settings.threads[0]} threads */\n' + generate.source(
            [seed], settings.language, settings.compiler, settings.thread_locals, omitted)

    def report(self, failures):
        for seed, text in failures:
            print(f'seed {seed}, {self.settings(seed).text()}: {text}', flush=True)
            if text == 'no program':
                continue
            if self.arguments.validate:
                print(f'  its own runtime: {self.blame(seed)}', flush=True)
            if self.arguments.shrink:
                print(self.shrink(seed), flush=True)


def arguments_of(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--runtime', type=os.path.abspath, default=os.environ.get('TULLE_RUNTIME_DIR'))
    parser.add_argument('--compiler', choices=('gcc', 'clang'))
    parser.add_argument('--threads', type=lambda text: tuple(int(t) for t in text.split(',')))
    parser.add_argument('--mode', choices=('alone', 'pairs'))
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--seconds', type=int, default=30)
    parser.add_argument('--until', type=float, default=0)
    parser.add_argument('--validate', action='store_true')
    parser.add_argument('--shrink', action='store_true')
    parser.add_argument('--sanitizer', choices=('thread', 'address'))
    arguments = parser.parse_args(argv)
    if not arguments.runtime:
        parser.error('--runtime, or TULLE_RUNTIME_DIR, names the folder of the runtime')
    if not os.path.exists(os.path.join(arguments.runtime, 'libgomp.so.1')):
        parser.error(f'no runtime in {arguments.runtime}')
    return arguments


def main(argv=None):
    arguments = arguments_of(argv)
    number, last = (int(n) for n in arguments.seeds.split('..'))
    end = time.monotonic() + arguments.until
    ran = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(arguments, folder)
        while number <= last or time.monotonic() < end:
            stop = (number // BATCH + 1) * BATCH
            if not arguments.until:
                stop = min(stop, last + 1)
            failures = fuzzer.batch(list(range(number, stop)))
            fuzzer.report(failures)
            failed += len(failures)
            ran += stop - number
            number = stop
    print(f'{ran} seeds, {failed} failed; policies {", ".join(fuzzer.policies)}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
