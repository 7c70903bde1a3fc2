#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random OpenMP programs, as one source file for a batch of seeds.
usage: generate.py FIRST LAST [--language c|c++] [--compiler gcc|clang] [--thread-locals]
                   [--omit ID,...] >SOURCE"""

import argparse

import program
import team_constructs
import task_constructs
import data_constructs
import combined_constructs
import other_constructs
import target_constructs


def tree(number, omitted=()):
    """The constructs of a seed: the top level, outside of any region."""
    seed = program.Seed(number, omitted)
    scope = program.Scope()
    top = []
    while seed.budget > 0:
        kind = seed.random.random()
        if kind < 0.08:
            top.append(combined_constructs.TeamsDistribute(seed, scope))
        else:
            top.append(team_constructs.Parallel(seed, scope) if kind < 0.9
                       else program.grow(seed, scope, 1)[0])
    return top


def identities(number, omitted=()):
    """The constructs that are written; those in one that is left out are not."""
    return [construct.id for top in tree(number) for construct in top.walk(omitted)]


def function(name, top, out):
    for construct in top:
        construct.write(out)
    return ('\n'.join(out.globals) + f'\nstatic void {name}(Context *c, int T) {{\n  (void)T;\n  (void)c;\n' +
            '\n'.join(out.lines) + '\n}\n')


def source(numbers, language, compiler, thread_locals, omitted=()):
    parts = ['#define FUZZ_THREAD_LOCALS\n' if thread_locals else '', '#include "support.h"\n']
    for number in numbers:
        top = tree(number, omitted)
        for name, parallel in ((f'parallel_{number}', True), (f'sequential_{number}', False)):
            parts.append(function(name, top, program.Writer(parallel, language, compiler, thread_locals)))
    table = ', '.join(f'{{{n}, parallel_{n}, sequential_{n}}}' for n in numbers)
    parts.append(f'int main(int argc, char **argv) {{\n  static const Program programs[] = {{{table}}};\n'
                 f'  return fuzz_main(programs, {len(numbers)}, argc, argv);\n}}\n')
    return '\n'.join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('first', type=int)
    parser.add_argument('last', type=int)
    parser.add_argument('--language', choices=('c', 'c++'), default='c')
    parser.add_argument('--compiler', choices=('gcc', 'clang'), default='gcc')
    parser.add_argument('--thread-locals', action='store_true')
    parser.add_argument('--omit', default='')
    arguments = parser.parse_args()
    omitted = [int(i) for i in arguments.omit.split(',') if i]
    print(source(range(arguments.first, arguments.last + 1), arguments.language, arguments.compiler,
                 arguments.thread_locals, omitted))


if __name__ == '__main__':
    main()
