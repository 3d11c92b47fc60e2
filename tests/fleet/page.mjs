// The page of annot html in a browser [ANN-RPT-01, ANN-SEC-06].
// usage: node page.mjs BIN_DIR GOLDEN_DIR [PICTURES_DIR [small]]     small: without the million markers
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Browser, findChromium } from './browser.mjs';

const [bin, golden, pictures, size] = process.argv.slice(2);
const chromium = findChromium();
if (!chromium || !existsSync(join(bin, 'hang'))) {
  console.log(`page.mjs: no ${chromium ? 'hang' : 'chromium'}: skipped`);
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'annot-page-test-'));
let passed = 0, failed = 0;

function expect(what, wanted, got) {
  if (wanted === got) passed++;
  else { failed++; console.log(`${what}:\n  expected ${wanted}\n  got      ${got}`); }
}

function tool(name, ...args) {
  const run = spawnSync(join(bin, name), args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status > 1 || run.error) throw new Error(`${name} ${args.join(' ')}: ${run.stderr}`);
  return run.stdout;
}

function makePage(dump, name) {
  const page = join(folder, name + '.html');
  tool('annot', 'html', dump, '-o', page);
  return page;
}

const picked = (page) => page.run('document.querySelector(".row.picked .name")?.textContent ?? ""');
const names = (page) => page.run('[...document.querySelectorAll(".row .name")].map((n) => n.textContent)');
const count = (page) => page.run('document.getElementById("count").textContent');

async function search(page, text) {
  await page.run(`(() => { const s = document.getElementById('search'); s.value = ${JSON.stringify(text)}; s.dispatchEvent(new Event('input')); })()`);
  await page.until(`filter.text === ${JSON.stringify(text)}`);
}

const clean = (what, page) => {
  expect(`${what}: no request but the page`, 0, page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('blob:')).length);
  expect(`${what}: no error`, '', page.errors.join());
};

// The page's quotes are typographic, so it doesn't escape those of names.
const plain = (text) => text.replace(/[“”]|\\"/g, '"');

// All that the text report says before its tree and behind it, the page says too. [ANN-OP-01]
async function testWords(what, page, dump) {
  const words = (text) => text.replace(/\s+/g, ' ').trim();
  const shown = plain(words(await page.run(`(() => {
    const said = [];
    for (const id of ['headline', 'advice', 'stops', 'facts-short', 'tab-lost', 'tab-facts']) {
      const texts = document.createTreeWalker(document.getElementById(id), NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) said.push(texts.currentNode.data);
    }
    return said.join(' ');
  })()`)));
  const said = tool('annot', 'show', '--output', 'text', dump).replace(/\nMARKERS[^]*?\n\n/, '\n').replace('Nothing was lost.', '');
  const lacks = said.split('\n').map(words).filter((line) => line && !/^(WHAT TO DO|WHAT HUNG|WHAT WAS RUNNING|FACTS|LOST|The dump is)/.test(line))
    .map(plain).map((line) => line.replace(/^message\.\d+ /, '')).filter((line) => !shown.includes(line));
  expect(`${what}: what the text report says`, '', lacks.join('\n'));
}

// ---- what it says, search, folds, links ----

async function testContent(browser) {
  const dump = join(folder, 'hang.annotdmp');
  process.env.ANNOT_TIMELINE = '1';
  tool('hang', '--seed', '1', '--out', dump);
  const json = JSON.parse(tool('annot', 'show', '--output', 'json', '--all', dump));
  const url = 'file://' + makePage(dump, 'hang');
  const page = await browser.open(url);
  const stop = json.in_progress[0];
  expect('the answer is the headline', json.answer, plain(await page.run('document.getElementById("headline").textContent')));
  expect('and is there without scripts', true, plain(readFileSync(new URL(url), 'utf8')).includes(`<title>${json.answer}</title>`));
  expect('and the title', json.answer, plain(await page.run('document.title')));
  expect('what to do next', plain(json.advice.join('\n')), plain(await page.run('[...document.querySelectorAll("#advice p")].map((n) => n.textContent).join("\\n")')));
  expect('what hung comes first', plain(stop.text), plain(await page.run('document.querySelector(".stop b").textContent')));
  expect('the signature', true, (await page.run('document.querySelector("header").textContent')).includes(json.signature.id));
  expect('the marker in progress is chosen', stop.path.at(-1), await picked(page));
  expect('its state', '[>]', await page.run('document.querySelector(".row.picked .state").textContent'));
  expect('its EventID is in the address', true, (await page.run('location.hash')).startsWith('#' + stop.scope.event_id));
  if (pictures) await page.picture(join(pictures, 'light.png'));

  await search(page, 'light 1');
  const found = await names(page);
  expect('search shows what matches', true, found.some((n) => n.startsWith('Light 1')) && !found.some((n) => n.startsWith('Mesh')));
  expect('and what is around it', true, found.includes('Lighting'));
  if (pictures) await page.picture(join(pictures, 'search.png'));
  await search(page, stop.scope.event_id);
  expect('search by EventID', '1 match', await count(page));
  await search(page, 'no such name');
  expect('search for nothing', '0 matches', await count(page));
  await search(page, '');

  const states = await page.run(`(() => {
    const seen = new Map();
    const all = walk(() => true);
    for (let i = 0; i < all.size; i++) {
      const row = all.at(i);
      if (row.what === INSIDE && columns.kind[row.ref] <= 2) seen.set(stateOf(row), (seen.get(stateOf(row)) ?? 0) + 1);
    }
    return [0, 1, 2, 3].map((s) => seen.get(s) ?? 0).join();
  })()`);
  const told = { unknown: 0, 'not started': 0, 'in progress': 0, finished: 0 };
  for (const queue of json.queues) for (const entry of queue.entries) for (const list of entry.lists ?? [])
    for (const marker of list.markers ?? []) if (marker.event_id) told[marker.state]++;
  expect('every marker in every state as in JSON', Object.values(told).join(), states);

  await page.run('document.querySelectorAll("#states button")[3].click()');
  const left = await page.run('[...document.querySelectorAll(".row:not(.head) .state")].some((n) => n.textContent === "[X]" && false) ? 1 : rows.size');
  expect('the filter leaves something', true, left > 0 && left < json.queues.length * 1000);
  await page.run('document.querySelectorAll("#states button")[3].click()');

  await page.run('document.getElementById("tree").focus(); goToStop(0)');
  const before = await page.run('rows.size');
  await page.press('ArrowLeft');
  expect('a key folds', true, (await page.run('rows.size')) < before);
  await page.press('ArrowRight');
  expect('and unfolds', before, await page.run('rows.size'));
  await page.press('e');
  expect('e unfolds everything', true, (await page.run('rows.size')) > before);
  await page.press('End');
  const last = await page.run('rows.size - 1');
  expect('End goes to the last row', last, await page.run('picked.index'));
  await page.press('c');
  await page.press('/');
  expect('/ is for searching', 'search', await page.run('document.activeElement.id'));
  await page.press('Escape');
  for (const [index, tab] of ['tree', 'time', 'memory', 'lost', 'facts', 'objects', 'report', 'keys'].entries()) {
    await page.press(String(index + 1));
    expect(`part ${tab}`, false, await page.run(`document.getElementById('tab-${tab}').hidden`));
    if (pictures && tab === 'time') await page.picture(join(pictures, 'time.png'));
  }
  clean('hang', page);
  await page.close();

  await testTimes(browser, url, dump);
  await testAccess(browser, url);

  const marker = json.queues.flatMap((q) => q.entries).flatMap((e) => e.lists ?? []).flatMap((l) => l.markers ?? []).find((m) => m.name?.startsWith('Light 7'));
  const deep = await browser.open(url + '#' + marker.event_id);
  expect('a link opens at its marker', marker.name, await picked(deep));
  await deep.run(`location.hash = '#0xdead'`);
  await deep.until('document.getElementById("notice").textContent.includes("no marker 0xdead")');
  await deep.close();
  const unknown = await browser.open(url + '#0xdead');
  expect('an unknown EventID is told, though the page shows the stop', true,
    (await unknown.run('document.getElementById("notice").textContent')).includes('no marker 0xdead') && (await picked(unknown)) === stop.path.at(-1));
  await unknown.close();

  const dark = await browser.open(url, { dark: true });
  expect('dark', 'rgb(20, 23, 26)', await dark.run('getComputedStyle(document.body).backgroundColor'));
  if (pictures) await dark.picture(join(pictures, 'dark.png'));
  await dark.press('2');
  if (pictures) await dark.picture(join(pictures, 'dark-time.png'));
  await testAxe(dark);
  await dark.press('1');
  await dark.press('t');
  expect('and light on demand', 'rgb(255, 255, 255)', await dark.run('getComputedStyle(document.body).backgroundColor'));
  await dark.close();

  const phone = await browser.open(url, { width: 400, height: 844, mobile: true });
  expect('on a phone nothing is wider than it', true, await phone.run('document.documentElement.scrollWidth <= innerWidth'));
  const share = 'document.getElementById("tree").clientHeight / innerHeight';
  expect('and a third of it is the tree’s', true, (await phone.run(share)) >= 0.33);
  const isSeen = (id) => phone.run(`(() => { const r = document.querySelector('${id}').getBoundingClientRect(); const h = document.querySelector('header').getBoundingClientRect();
    return r.top >= 0 && r.bottom <= h.bottom; })()`);
  expect('the whole answer is on its first screen', true, await isSeen('#headline'));
  expect('and the first step', true, await isSeen('#advice p'));
  if (pictures) await phone.picture(join(pictures, 'phone.png'));
  await phone.press('2');
  expect('nor is the timeline', true, await phone.run('document.getElementById("tab-time").scrollWidth <= innerWidth'));
  if (pictures) await phone.picture(join(pictures, 'phone-time.png'));
  await phone.close();
  const across = await browser.open(url, { width: 844, height: 390, mobile: true });
  expect('held across, too', true, (await across.run(share)) >= 0.5);
  if (pictures) await across.picture(join(pictures, 'phone-landscape.png'));
  await across.close();
  if (!pictures) return;
  const night = await browser.open(url, { width: 400, height: 844, mobile: true, dark: true });
  await night.picture(join(pictures, 'phone-dark.png'));
  await night.close();
}

// ---- keys and screen readers ----

async function testAccess(browser, url) {
  const page = await browser.open(url);
  const of = (id, name) => page.run(`document.getElementById('${id}').getAttribute('${name}')`);
  const active = () => page.run('document.getElementById(document.getElementById("tree").getAttribute("aria-activedescendant"))?.querySelector(".name").textContent ?? ""');
  expect('the tree says which row is chosen', await picked(page), await active());
  await page.run('document.getElementById("tree").focus()');
  await page.press('ArrowUp');
  expect('and the next one', await picked(page), await active());
  const counted = await page.run(`[...document.querySelectorAll('.row')].every((row) => {
    const i = Number(row.dataset.index), depth = rows.depth[i];
    let first = i, last = i;
    for (let at = i; at >= 0 && rows.depth[at] >= depth; at--) if (rows.depth[at] === depth) first = at;
    for (let at = i; at < rows.size && rows.depth[at] >= depth; at++) if (rows.depth[at] === depth) last = at;
    let count = 0, place = 0;
    for (let at = first; at <= last; at++) if (rows.depth[at] === depth) { count++; if (at === i) place = count; }
    return row.getAttribute('aria-setsize') === String(count) && row.getAttribute('aria-posinset') === String(place);
  })`);
  expect('each row has its place among its siblings', true, counted);
  expect('a tab controls its part', 'tab-time', await of('to-time', 'aria-controls'));
  expect('and names it', 'to-time', await of('tab-time', 'aria-labelledby'));
  await page.run('document.getElementById("to-tree").focus()');
  await page.press('ArrowRight');
  expect('arrows go through the tabs', 'to-time', await page.run('document.activeElement.id'));
  expect('only the chosen one is in the order of Tab', 'to-time', await page.run('[...document.querySelectorAll("[role=tab]")].filter((n) => n.tabIndex === 0).map((n) => n.id).join()'));
  await page.press('1');

  // Enter during the delay: what was typed is what is found.
  await page.run('document.getElementById("search").focus()');
  await page.run(`(() => { const s = document.getElementById('search'); s.value = 'Light 1'; s.dispatchEvent(new Event('input')); })()`);
  await page.press('Enter');
  expect('Enter chooses what was typed', true, (await picked(page)).startsWith('Light 1'));
  await page.press('Escape');

  await page.press('2');
  const whole = await page.run('timeView.to - timeView.from');
  await page.press('+');
  expect('+ zooms', whole / 2, await page.run('timeView.to - timeView.from'));
  await page.press('0');
  expect('0 shows all', 1, await page.run('timeView.to - timeView.from'));
  expect('all that the text has is there', true, (await page.run('document.getElementById("text").textContent')).includes('ENGINE_TIMEOUT'));
  await testAxe(page);
  clean('access', page);
  await page.close();
}

// axe-core's rules, where that package is installed: AXE is its axe.min.js.
async function testAxe(page) {
  const path = process.env.AXE;
  if (!path || !existsSync(path)) return;
  await page.run(readFileSync(path, 'utf8') + ';0');
  for (const tab of ['tree', 'time', 'memory', 'lost', 'facts', 'objects', 'report', 'keys']) {
    await page.run(`showTab('${tab}')`);
    const found = await page.run('axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")).join("; "))');
    expect(`axe, ${tab}`, '', found);
  }
}

// Submissions of the CPU and executions of the GPU, as annot timeline has them.
async function testTimes(browser, url, dump) {
  const page = await browser.open(url);
  const events = JSON.parse(tool('annot', 'timeline', '--output', 'json', dump)).traceEvents.filter((e) => e.ph === 'X');
  const submits = events.filter((e) => e.name.startsWith('ExecuteCommandLists')), executed = events.filter((e) => /^submission \d/.test(e.name));
  const told = (list) => list.map((e) => Math.round(e.ts * 1000)).sort((a, b) => a - b).join();
  const shown = (isSubmit) => page.run(`[...columns.sliceBegin].filter((_, i) => columns.sliceIsSubmit[i] === ${isSubmit})
    .map((t) => t * report.times.tick).sort((a, b) => a - b).join()`);
  expect('times: every call of the CPU', told(submits), await shown(1));
  expect('times: every submission of the GPU', told(executed), await shown(0));
  expect('times: some of it', true, submits.length > 10 && executed.length > 10);
  expect('times: what hangs is unfinished', true, (await page.run('columns.sliceOpen.includes(1)')));
  await page.press('2');
  const pixels = (x, y) => page.run(`(() => { const c = document.querySelector('.lane canvas'); const k = devicePixelRatio || 1;
    return [...c.getContext('2d').getImageData(Math.floor(c.width * ${x}) - 4, Math.floor(c.height * ${y}), 1, 1).data].join(); })()`);
  expect('times: the hang reaches the right edge', '179,38,30,255', await pixels(1, 0.6));
  expect('times: the CPU’s call does not', '0,0,0,0', await pixels(1, 0.15));
  await page.run(`(() => { const c = document.querySelector('.lane canvas'); const r = c.getBoundingClientRect();
    for (const type of ['pointerdown', 'pointerup'])
      c.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: r.right - 2, clientY: r.top + r.height * 0.6 })); })()`);
  const hung = await page.run('columns.sliceSerial[columns.sliceOpen.indexOf(1)]');
  expect('times: a click leads to the submission', `Submission ${hung}`, await picked(page));
  clean('times', page);
  await page.close();
}

// ---- the operation that hung, below the path to it [ANN-OP-01] ----

async function testOperation(browser) {
  const dump = join(folder, 'operation.annotdmp');
  process.env.EMU_HANG = 'dispatch:2';
  tool('hang', '--seed', '1', '--out', dump);
  delete process.env.EMU_HANG;
  const json = JSON.parse(tool('annot', 'show', '--output', 'json', dump));
  const at = json.in_progress[0].stopped_at;
  const page = await browser.open('file://' + makePage(dump, 'operation'));
  await testWords('operation', page, dump);
  const shown = await page.run('[...document.querySelectorAll(".row.operation")].map((n) => n.querySelector(".state").textContent + n.querySelector(".name").textContent)');
  expect('operation: it stands in the tree, the first that is not done', 1, shown.filter((n) => n.startsWith(`[>]${at.number + 1} ${at.text}`)).length);
  if (pictures) await page.picture(join(pictures, 'operations.png'));
  await page.press('o');
  expect('operation: a switch takes them away', 0, await page.run('document.querySelectorAll(".row.operation").length'));
  await page.send('Emulation.setEmulatedMedia', { media: 'print' });
  const display = (selector) => page.run(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).display`);
  expect('print: the report as text, without tabs and tools', 'block,none,none',
    [await display('#tab-report'), await display('nav'), await display('#tab-tree')].join());
  if (pictures) await page.picture(join(pictures, 'print.png'));
  clean('operation', page);
  await page.close();
}

// ---- every golden dump is shown, damaged ones too ----

async function testGolden(browser) {
  for (const name of readdirSync(golden).filter((file) => file.endsWith('.annotdmp')).map((file) => basename(file, '.annotdmp'))) {
    const dump = join(golden, name + '.annotdmp');
    const json = JSON.parse(tool('annot', 'show', '--output', 'json', dump));
    const page = await browser.open('file://' + makePage(dump, name));
    await testWords(name, page, dump);
    expect(`${name}: all stops`, json.in_progress.length, await page.run('document.querySelectorAll(".stop").length'));
    if (json.in_progress[0]?.path.length > 0 && json.in_progress[0].scope)
      expect(`${name}: is where it stopped`, json.in_progress[0].path.at(-1), await picked(page));
    if (name === 'page_fault_with_everything') {
      await search(page, 'PIX one');
      expect(`${name}: a PIX event has its color`, 'rgb(16, 32, 48)', await page.run('document.querySelector(".swatch")?.style.background'));
    }
    expect(`${name}: states are of bundles and of nothing else`, true,
      await page.run('[...columns.runEntry].every((entry) => columns.kind[entry] === KIND.BUNDLE)'));
    clean(name, page);
    await page.close();
  }
}

// ---- a list that is renamed for each use has the name that it had then ----

async function testRenamed(browser) {
  const dump = join(folder, 'renamed.annotdmp');
  tool('fleet-dump', 'renamed', 'shadows', dump);
  const page = await browser.open('file://' + makePage(dump, 'renamed'));
  await testWords('renamed', page, dump);
  await page.press('e');
  const found = await names(page);
  expect('renamed: each use has its own', 'first use,shadows', found.filter((n) => ['first use', 'shadows', 'in the pool'].includes(n)).join());
  expect('renamed: around a marker, too', true, (await page.run('document.getElementById("detail").textContent')).includes('listshadows'));
  await page.press('6');
  expect('renamed: the object has its latest', true, (await page.run('document.getElementById("tab-objects").textContent')).includes('in the pool'));
  clean('renamed', page);
  await page.close();
}

// ---- many dumps: the page of annot triage ----

async function testTriage(browser) {
  const dumps = join(folder, 'heap'), made = join(folder, 'heap.html');
  mkdirSync(dumps);
  mkdirSync(join(folder, 'reports'));
  for (const [i, day] of [0, 7, 12, 19, 20, 20, 20].entries()) tool('fleet-dump', 'renamed', 'shadows', join(dumps, `${i}.annotdmp`), String(day));
  const paths = [dumps, join(golden, 'demo_frame.annotdmp')];
  tool('annot', 'triage', ...paths, '--output', 'html', '--reports', join(folder, 'reports'), '-o', made);
  const all = JSON.parse(tool('annot', 'triage', ...paths, '--output', 'json'));
  const page = await browser.open('file://' + made);
  const cells = (at) => page.run(`[...document.querySelectorAll("#hangs tbody tr:not([hidden])")].map((r) => r.cells[${at}].textContent)`);
  expect('triage: a row for each hang', all.groups.map((g) => g.dumps).join(), (await cells(0)).join());
  expect('triage: what hung', true, (await cells(1)).every((text, i) => text.startsWith(all.groups[i].title)));
  expect('triage: the kind of failure', true, (await cells(1)).every((text, i) => text.includes('kind of failure: ' + all.groups[i].kinds)));
  expect('triage: the signature', all.groups.map((g) => g.signature + g.quality).join(), (await cells(2)).join());
  expect('triage: first and last', '2023-11-14 2023-12-04', (await cells(3))[0] + ' ' + (await cells(4))[0]);
  expect('triage: as bars', '1:8px 0:1px 0:1px 0:1px 0:1px 1:8px 0:1px 0:1px 0:1px 0:1px 0:1px 0:1px 1:8px 3:23px',
    await page.run('[...document.querySelectorAll("#hangs tbody tr:first-child i")].map((i) => i.title + ":" + i.style.height).join(" ")'));
  expect('triage: a report of each', all.groups.length, await page.run('document.querySelectorAll("#hangs a[href$=html]").length'));
  await page.run('find.value = "no such hang"; find.dispatchEvent(new Event("input"))');
  expect('triage: a filter', 0, (await cells(0)).length);
  await page.run('find.value = ""; find.dispatchEvent(new Event("input")); table.tHead.rows[0].cells[0].click()');
  expect('triage: by number', all.groups.map((g) => g.dumps).reverse().join(), (await cells(0)).join());
  expect('triage: which a reader is told', 'ascending,0', await page.run('[table.tHead.rows[0].cells[0].getAttribute("aria-sort"), table.tHead.querySelectorAll("[aria-sort=descending]").length].join()'));
  const application = all.groups[0].applications.replace(/ \(\d+\)$/, '');
  await page.run(`picks[1].value = ${JSON.stringify(application)}; picks[1].dispatchEvent(new Event("input"))`);
  expect('triage: by an application', all.groups.filter((g) => g.applications.startsWith(application)).map((g) => g.dumps).reverse().join(), (await cells(0)).join());
  expect('triage: not all', true, (await cells(0)).length < all.groups.length);
  await page.run('picks[1].value = ""; table.tHead.rows[0].cells[0].click()');
  await testMembers(page, all);
  clean('triage', page);
  await page.close();
  const phone = await browser.open('file://' + made, { width: 390, mobile: true });
  await phone.run('document.querySelector("details").open = true');
  await phone.until('document.querySelector("details li")');
  expect('triage: no wider than a phone', true, await phone.run('document.documentElement.scrollWidth <= 390'));
  if (pictures) await phone.picture(join(pictures, 'triage-phone.png'));
  await phone.close();
  tool('fleet-dump', 'hostile', join(folder, 'one.annotdmp'));
  tool('annot', 'triage', join(folder, 'one.annotdmp'), '--output', 'html', '-o', join(folder, 'one.html'));
  const hostile = await browser.open('file://' + join(folder, 'one.html'));
  await hostile.run('document.querySelector("details").open = true');
  await hostile.until('document.querySelector("details ul")');
  expect('triage: names make nothing', '0 1', await hostile.run('document.querySelectorAll("img, svg").length + " " + table.tBodies[0].rows.length'));
  expect('triage: not even those of facts, which it shows', true, (await hostile.run('document.querySelector("details").textContent')).includes('app.<img src=x'));
  const exported = JSON.parse(tool('annot', 'export', join(folder, 'one.annotdmp'), '--output', 'ndjson'));
  expect('export: a key is one text, whatever its letters', true, Object.keys(exported.app).includes('"><svg onload=document.title=\'owned\'>'));
  clean('triage of a hostile dump', hostile);
  await hostile.close();
}

// A row unfolds: the group's signatures, why they are in it, and the application's facts, which are filters.
async function testMembers(page, all) {
  const group = all.groups[0], of = 'document.querySelector("#hangs tbody details")';
  expect('triage: each signature is a member', true, all.groups.every((g) => g.members.length === Math.min(g.signatures, 32) &&
    g.members.reduce((sum, m) => sum + m.dumps, 0) === g.dumps));
  expect('triage: its newest dump', true, group.members[0].dump.endsWith('/4.annotdmp')); // of three equally new ones, the first name
  expect('triage: facts of 7 dumps on 5 days', 'level=20:3 level=0:1 level=12:1 level=19:1 level=7:1', group.facts.map((f) => `${f.key}=${f.value}:${f.dumps}`).join(' '));
  expect('triage: a row is folded', false, await page.run(`${of}.open`));
  await page.run(`${of}.firstChild.focus()`);
  await page.press('Enter', '\r');
  await page.until(`${of}.querySelector("li")`);
  const said = await page.run(`${of}.textContent`);
  for (const member of group.members)
    for (const text of [member.signature, `${member.dumps} dumps`, member.dump, member.reason === 'alone' ? 'no merge' : member.reason])
      expect(`triage: a member says ${text}`, true, said.includes(text));
  expect('triage: and why it may have different hangs', all.groups.filter((g) => g.members.some((m) => m.quality !== 'full' || m.probably_because)).length,
    await page.run(`(() => { for (const d of document.querySelectorAll("details")) { d.open = true; d.dispatchEvent(new Event("toggle")); }
      return [...document.querySelectorAll("details")].filter((d) => /may have different hangs: |probably of v/.test(d.textContent)).length; })()`));
  if (pictures) await page.picture(join(pictures, 'triage.png'));
  await page.run(`${of}.firstChild.focus()`);
  await page.press('Enter', '\r');
  await page.until(`!${of}.open`);
  const pick = 'document.querySelector("select[name=\'app.level\']")';
  expect('triage: each value is a choice', 'all app.level,0,12,19,20,7', await page.run(`[...${pick}.options].map((o) => o.text).join()`));
  await page.run(`${pick}.value = "12"; ${pick}.dispatchEvent(new Event("input"))`);
  expect('triage: by a fact', group.signature, await page.run('[...document.querySelectorAll("#hangs tbody tr")].map((r) => r.id).join()'));
  await page.run(`${pick}.value = ""; ${pick}.dispatchEvent(new Event("input"))`);
}

// ---- names that want out ----

async function testHostile(browser) {
  const dump = join(folder, 'hostile.annotdmp');
  tool('fleet-dump', 'hostile', dump);
  const page = await browser.open('file://' + makePage(dump, 'hostile'), { width: 1200, height: 1600 });
  await page.press('e');
  for (let i = 1; i <= 7; i++) await page.press(String(i));
  await page.press('4');
  if (pictures) await page.picture(join(pictures, 'messages.png'));
  await page.press('1');
  expect('hostile: the title is the dump’s', true, (await page.run('document.title')).startsWith('GPU HANG in <img'));
  expect('hostile: nothing was made of a name', 0, await page.run('document.querySelectorAll("img, svg, iframe, a, form, object").length'));
  const said = await page.run('document.getElementById("tab-lost").textContent');
  expect('hostile: the runtime’s messages', true, said.includes('WARNING 1: <img src=x') && !said.includes('no messages'));
  expect('hostile: which are no facts', false, (await page.run('document.getElementById("tab-facts").textContent')).includes('WARNING'));
  expect('hostile: one script', 1, await page.run('document.scripts.length'));
  expect('hostile: the names are shown', true, (await names(page)).includes('</script><script>document.title=\'owned\'</script>'));
  expect('hostile: no control or format character', false,
    await page.run('/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)'));
  if (pictures) await page.picture(join(pictures, 'hostile.png'));
  clean('hostile', page);
  await page.close();
}

// ---- a million markers ----

async function testMillion(browser) {
  const dump = join(folder, 'million.annotdmp');
  tool('fleet-dump', 'markers', '1000000', dump);
  const start = performance.now();
  const file = makePage(dump, 'million');
  const made = performance.now() - start;
  const page = await browser.open('file://' + file);
  const work = await page.work();
  const ratio = statSync(file).size / statSync(dump).size;
  expect('million: within 1.5 times the dump', true, ratio <= 1.5);
  expect('million: is where it stopped', 'Chunk 4999', await picked(page));
  expect('million: a queue without a name', 'on queue #1 (unnamed), submission 1, list 1 of 1 #2 (unnamed)', await page.run('document.querySelector(".stop .whole").textContent'));
  const unfold = await page.run('(() => { const t = performance.now(); setAll(true); return performance.now() - t; })()');
  expect('million: all of them', true, (await page.run('rows.size')) >= 1000000);
  expect('million: few elements', true, (await page.run('document.querySelectorAll(".row").length')) < 100);
  await page.press('End');
  expect('million: the last one is in view', 'Mesh 999999', (await names(page)).at(-1));
  const find = await page.run('(() => { const t = performance.now(); filter.text = "mesh 77777"; rebuild(); return performance.now() - t; })()');
  expect('million: finds', '11 matches', await count(page));
  if (pictures) await page.picture(join(pictures, 'million.png'));
  console.log(`1,000,000 markers: page made in ${made.toFixed(0)} ms, ${ratio.toFixed(2)} of the dump's size, open in ${page.openedIn.toFixed(0)} ms (${(work * 1000).toFixed(0)} ms of work), ` +
    `unfolded in ${unfold.toFixed(0)} ms, searched in ${find.toFixed(0)} ms`);
  expect('million: open within 3 s of a processor that it has to itself', true, work <= 3);
  await page.close();
}

const browser = new Browser(chromium);
try {
  await testContent(browser);
  await testOperation(browser);
  await testGolden(browser);
  await testRenamed(browser);
  await testTriage(browser);
  await testHostile(browser);
  if (size !== 'small') await testMillion(browser);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
