// Draws the rows in view, and handles keys and clicks.

// ---- the view: a spacer as high as browsers allow, and the rows in view ----

const LIMIT = 8000000; // pixels
const isSmall = () => matchMedia('(max-width: 640px), (max-height: 500px)').matches;
const rowHeight = () => (matchMedia('(max-width: 640px)').matches ? 34 : 24);

function layout() {
  $('space').style.height = Math.min(rows.size * rowHeight(), LIMIT) + 'px';
  draw();
}

function firstInView() {
  const tree = $('tree'), high = rows.size * rowHeight();
  if (high <= LIMIT) return tree.scrollTop / rowHeight();
  const reach = LIMIT - tree.clientHeight;
  return reach > 0 ? (tree.scrollTop / reach) * (rows.size - tree.clientHeight / rowHeight()) : 0;
}

function showRow(index) {
  const tree = $('tree'), high = rows.size * rowHeight(), view = tree.clientHeight / rowHeight();
  const first = firstInView();
  if (index >= first && index + 1 <= first + view) return draw();
  const wanted = Math.max(0, Math.min(index - view / 3, rows.size - view));
  tree.scrollTop = high <= LIMIT ? wanted * rowHeight() : (wanted / Math.max(1, rows.size - view)) * (LIMIT - tree.clientHeight);
  draw();
}

function highlighted(text) {
  const name = element('span', 'name');
  const at = filter.text ? text.toLowerCase().indexOf(filter.text.toLowerCase()) : -1;
  if (at < 0) {
    name.textContent = text;
  } else {
    name.append(text.slice(0, at), element('mark', '', text.slice(at, at + filter.text.length)), text.slice(at + filter.text.length));
  }
  name.title = text;
  return name;
}

function drawRow(row, top) {
  const state = stateOf(row);
  const line = element('div', 'row s' + state + (isHead(row) ? ' head' : row.what === OPERATION ? ' operation' : ''));
  line.style.top = top + 'px';
  line.style.paddingLeft = 8 + Math.min(row.depth, 40) * 14 + 'px';
  line.setAttribute('role', 'treeitem');
  line.id = 'row-' + row.index;
  line.setAttribute('aria-level', row.depth + 1);
  line.setAttribute('aria-posinset', rows.place[row.index]);
  line.setAttribute('aria-setsize', rows.places[row.index]);
  line.setAttribute('aria-selected', 'false');
  line.dataset.index = row.index;
  const children = hasChildren(row), open = children && (isFiltering() || isOpen(row));
  if (children) line.setAttribute('aria-expanded', open);
  line.append(element('span', 'twist', children ? (open ? '▾' : '▸') : ''));
  line.append(element('span', 'state', state < 0 ? '' : SIGNS[state]));
  line.lastChild.title = state < 0 ? '' : STATES[state];
  if (isEntry(row) && columns.color && columns.color[row.ref]) {
    const swatch = element('span', 'swatch');
    swatch.style.background = '#' + (columns.color[row.ref] & 0xffffff).toString(16).padStart(6, '0');
    line.append(swatch);
  }
  line.append(highlighted(titleOf(row)), element('span', 'more', noteOf(row)));
  if (picked && keyOf(row) === keyOf(picked)) {
    line.classList.add('picked');
    line.setAttribute('aria-selected', 'true');
  }
  return line;
}

function draw() {
  const tree = $('tree'), high = rowHeight(), first = firstInView();
  const from = Math.max(0, Math.floor(first)), to = Math.min(rows.size, from + Math.ceil(tree.clientHeight / high) + 2);
  const lines = [];
  for (let i = from; i < to; i++) lines.push(drawRow(rows.at(i), tree.scrollTop + (i - first) * high));
  $('rows').replaceChildren(...lines);
  const chosen = document.querySelector('.row.picked');
  if (chosen) tree.setAttribute('aria-activedescendant', chosen.id);
  else tree.removeAttribute('aria-activedescendant');
}

// ---- choosing ----

function evidenceText(row) {
  return row.what === LIST ? report.evidences[columns.executionEvidence[row.ref]] || '' : '';
}

function pick(row, isQuiet) {
  picked = row;
  const detail = $('detail'), state = stateOf(row);
  const list = element('dl');
  const say = (name, value) => {
    if (value === '' || value === undefined) return;
    const pair = element('div');
    pair.append(element('dt', '', name), element('dd', '', value));
    list.append(pair);
  };
  say(isEntry(row) ? 'marker' : row.what === OPERATION ? 'operation' : 'object', titleOf(row));
  if (state >= 0) say('state', row.what === OPERATION ? noteOf(row) : STATES[state]);
  say('evidence', evidenceText(row));
  if (isEntry(row) && columns.kind[row.ref] <= KIND.SET) {
    say('EventID', idText(row.ref));
    if (columns.kind[row.ref] === KIND.BEGIN) say('scope', columns.closed[row.ref] ? 'closed' : 'never closed in its ' + report.words.list);
    if (!isQuiet) history.replaceState(null, '', '#' + idText(row.ref) + (row.execution === NONE ? '' : '/' + row.execution));
  }
  if (row.execution !== NONE) {
    say(report.words.list, executionName(row.execution));
    say('submission', serialOf(columns.executionSubmission[row.execution]));
    say('queue', streamName(columns.executionQueue[row.execution], 'Queue'));
  }
  detail.replaceChildren(list);
  draw();
}

function openAround(entry, execution, bundle) {
  const set = (what, ref, run, around) => toggled.set([what, ref, run, around].join(), true);
  const scopes = (what, from, run, around) => {
    for (let at = columns.parent[from]; at !== NONE; at = columns.parent[at]) set(what, at, run, around);
  };
  const stream = columns.streamOf[entry];
  if (execution === NONE) {
    const isQueue = columns.streamIsQueue[stream];
    set(isQueue ? QUEUE : RECORDING, stream, NONE, NONE);
    scopes(isQueue ? OWN : RECORDED, entry, NONE, NONE);
    return;
  }
  const submission = columns.submissionEntry[columns.executionSubmission[execution]];
  set(QUEUE, columns.executionQueue[execution], NONE, NONE);
  set(OWN, submission, NONE, NONE);
  scopes(OWN, submission, NONE, NONE);
  set(LIST, execution, execution, NONE);
  if (bundle !== NONE) {
    set(INSIDE, bundle, execution, NONE);
    scopes(INSIDE, bundle, execution, NONE);
  }
  scopes(INSIDE, entry, execution, bundle);
}

function findRow(entry, execution, bundle) {
  for (let i = 0; i < rows.size; i++)
    if (rows.ref[i] === entry && rows.execution[i] === execution && rows.bundle[i] === bundle &&
      isEntry({ what: rows.what[i] })) return i;
  return -1;
}

function goTo(entry, execution, bundle) {
  clearFilter();
  openAround(entry, execution, bundle);
  showTab('tree');
  rebuild();
  const index = findRow(entry, execution, bundle);
  if (index < 0) return;
  pick(rows.at(index));
  showRow(index);
}

// Where a marker runs: in the execution that is named, else in one that is in progress, else in any; [execution, bundle].
function placeOf(entry, wanted) {
  const stream = columns.streamOf[entry];
  if (columns.streamIsQueue[stream]) return [NONE, NONE];
  let best = NONE;
  for (let i = 0; i < columns.executionStream.length; i++) {
    if (columns.executionStream[i] !== stream) continue;
    if (i === wanted) return [i, NONE];
    if (best === NONE || (columns.executionState[i] === 2 && columns.executionState[best] !== 2)) best = i;
  }
  if (best !== NONE || !columns.streamIsBundle[stream]) return [best, NONE];
  let place = [NONE, NONE];
  for (let at = 0; at < columns.kind.length; at++) {
    if (columns.kind[at] !== KIND.BUNDLE || columns.link[at] !== stream) continue;
    const [execution] = placeOf(at, wanted);
    if (execution === NONE) continue;
    if (place[0] === NONE || execution === wanted) place = [execution, at];
  }
  return place;
}

// "#0x20001c012/5": an EventID, and in which execution.
function followLink() {
  const parts = /^#(0x[0-9a-f]{1,16})(?:\/(\d{1,10}))?$/i.exec(location.hash);
  notice(parts || location.hash.length < 2 ? '' : 'This address names no EventID: ' + location.hash.slice(0, 80));
  if (!parts) return false;
  const id = BigInt(parts[1]), high = Number(id >> 32n), low = Number(id & 0xffffffffn);
  for (let i = 0; i < columns.kind.length; i++) {
    if (columns.idLow[i] !== low || columns.idHigh[i] !== high || columns.kind[i] > KIND.SET) continue;
    const [execution, bundle] = placeOf(i, parts[2] === undefined ? NONE : Number(parts[2]));
    goTo(i, execution, bundle);
    return true;
  }
  notice('This dump has no marker ' + parts[1] + ', or no longer.');
  return false;
}

// Shows words that stay until the next link is followed.
function notice(words) {
  $('notice').textContent = words;
}

function goToStop(index) {
  const stop = report.stops[index];
  if (!stop) return;
  const bundle = stop.bundle === null ? NONE : stop.bundle;
  const inner = stop.bundle_entry !== null ? stop.bundle_entry : null;
  if (inner !== null) goTo(inner, stop.execution, bundle);
  else if (stop.entry !== null) goTo(stop.entry, stop.execution, NONE);
  else {
    clearFilter();
    toggled.set([QUEUE, columns.executionQueue[stop.execution], NONE, NONE].join(), true);
    const submission = columns.submissionEntry[columns.executionSubmission[stop.execution]];
    openAround(submission, NONE, NONE);
    toggled.set([OWN, submission, NONE, NONE].join(), true);
    showTab('tree');
    rebuild();
    for (let i = 0; i < rows.size; i++)
      if (rows.what[i] === LIST && rows.ref[i] === stop.execution) {
        pick(rows.at(i));
        showRow(i);
        return;
      }
  }
}

// ---- other parts ----

function table(into, title, head, body, empty) {
  into.append(element('h2', '', title));
  if (body.length === 0) {
    into.append(element('p', '', empty));
    return;
  }
  const made = element('table'), top = element('thead'), line = element('tr'), rest = element('tbody');
  for (const cell of head) line.append(element('th', '', cell));
  top.append(line);
  for (const cells of body.slice(0, 5000)) {
    const tr = element('tr');
    for (const cell of cells) tr.append(cell instanceof Node ? cell : element('td', '', cell === null ? '' : String(cell)));
    rest.append(tr);
  }
  made.append(top, rest);
  into.append(made);
  if (body.length > 5000) into.append(element('p', '', body.length - 5000 + ' more; annot show --output json has them'));
}

// The text report without its tree: parts of lines, which have details (annot_report_options.outline).
function readOutline() {
  const parts = [];
  for (const line of report.outline.split('\n')) {
    const [level, label, words] = line.split('\t');
    if (level === '0') parts.push({ title: words, lines: [] });
    if (level === '1') parts.at(-1).lines.push({ label, words, details: [] });
    if (level === '2') parts.at(-1).lines.at(-1).details.push({ label, words });
  }
  return parts;
}

// As html.c's write_words.
const quoted = (words) => words.replace(/(^|[ ([])"/g, '$1“').replace(/(\\?)"/g, (_, own) => (own ? '"' : '”'));

// A place where work stopped is a button that leads there.
function outlineLine(line, index) {
  const made = element(index < 0 ? 'div' : 'button', index < 0 ? 'said' : 'stop');
  made.append(element(index < 0 ? 'span' : 'b', '', quoted(line.words)));
  if (line.details.length > 0) made.append(element('span', 'details'));
  for (const { label, words } of line.details) {
    if (label) made.lastChild.append(element('span', 'label', label));
    made.lastChild.append(element('span', label ? '' : 'whole', quoted(words)));
  }
  if (index >= 0) made.addEventListener('click', () => goToStop(index));
  return made;
}

// What hung, what waits, what was being recorded: all parts before the facts.
function fillStops(parts) {
  let places = 0;
  for (const part of parts) {
    if (part !== parts[0]) $('stops').append(element('h2', '', part.title));
    $('stops').append(...part.lines.map((line) => outlineLine(line, line.label === 'stop' ? places++ : -1)));
  }
}

function fillDevice(part) {
  const list = $('facts-short');
  const say = (name, value) => {
    const pair = element('div');
    pair.append(element('dt', '', name), element('dd', '', value));
    list.append(pair);
  };
  for (const { label, words } of part.lines) {
    if (label) say(label, words);
    else list.lastChild.lastChild.append('; ' + words);
  }
  say('signature', report.signature.id || report.signature.title);
  if (report.damaged) say('dump', 'damaged: see Messages');
}

function fillHeader(outline) {
  $('headline').classList.toggle('live', report.device.error === 0);
  $('text').textContent = report.text.slice(report.text.indexOf('\n')).trimStart(); // its first line is the headline
  const facts = outline.findIndex((part) => part.title === 'FACTS');
  fillStops(outline.slice(0, facts));
  fillDevice(outline[facts]);
}

const nameAt = (index) => (index === null ? '' : report.objects[index].name || '');

function fillMemory() {
  const into = $('tab-memory'), device = report.device;
  if (device.fault_count > 0)
    into.append(element('p', '', device.fault_count + ' page fault(s), the first at ' + device.fault_address));
  table(into, 'Objects around the address', ['address', 'bytes', 'object', 'state', 'the life of this memory'],
    report.ranges.map((r) => [r.address, r.size, nameAt(r.object), r.freed ? 'freed ' + r.freed_before + ' s before' : 'alive',
      (r.made === '0' ? '' : 'made before submission ' + r.made) + (r.destroyed === '0' ? '' : ', freed before ' + r.destroyed)]),
    'The dump lists no allocations.');
  table(into, 'Breadcrumbs', ['queue', 'submission', 'list', 'bundle', 'done', 'operation'],
    report.crumbs.map((c) => [nameAt(c.queue), c.submission, c.list + 1, c.bundle || '', c.done === null ? 'none done' : c.done + ' of ' + c.count,
      c.operation || '']), 'There are none: DRED was off.');
}

// Facts "message.N" are what the runtime's debug layer said.
const isMessage = (fact) => /^message\.\d+$/.test(fact.key);

function fillLost(part) {
  const into = $('tab-lost');
  table(into, 'What the runtime said last', ['message'], report.facts.filter(isMessage).map((f) => [f.value]), 'The dump has no messages.');
  into.append(element('h2', '', 'Lost or odd'), ...part.lines.map((line) => outlineLine(line, -1)));
  if (report.cut > 0) into.append(element('p', '', report.cut + ' executions: the page has no room for the states of their markers'));
}

function fillFacts() {
  const into = $('tab-facts');
  table(into, 'Facts', ['key', 'value', 'from'], report.facts.filter((f) => !isMessage(f)).map((f) => [f.key, f.value, f.source]), 'There are none.');
  table(into, 'Blobs', ['index', 'kind', 'bytes'], report.blobs.map((b) => [b.index, b.kind, b.size]), 'There are none.');
}

function fillObjects() {
  table($('tab-objects'), 'Objects', ['identity', 'type', 'name', 'state'],
    report.objects.map((o) => [o.id, o.type, o.name || '', o.destroyed ? 'destroyed' : '']), 'There are none.');
}

function fillKeys() {
  table($('tab-keys'), 'Keys', ['key', 'what it does'], [
    ['/', 'search; Escape leaves it'], ['↑ ↓ or k j', 'the row above, below'], ['PgUp PgDn Home End', 'further'],
    ['→ or l', 'unfold'], ['← or h', 'fold, or go to the scope around'], ['Enter or Space', 'fold or unfold'],
    ['n N', 'the next, the previous match'], ['g', 'where the GPU stopped; again: the next place'], ['e c', 'unfold everything, fold what is finished'],
    ['o', 'operations in their scopes, or not'], ['+ − 0', 'in the timeline: nearer, further, all of it'],
    ['1 … ' + TABS.length, 'the parts of this page'], ['t', 'light or dark'], ['?', 'this list']], '');
}

// ---- controls ----

const ALL_TABS = [['tree', 'Tree'], ['time', 'Timeline'], ['memory', 'Memory'], ['lost', 'Messages'], ['facts', 'Facts'],
  ['objects', 'Objects'], ['report', 'Report'], ['keys', 'Keys']];
let TABS = ALL_TABS;

function showTab(name) {
  for (const [tab] of TABS) {
    $('tab-' + tab).hidden = tab !== name;
    $('to-' + tab).setAttribute('aria-selected', tab === name);
    $('to-' + tab).tabIndex = tab === name ? 0 : -1;
  }
  if (name === 'time') drawTime();
  if (name === 'tree') layout();
}

function makeTabs() {
  TABS = ALL_TABS.filter(([tab]) => tab !== 'time' || report.times.end); // without times there is no timeline
  for (const [tab, title] of TABS) {
    const button = element('button', '', title);
    button.id = 'to-' + tab;
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', 'tab-' + tab);
    $('tab-' + tab).setAttribute('aria-labelledby', button.id);
    button.addEventListener('click', () => showTab(tab));
    $('tabs').append(button);
  }
}

function onTabKey(event) {
  const at = TABS.findIndex(([tab]) => $('to-' + tab) === event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  const [tab] = TABS[(to + TABS.length) % TABS.length];
  event.preventDefault();
  event.stopPropagation();
  showTab(tab);
  $('to-' + tab).focus();
}

function makeStates() {
  for (const state of columns.submissionState.includes(4) ? [2, 0, 1, 3, 4] : [2, 0, 1, 3]) {
    const button = element('button', 's' + state);
    button.append(element('span', 'state', SIGNS[state] + ' '), STATES[state]);
    button.setAttribute('aria-pressed', 'true');
    button.addEventListener('click', () => {
      filter.states[state] = !filter.states[state];
      button.setAttribute('aria-pressed', filter.states[state]);
      rebuild();
    });
    $('states').append(button);
  }
}

function clearFilter() {
  filter.text = $('search').value = '';
  filter.states.fill(true);
  for (const button of $('states').children) button.setAttribute('aria-pressed', 'true');
}

function setOpen(row, open) {
  toggled.set(keyOf(row), open);
  rebuild();
  showRow(Math.min(row.index, rows.size - 1));
}

function setAll(open) {
  toggled.clear();
  allOpen = open;
  rebuild();
}

const isMatch = () => { const match = matcher(); return (index) => match(rows.at(index)); };

function nextMatch(step) {
  const match = isMatch(), from = picked ? indexOfPicked() : -1;
  for (let n = 1; n <= rows.size; n++) {
    const index = (((from + n * step) % rows.size) + rows.size) % rows.size;
    if (!match(index)) continue;
    pick(rows.at(index));
    showRow(index);
    return;
  }
}

function indexOfPicked() {
  if (!picked) return -1;
  if (picked.index < rows.size && keyOf(rows.at(picked.index)) === keyOf(picked)) return picked.index;
  for (let i = 0; i < rows.size; i++)
    if (rows.ref[i] === picked.ref && keyOf(rows.at(i)) === keyOf(picked)) return i;
  return -1;
}

function move(to) {
  const index = Math.max(0, Math.min(rows.size - 1, to));
  if (rows.size === 0) return;
  pick(rows.at(index));
  showRow(index);
}

function leave(row) {
  for (let i = row.index - 1; i >= 0; i--) if (rows.depth[i] < row.depth) return move(i);
}

let stopShown = -1;
const keys = {
  '/': () => { showTab('tree'); $('search').focus(); },
  t: () => switchTheme(),
  g: () => { stopShown = (stopShown + 1) % Math.max(1, report.stops.length); goToStop(stopShown); },
  e: () => setAll(true),
  c: () => setAll(false),
  o: () => $('operations').click(),
  '+': () => zoom(2),
  '-': () => zoom(1 / 2),
  0: () => zoom(0),
  n: () => nextMatch(1),
  N: () => nextMatch(-1),
  '?': () => showTab('keys'),
};

const treeKeys = {
  ArrowDown: (at) => move(at + 1), j: (at) => move(at + 1), ArrowUp: (at) => move(at - 1), k: (at) => move(at - 1),
  PageDown: (at) => move(at + page()), PageUp: (at) => move(at - page()), Home: () => move(0), End: () => move(rows.size - 1),
  ArrowRight: (at) => fold(at, true), l: (at) => fold(at, true), ArrowLeft: (at) => fold(at, false), h: (at) => fold(at, false),
  Enter: (at) => flip(at), ' ': (at) => flip(at),
};

const page = () => Math.max(1, Math.floor($('tree').clientHeight / rowHeight()) - 1);

function fold(at, open) {
  if (at < 0) return;
  const row = rows.at(at);
  if (!isFiltering() && hasChildren(row) && isOpen(row) !== open) return setOpen(row, open);
  if (!open) leave(row);
}

function flip(at) {
  if (at < 0 || isFiltering()) return;
  const row = rows.at(at);
  if (hasChildren(row)) setOpen(row, !isOpen(row));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === $('search')) {
    if (event.key === 'Escape') { clearFilter(); rebuild(); $('tree').focus(); }
    if (event.key === 'Enter') { searchNow(); nextMatch(event.shiftKey ? -1 : 1); }
    return;
  }
  const isButton = event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ');
  if (isButton) return;
  if (TABS[Number(event.key) - 1]) { showTab(TABS[Number(event.key) - 1][0]); return; }
  const action = keys[event.key] || (!$('tab-tree').hidden && treeKeys[event.key]);
  if (!action) return;
  event.preventDefault();
  action(indexOfPicked());
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  drawTime();
}

// Where the browser doesn't let a page write to the clipboard, the report is selected.
async function copyReport() {
  const text = $('headline').textContent + '\n\n' + $('text').textContent;
  try {
    await navigator.clipboard.writeText(text);
    notice('The report was copied.');
  } catch {
    showTab('report');
    getSelection().selectAllChildren($('text'));
    notice('The report is selected: copy it with Ctrl+C.');
  }
}

// Typing searches a little later, Enter at once: what stands there is what is looked for.
let searchLater = 0;
function searchNow() {
  clearTimeout(searchLater);
  if (filter.text === $('search').value) return;
  filter.text = $('search').value;
  rebuild();
}

function listen() {
  $('search').addEventListener('input', () => {
    clearTimeout(searchLater);
    searchLater = setTimeout(searchNow, 120);
  });
  $('operations').addEventListener('click', () => {
    hasOperations = !hasOperations;
    $('operations').setAttribute('aria-pressed', hasOperations);
    rebuild();
  });
  $('operations').hidden = columns.opNumber.length === 0;
  $('tabs').addEventListener('keydown', onTabKey);
  $('tree').addEventListener('scroll', () => draw(), { passive: true });
  $('tree').addEventListener('click', (event) => {
    const line = event.target.closest('.row');
    if (!line) return;
    const row = rows.at(Number(line.dataset.index));
    pick(row);
    if (event.target.classList.contains('twist') && !isFiltering()) flip(row.index);
  });
  $('tree').addEventListener('dblclick', (event) => {
    const line = event.target.closest('.row');
    if (line) flip(Number(line.dataset.index));
  });
  $('unfold').addEventListener('click', () => setAll(true));
  $('fold').addEventListener('click', () => setAll(false));
  $('where').addEventListener('click', () => keys.g());
  $('theme').addEventListener('click', switchTheme);
  addEventListener('keydown', onKey);
  addEventListener('hashchange', followLink);
  addEventListener('resize', () => { layout(); drawTime(); });
  $('more').open = !matchMedia('(max-height: 500px)').matches;
  $('copy').addEventListener('click', copyReport);
  $('more').addEventListener('toggle', layout);
}

async function main() {
  parse(await readData());
  const outline = readOutline();
  fillHeader(outline);
  makeTabs();
  makeStates();
  fillTime();
  fillMemory();
  fillLost(outline.at(-1));
  fillFacts();
  fillObjects();
  fillKeys();
  listen();
  rebuild();
  showTab('tree');
  if (!followLink() && report.stops.length > 0) keys.g();
  document.documentElement.dataset.ready = String(rows.size);
}

main().catch((error) => {
  $('headline').textContent = 'This page can’t show its dump';
  $('advice').textContent = String(error);
});
