// The queries of examples/fleet on summaries whose answers are known, by DuckDB.
// usage: node queries.mjs BIN_DIR EXAMPLES_DIR GOLDEN_DIR [COUNT]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NEW_FROM, generate, known, signatureOf, versions } from './summaries.mjs';

const [bin, examples, golden] = process.argv.slice(2, 5).map((path) => resolve(path)), countText = process.argv[5] ?? '20000';
const COUNT = Number(countText);

let duckdb;
try {
  duckdb = createRequire(join(process.cwd(), 'x.js'))('@duckdb/node-api');
} catch {
  console.log('queries.mjs: no DuckDB (npm install --prefix BUILD @duckdb/node-api): skipped');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'annot-fleet-queries-'));
let passed = 0, failed = 0;
function expect(what, wanted, got) {
  if (String(wanted) === String(got)) passed++;
  else { failed++; console.log(`${what}:\n  expected ${wanted}\n  got      ${got}`); }
}

// ---- queries ----

const times = [];
async function query(connection, name, values) {
  const sql = readFileSync(join(examples, name + '.sql'), 'utf8');
  const start = performance.now();
  const reader = await connection.runAndReadAll(sql, values);
  times.push(`${name} ${(performance.now() - start).toFixed(0)} ms`);
  return reader.getRowObjectsJson();
}

async function load(connection) {
  process.chdir(folder);
  await query(connection, 'load');
  return connection.runAndReadAll('select count(*) as n from dumps').then((r) => Number(r.getRowObjectsJson()[0].n));
}

async function testGenerated(connection) {
  await generate(join(folder, 'dumps.ndjson'), COUNT);
  expect('every summary is read', COUNT, await load(connection));
  const most = [...known.signatures].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const top = await query(connection, 'top_hangs');
  expect('the largest hangs', most.slice(0, 20).join(), top.map((row) => [row.group, row.dumps]).join());
  const fresh = await query(connection, 'new_since_version', { version: '1.10.0' });
  const wanted = [...known.fresh].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  expect('hangs that are new since a version', wanted.join(), fresh.map((row) => [row.group, row.dumps]).join());
  expect('and with which version they came', true, fresh.every((row) => versions.indexOf(row.first_version) >= NEW_FROM));
  const drivers = await query(connection, 'by_driver');
  const own = drivers.filter((row) => row.group === signatureOf(5));
  expect('a driver’s own hang', `driver 11,${known.own},100`, own.map((row) => [row.driver, row.dumps, row.percent_of_hang]).join());
  const trend = await query(connection, 'trend');
  expect('what grows', `${signatureOf(7)},0`, [trend[0].group, trend[0].week_before].join());
  expect('by how much', known.lastWeek, trend[0].last_week);
  const unusable = await query(connection, 'unusable');
  expect('what names no hang', `damaged,${known.none}`, unusable.map((row) => [row.status, row.dumps]).join());
}

// The tool's output has the columns that load.sql reads.
async function testExported(connection) {
  const dumps = readdirSync(golden).filter((name) => name.endsWith('.annotdmp')).length;
  rmSync(join(folder, 'dumps.ndjson'));
  const run = spawnSync(join(bin, 'annot'), ['export', golden, '--output', 'ndjson', '-o', join(folder, 'dumps.ndjson')], { encoding: 'utf8' });
  expect('export', 1, run.status); // some are damaged
  expect('every dump is read', dumps, await load(connection));
  const line = readFileSync(join(folder, 'dumps.ndjson'), 'utf8').split('\n')[0];
  const columns = (await connection.runAndReadAll('describe dumps')).getRowObjectsJson().map((row) => row.column_name);
  expect('its members are the columns', Object.keys(JSON.parse(line)).join(), columns.join());
  const rows = (await connection.runAndReadAll("select count(*) filter (time is not null and guid is not null) as n from dumps where status <> 'unreadable'"))
    .getRowObjectsJson();
  expect('times are times', true, Number(rows[0].n) > 0);
}

try {
  if (!existsSync(join(bin, 'annot'))) throw new Error('no annot');
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await testGenerated(connection);
  await testExported(connection);
  console.log(`${COUNT} summaries: ${times.join(', ')}`);
} finally {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
