// The queries of examples/fleet/clickhouse on summaries whose answers are known, by ClickHouse in this process, or by servers, whose
// HTTP addresses are URL,URL...: they are the shards of a Distributed table, by the cluster "two" of the first one's configuration.
// usage: node clickhouse.mjs BIN_DIR EXAMPLES_DIR GOLDEN_DIR [COUNT [URL,URL...]]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NEW_FROM, generate, known, signatureOf, versions } from './summaries.mjs';

const [bin, examples, golden] = process.argv.slice(2, 5).map((path) => resolve(path)), COUNT = Number(process.argv[5] ?? '20000');

// Servers of 18.16 have no LowCardinality of Nullable, Bool, DateTime64 and Map; so the shards have other types and not the facts.
const servers = (process.argv[6] ?? '').split(',').filter(Boolean);
const older = (table) => table.replace(/LowCardinality\((Nullable\(String\)|String)\)/g, '$1').replace('redacted Bool', 'redacted UInt8')
  .replace("DateTime64(9, 'UTC')", 'DateTime').replace(', app Map(String, String)', '').replace("toDateTime64('1970-01-01', 9, 'UTC')", 'toDateTime(0)')
  .replace('create table dumps', 'create table shard')
  .replace(/\) engine = ReplacingMergeTree\norder by (.*)\npartition by (.*)/, ') engine = ReplacingMergeTree partition by $2 order by $1');
const settings = 'insert_distributed_sync=1&input_format_skip_unknown_fields=1&date_time_input_format=best_effort';
function send(url, sql, format, file) {
  const run = spawnSync('curl', ['-sS', '--fail-with-body', `${url}/?${settings}${file ? `&query=${encodeURIComponent(sql)}` : ''}`,
    ...(file ? ['-H', 'Expect:', '-T', file, '-X', 'POST'] : ['--data-binary', '@-'])],
  { input: format ? `${sql.trim()} format ${format}` : sql, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stdout + run.stderr);
  return run.stdout;
}

let chdb;
try {
  if (servers.length === 0) chdb = createRequire(join(process.cwd(), 'x.js'))('chdb');
} catch {
  console.log('clickhouse.mjs: no ClickHouse (npm install --prefix BUILD chdb): skipped');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'annot-fleet-clickhouse-'));
process.chdir(folder);
const session = chdb ? new chdb.Session(join(folder, 'data')) : { query: (sql, format) => send(servers[0], sql, format), close() {} };
let passed = 0, failed = 0;
function expect(what, wanted, got) {
  if (String(wanted) === String(got)) passed++;
  else { failed++; console.log(`${what}:\n  expected ${wanted}\n  got      ${got}`); }
}

const times = [];
const rows = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
const ask = (sql) => rows(session.query(sql, sql.startsWith('create') || sql.includes('\ncreate table') ? '' : 'JSONEachRow'));
function query(name, values = {}) {
  let sql = readFileSync(join(examples, name + '.sql'), 'utf8').replaceAll("'dumps.ndjson'", `'${join(folder, 'dumps.ndjson')}'`);
  for (const [key, value] of Object.entries(values)) sql = sql.replaceAll(`{${key}:String}`, `'${value}'`);
  const start = performance.now();
  const answer = ask(sql);
  times.push(`${name} ${(performance.now() - start).toFixed(0)} ms`);
  return answer;
}
const count = () => Number(ask('select count() as n from dumps')[0].n);

async function testGenerated() {
  await generate(join(folder, 'dumps.ndjson'), COUNT);
  if (chdb) query('table');
  else makeShards();
  query('rules');
  load();
  expect('every summary is read', COUNT, count());
  const most = [...known.signatures].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  expect('the largest hangs', most.slice(0, 20).join(), query('top_hangs').map((row) => [row.group, row.dumps]).join());
  const fresh = query('new_since_version', { version: '1.10.0' });
  const wanted = [...known.fresh].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  expect('hangs that are new since a version', wanted.join(), fresh.map((row) => [row.group, row.dumps]).join());
  expect('and with which version they came', true, fresh.every((row) => versions.indexOf(row.first_version) >= NEW_FROM));
  const own = query('by_driver').filter((row) => row.group === signatureOf(5));
  expect('a driver’s own hang', `driver 11,${known.own},100`, own.map((row) => [row.driver, row.dumps, row.percent_of_hang]).join());
  const trend = query('trend');
  expect('what grows', `${signatureOf(7)},0,${known.lastWeek}`, [trend[0].group, trend[0].week_before, trend[0].last_week].join());
  expect('what names no hang', `damaged,${known.none}`, query('unusable').map((row) => [row.status, row.dumps]).join());
}

// Pairs of hangs run one shader: places keep them apart, until a rule says that they are one.
function testGroups() {
  const before = query('groups');
  expect('places keep hangs apart', 1, before[0].signatures);
  expect('as many dumps each as one machine counts', [...known.signatures.values()].sort((x, y) => y - x).slice(0, 20).join(),
    before.map((row) => row.dumps).join());
  session.query("insert into rules values (1, '', 'Pass ', 'Pass')");
  const after = query('groups');
  expect('a rule makes them one, as far as their shaders are', 2, after[0].signatures);
  expect('and loses nothing', true, Number(after[0].dumps) > Number(before[0].dumps));
}

// Two shards by signature, and a table over both. A Distributed table wants a cluster in a server's configuration, which an engine in a
// process has not: the Merge table reads both in its place.
function testShards() {
  const table = readFileSync(join(examples, 'table.sql'), 'utf8');
  for (let shard = 0; shard < 2; shard++) {
    session.query(table.replace('create table dumps', `create table shard_${shard}`));
    session.query(`insert into shard_${shard} select * from dumps where cityHash64(ifNull(signature, '')) % 2 = ${shard}`);
  }
  const all = count(), top = query('top_hangs').map((row) => [row.group, row.dumps]).join();
  session.query('rename table dumps to whole');
  session.query("create table dumps as whole engine = Merge(currentDatabase(), '^shard_[01]$')");
  expect('two shards have all', all, count());
  expect('and the same answers', top, query('top_hangs').map((row) => [row.group, row.dumps]).join());
}

// The tool's output has the columns of the table.
function testExported() {
  const dumps = readdirSync(golden).filter((name) => name.endsWith('.annotdmp')).length;
  rmSync(join(folder, 'dumps.ndjson'));
  const run = spawnSync(join(bin, 'annot'), ['export', golden, '--output', 'ndjson', '-o', join(folder, 'dumps.ndjson')], { encoding: 'utf8' });
  expect('export', 1, run.status); // some are damaged
  session.query('drop table dumps');
  query('table');
  query('load');
  expect('every dump is read', dumps, count());
  query('load');
  session.query('optimize table dumps final');
  expect('and once, sent twice', dumps, count());
  const line = readFileSync(join(folder, 'dumps.ndjson'), 'utf8').split('\n')[0];
  expect('its members are the columns', Object.keys(JSON.parse(line)).join(), ask('describe table dumps').map((row) => row.name).join());
}

// The shards, and a table over them on the first server.
function makeShards() {
  for (const url of servers) {
    for (const table of ['dumps', 'shard', 'rules']) send(url, `drop table if exists ${table}`);
    send(url, older(readFileSync(join(examples, 'table.sql'), 'utf8')));
  }
  session.query("create table dumps as shard engine = Distributed(two, default, shard, cityHash64(ifNull(signature, '')))");
}

function load() {
  if (chdb) return query('load');
  const start = performance.now();
  send(servers[0], 'insert into dumps format JSONEachRow', '', join(folder, 'dumps.ndjson'));
  times.push(`load ${(performance.now() - start).toFixed(0)} ms`);
  for (const url of servers) expect(`a part is on ${url}`, true, Number(send(url, 'select count() from shard')) > COUNT / 10);
}

try {
  await testGenerated();
  testGroups();
  if (chdb) testShards();
  if (chdb) testExported();
  console.log(`${COUNT} summaries, ClickHouse ${ask('select version() as v')[0].v}: ${times.join(', ')}`);
} finally {
  session.close();
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
