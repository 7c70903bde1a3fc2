// What the page shows, unpacked from the numbers that it carries.
class Numbers {
  constructor(text) {
    this.bytes = bytesOf(text);
    this.at = 0;
  }
  next() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127, scale = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);  // browsers from 2025 on
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const kDoings = data.doings.length, kBlock = 16;
const doingOf = Uint8Array.from(data.labels, ([, doing]) => doing);
const kColours = ['#c9c9c4', '#3b7dd8', '#2f9e77', '#e0a030', '#c8b560', '#c8453b', '#7d55a8', '#8d7b6a', '#f28cb8'];
const kFirstWait = 3, kReady = 8;  // of the doings

// Things one after the other: of an OpenMP thread, or of a worker.
class Lane {
  constructor(name, process, count) {
    this.name = name;
    this.process = process;
    this.count = count;
    this.begin = new Float64Array(count);
    this.end = new Float64Array(count);
    this.label = new Uint32Array(count);
    this.task = new Uint32Array(count);  // 0: none
    this.worker = new Uint16Array(count);
    this.thread = null;  // of a worker's: the number of the lane that each is of
  }
  doing(i) { return doingOf[this.label[i]]; }

  // Levels of detail: thread time by doing, of 16 things, 256 and so on.
  sumUp() {
    this.levels = [];
    let below = Math.ceil(this.count / kBlock);
    let sums = new Float32Array(below * kDoings);
    for (let i = 0; i < this.count; ++i) sums[(i / kBlock | 0) * kDoings + this.doing(i)] += this.end[i] - this.begin[i];
    this.levels.push(sums);
    while (below > kBlock) {
      const blocks = Math.ceil(below / kBlock), upper = new Float32Array(blocks * kDoings);
      for (let i = 0; i < below; ++i)
        for (let d = 0; d < kDoings; ++d) upper[Math.floor(i / kBlock) * kDoings + d] += sums[i * kDoings + d];
      this.levels.push(sums = upper);
      below = blocks;
    }
  }

  // The first that ends after `time`, from `from` on.
  firstAfter(time, from = 0) {
    let step = 1, low = from, high = from;
    while (high < this.count && this.end[high] <= time) low = high + 1, high += step, step *= 2;
    high = Math.min(high, this.count);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Adds what things [from, to) take, whole blocks at once.
  addRange(from, to, sums) {
    while (from < to) {
      let level = -1, size = 1;
      while (level + 1 < this.levels.length && from % (size * kBlock) === 0 && from + size * kBlock <= to)
        size *= kBlock, ++level;
      if (level < 0) {
        sums[this.doing(from)] += this.end[from] - this.begin[from];
      } else {
        const at = from / size * kDoings;
        for (let d = 0; d < kDoings; ++d) sums[d] += this.levels[level][at + d];
      }
      from += size;
    }
  }

  // Time by doing from `begin` to `end`; `first` is the first thing that ends after `begin`. Returns the first after `end`.
  sumBetween(begin, end, first, sums) {
    const last = this.firstAfter(end, first);
    this.addRange(first, last, sums);
    if (first < this.count && this.begin[first] < begin) sums[this.doing(first)] -= Math.min(begin, this.end[first]) - this.begin[first];
    if (last < this.count && this.begin[last] < end) sums[this.doing(last)] += end - Math.max(begin, this.begin[last]);
    return last;
  }
}

function threadLane(packed) {
  const lane = new Lane(packed.name, packed.process, packed.count), numbers = new Numbers(packed.spans);
  for (let i = 0, time = 0; i < lane.count; ++i) {
    lane.begin[i] = time += numbers.next();
    lane.end[i] = time += numbers.next();
    lane.label[i] = numbers.next();
    lane.task[i] = numbers.next();
    lane.worker[i] = numbers.next();
  }
  return lane;
}

// For each task a list of others.
class Links {
  constructor(count, from, to) {
    this.first = new Uint32Array(count + 2);
    for (const task of from) ++this.first[task + 1];
    for (let i = 1; i < this.first.length; ++i) this.first[i] += this.first[i - 1];
    this.list = new Uint32Array(from.length);
    const next = this.first.slice();
    for (let i = 0; i < from.length; ++i) this.list[next[from[i]]++] = to[i];
  }
  of(task) { return this.list.subarray(this.first[task], this.first[task + 1]); }
}

// Explicit tasks from 1 on, by when they were made. Times are NaN where a thing did not happen.
function readTasks() {
  const count = data.taskCount, numbers = new Numbers(data.tasks);
  const tasks = {count, label: new Uint32Array(count + 1), made: new Float64Array(count + 1),
                 begun: new Float64Array(count + 1), ended: new Float64Array(count + 1), ready: new Float64Array(count + 1),
                 maker: new Int32Array(count + 1), runner: new Int32Array(count + 1), finisher: new Int32Array(count + 1)};
  const moment = () => { const value = numbers.next(); return value === 0 ? NaN : value - 1; };
  for (let i = 1; i <= count; ++i) {
    tasks.label[i] = numbers.next();
    tasks.made[i] = moment(), tasks.maker[i] = numbers.next() - 1;
    tasks.ready[i] = moment(), numbers.next();
    tasks.begun[i] = moment(), tasks.runner[i] = numbers.next() - 1;
    tasks.ended[i] = moment(), tasks.finisher[i] = numbers.next() - 1;
  }
  const edges = new Numbers(data.edges), before = new Uint32Array(data.edgeCount), after = new Uint32Array(data.edgeCount);
  for (let i = 0; i < data.edgeCount; ++i) before[i] = edges.next(), after[i] = edges.next();
  tasks.before = new Links(count, after, before);
  tasks.after = new Links(count, before, after);
  return tasks;
}

// Without those that did not happen.
function inTime(times) {
  const sorted = new Float64Array(times.length);
  let count = 0, isSorted = true;
  for (const time of times) {
    if (isNaN(time)) continue;
    if (count > 0 && time < sorted[count - 1]) isSorted = false;
    sorted[count++] = time;
  }
  return isSorted ? sorted.subarray(0, count) : sorted.subarray(0, count).sort();
}

// How many at a time: of begins, less of ends. Both in order.
class Counter {
  constructor(name, colour, begins, ends) {
    this.name = name;
    this.colour = colour;
    this.begins = begins;
    this.ends = ends;
    this.most = 0;
    for (let i = 0, j = 0; i < this.begins.length; ++i) {
      while (j < this.ends.length && this.ends[j] <= this.begins[i]) ++j;
      this.most = Math.max(this.most, i + 1 - j);
    }
  }
  static upTo(times, time) {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }
  at(time) { return Counter.upTo(this.begins, time) - Counter.upTo(this.ends, time); }
}

const threads = data.lanes.map(threadLane);
const tasks = readTasks();
const counters = [];
if (tasks.count > 0) {
  const begun = inTime(tasks.begun.subarray(1));
  counters.push(new Counter('unstarted tasks', '#b9d9cc', inTime(tasks.made.subarray(1)), begun));
  counters.push(new Counter('ready tasks', '#2f9e77', inTime(tasks.ready.subarray(1)), begun));
}
const readyFrom = [], readyUpTo = [];
for (const lane of threads)
  for (let i = 0; i < lane.count; ++i)
    if (lane.doing(i) === kReady) readyFrom.push(lane.begin[i]), readyUpTo.push(lane.end[i]);
if (readyFrom.length > 0)
  counters.push(new Counter('ready threads', '#f28cb8', inTime(readyFrom), inTime(readyUpTo)));

// What stands below each other: {height, and what of title, counter, lane it is}.
const rows = counters.map(counter => ({height: 44, counter}));
data.processes.forEach((process, number) => {
  const own = [...threads.keys()].filter(i => threads[i].process === number), workers = workerLanes(number, own);
  rows.push({height: 22, title: process.name});
  for (const lane of workers) rows.push({height: 20, lane});
  if (workers.length > 0) rows.push({height: 8});
  for (const i of own) rows.push({height: 20, lane: threads[i]});
});
rows.reduce((y, row) => (row.y = y, y + row.height), 0);
for (const row of rows) if (row.lane) row.lane.sumUp(), row.lane.row = row;
