// What the user does: zoom, move, search, ask.
let asked = false;
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

function show(begin, end) {
  const least = 20, whole = Math.max(data.duration, 1);
  const length = Math.min(Math.max(end - begin, least), whole * 1.02);
  const middle = (begin + end) / 2;
  view.begin = Math.min(Math.max(middle - length / 2, -whole * 0.01), whole * 1.01 - length);
  view.end = view.begin + length;
  redraw();
}
function zoom(factor, x = kLeft + width() / 2) {
  const time = timeAt(x);
  show(time - (time - view.begin) * factor, time + (view.end - time) * factor);
}
function scroll(by) {
  const last = rows[rows.length - 1], height = last ? last.y + last.height : 0;
  view.top = Math.max(0, Math.min(view.top + by, height - canvas.clientHeight + kAxis));
  redraw();
}

function isMatch(lane, i) {
  return state.matches.task !== 0 ? lane.task[i] === state.matches.task : state.matches.labels[lane.label[i]] === 1;
}

// Returns how many things of threads there are: of places and kinds that have the words, or of the task #number.
function search(words) {
  state.matches = null;
  let count = 0;
  if (words.trim() !== '') {
    const number = /^#(\d+)$/.exec(words.trim()), wanted = words.trim().toLowerCase();
    const labels = Uint8Array.from(data.labels, ([text, doing]) =>
      (text + ' ' + data.doings[doing]).toLowerCase().includes(wanted) ? 1 : 0);
    state.matches = {task: number ? Number(number[1]) : 0, labels};
    for (const lane of threads) for (let i = 0; i < lane.count; ++i) if (isMatch(lane, i)) ++count;
  }
  document.getElementById('found').textContent = state.matches ? count.toLocaleString('en') + ' found' : '';
  redraw();
  return count;
}

// To the next one that begins after the selected one, or after the begin of what is shown.
function next() {
  if (!state.matches) return false;
  const after = state.selected ? state.selected.lane.begin[state.selected.index] : view.begin;
  let best = null;
  for (const lane of threads)
    for (let i = lane.firstAfter(after); i < lane.count; ++i) {
      if (lane.begin[i] <= after || !isMatch(lane, i)) continue;
      if (best === null || lane.begin[i] < best.lane.begin[best.index]) best = {lane, index: i};
      break;
    }
  if (best === null) return false;
  select(best.lane, best.index);
  const begin = best.lane.begin[best.index], length = best.lane.end[best.index] - begin;
  const shown = Math.min(view.end - view.begin, Math.max(length * 20, 1000));
  const y = best.lane.row.y - view.top;
  if (y < 0 || y > canvas.clientHeight - kAxis - 20) scroll(y - canvas.clientHeight / 2);
  show(begin + length / 2 - shown / 2, begin + length / 2 + shown / 2);
  return true;
}

function taskText(task) {
  const name = lane => threads[lane] ? threads[lane].name : 'unknown';
  const parts = ['task #' + task];
  if (!isNaN(tasks.made[task])) parts.push('made at ' + timeText(tasks.made[task]) + ' by ' + name(tasks.maker[task]));
  if (!isNaN(tasks.begun[task])) {
    const waited = tasks.begun[task] - tasks.made[task], ready = tasks.begun[task] - tasks.ready[task];
    parts.push('begun' + (isNaN(waited) ? '' : ' ' + timeText(waited) + ' later') + ' by ' + name(tasks.runner[task]) +
               (isNaN(ready) ? '' : ', ready for ' + timeText(ready)));
  }
  for (const [word, links] of [['follows', tasks.before], ['before', tasks.after]]) {
    const numbers = [...links.of(task)];
    if (numbers.length > 0)
      parts.push(word + ' ' + numbers.slice(0, 12).map(number => '#' + number).join(' ') + (numbers.length > 12 ? ' …' : ''));
  }
  return parts.join(', ');
}

function select(lane, index) {
  state.selected = lane === null ? null : {lane, index, task: lane.task[index]};
  let about = '';
  if (lane !== null) {
    const thread = lane.thread ? threads[lane.thread[index]].name + ' on ' : '';
    const worker = !lane.thread && lane.worker[index] !== data.noWorker ? ' on worker ' + lane.worker[index] : '';
    about = `${thread}${lane.name}${worker}: ${data.doings[lane.doing(index)]}\n` +
      `${textOf(lane, index)}, from ${timeText(lane.begin[index], 1e6)}, ${timeText(lane.end[index] - lane.begin[index])}`;
    if (lane.task[index] !== 0) about += '\n' + taskText(lane.task[index]);
  }
  document.getElementById('about').textContent = about;
  redraw();
}

function clickAt(x, y) {
  const row = rows.find(one => one.lane && y >= one.y + kAxis - view.top && y < one.y + one.height + kAxis - view.top);
  if (!row || x < kLeft) return select(null, 0);
  const i = row.lane.firstAfter(timeAt(x - 0.5));
  if (i < row.lane.count && row.lane.begin[i] <= timeAt(x + 1)) select(row.lane, i); else select(null, 0);
}

let drag = null;
canvas.addEventListener('pointerdown', event => {
  drag = {x: event.offsetX, y: event.offsetY, moved: false};
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', event => {
  if (drag === null) return;
  const by = event.offsetX - drag.x, down = event.offsetY - drag.y;
  if (!drag.moved && Math.abs(by) + Math.abs(down) < 4) return;
  const time = by / width() * (view.end - view.begin);
  show(view.begin - time, view.end - time);
  scroll(-down);
  drag = {x: event.offsetX, y: event.offsetY, moved: true};
});
canvas.addEventListener('pointerup', event => {
  if (drag !== null && !drag.moved) clickAt(event.offsetX, event.offsetY);
  drag = null;
});
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  if (event.shiftKey) scroll(event.deltaY || event.deltaX);
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    const time = event.deltaX / width() * (view.end - view.begin);
    show(view.begin + time, view.end + time);
  } else zoom(Math.exp(event.deltaY * 0.002), Math.max(event.offsetX, kLeft));
}, {passive: false});

const kKeys = {
  '+': () => zoom(0.6), '-': () => zoom(1 / 0.6), '0': () => show(0, data.duration), n: next,
  ArrowLeft: () => show(view.begin - (view.end - view.begin) / 5, view.end - (view.end - view.begin) / 5),
  ArrowRight: () => show(view.begin + (view.end - view.begin) / 5, view.end + (view.end - view.begin) / 5),
  ArrowUp: () => scroll(-60), ArrowDown: () => scroll(60),
};
document.addEventListener('keydown', event => {
  if (event.target.tagName === 'INPUT' || !kKeys[event.key]) return;
  event.preventDefault();
  kKeys[event.key]();
});
document.getElementById('search').addEventListener('input', event => search(event.target.value));
document.getElementById('search').addEventListener('keydown', event => { if (event.key === 'Enter') next(); });
document.getElementById('next').addEventListener('click', next);
document.getElementById('all').addEventListener('click', () => show(0, data.duration));
document.getElementById('arrows').addEventListener('change', event => { state.arrows = event.target.checked; redraw(); });
window.addEventListener('resize', redraw);

document.getElementById('command').textContent = document.title = data.title;
document.getElementById('legend').append(...data.doings.flatMap((name, i) => {
  const colour = document.createElement('i');
  colour.style.background = kColours[i];
  return [colour, name];
}));
draw();
document.body.dataset.ready = 'yes';
