#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random OpenMP programs, as one source file for a batch of seeds.
usage: generate.py FIRST LAST [--language c|c++] [--compiler gcc|clang] [--omit ID,...] >SOURCE"""

import argparse

import program
import team_constructs
import task_constructs
import other_constructs

CXX = """#include <exception>
struct Fault { unsigned value; };
struct Other { unsigned value; };
"""


def tree(number, omitted=()):
    """The constructs of a seed: the top level, outside of any region."""
    seed = program.Seed(number, omitted)
    scope = program.Scope()
    top = []
    while seed.budget > 0:
        top.append(team_constructs.Parallel(seed, scope) if seed.chance(0.9)
                   else program.grow(seed, scope, 1)[0])
    return top


def identities(number):
    return [construct.id for top in tree(number) for construct in top.walk()]


def function(name, top, parallel, language, compiler):
    out = program.Writer(parallel, language, compiler)
    for construct in top:
        construct.write(out)
    return (f'static void {name}(Context *c, int T) {{\n  (void)T;\n  (void)c;\n' + '\n'.join(out.lines) + '\n}\n')


def source(numbers, language, compiler, omitted=()):
    parts = ['#include "support.h"\n', CXX if language == 'c++' else '']
    for number in numbers:
        top = tree(number, omitted)
        parts.append(function(f'parallel_{number}', top, True, language, compiler))
        parts.append(function(f'sequential_{number}', top, False, language, compiler))
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
    parser.add_argument('--omit', default='')
    arguments = parser.parse_args()
    omitted = [int(i) for i in arguments.omit.split(',') if i]
    print(source(range(arguments.first, arguments.last + 1), arguments.language, arguments.compiler, omitted))


if __name__ == '__main__':
    main()
