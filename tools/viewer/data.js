// What the page shows, unpacked from the numbers that it carries.
class Numbers {
  constructor(text) {
    const raw = atob(text);
    this.bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) this.bytes[i] = raw.charCodeAt(i);
    this.at = 0;
  }
  next() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
}

const kDoings = data.doings.length, kBlock = 16;
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
    this.thread = null;  // of a worker's: the lane that each is of
  }
  doing(i) { return data.labels[this.label[i]][1]; }

  // Levels of detail: thread time by doing, of 16 things, 256 and so on.
  sumUp() {
    this.levels = [];
    let below = Math.ceil(this.count / kBlock);
    let sums = new Float32Array(below * kDoings);
    for (let i = 0; i < this.count; ++i)
      sums[Math.floor(i / kBlock) * kDoings + this.doing(i)] += this.end[i] - this.begin[i];
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

// What each worker of a process ran: all that its threads did but wait.
function workerLanes(process, threads) {
  const counts = new Map(), known = data.noWorker;
  const each = visit => threads.forEach(lane => {
    for (let i = 0; i < lane.count; ++i) if (lane.worker[i] !== known && lane.doing(i) < kFirstWait) visit(lane, i);
  });
  each((lane, i) => counts.set(lane.worker[i], (counts.get(lane.worker[i]) || 0) + 1));
  const lists = new Map();
  counts.forEach((count, worker) => lists.set(worker, {lanes: new Array(count), index: new Uint32Array(count), used: 0}));
  each((lane, i) => {
    const list = lists.get(lane.worker[i]);
    list.lanes[list.used] = lane;
    list.index[list.used++] = i;
  });
  return [...lists.keys()].sort((a, b) => a - b).map(worker => {
    const {lanes, index, used} = lists.get(worker), lane = new Lane('worker ' + worker, process, used);
    const order = Uint32Array.from({length: used}, (_, i) => i);
    order.sort((a, b) => lanes[a].begin[index[a]] - lanes[b].begin[index[b]]);
    lane.thread = new Array(used);
    order.forEach((from, to) => {
      const source = lanes[from], i = index[from];
      lane.thread[to] = source;
      lane.begin[to] = source.begin[i];
      lane.end[to] = source.end[i];
      if (to > 0 && lane.end[to - 1] > lane.begin[to]) lane.end[to - 1] = lane.begin[to];
      lane.label[to] = source.label[i];
      lane.task[to] = source.task[i];
      lane.worker[to] = worker;
    });
    return lane;
  });
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
  tasks.before = new Map(), tasks.after = new Map();
  const add = (map, key, value) => { if (map.has(key)) map.get(key).push(value); else map.set(key, [value]); };
  const edges = new Numbers(data.edges);
  for (let i = 0; i < data.edgeCount; ++i) {
    const before = edges.next(), after = edges.next();
    add(tasks.before, after, before), add(tasks.after, before, after);
  }
  return tasks;
}

// How many at a time: of begins, less of ends.
class Counter {
  constructor(name, colour, begins, ends) {
    this.name = name;
    this.colour = colour;
    this.begins = begins.filter(time => !isNaN(time)).sort();
    this.ends = ends.filter(time => !isNaN(time)).sort();
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
  counters.push(new Counter('unstarted tasks', '#b9d9cc', tasks.made.subarray(1), tasks.begun.subarray(1)));
  counters.push(new Counter('ready tasks', '#2f9e77', tasks.ready.subarray(1), tasks.begun.subarray(1)));
}
const readyFrom = [], readyUpTo = [];
for (const lane of threads)
  for (let i = 0; i < lane.count; ++i)
    if (lane.doing(i) === kReady) readyFrom.push(lane.begin[i]), readyUpTo.push(lane.end[i]);
if (readyFrom.length > 0)
  counters.push(new Counter('ready threads', '#f28cb8', Float64Array.from(readyFrom), Float64Array.from(readyUpTo)));

// What stands below each other: {height, and what of title, counter, lane it is}.
const rows = counters.map(counter => ({height: 44, counter}));
data.processes.forEach((process, number) => {
  const own = threads.filter(lane => lane.process === number), workers = workerLanes(number, own);
  rows.push({height: 22, title: process.name});
  for (const lane of workers) rows.push({height: 20, lane});
  if (workers.length > 0) rows.push({height: 8});
  for (const lane of own) rows.push({height: 20, lane});
});
rows.reduce((y, row) => (row.y = y, y + row.height), 0);
for (const row of rows) if (row.lane) row.lane.sumUp(), row.lane.row = row;
