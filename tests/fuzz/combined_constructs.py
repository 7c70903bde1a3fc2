# SPDX-License-Identifier: Apache-2.0
"""Combined constructs, for which compilers call entries of their own, and those of later OpenMP."""

from program import Construct, construct, grow
from team_constructs import OfTeam, Parallel, SCHEDULES, fits_region, inner_scope


class Combined(Construct):
    @classmethod
    def fits(cls, seed, scope):
        return fits_region(seed, scope)

    def choose(self, seed, scope):
        self.size = 'T' if scope.parallel_depth == 0 and seed.chance(0.8) else str(seed.pick(1, 2, 3))
        self.declarations = []
        self.body(seed, scope)


@construct(3)
class ParallelLoop(Combined):
    def body(self, seed, scope):
        self.schedule = seed.pick(*SCHEDULES)
        self.ordered = seed.chance(0.15) and 'nonmonotonic' not in self.schedule
        self.trips = seed.size(scope, 0, 1, 5, 20, 64)
        inner = inner_scope(self, scope).once(self.name('i'), times=self.trips)
        self.children = grow(seed, inner, 3 if self.trips < 20 else 1)

    def emit(self, out):
        i, s = self.name('i'), self.name('s')
        out.open()
        out.put(f'uint64_t {s} = 2;')
        reduction = '' if self.ordered else f' reduction(+: {s})'
        out.pragma(f'parallel for num_threads({self.size}) default(shared){self.schedule}{reduction}'
                   f'{" ordered" if self.ordered else ""}{self.firstprivate()}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        self.write_children(out)
        if self.ordered:
            out.pragma('ordered')
            out.put(f'{s} = {s} * 31 + (uint64_t){i};')
        else:
            out.put(f'{s} += {self.term(i)};')
        out.close()
        out.add(self.slot, s)
        out.close()


@construct(2)
class ParallelSections(Combined):
    def body(self, seed, scope):
        inner = inner_scope(self, scope).once()
        self.parts = [grow(seed, inner, 1) for _ in range(seed.random.randint(1, 5))]
        self.children = [child for part in self.parts for child in part]

    def emit(self, out):
        out.pragma(f'parallel sections num_threads({self.size}) default(shared){self.firstprivate()}')
        out.open()
        for part in self.parts:
            out.pragma('section')
            out.open()
            self.write_children(out, part)
            out.put(';')
            out.close()
        out.close()


@construct(1)
class ParallelTaskLoop(Combined):
    def body(self, seed, scope):
        self.trips = seed.size(scope, 1, 6, 25)
        self.form = seed.pick('master', 'masked')
        self.grain = seed.pick('', ' grainsize(2)', ' num_tasks(5)')
        inner = inner_scope(self, scope).once(self.name('i'), times=self.trips)
        self.children = grow(seed, inner, 2)

    def emit(self, out):
        i, s = self.name('i'), self.name('s')
        out.open()
        out.put(f'uint64_t {s} = 2;')
        out.pragma(f'parallel {self.form} taskloop num_threads({self.size}) default(shared)'
                   f'{self.grain} reduction(+: {s}){self.firstprivate()}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        self.write_children(out)
        out.put(f'{s} += {self.term(i)};')
        out.close()
        out.add(self.slot, s)
        out.close()


class TeamsDistribute(Construct):
    """Outside of all regions only, so the generator places it itself. Regions stand in its loop."""
    def choose(self, seed, scope):
        self.teams = seed.pick(1, 2, 3)
        self.trips = seed.pick(1, 4, 9)
        self.schedule = seed.pick('', ' dist_schedule(static, 1)')
        inner = scope.inside(variables=(self.name('i'),), parallel_depth=1, times=self.trips)
        self.children = [seed.pick(Parallel, ParallelLoop)(seed, inner)]

    def emit(self, out):
        i = self.name('i')
        out.pragma(f'teams num_teams({self.teams}) default(shared)')
        out.pragma(f'distribute{self.schedule}')
        out.open(f'for (int {i} = 0; {i} < {self.trips}; {i}++)')
        out.add(self.slot, f'mix({self.id}u, {i})')
        self.write_children(out)
        out.close()


@construct(2)
class Masked(OfTeam):
    def choose(self, seed, scope):
        self.which = seed.random.randrange(4)
        self.children = grow(seed, scope.once(), 3)

    def emit(self, out):
        s = self.scope
        out.pragma(f'masked filter({self.which} % {s.team})')
        out.open('' if out.parallel else f'if ({s.tid} == {self.which} % {s.team})')
        self.write_children(out)
        out.close()


@construct(1)
class Grid(OfTeam):
    """Doacross over two loops."""
    def choose(self, seed, scope):
        self.schedule = seed.pick('', ' schedule(static, 1)', ' schedule(dynamic)', ' schedule(guided)')
        self.side = seed.size(scope, 2, 5, 8)
        scope.region.declarations.append(f'uint64_t {self.name("g")}[9][9] = {{{{1, 2, 3}}, {{4, 5}}}};')

    def emit(self, out):
        i, j, g, n = self.name('i'), self.name('j'), self.name('g'), self.side
        self.once_in_sequence(out)
        out.pragma(f'for ordered(2){self.schedule}')
        out.put(f'for (int {i} = 1; {i} <= {n}; {i}++)')
        out.open(f'for (int {j} = 1; {j} <= {n}; {j}++)')
        out.pragma(f'ordered depend(sink: {i} - 1, {j}) depend(sink: {i}, {j} - 1)')
        out.put(f'{g}[{i}][{j}] = {g}[{i} - 1][{j}] * 3 + {g}[{i}][{j} - 1] * 5 + (uint64_t)({i} * {j});')
        out.pragma('ordered depend(source)')
        out.close()
        out.pragma('single nowait')
        out.add(self.slot, f'{g}[{n}][{n}]')
        out.close()
