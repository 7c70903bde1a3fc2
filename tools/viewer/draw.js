// Drawing: of each lane one thing or one mixture for each pixel, however many events there are.
const canvas = document.getElementById('picture'), pen = canvas.getContext('2d');
const kLeft = 190, kAxis = 22, kMostArrows = 600;
const view = {begin: 0, end: Math.max(data.duration, 1), top: 0};
const state = {selected: null, matches: null, arrows: true, frameMs: 0, frames: 0};

const width = () => canvas.clientWidth - kLeft;
const pixel = time => kLeft + (time - view.begin) / (view.end - view.begin) * width();
const timeAt = x => view.begin + (x - kLeft) / width() * (view.end - view.begin);

function timeText(ns, step = ns) {
  const [unit, size] = step >= 1e9 ? ['s', 1e9] : step >= 1e6 ? ['ms', 1e6] : step >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  return (ns / size).toLocaleString('en', {maximumFractionDigits: size === 1 ? 0 : 3}) + ' ' + unit;
}

function textOf(lane, i) {
  const [text, doing] = data.labels[lane.label[i]];
  return doing === 0 ? data.doings[0] : lane.task[i] !== 0 && doing === 2 ? '#' + lane.task[i] + ' ' + text : text;
}

function drawAxis() {
  const span = view.end - view.begin, rough = span / (width() / 110), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.clientWidth, kAxis);
  pen.fillStyle = '#555';
  for (let time = Math.ceil(view.begin / step) * step; time <= view.end; time += step) {
    pen.fillRect(pixel(time), kAxis - 5, 1, 5);
    pen.fillText(timeText(time, Math.max(step, 1)), pixel(time) + 3, 14);
  }
}

function drawMixture(x, y, height, sums, whole) {
  for (let d = 0, done = 0; d < kDoings; ++d) {
    const part = Math.max(sums[d], 0) / whole * height;
    if (part < 0.05) continue;
    pen.fillStyle = kColours[d];
    pen.fillRect(x, y + height - done - part, 1, part);
    done += part;
  }
}

// Whether one of some things that share a pixel is searched for.
function matchesIn(lane, from, to) {
  for (let i = from; i < Math.min(to + 1, from + 200, lane.count); ++i) if (isMatch(lane, i)) return true;
  return false;
}

function drawThing(lane, i, y, height) {
  const from = Math.max(pixel(lane.begin[i]), kLeft), to = Math.min(pixel(lane.end[i]), canvas.clientWidth);
  pen.fillStyle = kColours[lane.doing(i)];
  pen.globalAlpha = state.matches && !isMatch(lane, i) ? 0.25 : 1;
  pen.fillRect(from, y, Math.max(to - from - (to - from > 3 ? 0.6 : 0), 0.6), height);
  if (to - from > 40) {
    pen.fillStyle = lane.doing(i) === 0 || lane.doing(i) === 4 ? '#222' : '#fff';
    pen.fillText(fitted(textOf(lane, i), to - from - 8), from + 4, y + height - 5);
  }
  pen.globalAlpha = 1;
}

function fitted(text, room) {
  const most = Math.floor(room / 6.2);
  return text.length <= most ? text : most < 3 ? '' : text.slice(0, most - 1) + '…';
}

function drawLane(lane, y, height) {
  const sums = new Float64Array(kDoings), last = canvas.clientWidth;
  let x = kLeft, i = lane.firstAfter(view.begin);
  while (x < last) {
    const begin = timeAt(x), end = timeAt(x + 1);
    i = lane.firstAfter(begin, i);
    if (i >= lane.count) return;
    if (lane.begin[i] >= end) {
      x = Math.max(x + 1, Math.floor(pixel(lane.begin[i])));
    } else if (lane.end[i] >= end) {
      drawThing(lane, i, y, height);
      x = Math.max(x + 1, Math.floor(pixel(lane.end[i])));
    } else {
      sums.fill(0);
      const next = lane.sumBetween(begin, end, i, sums);
      pen.globalAlpha = state.matches && !matchesIn(lane, i, next) ? 0.25 : 1;
      drawMixture(x, y, height, sums, end - begin);
      pen.globalAlpha = 1;
      i = next;
      ++x;
    }
  }
}

function drawCounter(counter, y, height) {
  pen.fillStyle = counter.colour;
  for (let x = kLeft; x < canvas.clientWidth; ++x) {
    const most = Math.max(counter.at(timeAt(x)), counter.at(timeAt(x + 0.5)), counter.at(timeAt(x + 1)));
    const part = most / Math.max(counter.most, 1) * (height - 6);
    if (part > 0) pen.fillRect(x, y + height - part, 1, part);
  }
}

function drawArrow(fromTime, fromLane, toTime, toLane, colour) {
  if (isNaN(fromTime) || isNaN(toTime) || !threads[fromLane] || !threads[toLane]) return;
  const middle = lane => threads[lane].row.y + 10 + kAxis - view.top;
  const x = pixel(fromTime), y = middle(fromLane), toX = pixel(toTime), toY = middle(toLane);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.bezierCurveTo(x + (toX - x) / 2, y, toX - (toX - x) / 2, toY, toX, toY);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(toX, toY), pen.lineTo(toX - 5, toY - 3), pen.lineTo(toX - 5, toY + 3);
  pen.fill();
}

// Of a task: where it was made, if it was begun by another thread than its maker in a colour of its own; and what it
// had to follow.
function drawTask(task) {
  const moved = tasks.maker[task] !== tasks.runner[task];
  drawArrow(tasks.made[task], tasks.maker[task], tasks.begun[task], tasks.runner[task], moved ? '#b0306a' : '#555');
}
function drawEdges(task) {
  for (const before of tasks.before.of(task))
    drawArrow(tasks.ended[before], tasks.finisher[before], tasks.begun[task], tasks.runner[task], '#e07020');
}

// Tasks are ordered by when they were made.
function firstMade(time) {
  let low = 1, high = tasks.count + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tasks.made[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

function drawArrows() {
  const from = firstMade(view.begin), to = firstMade(view.end);
  state.arrowsDrawn = 0;
  if (state.arrows && to - from <= kMostArrows)
    for (let task = from; task < to; ++task) drawTask(task), drawEdges(task), ++state.arrowsDrawn;
  if (state.selected === null || state.selected.task === 0) return;
  pen.lineWidth = 2;
  drawTask(state.selected.task), drawEdges(state.selected.task), ++state.arrowsDrawn;
  for (const after of tasks.after.of(state.selected.task)) drawEdges(after);
  pen.lineWidth = 1;
}

function drawRow(row, y) {
  pen.fillStyle = '#222';
  if (row.title !== undefined) pen.fillText(row.title, 6, y + 15);
  if (row.counter) {
    pen.fillText(fitted(row.counter.name, kLeft - 12), 6, y + 18);
    pen.fillText('up to ' + row.counter.most.toLocaleString('en'), 6, y + 33);
    drawCounter(row.counter, y, row.height);
  }
  if (!row.lane) return;
  pen.fillText(fitted(row.lane.name, kLeft - 18), 12, y + 14);
  drawLane(row.lane, y + 1, row.height - 3);
}

function draw() {
  const began = performance.now(), ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(canvas.clientWidth * ratio) || canvas.height !== Math.round(canvas.clientHeight * ratio)) {
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.font = '12px system-ui, sans-serif';
  pen.save();
  pen.beginPath();
  pen.rect(0, kAxis, canvas.clientWidth, canvas.clientHeight - kAxis);
  pen.clip();
  for (const row of rows) {
    const y = row.y + kAxis - view.top;
    if (y + row.height > kAxis && y < canvas.clientHeight) drawRow(row, y);
  }
  pen.beginPath();
  pen.rect(kLeft, kAxis, canvas.clientWidth - kLeft, canvas.clientHeight - kAxis);
  pen.clip();
  drawArrows();
  pen.restore();
  drawAxis();
  state.frameMs = performance.now() - began;
  ++state.frames;
}
