// The timeline: a lane for each queue, the part of it that is in view, and its axis.

const timeView = { from: 0, to: 1 }; // of the whole
const lanes = [];
const AXIS = 18, LABEL = 44; // pixels: the axis's height, and the least width of a slice with a name

const duration = (ns) => (ns < 1e3 ? ns + ' ns' : ns < 1e6 ? (ns / 1e3).toFixed(3) + ' µs' : ns < 1e10 ? (ns / 1e6).toFixed(3) + ' ms' : (ns / 1e9).toFixed(3) + ' s');

// Nothing happens between a hang and its timeout: the right edge is a little behind the last event.
function timeReach() {
  let last = 1;
  for (let i = 0; i < columns.sliceQueue.length; i++)
    last = Math.max(last, columns.sliceBegin[i], columns.sliceOpen[i] ? 0 : columns.sliceEnd[i]);
  return last * 1.06;
}

// A submission's text: its number, and its first list.
function submissionName(submission) {
  const first = columns.submissionFirst[submission];
  return serialOf(submission) + (columns.submissionCount[submission] > 0 ? ' ' + executionName(first) : '');
}

const sliceSubmission = (mine, slice) => mine.find((i) => columns.submissionSerial[i] === columns.sliceSerial[slice]);

// The slice that is nearest to a place of the lane.
function nearest(lane, x, y) {
  const { mine, slices, canvas } = lane;
  const time = x * timeReach(), isGpu = y > (canvas.clientHeight - AXIS) / 3;
  let best = null, least = Infinity;
  for (const i of slices) {
    if (isGpu === (columns.sliceIsSubmit[i] === 1)) continue;
    const away = Math.max(columns.sliceBegin[i] - time, columns.sliceOpen[i] ? 0 : time - columns.sliceEnd[i], 0);
    if (away < least) { least = away; best = i; }
  }
  return best === null ? null : { slice: best, submission: sliceSubmission(mine, best) };
}

function describe(found) {
  if (!found) return '';
  const { slice, submission } = found;
  const name = submission === undefined ? 'submission ' + columns.sliceSerial[slice] : 'submission ' + submissionName(submission);
  const tick = report.times.tick, begin = columns.sliceBegin[slice] * tick, end = columns.sliceEnd[slice] * tick;
  return name + (columns.sliceIsSubmit[slice] ? ', ExecuteCommandLists at ' : ', on the GPU from ') + duration(begin) +
    (columns.sliceOpen[slice] ? ', unfinished' : ', for ' + duration(end - begin));
}

// ---- view ----

const placeOfPointer = (canvas, event) => timeView.from + (event.offsetX / canvas.clientWidth) * (timeView.to - timeView.from);

// Nearer or further by a factor, around a place of the whole; 0: all of it.
function zoom(factor, around = (timeView.from + timeView.to) / 2) {
  const span = factor === 0 ? 1 : Math.min(1, Math.max(1e-7, (timeView.to - timeView.from) / factor));
  const share = (around - timeView.from) / (timeView.to - timeView.from);
  timeView.from = Math.max(0, Math.min(1 - span, around - span * share));
  timeView.to = timeView.from + span;
  drawTime();
}

function shift(by) {
  const span = timeView.to - timeView.from;
  timeView.from = Math.max(0, Math.min(1 - span, timeView.from + by));
  timeView.to = timeView.from + span;
  drawTime();
}

function listenToLane(lane) {
  const { canvas } = lane;
  let held = null;
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.shiftKey) shift((event.deltaY / canvas.clientWidth) * (timeView.to - timeView.from));
    else zoom(event.deltaY < 0 ? 1.25 : 1 / 1.25, placeOfPointer(canvas, event));
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => { held = { x: event.offsetX, moved: false }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener('pointermove', (event) => {
    canvas.title = describe(nearest(lane, placeOfPointer(canvas, event), event.offsetY));
    if (!held || Math.abs(event.offsetX - held.x) < 4) return;
    shift(((held.x - event.offsetX) / canvas.clientWidth) * (timeView.to - timeView.from));
    held = { x: event.offsetX, moved: true };
  });
  canvas.addEventListener('pointerup', (event) => {
    const isClick = held && !held.moved, found = isClick && nearest(lane, placeOfPointer(canvas, event), event.offsetY);
    held = null;
    if (found && found.submission !== undefined) goTo(columns.submissionEntry[found.submission], NONE, NONE);
  });
}

function zoomButtons() {
  const group = element('p', 'zoom');
  for (const [sign, title, factor] of [['+', 'nearer (+)', 2], ['−', 'further (−)', 0.5], ['All', 'all of it (0)', 0]]) {
    const button = element('button', '', sign);
    button.title = title;
    button.setAttribute('aria-label', title);
    button.addEventListener('click', () => zoom(factor));
    group.append(button);
  }
  return group;
}

function fillTime() {
  if (!report.times.end) return; // makeTabs
  const into = $('tab-time');
  into.append(element('p', '',
    'By the CPU’s clock. Above, in blue: the CPU’s calls of ExecuteCommandLists. Below: what the GPU executed; what reaches the right edge was ' +
    'unfinished when the device was removed, at ' + duration(report.times.end) + '. The wheel zooms, dragging moves, a click goes to the submission.'));
  into.append(zoomButtons());
  for (let s = 0; s < columns.streamFirst.length; s++) {
    if (!columns.streamIsQueue[s]) continue;
    const part = element('div', 'lane'), canvas = element('canvas');
    const mine = [], slices = [];
    for (let i = 0; i < columns.submissionEntry.length; i++) if (columns.submissionQueue[i] === s) mine.push(i);
    for (let i = 0; i < columns.sliceQueue.length; i++) if (columns.sliceQueue[i] === s) slices.push(i);
    const words = mine.length === 0 && slices.length === 0 ? 'nothing was submitted, or it was done and forgotten' :
      mine.length === 0 ? slices.length + ' times of submissions that were done and forgotten' :
        mine.length + ' submissions, ' + serialOf(mine[0]) + ' to ' + serialOf(mine[mine.length - 1]);
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', titleOf({ what: QUEUE, ref: s }) + ': ' + words);
    part.append(element('h2', '', titleOf({ what: QUEUE, ref: s })), canvas, element('small', '', words));
    into.append(part);
    const lane = { canvas, mine, slices };
    listenToLane(lane);
    lanes.push(lane);
  }
}

// ---- drawing ----

function drawTime() {
  const style = getComputedStyle(document.documentElement);
  const colors = ['--unknown', '--wait', '--stop', '--done', '--link', '--fg', '--bg', '--line', '--dim'].map((name) => style.getPropertyValue(name));
  for (const lane of lanes) {
    const { canvas } = lane, wide = canvas.clientWidth, high = canvas.clientHeight - AXIS, scale = devicePixelRatio || 1;
    if (wide === 0) continue;
    canvas.width = wide * scale;
    canvas.height = canvas.clientHeight * scale;
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const perUnit = wide / (timeView.to - timeView.from);
    drawSlices(context, lane, perUnit / timeReach(), wide, high, colors);
    drawAxis(context, wide, high, colors);
  }
}

// Words in a box, as far as they have room.
function label(context, words, from, to, y, color) {
  const left = Math.max(from, 0) + 4, room = to - left - 4;
  if (room < LABEL) return;
  context.save();
  context.beginPath();
  context.rect(left, y - 8, room, 16);
  context.clip();
  context.fillStyle = color;
  context.fillText(words, left, y);
  context.restore();
}

// As long as they are, but a pixel at least.
function drawSlices(context, lane, scale, wide, high, colors) {
  const third = high / 3, origin = timeView.from * timeReach();
  for (const isOpen of [0, 1])
    for (const i of lane.slices) {
      if (columns.sliceOpen[i] !== isOpen) continue;
      const isSubmit = columns.sliceIsSubmit[i] === 1, from = (columns.sliceBegin[i] - origin) * scale;
      const to = isOpen ? wide : (columns.sliceEnd[i] - origin) * scale;
      if (to < 0 || from > wide) continue;
      const top = isSubmit ? 2 : third + 2, tall = isSubmit ? third - 4 : high - third - 4;
      context.fillStyle = colors[isSubmit ? 4 : isOpen ? 2 : 3];
      const seen = Math.min(to, wide) - Math.max(from, 0);
      context.fillRect(Math.max(from, 0), top, Math.max(seen - (seen > 4 && !isOpen ? 1 : 0), 1), tall);
      const submission = isSubmit ? undefined : sliceSubmission(lane.mine, i);
      if (!isSubmit && to - from > LABEL)
        label(context, submission === undefined ? String(columns.sliceSerial[i]) : submissionName(submission), from, Math.min(to, wide), top + tall / 2, colors[6]);
    }
}

// Marks at 1, 2 or 5 times a power of ten, about a hundred pixels from each other.
function drawAxis(context, wide, high, colors) {
  const whole = timeReach() * report.times.tick;
  const from = timeView.from * whole, span = (timeView.to - timeView.from) * whole;
  if (!(span > 0)) return;
  const rough = (span * 100) / wide, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((n) => n * power >= rough) * power;
  context.fillStyle = colors[8];
  context.fillRect(0, high, wide, 1);
  for (let at = Math.ceil(from / step) * step; at <= from + span; at += step) {
    const x = ((at - from) / span) * wide, words = duration(Math.round(at));
    context.fillRect(x, high, 1, 5);
    if (x + 3 + context.measureText(words).width <= wide) context.fillText(words, x + 3, high + AXIS / 2 + 1);
  }
}

