// Summaries of dumps whose answers are known, for the tests of examples/fleet.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

// mulberry32
let seed = 7;
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = (count) => Math.floor(random() * count);

export const HANGS = 400, DRIVERS = 12, DAYS = 60;
export const versions = ['1.2.0', '1.8.3', '1.9.0', '1.10.0', '1.10.1', '1.11.0'];
export const NEW_FROM = 3; // hangs 390 to 399 are there since 1.10.0
export const signatureOf = (hang) => 'v2-' + (hang * 2654435761 % 4294967296).toString(16).padStart(8, '0').padEnd(16, 'a');
export const known = { signatures: new Map(), fresh: new Map(), none: 0, own: 0, lastWeek: 0, weekBefore: 0 };
const END = Date.UTC(2026, 10, 22);

// A part of the identity, and its hash: of ten million summaries there are a few hundred.
const hashes = new Map([[null, null]]);
function part(name, text, key = name) {
  if (!hashes.has(text)) hashes.set(text, createHash('sha256').update(text).digest('hex').slice(0, 16));
  return { [key]: text, [name + '_hash']: hashes.get(text) };
}

function summary(i) {
  const isDamaged = below(50) === 0;
  const hang = Math.floor(HANGS * random() ** 3); // few hangs make most dumps
  const version = hang >= 390 ? NEW_FROM + below(versions.length - NEW_FROM) : below(versions.length);
  const driver = hang === 5 ? 11 : below(DRIVERS - 1); // hang 5 is driver 11's own
  const age = hang === 7 ? below(7) : below(DAYS); // hang 7 grows
  const at = new Date(END - age * 86400000 - below(86400) * 1000);
  const signature = isDamaged ? null : signatureOf(hang);
  if (isDamaged) known.none++;
  else {
    known.signatures.set(signature, (known.signatures.get(signature) ?? 0) + 1);
    if (hang >= 390) known.fresh.set(signature, (known.fresh.get(signature) ?? 0) + 1);
    if (hang === 5) known.own++;
    if (hang === 7) known.lastWeek++;
  }
  return {
    schema: 2, file: `/dumps/${i}.annotdmp`, size: 30000 + below(10000), status: isDamaged ? 'damaged' : 'whole', why: null, signature,
    quality: isDamaged ? 'damaged' : 'full', title: isDamaged ? 'none: the dump is damaged' : `GPU HANG: Frame # / Pass ${hang}`,
    redacted: false, time: at.toISOString().replace('T', ' ').replace('Z', '000000'), error: 'GPU HANG', guid: String(i).padStart(32, '0'),
    application: `game${hang % 3}.exe`, app_version: versions[version], adapter: `adapter ${driver >> 1}`, driver: `driver ${driver}`,
    system: 'Linux', writer: '0.1.0', reason: 'GPU timeout', path: `Frame ${below(9999)} / Pass ${hang}`, queues: 2, lists: 20, submissions: 40,
    markers: 300, stops: 1, dropped: 0, page_faults: 0,
    ...part('error', isDamaged ? null : 'hang', 'error_kind'), ...part('operation', isDamaged ? null : 'Dispatch'),
    ...part('shader', isDamaged ? null : `cs ${hang % 3 + 3 * Math.floor(hang / 6)}`), ...part('place', isDamaged ? null : `Frame # / Pass ${hang}`), ...part('resource', null), failure: 'hang_operation', group: signature, group_title: isDamaged ? null : `Pass ${hang}`,
    certainty: isDamaged ? null : 'sure', confidence: isDamaged ? null : 100, app: { level: `level ${hang % 7}` },
  };
}

export async function generate(path, count) {
  const out = createWriteStream(path);
  let text = '';
  for (let i = 0; i < count; i++) {
    text += JSON.stringify(summary(i)) + '\n';
    if (text.length < 1 << 20) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'finish');
}
