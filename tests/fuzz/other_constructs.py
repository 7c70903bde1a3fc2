# SPDX-License-Identifier: Apache-2.0
"""Exceptions (C++) and cancellation. How much of a cancelled construct runs is open, so its body
counts into a variable of its own, of which only bounds are checked."""

from program import Construct, construct, grow
from team_constructs import OfTeam
from task_constructs import OfTasks


@construct(2)
class Exception_(Construct):
    """Thrown and caught inside of the construct; the handler may suspend with the exception held."""
    def choose(self, seed, scope):
        self.children = grow(seed, scope.inside(replicated=False, tid=scope.tid), 2)
        self.inner = seed.chance(0.4)

    def emit(self, out):
        f = self.name('f')
        if out.language == 'c' or not out.parallel:
            self.write_children(out)
            out.add(self.slot, f'{self.id}u' + (' + 7u' if self.inner else ''))
            return
        out.open('try')
        out.put(f'throw Fault{{{self.id}u}};')
        out.close(f' catch (const Fault &{f}) {{')
        out.depth += 1
        if self.inner:
            out.open('try')
            out.put(f'throw Other{{7u}};')
            out.close(' catch (const Other &other) {')
            out.depth += 1
            self.write_children(out)
            out.add(self.slot, 'other.value')
            out.close()
        else:
            self.write_children(out)
        out.check('std::uncaught_exceptions() == 0', 'an exception of somebody else')
        out.add(self.slot, f'{f}.value')
        out.close()


@construct(1)
class BarrierInHandler(OfTeam):
    def emit(self, out):
        if out.language == 'c' or not out.parallel:
            return
        t = self.scope.tid
        out.open('try')
        out.put(f'throw Fault{{(unsigned){t} + 100u}};')
        out.close(' catch (const Fault &held) {')
        out.depth += 1
        out.pragma('barrier')
        out.check(f'held.value == (unsigned){t} + 100u', 'the exception held is another one')
        out.put('try { throw; } catch (const Fault &again) {')
        out.check('&again == &held', 'the exception rethrown is another one')
        out.put('}')
        out.close()


@construct(1)
class CancelLoop(OfTeam):
    def choose(self, seed, scope):
        self.kind = seed.pick('for', 'for schedule(dynamic)', 'for schedule(static, 2)', 'sections')
        scope.region.declarations.append(f'int {self.name("ran")} = 0;')

    def emit(self, out):
        if not out.parallel:
            return
        ran, i = self.name('ran'), self.name('i')
        out.pragma(self.kind)
        if self.kind == 'sections':
            out.open()
            for _ in range(3):
                out.pragma('section')
                out.open()
                out.put(f'count_one(&{ran});')
                out.pragma('cancel sections')
                out.close()
            out.close()
        else:
            out.open(f'for (int {i} = 0; {i} < 40; {i}++)')
            out.put(f'count_one(&{ran});')
            out.put(f'if ({i} >= 7) {{')
            out.pragma('cancel for')
            out.put('}')
            out.pragma('cancellation point for')
            out.close()
        out.check(f'__atomic_load_n(&{ran}, __ATOMIC_RELAXED) >= 1', 'nothing ran')
        out.check(f'__atomic_load_n(&{ran}, __ATOMIC_RELAXED) <= {3 if self.kind == "sections" else 40}',
                  'too much ran')


@construct(1)
class CancelRegion(OfTasks):
    @classmethod
    def fits(cls, seed, scope):
        return not scope.held and scope.parallel_depth < 3

    def choose(self, seed, scope):
        self.waits = seed.pick('barrier', 'for', 'nothing')

    def emit(self, out):
        if not out.parallel:
            return
        ran = self.name('ran')
        out.open()
        out.put(f'int {ran} = 0;')
        out.pragma(f'parallel num_threads(3) shared({ran})')
        out.open()
        out.put(f'count_one(&{ran});')
        out.open('if (omp_get_thread_num() == 1)')
        out.pragma('cancel parallel')
        out.close()
        if self.waits == 'barrier':
            out.pragma('barrier')
        elif self.waits == 'for':
            out.pragma('for schedule(dynamic)')
            out.put(f'for (int i = 0; i < 10; i++) count_one(&{ran});')
        out.pragma('cancellation point parallel')
        out.close()
        out.check(f'{ran} >= 2 && {ran} <= 13', 'a cancelled region ran otherwise')
        out.close()


@construct(2)
class CancelGroup(OfTasks):
    def choose(self, seed, scope):
        self.copies = seed.size(scope, 3, 20)

    def emit(self, out):
        if not out.parallel:
            return
        ran = self.name('ran')
        out.open()
        out.put(f'int {ran} = 0;')
        out.pragma('taskgroup')
        out.open()
        out.open(f'for (int k = 0; k < {self.copies}; k++)')
        out.pragma(f'task shared({ran}) firstprivate(k)')
        out.open()
        out.put(f'count_one(&{ran});')
        out.open('if (k == 2)')
        out.pragma('cancel taskgroup')
        out.close()
        out.pragma('cancellation point taskgroup')
        out.close()
        out.close()
        out.close()
        out.check(f'{ran} >= 1 && {ran} <= {self.copies}', 'a cancelled group ran otherwise')
        out.close()
