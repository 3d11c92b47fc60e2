// What jq makes of annot export's lines for Sentry and Backtrace, against the types that both publish for such payloads: Event of
// @sentry/core and BacktraceData of @backtrace/sdk-core. Each line is a literal of its type, so that a wrong type, a missing
// member and one that the type has not are errors.
// usage: node reports.mjs BIN_DIR GOLDEN_DIR FILTERS_DIR
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [bin, golden, filters] = process.argv.slice(2);
const packages = ['typescript', '@sentry/core', '@backtrace/sdk-core'];

// The node_modules above this folder that has all of them.
function findModules() {
  for (let at = process.cwd(); ; at = dirname(at)) {
    if (packages.every((name) => existsSync(join(at, 'node_modules', name, 'package.json')))) return join(at, 'node_modules');
    if (at === dirname(at)) return null;
  }
}

const modules = findModules();
if (!modules || spawnSync('jq', ['--version']).status !== 0) {
  console.log(modules ? 'reports.mjs: no jq: skipped' : `reports.mjs: not all of ${packages.join(', ')} (npm install --prefix BUILD ${packages.join(' ')}): skipped`);
  process.exit(77);
}

const folder = mkdtempSync(join(dirname(modules), 'reports-'));
let passed = 0, failed = 0;
function expect(what, isGood, said) {
  if (isGood) passed++;
  else { failed++; console.log(`${what}:\n${said}`); }
}

function exported(service) {
  const lines = spawnSync(join(bin, 'annot'), ['export', golden, '--output', 'ndjson'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
  const run = spawnSync('jq', ['-c', '-f', join(filters, service + '.jq')], { input: lines, encoding: 'utf8', maxBuffer: 1 << 26 });
  return run.stdout.trim().split('\n').filter(Boolean);
}

function compile(name, type, from, lines) {
  const file = join(folder, name + '.ts');
  writeFileSync(file, `import type { ${type} } from '${from}';\nexport const all: ${type}[] = [\n${lines.join(',\n')}\n];\n`);
  const run = spawnSync(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'), '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022',
    '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', '', file], { encoding: 'utf8', cwd: folder });
  return { isGood: run.status === 0, said: run.stdout + run.stderr };
}

function check(output, type, from, wrong) {
  const version = JSON.parse(readFileSync(join(modules, from, 'package.json'), 'utf8')).version;
  const lines = exported(output);
  expect(`${output}: a payload for each dump`, lines.length > 10, lines.length);
  const right = compile(output, type, from, lines);
  expect(`${output}: ${lines.length} payloads are ${type} of ${from} ${version}`, right.isGood, right.said);
  // the check can fail
  for (const [what, change] of wrong)
    expect(`${output}: ${what} is noticed`, !compile(output + '-wrong', type, from, [JSON.stringify(change(JSON.parse(lines[0])))]).isGood, '');
  console.log(`${output}: ${lines.length} payloads, ${from} ${version}`);
}

try {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  check('sentry', 'Event', '@sentry/core', [
    ['a level that there is not', (event) => ({ ...event, level: 'terrible' })],
    ['a time as text', (event) => ({ ...event, timestamp: 'today' })],
    ['an unknown member', (event) => ({ ...event, signature: 'v1' })],
  ]);
  check('backtrace', 'BacktraceData', '@backtrace/sdk-core', [
    ['a missing member', ({ uuid, ...rest }) => rest],
    ['an unknown member', (report) => ({ ...report, fingerprint: 'v1' })],
    ['classifiers that are no list', (report) => ({ ...report, classifiers: 'hang' })],
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
