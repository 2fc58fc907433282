// Submissions in the background, to witnesses that are down, silent or hostile: nothing waits for them.
import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {CosignedNotes} from './cosigned-notes.ts';
import {witnessKeyOf} from './witness-key.ts';
import {WitnessReports} from './witness-reports.ts';
import {noteText, parseWitnessRequest} from '@lumenflow/kernel/adapters';
import {parseWitnessKey} from './witness-key.ts';
import {probeWitness} from './witness-states.ts';

const key = witnessKeyOf('w.example', generateKeyPairSync('ed25519').privateKey);
const {id} = parseWitnessKey(key.verifierKey)!;
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

let root: string;
let server: Server;
let answer: Answer;
let asked: number;
let rejections: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-submissions-'));
  [asked, rejections] = [0, []];
  server = createServer((request, response) => {
    asked += 1;
    void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(root, {recursive: true});
});

const cosigns: Answer = async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  response.end(key.cosign(noteText(parseWitnessRequest(body)?.note ?? '') ?? '', 1_700_000_000));
};
const silent: Answer = () => undefined;

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const stateFolder = (): string => join(root, 'kernel');

async function openState(firstPauseMs = 1): Promise<SignedState> {
  return await openSignedState({
    stateFolder: stateFolder(),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    durability: 'process',
    witnesses: {
      settings: {servers: [{url: url(), key: key.verifierKey}]},
      stateFolder: stateFolder(),
      now: () => '2026-11-26T12:00:00.000Z',
      firstPauseMs,
      onRejected: (message) => rejections.push(message),
    },
  });
}

async function record({evidence, events}: SignedState, call: string): Promise<void> {
  await events.transact(() => ({events: [claimEvent(call, 's')], result: 1}));
  await evidence.append([startedRecord(call), finishedRecord(call)], {fsync: false});
}

const report = (): ReturnType<WitnessReports['read']> => new WitnessReports(stateFolder(), 'traces').read(id);
const cosigned = (): number => new CosignedNotes(stateFolder(), 'traces').newest(id);

test('what is signed at the end of a process is cosigned, and a proof has the cosignature', async () => {
  answer = cosigns;
  const state = await openState();
  await record(state, 'a');
  await state.close();
  expect(cosigned()).toBe(2);
  const next = await openState();
  const proof = await next.signed.prove('a');
  expect(parseWitnessKey(key.verifierKey)?.cosignatureIn(proof?.checkpoint ?? '')).toBeDefined();
  await next.close();
  expect(report()).toEqual({at: '2026-11-26T12:00:00.000Z', cosigned: 2});
});

test('a silent witness keeps no process from its end, and the next process does not wait at all', async () => {
  answer = silent;
  const state = await openState();
  await record(state, 'a');
  await state.close();
  expect(report()?.problem).toMatchObject({kind: 'unreachable', message: 'it did not answer within 1000 ms'});
  const waits = vi.spyOn(globalThis, 'setTimeout');
  const next = await openState();
  await record(next, 'b');
  await next.close();
  expect(waits.mock.calls.filter(([, ms]) => ms === 1_000)).toEqual([]);
  waits.mockRestore();
  expect(cosigned()).toBe(0);
});

test('a witness that was down gets what it missed, without a new checkpoint', async () => {
  answer = (_, response) => response.writeHead(503).end('later');
  const state = await openState();
  await record(state, 'a');
  await state.signed.checkpoint();
  await vi.waitUntil(() => asked >= 5, {timeout: 60_000});
  expect(report()?.problem).toMatchObject({kind: 'unreachable', message: 'it answers 503: later'});
  answer = cosigns;
  await vi.waitUntil(() => cosigned() === 2, {timeout: 60_000});
  await state.close();
  expect(rejections).toEqual([]);
});

test('a rejection is reported once, and submitting says why', async () => {
  answer = (_, response) => response.writeHead(404).end('the log is not known here\n');
  const state = await openState();
  await record(state, 'a');
  const {answers, checkpoint} = await state.signed.cosign();
  expect(answers.find(({log}) => log === 'traces')?.problem).toMatchObject({
    kind: 'rejected',
    message: 'it answers 404: the log is not known here',
  });
  expect(checkpoint).toContain('/traces\n2\n');
  await state.signed.cosign();
  expect(rejections.toSorted()).toEqual(
    ['events', 'traces'].map(
      (log) => `witness w.example does not cosign the ${log}: it answers 404: the log is not known here`,
    ),
  );
  await state.close();
});

test.each<[string, Answer, RegExp]>([
  ['sends without end', (_, response) => response.end('x'.repeat(70_000)), /longer than 65536 bytes/u],
  ['hangs up', (request) => request.socket.destroy(), /socket hang up|ECONNRESET/u],
  ['redirects', (_, response) => response.writeHead(307, {location: url()}).end(), /answers 307/u],
])('a witness that %s is unreachable', async (_, hostile, message) => {
  answer = hostile;
  const state = await openState(60_000);
  await record(state, 'a');
  const {answers} = await state.signed.cosign();
  expect(answers.find(({log}) => log === 'traces')?.problem?.message).toMatch(message);
  await state.close();
});

test('a report that is damaged is none', async () => {
  answer = cosigns;
  const state = await openState();
  await record(state, 'a');
  await state.close();
  const folder = join(stateFolder(), 'index', 'witnesses');
  for (const text of ['', '{', '{"at":1}', '{"at":"x","cosigned":1,"problem":{"kind":"other","message":"m"}}']) {
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
    expect(report()).toBeUndefined();
  }
});

test('a probe names what answers wrongly, and what does not answer', async () => {
  const {signal} = new AbortController();
  answer = (_, response) => response.writeHead(400).end();
  expect(await probeWitness(url(), signal)).toBeUndefined();
  answer = (_, response) => response.writeHead(404).end();
  expect(await probeWitness(url(), signal)).toBe('it answers an empty request with 404 instead of 400');
  expect(await probeWitness('http://127.0.0.1:1', signal)).toContain('ECONNREFUSED');
});
