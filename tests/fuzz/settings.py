# SPDX-License-Identifier: Apache-2.0
"""How a batch of seeds is built and run, by its number: the same seed meets the same settings
wherever it runs. Policies that the runtime does not know are left out of the choice."""

import dataclasses
import os
import random
import subprocess
import sys

from program import FIRST_TO_OFFLOAD

BATCH = 40
GRAPHS_FROM = 3_000_000  # seeds whose programs repeat graphs, some of them with replay
REGIONS = range(3_500_000, 4_000_000)  # and some of which say so, or leave them in a file for a second run
GRAPHS_IN_FILE = 'record:, replay:'  # of TULLE_TASK_GRAPH: two runs, with the file between them
COMPILERS = {('gcc', 'c'): ['gcc'], ('gcc', 'c++'): ['g++', '-std=c++20'],
             ('clang', 'c'): ['clang-22'], ('clang', 'c++'): ['clang++-22', '-std=c++20']}
THREADS = ((2, 16), (4, 1), (3, 16), (4, 8), (2, 5), (16, 4, 2))
POLICIES = ('default', 'spread', 'affinity', 'scatter', 'shared', 'random')
# Variable: values, None for unset; more often unset than not.
VARIABLES = {
    'TULLE_WORKERS': (None, None, None, '1', '3', '4', '8'),
    'TULLE_BLOCKTIME': (None, '0', '0', '20us', '100us'),
    'TULLE_MONITOR_TICK': (None, None, '300us', '5ms'),
    'TULLE_TASK_LIMIT': (None, None, '1', '16'),
    'TULLE_TASK_CUTOFF': (None, None, 'yield', 'work_first'),
    'TULLE_TASK_DISTRIBUTION': (None, None, 'round_robin', 'adaptive'),
    'OMP_MAX_TASK_PRIORITY': (None, '4'),
    'OMP_SCHEDULE': (None, 'static', 'dynamic,3', 'guided,2', 'monotonic:dynamic'),
    'OMP_PROC_BIND': (None, None, 'close', 'spread', 'primary'),
    'OMP_STACKSIZE': (None, None, '1M'),
    'OMP_CANCELLATION': ('true', 'true', 'true', 'false'),
}


@dataclasses.dataclass
class Settings:
    compiler: str
    language: str
    optimise: str
    thread_locals: bool
    threads: tuple
    mode: str
    environment: dict
    maps: bool = False

    def command(self):
        device_code = self.maps and self.compiler == 'clang'
        return COMPILERS[self.compiler, self.language] + [self.optimise, '-w', '-fopenmp', '-pthread'] + (
            [f'-fopenmp-targets={os.uname().machine}-unknown-linux-gnu'] if device_code else [])

    def text(self):
        variables = ' '.join(f'{name}={value}' for name, value in self.environment.items())
        return f'{self.command()[0]} {self.optimise}, {self.mode}, {variables}'


def known_policies(runtime):
    """The runtime warns of a value that it does not know when it reads its environment."""
    ask = f'import ctypes; ctypes.CDLL({os.path.join(runtime, "libgomp.so.1")!r}).omp_get_max_threads()'
    return [policy for policy in POLICIES if not subprocess.run(
        [sys.executable, '-c', ask], env=dict(os.environ, TULLE_POLICY=policy), capture_output=True,
        timeout=300).stderr]


def device_lists():
    """Devices of each kind on the CPUs that there are."""
    cpus = sorted(os.sched_getaffinity(0))
    lists = [f'cluster:{cpus[0]}', 'process:1']
    if len(cpus) > 1:
        lists += [f'cluster:{cpus[0]};cluster:{cpus[1]}', 'process:2', f'cluster:{cpus[0]};process:1',
                  f'cluster:{cpus[0]}-{cpus[0] + 1}' if cpus[1] == cpus[0] + 1 else 'process:2']
    return lists


def settings_of(number, policies, compiler=None):
    """Settings of the batch that the seed is in; languages, compilers and thread-local data take turns."""
    batch = number // BATCH
    chance = random.Random(f'settings of {batch}')
    thread_locals = batch // 4 % 2 == 0
    environment = {'TULLE_POLICY': chance.choice(policies),
                   'TULLE_TLS': chance.choice(('auto', 'whole') if thread_locals else ('auto', 'whole', 'bare'))}
    for name, values in VARIABLES.items():
        value = chance.choice(values)
        if value is not None:
            environment[name] = value
    if number >= FIRST_TO_OFFLOAD:
        environment['TULLE_DEVICES'] = chance.choice(device_lists())
        environment['TULLE_TARGET_WAIT'] = chance.choice(('BLOCK_NO_OS', 'BLOCK_NO_OS', 'BLOCK_OS', 'NO_BLOCK'))
    if number >= GRAPHS_FROM:
        environment['TULLE_TASK_GRAPH'] = chance.choice(('auto', 'auto', 'auto', 'off'))
    if number in REGIONS:
        environment['TULLE_TASK_GRAPH'] = chance.choice(('auto', 'off', GRAPHS_IN_FILE, GRAPHS_IN_FILE))
        environment['OMP_CANCELLATION'] = chance.choice(('true', 'false', 'false'))  # of which no region is replayed
    return Settings(maps=number >= FIRST_TO_OFFLOAD, compiler=compiler or ('gcc', 'clang')[batch % 2],
                    language=('c', 'c++')[batch // 2 % 2],
                    optimise=chance.choice(('-O0', '-O0', '-O0', '-O1')),
                    thread_locals=thread_locals,
                    threads=chance.choice(THREADS),
                    mode=chance.choice(('alone', 'alone', 'alone', 'pairs')),
                    environment=environment)
