# SPDX-License-Identifier: Apache-2.0
"""Constructs of a team: parallel regions, work-sharing, synchronisation."""

from program import FIRST_TO_POLL, Construct, construct, grow

SCHEDULES = ('', ' schedule(static)', ' schedule(static, 3)', ' schedule(dynamic)',
             ' schedule(dynamic, 4)', ' schedule(guided)', ' schedule(guided, 2)',
             ' schedule(runtime)', ' schedule(auto)', ' schedule(monotonic: dynamic, 2)',
             ' schedule(nonmonotonic: dynamic)', ' schedule(nonmonotonic: guided)')


def region_open(construct_, out, size, clauses=''):
    """Opens a parallel region, or the loop over its threads; children follow."""
    n, t = construct_.name('n'), construct_.name('t')
    out.put(f'const int {n} = {size};')
    for line in construct_.declarations:
        out.put(line)
    if out.parallel:
        out.pragma(f'parallel num_threads({n}) default(shared){construct_.firstprivate()}{clauses}')
        out.open()
        out.put(f'const int {t} = omp_get_thread_num();')
        out.check(f'omp_get_num_threads() == {n}', 'team size')
        out.put(f'OWN_ENTER({construct_.id}, {t});')
    else:
        out.open(f'for (int {t} = 0; {t} < {n}; {t}++)')


def region_close(construct_, out):
    t = construct_.name('t')
    if out.parallel:
        out.check(f'omp_get_thread_num() == {t}', 'thread number')
        out.put(f'OWN_LEAVE({construct_.id}, {t});')
    out.close()


def fits_region(seed, scope):
    return not scope.held and scope.parallel_depth < 3 and (scope.parallel_depth == 0 or seed.chance(0.4))


def inner_scope(region, scope):
    """The scope of the threads of a region that was given its size."""
    n, t = region.name('n'), region.name('t')
    return scope.inside(variables=scope.variables + (t,), team=n, tid=t, replicated=True, tied=True,
                        parallel_depth=scope.parallel_depth + 1, region=region,
                        times=scope.times * (4 if region.size == 'T' else int(region.size)))


@construct(5)
class Parallel(Construct):
    @classmethod
    def fits(cls, seed, scope):
        return fits_region(seed, scope)

    def choose(self, seed, scope):
        outermost = scope.parallel_depth == 0
        self.size = 'T' if outermost and seed.chance(0.8) else str(seed.pick(1, 2, 2, 3, 4))
        if scope.parallel_depth == 2:
            self.size = '2'
        self.declarations = []
        self.reduction = seed.pick(None, None, '+', '^')
        self.children = grow(seed, inner_scope(self, scope), 8 if outermost else 4)

    def emit(self, out):
        r = self.name('r')
        out.open()
        if self.reduction:
            out.put(f'uint64_t {r} = 5;')
        region_open(self, out, self.size, f' reduction({self.reduction}: {r})' if self.reduction else '')
        if self.reduction:
            out.put(f'{r} {self.reduction}= {self.term(self.name("t"))};')
        self.write_children(out)
        region_close(self, out)
        if self.reduction:
            out.add(self.slot, r)
        out.close()


class OfTeam(Construct):
    """Met by all threads of a team."""
    @classmethod
    def fits(cls, seed, scope):
        return scope.replicated and not scope.held

    def nowait(self, seed):
        return ' nowait' if seed.chance(0.4) else ''

    def once_in_sequence(self, out):
        out.open('' if out.parallel else f'if ({self.scope.tid} == 0)')


@construct(3)
class Barrier(OfTeam):
    """Counts arrivals: behind the barrier all of them are there, with the tasks made before it."""
    def choose(self, seed, scope):
        self.tasks = seed.pick(0, 0, 1, 3)
        scope.region.declarations.append(f'int {self.name("arrived")} = 0;')

    def emit(self, out):
        if not out.parallel:
            return
        arrived = self.name('arrived')
        for _ in range(self.tasks):
            out.pragma(f'task default(shared)')
            out.put(f'count_one(&{arrived});')
        out.put(f'count_one(&{arrived});')
        out.pragma('barrier')
        out.check(f'__atomic_load_n(&{arrived}, __ATOMIC_RELAXED) == {self.scope.team} * {self.tasks + 1}',
                  'a barrier let somebody through')
        out.pragma('barrier')


@construct(5)
class Loop(OfTeam):
    def choose(self, seed, scope):
        self.schedule = seed.pick(*SCHEDULES)
        self.wait = self.nowait(seed)
        self.kind = seed.pick('int', 'int', 'down', 'unsigned', 'collapse')
        self.trips = seed.size(scope, 0, 1, 3, 7, 20, 64)
        self.children = grow(seed, scope.once(self.name('i'), times=self.trips), 3 if self.trips < 20 else 2)

    def emit(self, out):
        i, j = self.name('i'), self.name('j')
        self.once_in_sequence(out)
        collapse = ' collapse(2)' if self.kind == 'collapse' else ''
        out.pragma(f'for{self.schedule}{collapse}{self.wait}')
        if self.kind == 'down':
            out.open(f'for (int {i} = {self.trips} * 3; {i} > 0; {i} -= 3)')
        elif self.kind == 'unsigned':
            base = '(unsigned long long)-200'
            out.open(f'for (unsigned long long {i} = {base}; {i} < {base} + {self.trips}; {i}++)')
        elif self.kind == 'collapse':
            out.put(f'for (int {j} = 0; {j} < 2; {j}++)')
            out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        else:
            out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        out.add(self.slot, f'mix({self.id}u, {i}' + (f' * 2 + {j})' if collapse else ')'))
        self.write_children(out)
        out.close()
        out.close()


@construct(2)
class LoopReduction(OfTeam):
    def choose(self, seed, scope):
        self.schedule = seed.pick(*SCHEDULES)
        self.trips = seed.size(scope, 0, 2, 9, 50, 300)
        self.last = seed.chance(0.5) and self.trips > 0
        scope.region.declarations += [f'uint64_t {self.name("sum")} = 1;', f'int {self.name("last")} = -1;']

    def emit(self, out):
        i, total, last = self.name('i'), self.name('sum'), self.name('last')
        self.once_in_sequence(out)
        lastprivate = f' lastprivate({last})' if self.last else ''
        out.pragma(f'for{self.schedule} reduction(+: {total}){lastprivate}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        out.put(f'{total} += mix({self.id}u, {i});')
        if self.last:
            out.put(f'{last} = {i};')
        out.close()
        out.pragma('single')
        out.open()
        out.add(self.slot, f'{total} + {last}' if self.last else total)
        out.close()
        out.close()


@construct(2)
class OrderedLoop(OfTeam):
    def choose(self, seed, scope):
        self.schedule = seed.pick(*SCHEDULES[:10])
        self.trips = seed.size(scope, 1, 5, 17)
        scope.region.declarations.append(f'uint64_t {self.name("x")} = 1;')
        self.children = grow(seed, scope.once(self.name('i'), times=self.trips), 1)

    def emit(self, out):
        i, x = self.name('i'), self.name('x')
        self.once_in_sequence(out)
        schedule = self.schedule
        out.pragma(f'for ordered{schedule}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        self.write_children(out)
        out.pragma('ordered')
        out.put(f'{x} = {x} * 31 + (uint64_t){i};')
        out.close()
        out.pragma('single nowait')
        out.add(self.slot, x)
        out.close()


@construct(2)
class Doacross(OfTeam):
    def choose(self, seed, scope):
        self.schedule = seed.pick('', ' schedule(static, 1)', ' schedule(dynamic)', ' schedule(guided)')
        self.trips = seed.size(scope, 2, 6, 20)
        self.distance = seed.pick(1, 1, 2)
        scope.region.declarations.append(f'uint64_t {self.name("a")}[32] = {{1, 2, 3}};')

    def emit(self, out):
        i, a = self.name('i'), self.name('a')
        self.once_in_sequence(out)
        out.pragma(f'for ordered(1){self.schedule}')
        out.open(f'for (int {i} = {self.distance}; {i} < {self.trips}; {i}++)')
        out.pragma(f'ordered depend(sink: {i} - {self.distance})')
        out.put(f'{a}[{i}] = {a}[{i} - {self.distance}] * 7 + (uint64_t){i};')
        out.pragma('ordered depend(source)')
        out.close()
        out.pragma('single nowait')
        out.add(self.slot, f'{a}[{self.trips - 1}]')
        out.close()


@construct(3)
class Sections(OfTeam):
    def choose(self, seed, scope):
        self.wait = self.nowait(seed)
        self.parts = [grow(seed, scope.once(), 1) for _ in range(seed.random.randint(1, 4))]
        self.children = [child for part in self.parts for child in part]

    def emit(self, out):
        self.once_in_sequence(out)
        out.pragma(f'sections{self.wait}')
        out.open()
        for part in self.parts:
            out.pragma('section')
            out.open()
            self.write_children(out, part)
            out.put(';')
            out.close()
        out.close()
        out.close()


@construct(4)
class Single(OfTeam):
    def choose(self, seed, scope):
        self.wait = self.nowait(seed)
        self.children = grow(seed, scope.once(), 4)

    def emit(self, out):
        self.once_in_sequence(out)
        out.pragma(f'single{self.wait}')
        out.open()
        self.write_children(out)
        out.close()
        out.close()


@construct(2)
class CopyPrivate(OfTeam):
    def emit(self, out):
        v = self.name('v')
        out.open()
        out.put(f'uint64_t {v} = {self.scope.tid};')
        out.pragma(f'single copyprivate({v})')
        out.put(f'{v} = mix({self.id}u, 3);')
        out.add(self.slot, f'mix({v}, {self.scope.tid})')
        out.close()


@construct(3)
class OneThread(OfTeam):
    """One thread of the team only: tasks of a single producer, nested regions."""
    def choose(self, seed, scope):
        self.condition = seed.pick('master', 'number')
        self.which = seed.random.randrange(4)
        self.children = grow(seed, scope.once(), 4)

    def emit(self, out):
        s = self.scope
        if self.condition == 'master':
            out.pragma('master')
            out.open('' if out.parallel else f'if ({s.tid} == 0)')
        else:
            out.open(f'if ({s.tid} == {self.which} % {s.team})')
        self.write_children(out)
        out.close()


# How threads look at a flag that they wait for (support.h).
LOOKS = ('plainly', 'in_region', 'in_loop', 'in_critical', 'in_task', 'after_taskyield', 'after_sched_yield')


@construct(1)
class SpinChain(OfTeam):
    """Each thread raises its flag and spins, with no call of OpenMP, for its neighbour's; in later seeds it polls
    in any way, by regions of its own for instance."""
    @classmethod
    def fits(cls, seed, scope):
        return OfTeam.fits(seed, scope) and scope.parallel_depth <= 2 and seed.spins > 0

    def choose(self, seed, scope):
        seed.spins -= 1
        self.step = seed.pick('+ 1', '+ n - 1')
        self.sleeps = seed.chance(0.3)
        self.looks = [seed.pick(*LOOKS) for _ in range(2)] if seed.number >= FIRST_TO_POLL else ['plainly'] * 2
        scope.region.declarations.append(f'int {self.name("flag")}[64] = {{0}};')

    def emit(self, out):
        if not out.parallel:
            return
        s, flag = self.scope, self.name('flag')
        other = f'({s.tid} {self.step.replace("n", s.team)}) % {s.team}'
        if self.sleeps:
            out.put(f'usleep(100 * (unsigned){s.tid});')
        out.put(f'count_one(&{flag}[{s.tid}]);')
        even, odd = (f'look_{look}(&{flag}[{other}])' for look in self.looks)
        out.put(f'while (!({s.tid} % 2 == 0 ? {even} : {odd})) {{}}')


# Seeds before this one make the programs that they made before there was the construct.
FIRST_TO_SPIN_FOR_TASKS = 2200000


def make_and_spin(out, construct_, tid, team):
    """One thread makes a task; the others spin, or yield, until it was run."""
    ran = construct_.name('ran')
    out.open(f'if ({tid} == {construct_.maker} % {team})')
    out.pragma('task default(shared)')
    out.put(f'count_one(&{ran});')
    out.close()
    out.open(f'else while (__atomic_load_n(&{ran}, __ATOMIC_ACQUIRE) == 0)')
    if construct_.patience == 'taskyield':
        out.pragma('taskyield')
    else:
        out.put(construct_.patience)
    out.close()


@construct(3)
class SpinAtBarrier(OfTeam):
    """The maker of the task is at a barrier meanwhile."""
    @classmethod
    def fits(cls, seed, scope):
        return (seed.number >= FIRST_TO_SPIN_FOR_TASKS and OfTeam.fits(seed, scope)
                and scope.parallel_depth <= 2 and seed.spins > 0)

    def choose(self, seed, scope):
        seed.spins -= 1
        self.maker = seed.random.randrange(4)
        self.patience = seed.pick('{}', 'sched_yield();', 'taskyield')
        scope.region.declarations.append(f'int {self.name("ran")} = 0;')

    def emit(self, out):
        if out.parallel:
            make_and_spin(out, self, self.scope.tid, self.scope.team)
            out.pragma('barrier')


@construct(3)
class SpinAtJoin(Construct):
    """The maker of the task is at the end of the region meanwhile."""
    @classmethod
    def fits(cls, seed, scope):
        return (seed.number >= FIRST_TO_SPIN_FOR_TASKS and not scope.held and scope.parallel_depth <= 1
                and scope.times <= 4 and seed.spins > 0)

    def choose(self, seed, scope):
        seed.spins -= 1
        self.maker = seed.random.randrange(4)
        self.size = seed.pick(2, 3, 'T')
        self.patience = seed.pick('{}', 'sched_yield();', 'taskyield')

    def emit(self, out):
        if not out.parallel:
            return
        out.open()
        out.put(f'int {self.name("ran")} = 0;')
        out.pragma(f'parallel num_threads({self.size}) default(shared)')
        out.open()
        make_and_spin(out, self, 'omp_get_thread_num()', 'omp_get_num_threads()')
        out.close()
        out.close()


class Loose(Construct):
    """May stand anywhere, also in tasks."""


@construct(2)
class Critical(Loose):
    plain = True

    @classmethod
    def fits(cls, seed, scope):
        return not scope.held

    def choose(self, seed, scope):
        self.kind = seed.pick('critical', 'lock', 'nest')
        self.tries = seed.chance(0.2)
        self.patience = seed.pick('{}', 'sched_yield();', 'usleep(10);')
        self.which = seed.random.randrange(3)
        self.children = grow(seed, scope.inside(held=True, replicated=False), 2)

    def emit(self, out):
        counter = f'c->guarded[{self.which + (3 if self.kind == "critical" else 6 if self.kind == "lock" else 9)}]'
        if self.kind == 'critical':
            out.pragma(f'critical(name{self.which})')
            # One name for all programs that run side by side, so their counter is not its context's.
            out.open()
        else:
            out.open()
            if out.parallel:
                nest = '_nest' if self.kind == 'nest' else ''
                lock = f'&c->{"nest" if nest else "lock"}s[{self.which}]'
                if self.tries:
                    out.put(f'while (!omp_test{nest}_lock({lock})) {self.patience}')
                else:
                    out.put(f'omp_set{nest}_lock({lock});')
                if nest:
                    out.put(f'omp_set_nest_lock({lock});')
        out.put(f'{counter} += {self.term()};')
        self.write_children(out)
        if self.kind != 'critical' and out.parallel:
            if nest:
                out.put(f'omp_unset_nest_lock({lock});')
            out.put(f'omp_unset{nest}_lock({lock});')
        out.close()


@construct(1)
class Pause(Loose):
    """Sleeps in the system, or gives the core away."""
    plain = True

    def choose(self, seed, scope):
        self.text = seed.pick('usleep(20);', 'usleep(150);', 'sched_yield();', 'spin_for(2000);')

    def emit(self, out):
        if out.parallel:
            out.put(self.text)
