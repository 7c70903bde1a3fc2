# SPDX-License-Identifier: Apache-2.0
"""Explicit tasks in all their forms."""

from program import Construct, construct, grow
from settings import GRAPHS_FROM, REGIONS


class OfTasks(Construct):
    """Anywhere but under a lock."""
    @classmethod
    def fits(cls, seed, scope):
        return not scope.held


def task_clauses(seed):
    clauses, tied = '', True
    if seed.chance(0.35):
        clauses, tied = ' untied', False
    if seed.chance(0.1):
        clauses += ' if(0)'
    if seed.chance(0.05):
        clauses += ' final(1)'
    if seed.chance(0.1):
        clauses += ' mergeable'
    if seed.chance(0.2):
        clauses += f' priority({seed.random.randrange(5)})'
    return clauses, tied


@construct(7)
class Task(OfTasks):
    def choose(self, seed, scope):
        self.clauses, self.tied = task_clauses(seed)
        self.copies = seed.size(scope, 1, 1, 2, 5, 20)
        self.children = grow(seed, scope.once(self.name('k'), times=self.copies).inside(tied=self.tied), 3)

    def emit(self, out):
        k, me = self.name('k'), self.name('me')
        out.open(f'for (int {k} = 0; {k} < {self.copies}; {k}++)')
        out.pragma(f'task default(shared){self.clauses_for(out, self.clauses, self.children)}' +
                   f' firstprivate({", ".join(self.scope.variables + (k,))})')
        out.open()
        stays = self.tied and out.parallel
        if stays:
            out.put(f'const int {me} = omp_get_thread_num();')
        out.add(self.slot, self.term(k))
        self.write_children(out)
        if stays:
            out.check(f'{me} == omp_get_thread_num()', 'a tied task changed its thread')
        out.close()
        out.close()


@construct(4)
class TaskWait(OfTasks):
    """Children made here are complete behind the taskwait."""
    def choose(self, seed, scope):
        self.copies = seed.size(scope, 1, 2, 8)
        self.clauses, self.tied = task_clauses(seed)
        self.children = grow(seed, scope.once(self.name('k'), times=self.copies).inside(tied=self.tied), 2)

    def emit(self, out):
        k, a = self.name('k'), self.name('a')
        out.open()
        out.put(f'uint64_t {a}[8] = {{0}};')
        out.open(f'for (int {k} = 0; {k} < {self.copies}; {k}++)')
        out.pragma(f'task default(shared) shared({a}){self.clauses_for(out, self.clauses, self.children)}' +
                   f' firstprivate({", ".join(self.scope.variables + (k,))})')
        out.open()
        self.write_children(out)
        out.put(f'{a}[{k}] = {self.term(k)};')
        out.close()
        out.close()
        out.pragma('taskwait')
        out.add(self.slot, ' + '.join(f'{a}[{i}]' for i in range(self.copies)))
        out.close()


@construct(4)
class TaskGroup(OfTasks):
    """Descendants are complete behind the end of the group; a task reduction gathers them."""
    def choose(self, seed, scope):
        self.reduction = seed.chance(0.4)
        self.copies = seed.size(scope, 1, 3, 9)
        self.clauses, self.tied = task_clauses(seed)
        self.children = grow(seed, scope.once(self.name('k'), times=self.copies).inside(tied=self.tied), 3)

    def emit(self, out):
        k, s = self.name('k'), self.name('s')
        names = ', '.join(self.scope.variables + (k,))
        out.open()
        out.put(f'uint64_t {s} = 2;')
        out.pragma(f'taskgroup task_reduction(+: {s})' if self.reduction else 'taskgroup')
        out.open()
        out.open(f'for (int {k} = 0; {k} < {self.copies}; {k}++)')
        reduction = f' in_reduction(+: {s})' if self.reduction else f' shared({s})'
        out.pragma(f'task default(shared){reduction}{self.clauses_for(out, self.clauses, self.children)} firstprivate({names})')
        out.open()
        self.write_children(out)
        if self.reduction:
            out.put(f'{s} += {self.term(k)};')
        else:
            out.pragma(f'task default(shared) shared({s}) firstprivate({names})')
            out.put(f'__atomic_fetch_add(&{s}, {self.term(k)}, __ATOMIC_RELAXED);')
        out.close()
        out.close()
        out.close()
        out.add(self.slot, s)
        out.close()


KINDS = ('inout', 'out', 'in', 'mutexinoutset', 'depobj', 'inoutset', 'iterator', 'all')


@construct(5)
class Depend(OfTasks):
    """Siblings that read and write an array in an order that only their dependences give."""
    work = ''  # in each task, so that it is worth to be kept

    def choose(self, seed, scope):
        self.steps = []
        self.end = seed.pick('taskwait', 'taskgroup')
        for _ in range(seed.size(scope, 2, 5, 12)):
            kind = seed.random.choices(KINDS, (6, 2, 3, 3, 2, 2, 1, 1))[0]
            clauses, tied = task_clauses(seed)
            detach = seed.pick(*(None,) * 8, 'self', 'task', 'thread')
            child = []
            if seed.chance(0.15):
                child = grow(seed, scope.once().inside(tied=tied), 1)
            self.steps.append((kind, seed.random.randrange(4), seed.random.randrange(4),
                               clauses, detach if ' if(0)' not in clauses and 'merge' not in clauses and 'final' not in clauses else None,
                               child, seed.chance(0.1)))
            self.children += child

    def task(self, out, step, number):
        kind, a, b, clauses, detach, child, wait = step
        clauses = self.clauses_for(out, clauses, child)
        d = self.name('d')
        if out.compiler == 'gcc' and kind in ('inoutset', 'all'):
            kind = 'inout' if kind == 'all' else 'mutexinoutset'
        value = f'{number + 3}u'
        if kind == 'inout':
            depend, body = f'depend(inout: {d}[{a}]) depend(in: {d}[{b}])', f'{d}[{a}] = {d}[{a}] * 31 + {d}[{b}] + {value};'
        elif kind == 'out':
            depend, body = f'depend(out: {d}[{a}])', f'{d}[{a}] = {value};'
        elif kind == 'in':
            depend, body = f'depend(in: {d}[{a}], {d}[{b}])', f'add(c, {self.slot}, {d}[{a}] * 3 + {d}[{b}]);'
        elif kind == 'mutexinoutset':
            both = f'{d}[{a}], {d}[{b}]' if a != b else f'{d}[{a}]'
            depend, body = f'depend(mutexinoutset: {both})', f'{d}[{a}] += {value}; {d}[{b}] += 1;'
        elif kind == 'inoutset':
            depend, body = f'depend(inoutset: {d}[{a}])', f'__atomic_fetch_add(&{d}[{a}], {value}, __ATOMIC_RELAXED);'
        elif kind == 'depobj':
            depend, body = f'depend(depobj: {d}o)', f'{d}[{a}] = {d}[{a}] * 17 + {value};'
        elif kind == 'iterator':
            depend, body = f'depend(iterator(it = 0:4), inout: {d}[it])', f'{d}[{a}] = {d}[0] + {d}[1] * 3 + {d}[2] * 5 + {d}[3] * 7;'
        else:
            depend, body = 'depend(inout: omp_all_memory)', f'{d}[{a}] = {d}[0] + {d}[1] * 3 + {d}[2] * 5 + {d}[3] * 7;'
        out.open()
        if kind == 'depobj' and out.parallel:
            out.put(f'omp_depend_t {d}o;')
            out.pragma(f'depobj({d}o) depend(inout: {d}[{a}])')
        event = ''
        if detach and out.parallel:
            out.put(f'omp_event_handle_t {d}e;')
            event = f' detach({d}e)'
        out.pragma(f'task default(shared) shared({d}) {depend}{clauses}{event}{self.firstprivate()}')
        out.open()
        self.write_children(out, child)
        if self.work:
            out.put(self.work)
        out.put(body)
        if event:
            self.fulfill(out, detach, f'{d}e')
        out.close()
        if kind == 'depobj':
            out.pragma(f'depobj({d}o) destroy')
        out.close()
        if wait:
            out.pragma(f'taskwait depend(in: {d}[{a}])')
            if out.parallel or True:
                out.add(self.slot, f'{d}[{a}]')

    def fulfill(self, out, how, event):
        if how == 'self':
            out.put(f'omp_fulfill_event({event});')
        elif how == 'task':
            out.pragma(f'task firstprivate({event})')
            out.put(f'omp_fulfill_event({event});')
        else:
            out.put(f'fulfill_from_thread({event});')

    def emit(self, out):
        d = self.name('d')
        out.open()
        out.put(f'uint64_t {d}[4] = {{1, 2, 3, 4}};')
        if self.end == 'taskgroup':
            out.pragma('taskgroup')
        out.open()
        for number, step in enumerate(self.steps):
            self.task(out, step, number)
        out.close()
        if self.end == 'taskwait':
            out.pragma('taskwait')
        out.add(self.slot, f'{d}[0] + {d}[1] * 3 + {d}[2] * 5 + {d}[3] * 7')
        out.close()


@construct(12)
class RepeatedGraph(Depend):
    """The same graph again and again, at one place or at two, and sometimes with a task more in the middle."""
    work = 'for (volatile int w = 0; w < 800; w++) {}'

    @classmethod
    def fits(cls, seed, scope):
        return seed.number >= GRAPHS_FROM and super().fits(seed, scope) and scope.times <= 8

    def choose(self, seed, scope):
        self.times = seed.pick(5, 8, 12)
        super().choose(seed, scope.inside(times=scope.times * self.times))
        self.end = 'taskwait'
        self.odd = seed.pick(0, 0, 3, 4, 7)
        self.places = seed.pick(1, 1, 2)

    def emit(self, out):
        d, r = self.name('d'), self.name('r')
        out.open()
        out.put(f'uint64_t {d}s[2][4];')
        out.open(f'for (int {r} = 0; {r} < {self.times}; {r}++)')
        out.put(f'uint64_t *{d} = {d}s[{r} % {self.places}];')
        out.put(f'for (int i = 0; i < 4; i++) {d}[i] = (uint64_t)(i + {r});')
        for number, step in enumerate(self.steps):
            self.task(out, step, number)
            if self.odd and number == len(self.steps) // 2:
                out.open(f'if ({r} % {self.odd} == {self.odd - 1})')
                self.task(out, ('inout', 1, 2, '', None, [], False), 50)
                out.close()
        out.pragma('taskwait')
        out.add(self.slot, f'{d}[0] + {d}[1] * 3 + {d}[2] * 5 + {d}[3] * 7')
        out.close()
        out.close()


@construct(12)
class GraphRegion(RepeatedGraph):
    """The same graph again and again, as a region that says so; in the end it is forgotten."""
    @classmethod
    def fits(cls, seed, scope):
        return seed.number in REGIONS and super().fits(seed, scope)

    def choose(self, seed, scope):
        super().choose(seed, scope)
        # What is read between tasks is read in the first repetition alone.
        self.steps = [step[:-1] + (False,) for step in self.steps]
        self.waits = [seed.chance(0.1) for _ in self.steps]
        self.forgets = seed.pick(0, 0, 3)

    def emit(self, out):
        d, r = self.name('d'), self.name('r')
        out.open()
        out.put(f'uint64_t {d}[4];')
        if out.parallel:
            out.put(f'const int {d}g = new_graph();')
        out.open(f'for (int {r} = 0; {r} < {self.times}; {r}++)')
        out.put(f'for (int i = 0; i < 4; i++) {d}[i] = (uint64_t)(i + {r});')
        if out.parallel and self.forgets:
            out.put(f'if ({r} == {self.forgets}) tulle_graph_forget({d}g);')
        out.open(f'if (tulle_graph_begin({d}g))' if out.parallel else '')
        for number, step in enumerate(self.steps):
            self.task(out, step, number)
            if self.waits[number]:
                out.pragma('taskwait')
        out.close()
        if out.parallel:
            out.put('tulle_graph_end();')
        out.pragma('taskwait')
        out.add(self.slot, f'{d}[0] + {d}[1] * 3 + {d}[2] * 5 + {d}[3] * 7')
        out.close()
        if out.parallel:
            out.put(f'tulle_graph_forget({d}g);')
        out.close()


@construct(2)
class Wavefront(OfTasks):
    def choose(self, seed, scope):
        self.side = seed.size(scope, 2, 4, 7)
        self.clauses, _ = task_clauses(seed)

    def emit(self, out):
        w, n = self.name('w'), self.side
        out.open()
        out.put(f'uint64_t {w}[8][8] = {{{{1}}}};')
        out.put(f'for (int i = 1; i <= {n}; i++)')
        out.open(f'for (int j = 1; j <= {n}; j++)')
        out.pragma(f'task default(shared) shared({w}) firstprivate(i, j){self.clauses}'
                   f' depend(in: {w}[i - 1][j], {w}[i][j - 1]) depend(out: {w}[i][j])')
        out.put(f'{w}[i][j] = {w}[i - 1][j] * 3 + {w}[i][j - 1] * 5 + {w}[i - 1][j - 1] + (uint64_t)(i * j);')
        out.close()
        out.pragma('taskwait')
        out.add(self.slot, f'{w}[{n}][{n}]')
        out.close()


@construct(3)
class TaskLoop(OfTasks):
    def choose(self, seed, scope):
        self.trips = seed.size(scope, 0, 1, 5, 16, 40)
        self.grain = seed.pick('', ' grainsize(1)', ' grainsize(3)', ' num_tasks(4)', ' num_tasks(30)')
        self.extra = seed.pick('', '', ' untied', ' if(0)', ' priority(2)', ' final(1)')
        self.reduction = seed.chance(0.4)
        self.nogroup = not self.reduction and seed.chance(0.3)
        self.children = grow(seed, scope.once(self.name('i'), times=self.trips).inside(tied='untied' not in self.extra), 2)

    def emit(self, out):
        i, s = self.name('i'), self.name('s')
        out.open()
        if self.reduction:
            out.put(f'uint64_t {s} = 9;')
        clauses = self.grain + self.clauses_for(out, self.extra, self.children) + (f' reduction(+: {s})' if self.reduction else '')
        if self.nogroup:
            clauses += ' nogroup'
        out.pragma(f'taskloop default(shared){clauses}{self.firstprivate()}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        self.write_children(out)
        if self.reduction:
            out.put(f'{s} += {self.term(i)};')
        out.close()
        if self.reduction:
            out.add(self.slot, s)
        out.close()


@construct(2)
class Recursion(OfTasks):
    plain = True

    def choose(self, seed, scope):
        self.which = seed.pick('fib_tied', 'fib_untied', 'fib_group', 'tree_unwaited')
        self.n = seed.size(scope, 3, 6, 9)

    def emit(self, out):
        name = self.which if out.parallel else 'fib_sequential'
        if self.which == 'tree_unwaited':
            # Nobody waits for the leaves but the region's end.
            out.put(f'{"tree_unwaited" if out.parallel else "tree_sequential"}(c, {self.slot}, {self.n}, {self.id}u);')
        else:
            out.add(self.slot, f'(uint64_t){name}({self.n})')


@construct(1)
class Yield(OfTasks):
    plain = True

    def emit(self, out):
        out.pragma('taskyield')
