import {once} from 'node:events';
import {createServer, request, type ClientRequest, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bodyBytesMax, createBodyReader, type ReadBody} from './read-json-body.ts';

const readBody = createBodyReader();
const json = {'content-type': 'application/json'};
/** What became of each request's body, in order. */
const outcomes: Promise<ReadBody>[] = [];
const server = createServer((incoming, outgoing) => {
  const isLate = 'x-late' in incoming.headers;
  const begun = isLate ? new Promise((resolve) => incoming.once('close', resolve)) : Promise.resolve();
  outcomes.push(begun.then(() => readBody(incoming)).finally(() => outgoing.end()));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function begin(headers: IncomingHttpHeaders): ClientRequest {
  const {port} = server.address() as AddressInfo;
  const sent = request({port, host: '127.0.0.1', method: 'POST', headers, agent: false});
  // A server that has refused a body does not read the rest of it.
  sent.on('error', () => undefined).on('response', (answer) => answer.resume());
  return sent;
}

async function outcome(): Promise<ReadBody> {
  if (outcomes.length === 0) await once(server, 'request');
  return await (outcomes.shift() as Promise<ReadBody>);
}

async function post(body: string | Buffer, headers: IncomingHttpHeaders = json): Promise<ReadBody> {
  const sent = begin(headers);
  sent.end(body);
  return await outcome();
}

function refusalIn(read: ReadBody): {status: number; error: {code: string; message: string; details?: object}} {
  if (read.ok) throw new Error(`was read: ${JSON.stringify(read.value)}`);
  const {error} = read.problem.body as {error: {code: string; message: string}};
  return {status: read.problem.status, error};
}

test.each([
  ['nothing', '', {}, {}],
  ['JSON', '{"a":[1]}', json, {a: [1]}],
  ['a charset', '1', {'content-type': 'Application/JSON; charset=utf-8'}, 1],
])('reads %s', async (_, body, headers, value) => {
  expect(await post(body, headers)).toEqual({ok: true, value});
});

test.each([
  ['text', {'content-type': 'text/plain'}],
  ['a form', {'content-type': 'application/x-www-form-urlencoded'}],
  ['no type', {}],
  ['compressed', {...json, 'content-encoding': 'gzip'}],
])('refuses %s', async (_, headers) => {
  const refusal = refusalIn(await post('{}', headers));
  expect(refusal).toMatchObject({status: 415, error: {code: 'UNSUPPORTED_MEDIA_TYPE'}});
});

test('says where it is not JSON', async () => {
  expect(refusalIn(await post('{"a": 1,\n  b: 2}'))).toEqual({
    status: 400,
    error: {
      code: 'INVALID_INPUT',
      message: 'the body is not JSON: unexpected character at line 2 column 3',
      details: {line: 2, column: 3},
    },
  });
  expect(refusalIn(await post('{"a": ')).error.message).toBe('the body is not JSON: unexpected end at line 1 column 7');
});

test('refuses what is not UTF-8', async () => {
  const refusal = refusalIn(await post(Buffer.from([0x22, 0xff, 0x22])));
  expect(refusal).toMatchObject({status: 400, error: {message: 'the body is not UTF-8'}});
});

test('takes 512 levels and no more', async () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(await post(nested(512))).toHaveProperty('value');
  expect(refusalIn(await post(nested(513)))).toMatchObject({status: 400, error: {code: 'INVALID_INPUT'}});
  expect(refusalIn(await post(nested(60_000)))).toMatchObject({status: 400});
});

test('refuses a million containers and 300,000 names before it parses them', async () => {
  const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  expect(refusalIn(await post(nested))).toMatchObject({
    status: 413,
    error: {code: 'BODY_TOO_LARGE', message: expect.stringContaining('more than 101000 values')},
  });
  const wide = JSON.stringify(Object.fromEntries(Array.from({length: 300_000}, (_, at) => [`key ${at}`, 1])));
  expect(refusalIn(await post(wide))).toMatchObject({
    status: 413,
    error: {message: expect.stringContaining('more than 21000 names of properties')},
  });
});

test('a body that comes in parts is put together, characters that were cut apart too', async () => {
  const bytes = Buffer.from('{"name": "Zoë"}');
  const sent = begin(json);
  for (const byte of bytes) {
    sent.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  sent.end();
  expect(await outcome()).toEqual({ok: true, value: {name: 'Zoë'}});
});

test('takes 10 MB and not a byte more, said beforehand or not', async () => {
  const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
  const chunked = {...json, 'transfer-encoding': 'chunked'};
  expect(await post(text(bodyBytesMax))).toHaveProperty('value');
  const refusal = refusalIn(await post(text(bodyBytesMax + 1), chunked));
  expect(refusal).toMatchObject({status: 413, error: {code: 'BODY_TOO_LARGE'}});
  const claimed = begin({...json, 'content-length': String(bodyBytesMax + 1)});
  claimed.flushHeaders();
  expect(refusalIn(await outcome())).toMatchObject({status: 413});
  claimed.destroy();
});

test('stops reading when the bound is passed', async () => {
  const endless = begin({...json, 'transfer-encoding': 'chunked'});
  const piece = Buffer.alloc(1024 * 1024);
  const write = (): void => void (endless.destroyed || endless.write(piece, write));
  write();
  expect(refusalIn(await outcome())).toMatchObject({status: 413});
  endless.destroy();
});

test.each([
  ['while it is read', {}],
  ['before it is read', {'x-late': '1'}],
])('a body that breaks off %s is refused', async (_, headers) => {
  const broken = begin({...json, ...headers, 'content-length': '10'});
  const arrived = once(server, 'request');
  broken.write('{');
  await arrived;
  broken.destroy();
  expect(refusalIn(await outcome())).toMatchObject({status: 400, error: {code: 'BODY_INCOMPLETE'}});
});
