// A collector that answers with a body without an end.
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {createOtlpSender} from './otlp-sender.ts';

test('the body of an answer is not read', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200);
    response.write('{');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  const settings = {urls: {}, headers: {}, resource: {}, metricIntervalMs: 1_000, timeoutMs: 2_000};
  const deliver = createOtlpSender('logs', url, settings);
  expect(await deliver([{}], new AbortController().signal)).toBe('delivered');
});
