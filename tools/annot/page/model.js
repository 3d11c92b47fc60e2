'use strict';
// The dump is a JSON text and columns of numbers behind it (page_data.c writes them). Names and other texts of the dump are only ever set as
// text, never as markup. The tree is drawn row by row, as far as it is in view.

const $ = (id) => document.getElementById(id);
const NONE = 0xffffffff;
const STATES = ['unknown', 'not started', 'in progress', 'finished', 'not executed'];
const SIGNS = ['[?]', '[ ]', '[>]', '[X]', '[-]'];
const KIND = { BEGIN: 1, SET: 2, SURPLUS: 3, BUNDLE: 4, SUBMISSION: 5 };

// A row is a queue, an entry of it, an execution of a list, an entry of that, a recording that was never submitted, an entry of that,
// an operation of a list or bundle.
const QUEUE = 0, OWN = 1, LIST = 2, INSIDE = 3, RECORDING = 4, RECORDED = 5, OPERATION = 6;
const isHead = (row) => row.what === QUEUE || row.what === LIST || row.what === RECORDING;
const isEntry = (row) => row.what === OWN || row.what === INSIDE || row.what === RECORDED;

let report, columns, names, rows, picked = null;
const toggled = new Map(); // rows whose fold differs from the rule, by key
let allOpen = false, hasOperations = true;
const filter = { text: '', states: STATES.map(() => true) };

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// ---- reading ----

async function readData() {
  const node = $('data');
  const text = node.textContent;
  node.remove();
  const size = Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = new Uint8Array(Math.max(size, 0));
  for (let from = 0, to = 0; from < text.length; from += 1 << 20) {
    const piece = atob(text.slice(from, from + (1 << 20)));
    for (let i = 0; i < piece.length; i++) bytes[to++] = piece.charCodeAt(i);
  }
  if (node.dataset.encoding === 'identity') return bytes.buffer;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

function parse(buffer) {
  const head = new DataView(buffer);
  const size = head.getUint32(0, true);
  report = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  columns = {};
  let at = (4 + size + 7) & ~7;
  for (const [name, width, count] of report.columns) {
    columns[name] = width === 1 ? new Uint8Array(buffer, at, count) : new Uint32Array(buffer, at, count);
    at = (at + width * count + 7) & ~7;
  }
  names = report.names;
  derive();
}

// Parents and ends follow from depths: entries of a stream are in order.
function derive() {
  const count = columns.kind.length, depth = columns.depth;
  columns.parent = new Uint32Array(count).fill(NONE);
  columns.last = new Uint32Array(count);
  columns.streamOf = new Uint32Array(count);
  const open = [];
  for (let s = 0; s < columns.streamFirst.length; s++) {
    const first = columns.streamFirst[s], end = first + columns.streamCount[s];
    open.length = 0;
    for (let i = first; i < end; i++) {
      while (open.length > depth[i]) columns.last[open.pop()] = i - 1;
      columns.streamOf[i] = s;
      columns.last[i] = i;
      if (open.length > 0) columns.parent[i] = open[open.length - 1];
      if (columns.kind[i] === KIND.BEGIN) open.push(i);
    }
    while (open.length > 0) columns.last[open.pop()] = end - 1;
  }
  deriveIds(count);
}

// EventIDs in halves: a number of JavaScript can't hold 64 bits.
function deriveIds(count) {
  const far = new Map(report.far_ids), { kind, step } = columns;
  const highs = columns.idHigh = new Uint32Array(count), lows = columns.idLow = new Uint32Array(count);
  let high = 0, low = 0;
  for (let i = 0; i < count; i++) {
    if (kind[i] > KIND.SET) continue;
    low += step[i];
    if (low > 0xffffffff) { low -= 0x100000000; high++; }
    if (far.size > 0 && far.has(i)) {
      const id = BigInt(far.get(i));
      high = Number(id >> 32n);
      low = Number(id & 0xffffffffn);
    }
    highs[i] = high;
    lows[i] = low;
  }
}

// ---- the model ----

function idText(entry) {
  const high = columns.idHigh[entry], low = columns.idLow[entry].toString(16);
  return '0x' + (high ? high.toString(16) + low.padStart(8, '0') : low);
}

function bundleRun(execution, entry) {
  const { runExecution, runEntry } = columns;
  let low = 0, high = runExecution.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const before = runExecution[middle] < execution || (runExecution[middle] === execution && runEntry[middle] < entry);
    if (before) low = middle + 1; else high = middle;
  }
  return low < runExecution.length && runExecution[low] === execution && runEntry[low] === entry ? low : -1;
}

function stateIn(offset, uniform, stream, entry) {
  return offset === NONE ? uniform : columns.states[offset + entry - columns.streamFirst[stream]];
}

function stateOf(row) {
  switch (row.what) {
    case QUEUE: return [3, 1, 2, 0][columns.streamVerdict[row.ref]];
    case OWN: return stateIn(columns.streamStates[columns.streamOf[row.ref]], 0, columns.streamOf[row.ref], row.ref);
    case LIST: return columns.executionState[row.ref];
    case INSIDE: {
      if (row.bundle !== NONE) {
        const run = bundleRun(row.execution, row.bundle);
        return run < 0 ? columns.executionState[row.execution]
          : stateIn(columns.runStates[run], columns.runState[run], columns.streamOf[row.ref], row.ref);
      }
      const stream = columns.executionStream[row.execution];
      return stateIn(columns.executionStates[row.execution], columns.executionState[row.execution], stream, row.ref);
    }
    case OPERATION: return operationState(row);
    default: return -1;
  }
}

// Done as finished, the first that is not done as in progress, not done as not started.
function operationState(row) {
  const run = row.bundle === NONE ? -1 : bundleRun(row.execution, row.bundle);
  const at = row.bundle === NONE ? columns.executionOps[row.execution] : run < 0 ? NONE : columns.runOps[run];
  const stream = row.bundle === NONE ? columns.executionStream[row.execution] : columns.link[row.bundle];
  if (at !== NONE) return [0, 3, 2, 1][columns.opStates[at + row.ref - columns.streamOpFirst[stream]]];
  const whole = columns.executionState[row.execution];
  return whole === 3 || whole === 1 || whole === 4 ? whole : 0;
}

function titleOf(row) {
  switch (row.what) {
    case QUEUE: return streamName(row.ref, 'Queue');
    case LIST: return executionName(row.ref);
    case RECORDING: return streamName(row.ref, title('list'));
    case OPERATION: return columns.opNumber[row.ref] + ' ' + names[columns.opName[row.ref]];
    default: return entryTitle(row.ref);
  }
}

// Objects are renamed for each use: what they were called when it counted.
function called(name, object, what) {
  return names[name] || what + (object === NONE ? '' : ' #' + report.objects[object].id);
}

// The name that the dump's API has for it, at the beginning of a line.
const title = (word) => report.words[word][0].toUpperCase() + report.words[word].slice(1);

const streamName = (stream, what) => called(columns.streamName[stream], columns.streamObject[stream], what);
const executionName = (execution) => called(columns.executionName[execution], columns.executionObject[execution], title('list'));

function entryTitle(entry) {
  switch (columns.kind[entry]) {
    case KIND.SURPLUS: return 'End without a Begin';
    case KIND.BUNDLE: {
      const stream = columns.link[entry];
      return title('bundle') + ' ' + called(columns.name[entry], stream === NONE ? NONE : columns.streamObject[stream], '');
    }
    case KIND.SUBMISSION: return 'Submission ' + serialOf(columns.link[entry]);
    default: return names[columns.name[entry]];
  }
}

const serialOf = (submission) => submission === NONE ? '' : String(columns.submissionSerial[submission]);

function noteOf(row) {
  switch (row.what) {
    case QUEUE: return ['idle', 'waiting', 'stopped', 'unknown'][columns.streamVerdict[row.ref]];
    case LIST: return 'list ' + (columns.executionList[row.ref] + 1) +
      (columns.executionStream[row.ref] === NONE ? ', not in the dump' : '');
    case OPERATION: return ['unknown', 'not done', 'first not done', 'done', 'not executed'][operationState(row)];
    case RECORDING: return columns.streamOpen[row.ref] ? 'being recorded' : 'not submitted';
    default: {
      const kind = columns.kind[row.ref], isReached = (kind === KIND.SET || kind === KIND.SURPLUS) && stateOf(row) === 2;
      return (kind <= KIND.SET ? idText(row.ref) : '') + (isReached ? ' reached; work before it may be unfinished' : '');
    }
  }
}

const keyOf = (row) => [row.what, row.ref, row.execution, row.bundle].join();

const operationCount = (stream) => hasOperations ? columns.streamOpCount[stream] : 0;

// Children follow from the columns; a row has some when this is true.
function hasChildren(row) {
  switch (row.what) {
    case QUEUE: case RECORDING: return columns.streamCount[row.ref] > 0;
    case LIST: {
      const stream = columns.executionStream[row.ref];
      return stream !== NONE && columns.streamCount[stream] + operationCount(stream) > 0;
    }
    case OPERATION: return false;
    case OWN:
      if (columns.kind[row.ref] === KIND.SUBMISSION) return columns.submissionCount[columns.link[row.ref]] > 0;
      return columns.last[row.ref] > row.ref;
    default:
      if (columns.kind[row.ref] === KIND.BUNDLE)
        return row.bundle === NONE && columns.link[row.ref] !== NONE &&
          columns.streamCount[columns.link[row.ref]] + operationCount(columns.link[row.ref]) > 0;
      return columns.last[row.ref] > row.ref || (row.what === INSIDE && hasOwnOperations(row.ref));
  }
}

// The first operation of a stream that was recorded behind this entry or later.
function operationFrom(stream, entry) {
  let low = columns.streamOpFirst[stream], high = low + operationCount(stream);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns.opBefore[middle] <= entry) low = middle + 1; else high = middle;
  }
  return low;
}

// Whether a scope without entries has operations.
function hasOwnOperations(entry) {
  const stream = columns.streamOf[entry], at = operationFrom(stream, entry);
  return columns.kind[entry] === KIND.BEGIN && at < columns.streamOpFirst[stream] + operationCount(stream) && columns.opScope[at] === entry;
}

// Rows that are finished, or have not started, are folded at first.
function isOpen(row) {
  if (toggled.has(keyOf(row))) return toggled.get(keyOf(row));
  if (allOpen || row.what === QUEUE) return true;
  const state = stateOf(row);
  return row.what === RECORDED || state === 2 || state === 0;
}

// ---- rows ----

// Rows are columns, too: a million of them are no million objects.
class Rows {
  constructor() {
    this.size = 0;
    this.grow(1024);
  }
  grow(capacity) {
    for (const [name, make] of [['what', Uint8Array], ['ref', Uint32Array], ['execution', Uint32Array],
      ['bundle', Uint32Array], ['depth', Uint32Array]]) {
      const larger = new make(capacity);
      if (this[name]) larger.set(this[name]);
      this[name] = larger;
    }
  }
  push(what, ref, execution, bundle, depth) {
    if (this.size === this.what.length) this.grow(this.size * 2);
    const at = this.size++;
    this.what[at] = what; this.ref[at] = ref; this.execution[at] = execution; this.bundle[at] = bundle; this.depth[at] = depth;
    return at;
  }
  // Each row's place among those at its depth under one parent, and how many these are.
  number() {
    this.place = new Uint32Array(this.size);
    this.places = new Uint32Array(this.size);
    const last = [];
    const end = (depth) => {
      while (last.length > depth) {
        const at = last.pop();
        if (at === undefined) continue;
        for (let i = at; i !== NONE; i = this.before[i]) this.places[i] = this.place[at];
      }
    };
    this.before = new Uint32Array(this.size).fill(NONE);
    for (let i = 0; i < this.size; i++) {
      const depth = this.depth[i];
      end(depth + 1);
      while (last.length < depth) last.push(undefined);
      this.before[i] = last.length > depth && last[depth] !== undefined ? last[depth] : NONE;
      this.place[i] = this.before[i] === NONE ? 1 : this.place[this.before[i]] + 1;
      last[depth] = i;
    }
    end(0);
    this.before = null;
  }
  at(index) {
    return { what: this.what[index], ref: this.ref[index], execution: this.execution[index], bundle: this.bundle[index],
      depth: this.depth[index], index };
  }
}

// Walks the tree with a stack of ranges, so that no depth of scopes is too much. `open` says whether a row's children are walked.
function walk(open) {
  const made = new Rows();
  const put = (what, ref, execution, bundle, depth) => {
    made.push(what, ref, execution, bundle, depth);
    return made.at(made.size - 1);
  };
  const operations = (range, before) => {
    for (; range[7] < range[8] && columns.opBefore[range[7]] <= before; range[7]++) {
      const scope = columns.opScope[range[7]];
      put(OPERATION, range[7], range[3], range[4], range[5] + (scope === NONE ? 0 : columns.depth[scope] + 1 - range[6]));
    }
  };
  const frame = (stream, what, execution, bundle, depth) => {
    const first = columns.streamFirst[stream], count = what === INSIDE ? operationCount(stream) : 0, from = columns.streamOpFirst[stream];
    return [first, first + columns.streamCount[stream], what, execution, bundle, depth, 0, from, from + count];
  };
  const inside = (range) => {
    const stack = [range];
    while (stack.length > 0) {
      const range = stack[stack.length - 1];
      operations(range, range[0] >= range[1] ? NONE : range[0]);
      if (range[0] >= range[1]) { stack.pop(); continue; }
      const at = range[0]++;
      const row = put(range[2], at, range[3], range[4], range[5] + columns.depth[at] - range[6]);
      const kind = columns.kind[at];
      if (kind === KIND.BEGIN) {
        if (hasChildren(row) && !open(row)) {
          range[0] = columns.last[at] + 1;
          while (range[7] < range[8] && columns.opBefore[range[7]] <= range[0] && columns.opScope[range[7]] !== NONE &&
            columns.opScope[range[7]] >= at) range[7]++;
        }
      } else if (kind === KIND.BUNDLE && hasChildren(row) && open(row)) {
        stack.push(frame(columns.link[at], range[2], range[3], at, row.depth + 1));
      } else if (kind === KIND.SUBMISSION && hasChildren(row) && open(row)) {
        lists(columns.link[at], row.depth + 1);
      }
    }
  };
  const lists = (submission, depth) => {
    const first = columns.submissionFirst[submission];
    for (let i = first; i < first + columns.submissionCount[submission]; i++) {
      const row = put(LIST, i, i, NONE, depth);
      const stream = columns.executionStream[i];
      if (stream !== NONE && hasChildren(row) && open(row))
        inside(frame(stream, INSIDE, i, NONE, depth + 1));
    }
  };
  for (let s = 0; s < columns.streamFirst.length; s++) {
    if (!columns.streamIsQueue[s]) continue;
    const row = put(QUEUE, s, NONE, NONE, 0);
    if (open(row)) inside(frame(s, OWN, NONE, NONE, 1));
  }
  for (let s = 0; s < columns.streamFirst.length; s++) {
    if (columns.streamIsQueue[s] || columns.streamRuns[s] > 0 || columns.streamIsBundle[s]) continue;
    const row = put(RECORDING, s, NONE, NONE, 0);
    if (open(row)) inside(frame(s, RECORDED, NONE, NONE, 1));
  }
  return made;
}

const isFiltering = () => filter.text !== '' || filter.states.includes(false);

function matcher() {
  const wanted = filter.text.toLowerCase();
  const hits = new Uint8Array(names.length);
  for (let i = 0; i < names.length; i++) hits[i] = names[i].toLowerCase().includes(wanted) ? 1 : 0;
  const isId = /^0x[0-9a-f]+$/.test(wanted);
  return (row) => {
    const state = stateOf(row);
    if (state >= 0 && !filter.states[state]) return false;
    if (wanted === '') return state >= 0;
    if (isEntry(row) && columns.kind[row.ref] <= KIND.SET)
      return hits[columns.name[row.ref]] === 1 || (isId && idText(row.ref) === wanted);
    return titleOf(row).toLowerCase().includes(wanted);
  };
}

// Rows that match, and those around them.
function matching() {
  const all = walk(() => true), match = matcher();
  const keep = new Uint8Array(all.size);
  const path = [];
  let count = 0;
  for (let i = 0; i < all.size; i++) {
    path[all.depth[i]] = i;
    if (!match(all.at(i))) continue;
    count++;
    keep[i] = 2;
    for (let d = all.depth[i] - 1; d >= 0 && path[d] !== undefined && !keep[path[d]]; d--) keep[path[d]] = 1;
  }
  const some = new Rows();
  for (let i = 0; i < all.size; i++)
    if (keep[i]) some.push(all.what[i], all.ref[i], all.execution[i], all.bundle[i], all.depth[i]);
  return [some, count];
}

function rebuild() {
  let text = '';
  if (isFiltering()) {
    const [some, count] = matching();
    rows = some;
    text = count + (count === 1 ? ' match' : ' matches');
  } else {
    rows = walk(isOpen);
    text = rows.size + ' rows';
  }
  $('count').textContent = text;
  rows.number();
  layout();
}
