#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random OpenMP programs on a runtime and names the seeds that fail.
usage: run.py --seeds A..B --runtime DIR [--compiler gcc|clang] [--threads N,...] [--rounds N]
              [--seconds S] [--modes alone,pairs] [--validate] [--shrink] [--until SECONDS]
Batches of seeds make one program each: odd ones in C, even ones in C++, every other pair with
thread-local data. --validate runs a failing seed under the compiler's own runtime as well: where
that fails too, the program is to blame. --shrink leaves out constructs as long as it still fails.
--until goes on with the seeds behind B for so many seconds."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import generate

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 20
COMPILERS = {('gcc', 'c'): ['gcc'], ('gcc', 'c++'): ['g++', '-std=c++20'],
             ('clang', 'c'): ['clang-22'], ('clang', 'c++'): ['clang++-22', '-std=c++20']}


class Fuzzer:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = pathlib.Path(folder)

    def build(self, numbers, omitted=()):
        batch = numbers[0] // BATCH
        language = 'c++' if batch % 2 == 0 else 'c'
        compiler = self.arguments.compiler
        source = self.folder / f'seed_{numbers[0]}.{"cpp" if language == "c++" else "c"}'
        program = source.with_suffix('')
        source.write_text(generate.source(numbers, language, compiler, omitted))
        command = COMPILERS[compiler, language] + ['-O1', '-w', '-fopenmp', '-pthread', f'-I{HERE}',
                                                   str(source), '-o', str(program)]
        if batch // 2 % 2 == 0:
            command.append('-DFUZZ_THREAD_LOCALS')
        built = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if built.returncode != 0:
            print(f'seeds {numbers[0]}..{numbers[-1]}: {command[0]} fails\n{built.stderr[:400]}')
            return None
        return program

    def run(self, program, threads, mode, seed=None, rounds=None, own_runtime=False):
        """None, or how it failed."""
        a = self.arguments
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
        environment['OMP_CANCELLATION'] = 'true' if threads != 2 else 'false'
        environment.pop('LD_LIBRARY_PATH', None)
        if not own_runtime:
            environment['LD_LIBRARY_PATH'] = a.runtime
        command = [str(program), str(rounds or a.rounds), str(a.seconds), mode]
        if seed is not None:
            command.append(str(seed))
        try:
            ended = subprocess.run(command, env=environment, capture_output=True, text=True,
                                   timeout=a.seconds * (BATCH + 2))
        except subprocess.TimeoutExpired:
            return 'no end, and no signal arrives'
        if ended.returncode == 0:
            return None
        return ended.stderr.strip()[-200:] or f'exit status {ended.returncode}'

    def grid(self):
        return [(t, m) for t in self.arguments.threads for m in self.arguments.modes]

    def batch(self, numbers):
        """The failures of one batch: (seed, threads, mode, text)."""
        program = self.build(numbers)
        if program is None:
            return [(numbers[0], 0, 'build', 'no program')]
        failures = []
        for threads, mode in self.grid():
            text = self.run(program, threads, mode)
            if text is None:
                continue
            words = text.split('\n')[-1].split()
            seed = int(words[1].rstrip(':')) if words[:1] == ['seed'] else numbers[0]
            failures.append((seed, threads, mode, text))
            # The rest of the batch did not run: each alone.
            for number in numbers[numbers.index(seed) + 1 if seed in numbers else 0:]:
                text = self.run(program, threads, 'alone', number)
                if text is not None:
                    failures.append((number, threads, 'alone', text))
        return failures

    def blames_program(self, seed, threads):
        program = self.build([seed])
        return program is not None and self.run(program, threads, 'alone', own_runtime=True)

    def still_fails(self, seed, threads, omitted):
        program = self.build([seed], omitted)
        return program is not None and any(
            self.run(program, threads, 'alone', seed, self.arguments.rounds * 5) for _ in range(3))

    def shrink(self, seed, threads):
        """Leaves out halves, quarters, ... of the constructs, as long as the seed still fails."""
        ids = generate.identities(seed)
        omitted = set()
        size = len(ids) // 2
        while size >= 1:
            kept = [i for i in ids if i not in omitted]
            for start in range(0, len(kept), size):
                attempt = omitted | set(kept[start:start + size])
                if self.still_fails(seed, threads, attempt):
                    omitted = attempt
            size //= 2
        language = 'c++' if seed // BATCH % 2 == 0 else 'c'
        return generate.source([seed], language, self.arguments.compiler, omitted)

    def report(self, failures):
        for seed, threads, mode, text in failures:
            print(f'seed {seed}, {self.arguments.compiler}, {threads} threads, {mode}: {text}', flush=True)
            if mode == 'build':
                continue
            if self.arguments.validate:
                own = self.blames_program(seed, threads)
                print(f'  its own runtime: {own or "passes"}', flush=True)
            if self.arguments.shrink:
                print(self.shrink(seed, threads), flush=True)


def arguments_of(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--seeds', default='1..100')
    parser.add_argument('--runtime', type=os.path.abspath, default=os.environ.get('TULLE_RUNTIME_DIR'))
    parser.add_argument('--compiler', choices=('gcc', 'clang'), default='gcc')
    parser.add_argument('--threads', default='1,2,4,16')
    parser.add_argument('--modes', default='alone')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=20)
    parser.add_argument('--until', type=float, default=0)
    parser.add_argument('--validate', action='store_true')
    parser.add_argument('--shrink', action='store_true')
    arguments = parser.parse_args(argv)
    if not arguments.runtime:
        parser.error('--runtime, or TULLE_RUNTIME_DIR, names the folder of the runtime')
    if not os.path.exists(os.path.join(arguments.runtime, 'libgomp.so.1')):
        parser.error(f'no runtime in {arguments.runtime}')
    arguments.threads = [int(t) for t in arguments.threads.split(',')]
    arguments.modes = arguments.modes.split(',')
    return arguments


def main(argv=None):
    arguments = arguments_of(argv)
    first, last = (int(n) for n in arguments.seeds.split('..'))
    end = time.monotonic() + arguments.until
    failed = 0
    number = first
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(arguments, folder)
        while number <= last or time.monotonic() < end:
            stop = number + BATCH - 1 if arguments.until else min(number + BATCH - 1, last)
            failures = fuzzer.batch(list(range(number, stop + 1)))
            fuzzer.report(failures)
            failed += len({seed for seed, *_ in failures})
            number = stop + 1
    print(f'{number - first} seeds, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
