// Which things of a thread each worker ran: all but its waits. Worker to list.
function runsOf(number) {
  const lane = threads[number], counts = new Map(), runs = new Map();
  const isRun = i => lane.worker[i] !== data.noWorker && doingOf[lane.label[i]] < kFirstWait;
  for (let i = 0; i < lane.count; ++i) if (isRun(i)) counts.set(lane.worker[i], (counts.get(lane.worker[i]) || 0) + 1);
  counts.forEach((count, worker) => runs.set(worker, {lane, number, index: new Uint32Array(count), count: 0, at: 0}));
  for (let i = 0; i < lane.count; ++i) {
    if (!isRun(i)) continue;
    const run = runs.get(lane.worker[i]);
    run.index[run.count++] = i;
  }
  return runs;
}

// Visits the things of all runs in the order of their begins. Runs are a heap: the one that goes on first is the first.
function inOrder(runs, visit) {
  const next = run => run.lane.begin[run.index[run.at]];
  const heap = runs.sort((a, b) => next(a) - next(b));
  while (heap.length > 0) {
    const first = heap[0];
    const limit = Math.min(...heap.slice(1, 3).map(next));
    do visit(first, first.index[first.at++]); while (first.at < first.count && next(first) <= limit);
    let at = 0;
    if (first.at === first.count) {
      const last = heap.pop();
      if (heap.length === 0) return;
      if (last !== first) heap[0] = last;
    }
    for (let below; (below = 2 * at + 1) < heap.length; at = below) {
      if (below + 1 < heap.length && next(heap[below + 1]) < next(heap[below])) ++below;
      if (next(heap[at]) <= next(heap[below])) break;
      [heap[at], heap[below]] = [heap[below], heap[at]];
    }
  }
}

// What each worker of a process ran, of the threads with these numbers.
function workerLanes(process, numbers) {
  const all = new Map();
  for (const number of numbers)
    runsOf(number).forEach((run, worker) => { if (all.has(worker)) all.get(worker).push(run); else all.set(worker, [run]); });
  return [...all.keys()].sort((a, b) => a - b).map(worker => {
    const runs = all.get(worker), lane = new Lane('worker ' + worker, process, runs.reduce((sum, run) => sum + run.count, 0));
    lane.thread = new Uint32Array(lane.count);
    lane.worker.fill(worker);
    let to = 0;
    inOrder(runs, ({lane: source, number}, i) => {
      lane.thread[to] = number;
      lane.begin[to] = source.begin[i];
      lane.end[to] = source.end[i];
      if (to > 0 && lane.end[to - 1] > lane.begin[to]) lane.end[to - 1] = lane.begin[to];
      lane.label[to] = source.label[i];
      lane.task[to++] = source.task[i];
    });
    return lane;
  });
}
