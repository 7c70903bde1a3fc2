# SPDX-License-Identifier: Apache-2.0
"""What random programs are made of: the scope in which a construct stands, the writer of its text,
and the choice of constructs. Each construct writes itself twice: with OpenMP, and for a sequential
pass of the same seed. Both add terms to the slots of a Context (support.h); the sums must agree."""

import random


class Scope:
    """Where a construct stands, and what it may name there."""

    def __init__(self, variables=(), team=None, tid=None, replicated=False, held=False,
                 tied=True, parallel_depth=0, region=None, times=1):
        self.variables = tuple(variables)  # integers that tasks take as firstprivate
        self.team = team                   # expression: number of threads of the innermost team
        self.tid = tid                     # variable with the thread number, in an implicit task
        self.replicated = replicated       # all threads of the team come here
        self.held = held                   # a lock is held: no task scheduling point
        self.tied = tied
        self.parallel_depth = parallel_depth
        self.region = region               # declarations outside of the innermost parallel region
        self.times = times                 # how often it runs in a team of four

    def inside(self, **changes):
        scope = Scope(**{**self.__dict__})
        for name, value in changes.items():
            setattr(scope, name, value)
        return scope

    def once(self, *new, times=1):
        """One thread, or one iteration for all: the thread number would be anybody's."""
        kept = tuple(v for v in self.variables if v != self.tid)
        return self.inside(variables=kept + new, tid=None, replicated=False, times=self.times * times)


class Writer:
    """Text of one of the two passes."""

    def __init__(self, parallel, language, compiler, thread_locals):
        self.parallel = parallel
        self.language = language
        self.compiler = compiler
        self.thread_locals = thread_locals  # the program has thread-local data
        self.globals = []                   # lines that stand in front of the function
        self.lines = []
        self.depth = 1

    def put(self, text):
        self.lines.append('  ' * self.depth + text)

    def pragma(self, text):
        if self.parallel:
            self.lines.append('#pragma omp ' + text)

    def open(self, text=''):
        self.put((text + ' {').strip())
        self.depth += 1

    def close(self, text=''):
        self.depth -= 1
        self.put('}' + text)

    def check(self, condition, what):
        if self.parallel:
            self.put(f'CHECK({condition}, "{what}");')

    def add(self, slot, value):
        self.put(f'add(c, {slot}, {value});')


# Seeds before this one make the programs that they made when threads waited for flags by empty loops alone.
FIRST_TO_POLL = 4000000
# Seeds before this one make the programs that they made when there were no maps; later ones have no threads that spin,
# which keep their names from tasks that wait for a device.
FIRST_TO_OFFLOAD = 5000000


class Seed:
    """The random choices of one program, and the constructs that a shrunk one leaves out."""

    def __init__(self, number, omitted=()):
        self.random = random.Random(number)
        self.number = number
        self.omitted = set(omitted)
        self.made = 0
        self.budget = self.random.choice((6, 10, 16, 24))
        self.spins = 1 if self.chance(0.2) else 0  # of constructs whose threads spin
        if number >= FIRST_TO_OFFLOAD:
            self.spins = 0
        elif number >= FIRST_TO_POLL:
            self.spins = 4

    def size(self, scope, *sizes):
        """One of the sizes with which the construct still runs a bounded number of times."""
        fit = [s for s in sizes if s * scope.times <= 300]
        return self.random.choice(fit or [min(sizes)])

    def next_id(self):
        self.made += 1
        return self.made

    def chance(self, p):
        return self.random.random() < p

    def pick(self, *choices):
        return self.random.choice(choices)


class Construct:
    """Base: makes its choices once, writes itself as often as asked."""
    plain = False  # no construct of tasks in its own text

    def __init__(self, seed, scope):
        self.id = seed.next_id()
        self.seed = seed
        self.scope = scope
        seed.budget -= 1
        self.slot = seed.random.randrange(16)
        self.children = []
        self.choose(seed, scope)

    @classmethod
    def fits(cls, seed, scope):
        return True

    def choose(self, seed, scope):
        pass

    def name(self, prefix):
        return f'{prefix}{self.id}'

    def term(self, *extra):
        """An expression over the variables in scope."""
        names = list(self.scope.variables) + list(extra)
        text = f'{self.id}u'
        for name in names[-3:]:
            text = f'mix({text}, {name})'
        return f'mix({text}, {self.seed.number % 1000}u)' if not names else text

    def firstprivate(self, *extra):
        names = self.scope.variables + extra
        return f' firstprivate({", ".join(names)})' if names else ''

    def write(self, out):
        if self.id not in self.seed.omitted:
            self.emit(out)

    def write_children(self, out, children=None):
        for child in self.children if children is None else children:
            child.write(out)

    def clauses_for(self, out, clauses, children):
        """clang 22 crashes over untied tasks with constructs in their own text, or makes code of them
        that crashes under any runtime: those that it gets untied are plain or call functions."""
        plain = all(inside.plain for child in children for inside in child.walk())
        undeferred = ' if(' in clauses or ' final(' in clauses
        if out.compiler == 'clang' and (undeferred or not plain):
            return clauses.replace(' untied', '')
        return clauses

    def walk(self, omitted=()):
        if self.id in omitted:
            return
        yield self
        for child in self.children:
            yield from child.walk(omitted)


REGISTRY = []  # (weight, class), filled by the construct files


def construct(weight):
    def register(cls):
        REGISTRY.append((weight, cls))
        return cls
    return register


def grow(seed, scope, most):
    """A list of constructs for this scope."""
    made = []
    never = scope.times == 0  # the body of a loop of no iterations
    for _ in range(seed.random.randint(1, most)):
        if (seed.budget <= 0 or never) and made:
            break
        classes = [(w, c) for w, c in REGISTRY if c.fits(seed, scope)]
        if seed.budget <= 0 or never:
            classes = [(w, c) for w, c in classes if c.__name__ == 'Add']
        weights = [w * 20 if seed.spins > 1 and c.__name__ == 'SpinChain' else w for w, c in classes]
        made.append(seed.random.choices([c for _, c in classes], weights)[0](seed, scope))
    return made


@construct(3)
class Add(Construct):
    plain = True

    def emit(self, out):
        out.add(self.slot, self.term())
