// Counters in a file: what was written is read, and what is damaged or of another form is counted again.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createKeptStore, type KeptCounts} from './kept-counts.ts';
import {noLatencies, withLatency} from './latency-histogram.ts';

function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'lf-counts-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const path = join(folder, 'call-counts.json');
  return {path, store: createKeptStore(folder), text: () => readFileSync(path, 'utf8')};
}

const kept: KeptCounts = {
  newest: {receipt_id: 'rcp-1', seq: 7, prev: 'ab'},
  book: {
    calls: {
      counts: [{tool: '__proto__', decision: 'allow', result: 'success', count: 2}],
      latencies: [['__proto__', withLatency(noLatencies, 3)]],
      minutes: [
        {minute: '2026-01-01T00:00Z', calls: 2, denied: 0, approval_required: 0, failed: 0, latencies: noLatencies},
      ],
    },
    open: [['rcp-0', 1]],
    last_seq: 8,
  },
};

test('what is written is read', async () => {
  const {store} = createFile();
  expect(await store.read()).toBeUndefined();
  await store.write(kept);
  expect(await store.read()).toEqual(kept);
});

test('a file that is cut, of another version, or of another shape is not read', async () => {
  const {store, path, text} = createFile();
  await store.write(kept);
  const whole = text();
  for (const changed of [
    whole.slice(0, -3),
    '',
    'null',
    '{}',
    whole.replace('"version":1', '"version":2'),
    whole.replace('[5,10,', '[5,11,'),
    whole.replace('"seq":7', '"seq":"7"'),
    whole.replace('"last_seq":8', '"last_seq":null'),
    whole.replace('"count":2', '"count":-2'),
    whole.replace('"open":[["rcp-0",1]]', '"open":[["rcp-0"]]'),
    whole.replace('"counts":[1,', '"counts":['),
    whole.replace('"minutes":[', '"minutes":[{},'),
  ]) {
    expect(changed).not.toBe(whole);
    writeFileSync(path, changed);
    expect(await store.read(), changed).toBeUndefined();
  }
});
