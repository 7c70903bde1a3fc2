# SPDX-License-Identifier: Apache-2.0
"""Random maps. Each construct has arrays of its own and a list of steps on them: enter, exit and update, regions, data
regions, changes by the host. What is mapped is known when the program is written; the sequential pass has a second
copy of each array in place of the device's, and moves words between the two by the rules of maps."""

from program import FIRST_TO_OFFLOAD, Construct, construct


class Range:
    """What of an array has a counterpart, and how often it is held."""

    def __init__(self, low, length):
        self.low, self.length, self.count = low, length, 0


class Array:
    def __init__(self, name, other, size):
        self.name, self.other, self.size = name, other, size
        self.first = f'{name}_first'  # the variable that tells a region where its part begins
        self.range = None  # mapped at this point of the program

    def section(self, seed):
        """A part of what is mapped, or any part."""
        first, length = (self.range.low, self.range.length) if self.range else (0, self.size)
        low = seed.random.randrange(length)
        return first + low, seed.random.randint(1, length - low)

    def is_whole(self):
        return self.range is None or self.range.length == self.size


class Move:
    """One item of a map clause at the begin or the end of a construct: what it does is known here."""

    def __init__(self, array, low, length, kind, always):
        self.array, self.low, self.length, self.kind, self.always = array, low, length, kind, always

    def text(self):
        always = 'always, ' if self.always else ''
        return f'map({always}{self.kind}: {self.array.name}[{self.low}:{self.length}])'

    def begin(self):
        """Whether words go to the device."""
        array, fresh = self.array, self.array.range is None
        if fresh:
            array.range = Range(self.low, self.length)
        array.range.count += 1
        self.is_fresh = fresh
        self.goes = (fresh or self.always) and self.kind in ('to', 'tofrom')
        # A counterpart without a value, which the region has to give it.
        self.is_blank = fresh and not self.goes

    def end(self):
        array = self.array
        self.comes = False
        if array.range is None:
            return
        array.range.count = 0 if self.kind == 'delete' else array.range.count - 1
        gone = array.range.count == 0
        self.comes = (gone or self.always) and self.kind in ('from', 'tofrom')
        if gone:
            array.range = None

    def copy(self, out, to_device):
        there, here = self.array.other, self.array.name
        to, source = (there, here) if to_device else (here, there)
        out.put(f'move_words({to}, {source}, {self.low}, {self.length});')


class HostChange:
    """Counterparts do not see it."""

    def __init__(self, maps, seed):
        self.array, self.salt = seed.pick(*maps.arrays), seed.random.randrange(1000)

    def emit(self, out, maps):
        name = self.array.name
        out.put(f'for (int i = 0; i < {self.array.size}; i++) {name}[i] = mix({name}[i], {self.salt}u + (uint64_t)i);')


class Enter:
    def __init__(self, maps, seed):
        array = seed.pick(*maps.arrays)
        low, length = array.section(seed)
        self.move = Move(array, low, length, 'to' if array.range is None else seed.pick('to', 'to', 'alloc'), seed.chance(0.3))
        if self.move.kind == 'alloc':
            self.move.always = False
        self.move.begin()
        self.tail = seed.pick('', '', ' nowait')

    def emit(self, out, maps):
        out.pragma(f'target enter data {self.move.text()} device({maps.device}){self.tail}')
        if self.tail:
            out.pragma('taskwait')
        if not out.parallel and self.move.goes:
            self.move.copy(out, True)


class Exit:
    def __init__(self, maps, seed, array=None):
        held = maps.held.get
        array = array or seed.pick(*maps.arrays)
        low, length = array.section(seed)
        kinds = ['from', 'from', 'release']
        # A data region around this one ends what it has begun.
        self.skips = array.range is not None and array.range.count <= held(array.name, 0)
        if not held(array.name, 0):
            kinds.append('delete')
        self.move = Move(array, low, length, seed.pick(*kinds), False)
        if self.move.kind == 'from':
            self.move.always = seed.chance(0.3)
        if not self.skips:
            self.move.end()
        self.tail = seed.pick('', '', ' nowait')

    def emit(self, out, maps):
        if self.skips:
            return
        out.pragma(f'target exit data {self.move.text()} device({maps.device}){self.tail}')
        if self.tail:
            out.pragma('taskwait')
        if not out.parallel and self.move.comes:
            self.move.copy(out, False)


class Update:
    """Nothing where the array is not mapped."""

    def __init__(self, maps, seed):
        self.array = seed.pick(*maps.arrays)
        low, length = self.array.section(seed)
        self.move = Move(self.array, low, length, seed.pick('to', 'from'), False)
        self.moves = self.array.range is not None
        self.tail = seed.pick('', '', ' nowait')

    def emit(self, out, maps):
        move = self.move
        out.pragma(f'target update {move.kind}({self.array.name}[{move.low}:{move.length}]) device({maps.device}){self.tail}')
        if self.tail:
            out.pragma('taskwait')
        if not out.parallel and self.moves:
            move.copy(out, move.kind == 'to')


class Present:
    def __init__(self, maps, seed):
        self.array = seed.pick(*maps.arrays)
        self.at = seed.random.randrange(self.array.size)
        mapped = self.array.range
        self.there = mapped is not None and mapped.low <= self.at < mapped.low + mapped.length

    def emit(self, out, maps):
        address = f'&{self.array.name}[{self.at}]'
        out.check(f'omp_target_is_present({address}, {maps.device}) == {int(self.there)}',
                  'what is mapped is not what should be')


FORMS = ('', '', ' parallel', ' parallel for', ' teams distribute parallel for', ' teams', ' simd')


class Region:
    """Mixes the words of what it maps, and sums them up."""

    def __init__(self, maps, seed):
        self.on_host = seed.chance(0.1)
        self.form = seed.pick(*FORMS)
        self.tail = seed.pick('', '', '', ' nowait')
        self.salt = seed.random.randrange(1000)
        self.moves, self.implicit = [], []
        for array in seed.random.sample(maps.arrays, seed.random.randint(1, len(maps.arrays))):
            low, length = array.section(seed)
            if array.is_whole() and seed.chance(0.2):
                low, length = 0, array.size
                self.implicit.append(array)
            kind = 'tofrom' if array in self.implicit else seed.pick('to', 'from', 'tofrom', 'tofrom', 'alloc')
            always = array not in self.implicit and kind != 'alloc' and seed.chance(0.25)
            self.moves.append(Move(array, low, length, kind, always))
        if not self.on_host:
            for move in self.moves:
                move.begin()
            for move in self.moves:
                move.end()

    def body(self, out, i, sums):
        for move in self.moves:
            on_device = not out.parallel and not self.on_host
            words = move.array.other if on_device else move.array.name
            first = move.array.first if out.parallel else move.low
            at = f'{words}[{first} + {i} % {move.length}]'
            blank = not self.on_host and move.is_blank
            out.open(f'if ({i} < {move.length})')
            out.put(f'{at} = mix({"7u" if blank else at}, {self.salt}u + (uint64_t){i});')
            out.put(f'{sums} += {at};')
            out.close()

    def loop(self, out, sums):
        longest = max(move.length for move in self.moves)
        out.open(f'for (int i = 0; i < {longest}; i++)')
        self.body(out, 'i', sums)
        out.close()

    def emit(self, out, maps):
        r = maps.sums
        if out.parallel:
            self.emit_region(out, maps, r)
            return
        if not self.on_host:
            for move in self.moves:
                if move.goes:
                    move.copy(out, True)
        self.loop(out, r)
        if not self.on_host:
            for move in self.moves:
                if move.comes:
                    move.copy(out, False)

    def emit_region(self, out, maps, r):
        clauses = ' '.join(move.text() for move in self.moves if move.array not in self.implicit)
        sums = f' map(tofrom: {r})' + (f' reduction(+: {r})' if ' for' in self.form or 'simd' in self.form else '')
        host = ' if(target: 0)' if self.on_host else ''
        out.open()
        for move in self.moves:
            out.put(f'const int {move.array.first} = unknown({move.low});')
        out.pragma(f'target{self.form} {clauses}{sums} device({maps.device}){host}{self.tail}')
        if self.form in (' parallel', ' teams'):
            out.open()
            out.open(f'if ({"omp_get_thread_num()" if self.form == " parallel" else "omp_get_team_num()"} == 0)')
            self.loop(out, r)
            out.close()
            out.close()
        else:
            self.loop(out, r)
        if self.tail:
            out.pragma('taskwait')
        out.close()


class DataRegion:
    def __init__(self, maps, seed):
        arrays = seed.random.sample(maps.arrays, min(len(maps.arrays), seed.random.randint(1, 2)))
        self.off = seed.chance(0.15)
        self.moves = []
        for array in arrays:
            low, length = array.section(seed)
            kind = seed.pick('to', 'tofrom') if array.range is None else seed.pick('to', 'from', 'tofrom', 'alloc')
            self.moves.append(Move(array, low, length, kind, kind != 'alloc' and seed.chance(0.2)))
        if not self.off:
            for move in self.moves:
                move.begin()
                maps.held[move.array.name] = maps.held.get(move.array.name, 0) + 1
        self.steps = maps.steps(seed, seed.random.randint(1, 4))
        if not self.off:
            for move in self.moves:
                move.end()
                maps.held[move.array.name] -= 1

    def emit(self, out, maps):
        clauses = ' '.join(move.text() for move in self.moves)
        off = ' if(0)' if self.off else ''
        if out.parallel:
            out.pragma(f'target data {clauses} device({maps.device}){off}')
        elif not self.off:
            for move in self.moves:
                if move.goes:
                    move.copy(out, True)
        out.open()
        for step in self.steps:
            step.emit(out, maps)
        out.close()
        if not out.parallel and not self.off:
            for move in self.moves:
                if move.comes:
                    move.copy(out, False)


class DevicePointer:
    """The device's address in the program's hands."""

    def __init__(self, maps, seed):
        self.array = seed.pick(*maps.arrays)
        self.salt = seed.random.randrange(1000)
        low, length = self.array.section(seed)
        self.move = Move(self.array, low, length, 'tofrom', False)
        self.move.begin()
        self.move.end()

    def emit(self, out, maps):
        move, p = self.move, f'p{maps.id}'
        words, first = (p, 0) if out.parallel else (self.array.other, move.low)
        out.open()
        if out.parallel:
            out.put(f'uint64_t *{p} = {self.array.name} + {move.low};')
            out.pragma(f'target data map(tofrom: {p}[0:{move.length}]) use_device_ptr({p}) device({maps.device})')
            out.pragma(f'target is_device_ptr({p}) device({maps.device})')
        elif move.goes:
            move.copy(out, True)
        out.put(f'for (int i = {first}; i < {first + move.length}; i++) '
                f'{words}[i] = mix({words}[i], {self.salt}u + (uint64_t)(i - {first}));')
        if not out.parallel and move.comes:
            move.copy(out, False)
        out.close()


class Structure:
    """A structure whose pointer is attached to what it points to, while it is copied to and fro."""

    def __init__(self, maps, seed):
        self.length = seed.random.randint(1, 20)
        self.salt = seed.random.randrange(1000)
        self.updates = seed.chance(0.5)
        self.comes = seed.chance(0.5)

    def emit(self, out, maps):
        s, w, on = f's{maps.id}', f'w{maps.id}', f'device({maps.device})'
        out.open()
        out.put(f'uint64_t {w}[{self.length}];')
        out.put(f'fill_words({w}, {self.length}, {self.salt}u);')
        out.put(f'Pointing {s} = {{{self.length}u, {w}, 5u}};')
        change = f'for (int i = 0; i < {self.length}; i++) {s}.words[i] = mix({s}.words[i], {s}.salt);'
        if not out.parallel:
            if self.updates:
                out.put(f'{s}.salt = {self.salt}u + 1u;')
            if self.comes:
                out.put(change)
        else:
            out.pragma(f'target enter data map(to: {s}) {on}')
            out.pragma(f'target enter data map(to: {s}.words[0:{self.length}]) {on}')
            if self.updates:
                out.put(f'{s}.salt = {self.salt}u + 1u;')
                out.pragma(f'target update to({s}) {on}')
            out.pragma(f'target {on}')
            out.put(change)
            out.pragma(f'target update from({s}) {on}')
            out.check(f'{s}.words == {w}', 'a pointer of the device has come over')
            out.pragma(f'target exit data map({"from" if self.comes else "release"}: {s}.words[0:{self.length}]) {on}')
            out.pragma(f'target exit data map(release: {s}) {on}')
        out.put(f'{maps.sums} += sum_words({w}, {self.length}) + {s}.salt;')
        out.close()


STEPS = ((3, HostChange), (4, Enter), (4, Exit), (4, Update), (2, Present), (8, Region), (2, DataRegion),
         (2, DevicePointer), (1, Structure))


@construct(12)
class Maps(Construct):
    plain = False

    @classmethod
    def fits(cls, seed, scope):
        return seed.number >= FIRST_TO_OFFLOAD and not scope.held and scope.times <= 100

    def choose(self, seed, scope):
        self.sums, self.device = self.name('r'), self.name('e')
        self.number = seed.random.randrange(4)
        self.arrays = [Array(f'h{self.id}_{k}', f'd{self.id}_{k}', seed.pick(1, 3, 8, 30, 200))
                       for k in range(seed.random.randint(1, 3))]
        self.held = {}
        self.list = self.steps(seed, seed.random.randint(2, 10))
        # What is still mapped goes, one way or the other.
        self.last = []
        for array in self.arrays:
            while array.range is not None:
                self.last.append(Exit(self, seed, array))

    def steps(self, seed, count):
        weights = [weight for weight, _ in STEPS]
        return [seed.random.choices([step for _, step in STEPS], weights)[0](self, seed) for _ in range(count)]

    def emit(self, out):
        out.open()
        out.put(f'uint64_t {self.sums} = 3;')
        if out.parallel:
            out.put(f'const int {self.device} = omp_get_num_devices() > 0 ? {self.number} % omp_get_num_devices() : 0;')
        for array in self.arrays:
            for name in (array.name,) if out.parallel else (array.name, array.other):
                out.put(f'uint64_t {name}[{array.size}];')
            out.put(f'fill_words({array.name}, {array.size}, {self.term()});')
        for step in self.list + self.last:
            step.emit(out, self)
        for array in self.arrays:
            out.put(f'{self.sums} += sum_words({array.name}, {array.size});')
        out.add(self.slot, self.sums)
        out.close()
