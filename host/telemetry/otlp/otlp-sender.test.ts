// What a collector answers: everything, a part, a warning, and bodies that are broken, too long or without an end.
import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {createOtlpSender} from './otlp-sender.ts';
import type {Signal} from './otlp-settings.ts';

type Answer = (response: ServerResponse) => void;

async function deliverTo(answer: Answer, signal: Signal = 'logs') {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/${signal}`;
  const settings = {urls: {}, headers: {}, resource: {}, metricIntervalMs: 1_000, timeoutMs: 60_000};
  return await createOtlpSender(signal, url, settings)([{}], new AbortController().signal);
}

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));

test.each([
  ['traces', {rejectedSpans: '3', errorMessage: 'too old'}, {rejected: 3, remark: 'too old'}],
  ['metrics', {rejectedDataPoints: 2}, {rejected: 2, remark: ''}],
  ['logs', {rejectedLogRecords: '1', errorMessage: 'x'.repeat(2_000)}, {rejected: 1, remark: 'x'.repeat(300)}],
  ['logs', {errorMessage: 'line\n\u001B[31mred\u202E'}, {rejected: 0, remark: 'line [31mred'}],
  ['logs', {rejectedLogRecords: '-4', errorMessage: 'odd'}, {rejected: 0, remark: 'odd'}],
] as const)('of %s, a partial success %j is returned', async (signal, partialSuccess, expected) => {
  expect(await deliverTo(json({partialSuccess}), signal)).toEqual(expected);
});

test.each([
  ['nothing', (response: ServerResponse) => response.writeHead(204).end()],
  ['an empty object', json({})],
  ['an empty partial success', json({partialSuccess: {rejectedLogRecords: '0'}})],
  ['null', json(null)],
  ['a partial success of another shape', json({partialSuccess: 'no'})],
  ['another format', (response: ServerResponse) => response.end('<html>')],
  ['more than the bound', json({partialSuccess: {errorMessage: 'x'.repeat(100_000)}})],
] as const)('a success with %s as its body is complete', async (_name, answer) => {
  expect(await deliverTo(answer)).toBe('delivered');
});

test('a body without an end, and one that breaks off, are a success: the status came before', async () => {
  expect(await deliverTo((response) => response.writeHead(200).write('{'))).toBe('delivered');
  const broken: Answer = (response) => {
    response.writeHead(200, {'content-length': 100}).write('{"partialSuccess":', () => response.destroy());
  };
  expect(await deliverTo(broken)).toBe('delivered');
});

test('a status that can be retried fails, and another one rejects the batch', async () => {
  await expect(deliverTo(json({}, 503))).rejects.toThrow('the collector returned status 503');
  expect(await deliverTo(json({partialSuccess: {rejectedLogRecords: 1}}, 400))).toBe('rejected');
});
