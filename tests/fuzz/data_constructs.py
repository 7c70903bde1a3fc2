# SPDX-License-Identifier: Apache-2.0
"""Data that constructs copy or combine: reductions of all kinds, copyin, lastprivate, large and
aligned firstprivate data, C++ objects, atomics that a word is too small for."""

from program import Construct, construct, grow
from team_constructs import OfTeam, SCHEDULES, fits_region, inner_scope
from task_constructs import OfTasks, task_clauses


@construct(1)
class CopyIn(Construct):
    """The encountering thread's value of a threadprivate variable at the start of each thread."""
    @classmethod
    def fits(cls, seed, scope):
        return scope.tied and fits_region(seed, scope)

    def choose(self, seed, scope):
        self.size = 'T' if scope.parallel_depth == 0 else str(seed.pick(2, 3))
        self.barrier = seed.chance(0.5)

    def emit(self, out):
        n, t, v = self.name('n'), self.name('t'), f'copied_{self.seed.number}_{self.id}'
        out.open()
        out.put(f'const int {n} = {self.size};')
        if not out.parallel:
            out.open(f'for (int {t} = 0; {t} < {n}; {t}++)')
        else:
            if out.thread_locals:
                out.globals += [f'static uint64_t {v};', f'#pragma omp threadprivate({v})']
                out.put(f'{v} = mix({self.id}u, 3);')
            copyin = f' copyin({v})' if out.thread_locals else ''
            out.pragma(f'parallel num_threads({n}) default(shared){copyin}{self.firstprivate()}')
            out.open()
            out.put(f'const int {t} = omp_get_thread_num();')
        private = out.parallel and out.thread_locals
        if private:
            out.check(f'{v} == mix({self.id}u, 3)', 'copyin gave another value')
            out.put(f'{v} += (uint64_t){t};')
        if self.barrier:
            out.pragma('barrier')
        if private:
            out.check(f'{v} == mix({self.id}u, 3) + (uint64_t){t}', 'a copied threadprivate variable has changed')
        out.add(self.slot, self.term(t))
        out.close()
        out.close()


REDUCTIONS = {  # operator: (initial value, step with the value %s)
    'array': ('{1, 2, 3, 4}', '{v}[{i} % 4] += {x};'),
    'min': ('~(uint64_t)0', 'if ({x} < {v}) {v} = {x};'),
    'max': ('0', 'if ({x} > {v}) {v} = {x};'),
    '|': ('0', '{v} |= {x} & {x} >> 7;'),
    '&&': ('1', '{v} = {v} && ({x} & 255) != 7;'),
    '*': ('3', '{v} *= {x} | 1;'),
    'pair': ('{1, 2}', '{v}.sum += {x}; {v}.parity ^= {x};'),
}


@construct(2)
class DataReduction(OfTeam):
    """Operators, array sections and operators of the program's own; sections and scope reduce too."""
    def choose(self, seed, scope):
        self.operator = seed.pick(*REDUCTIONS)
        self.form = seed.pick('for', 'for', 'sections', 'scope')
        self.schedule = seed.pick(*SCHEDULES)
        self.trips = seed.size(scope, 1, 6, 40)
        kind = {'array': 'uint64_t {}[4]', 'pair': 'Pair {}'}.get(self.operator, 'uint64_t {}')
        scope.region.declarations.append(
            f'{kind.format(self.name("v"))} = {REDUCTIONS[self.operator][0]};')

    def step(self, out, i):
        out.put(REDUCTIONS[self.operator][1].format(v=self.name('v'), i=i, x=f'mix({self.id}u, {i})'))

    def emit(self, out):
        v, i, s = self.name('v'), self.name('i'), self.scope
        item = {'array': f'+: {v}[:4]', 'pair': f'merge: {v}'}.get(self.operator, f'{self.operator}: {v}')
        if self.form == 'scope':
            out.pragma(f'scope reduction({item})')
            out.open()
            self.step(out, s.tid)
            out.close()
            out.open('' if out.parallel else f'if ({s.tid} == {s.team} - 1)')
        else:
            self.once_in_sequence(out)
            if self.form == 'for':
                out.pragma(f'for{self.schedule} reduction({item})')
                out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
                self.step(out, i)
                out.close()
            else:
                out.pragma(f'sections reduction({item})')
                out.open()
                for number in range(self.trips % 5 + 1):
                    out.pragma('section')
                    out.open()
                    self.step(out, number)
                    out.close()
                out.close()
        out.pragma('single nowait')
        value = {'array': f'{v}[0] * 3 + {v}[1] * 5 + {v}[2] * 7 + {v}[3]',
                 'pair': f'{v}.sum + {v}.parity * 3'}.get(self.operator, v)
        out.add(self.slot, value)
        out.close()


@construct(2)
class TaskReductionLoop(OfTeam):
    """Tasks of a loop, or of the whole region, that take part in its reduction."""
    def choose(self, seed, scope):
        self.trips = seed.size(scope, 1, 5, 20)
        self.schedule = seed.pick('', ' schedule(dynamic)', ' schedule(static, 2)')
        self.clauses, tied = task_clauses(seed)
        k = self.name('i')
        self.children = grow(seed, scope.once(k, times=self.trips).inside(tied=tied), 1)
        scope.region.declarations.append(f'uint64_t {self.name("s")} = 1;')

    def emit(self, out):
        i, s = self.name('i'), self.name('s')
        names = ', '.join([v for v in self.scope.variables if v != self.scope.tid] + [i])
        self.once_in_sequence(out)
        out.pragma(f'for reduction(task, +: {s}){self.schedule}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        out.pragma(f'task default(shared) in_reduction(+: {s}) firstprivate({names})'
                   f'{self.clauses_for(out, self.clauses, self.children)}')
        out.open()
        self.write_children(out)
        out.put(f'{s} += mix({self.id}u, {i});')
        out.close()
        out.put(f'{s} += 5;')
        out.close()
        out.pragma('single nowait')
        out.add(self.slot, s)
        out.close()


@construct(1)
class TaskReductionRegion(Construct):
    @classmethod
    def fits(cls, seed, scope):
        return fits_region(seed, scope)

    def choose(self, seed, scope):
        self.size = 'T' if scope.parallel_depth == 0 else str(seed.pick(2, 3))
        self.copies = seed.size(scope, 1, 4)
        self.declarations = []
        inner = inner_scope(self, scope).once(self.name('k'), times=self.copies)
        self.children = grow(seed, inner, 2)

    def emit(self, out):
        n, t, k, s = (self.name(p) for p in 'ntks')
        names = ', '.join(self.scope.variables + (k,))
        out.open()
        out.put(f'const int {n} = {self.size};')
        out.put(f'uint64_t {s} = 5;')
        out.pragma(f'parallel num_threads({n}) default(shared) reduction(task, +: {s}){self.firstprivate()}')
        out.open('' if out.parallel else f'for (int {t} = 0; {t} < {n}; {t}++)')
        out.open(f'for (int {k} = 0; {k} < {self.copies}; {k}++)')
        out.pragma(f'task default(shared) in_reduction(+: {s}) firstprivate({names})')
        out.open()
        self.write_children(out)
        out.put(f'{s} += {self.term(k)};')
        out.close()
        out.close()
        out.put(f'{s} ^= 0;')
        out.close()
        out.add(self.slot, s)
        out.close()


@construct(2)
class LastPrivate(OfTeam):
    """Values of the last iteration or section, wherever that ran; firstprivate beside it."""
    def choose(self, seed, scope):
        self.form = seed.pick('for', 'sections', 'conditional')
        self.schedule = seed.pick(*SCHEDULES)
        self.trips = seed.size(scope, 1, 7, 33)
        scope.region.declarations += [f'uint64_t {self.name("l")} = 1;', f'uint64_t {self.name("f")} = 11;']

    def emit(self, out):
        last, first, i = self.name('l'), self.name('f'), self.name('i')
        self.once_in_sequence(out)
        if self.form == 'sections':
            out.pragma(f'sections firstprivate({first}) lastprivate({last})')
            out.open()
            for number in range(3):
                out.pragma('section')
                out.put(f'{last} = mix({first}, {number});')
            out.close()
        else:
            kind = 'conditional: ' if self.form == 'conditional' else ''
            out.pragma(f'for{self.schedule} firstprivate({first}) lastprivate({kind}{last})')
            out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
            # GCC 12 forgets a conditional assignment of what a call returns.
            out.put(f'const uint64_t x = mix({first}, {i});')
            out.put(f'if ({i} % 5 != 3) {last} = x;' if kind else f'{last} = x;')
            out.close()
        out.pragma('single nowait')
        out.add(self.slot, last)
        out.close()


@construct(3)
class TaskData(OfTasks):
    """Tasks that carry much data, aligned data, and in C++ objects that are copied and destroyed."""
    def choose(self, seed, scope):
        self.copies = seed.size(scope, 1, 4, 12)
        self.clauses, tied = task_clauses(seed)
        self.kind = seed.pick('Block', 'Line', 'Object')
        inner = scope.once(self.name('k'), times=self.copies).inside(tied=tied)
        self.children = grow(seed, inner, 2)
        self.wait = seed.chance(0.5)

    def emit(self, out):
        k, v = self.name('k'), self.name('v')
        kind = self.kind if out.language == 'c++' or self.kind != 'Object' else 'Block'
        names = ', '.join(self.scope.variables + (k, v))
        out.open(f'for (int {k} = 0; {k} < {self.copies}; {k}++)')
        if kind == 'Object':
            out.put(f'Object {v}(c, mix({self.id}u, {k}));')
        else:
            out.put(f'{kind} {v};')
            out.put(f'fill_words({v}.words, WORDS({v}), mix({self.id}u, {k}));')
        out.pragma(f'task default(shared){self.clauses_for(out, self.clauses, self.children)} firstprivate({names})')
        out.open()
        if kind == 'Line' and out.compiler == 'gcc' and 'if(' not in self.clauses and 'final' not in self.clauses:
            out.check(f'(uintptr_t)&{v} % 64 == 0', 'data of a task is not aligned')
        self.write_children(out)
        if kind == 'Object':
            out.add(self.slot, f'{v}.value()')
        else:
            out.add(self.slot, f'sum_words({v}.words, WORDS({v}))')
        out.close()
        if self.wait:
            out.pragma('taskwait')
        out.close()


@construct(1)
class WideAtomic(Construct):
    """GCC takes a lock of the runtime's for what the processor has no instruction for."""
    plain = True

    def choose(self, seed, scope):
        self.which = seed.random.randrange(4)

    def emit(self, out):
        out.pragma('atomic')
        out.put(f'c->wide[{self.which}] += (Wide)(({self.term()}) & 0xffff);')
