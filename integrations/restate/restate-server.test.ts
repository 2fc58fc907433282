// What listens at the address of a Restate server, and is not one.
import {once} from 'node:events';
import {createServer, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {RestateServer} from './restate-server.ts';

let other: Server;
let restate: RestateServer;
let answer: (response: ServerResponse) => unknown;
beforeEach(async () => {
  other = createServer((_request, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  restate = new RestateServer({ingress_url: url, admin_url: url});
});
afterEach(() => {
  other.closeAllConnections();
  other.close();
});

test.each([
  [
    'a page',
    '<html>Sign in</html>',
    /sent a reply that is not JSON \(`<html>Sign in<\/html>`\): correct `ingress_url`/u,
  ],
  ['half of its JSON', '{"rows": [{"id"', /sent a reply that is not JSON/u],
  ['an empty object', '{}', /sent a reply without (?:an invocation id|rows)/u],
  ['nothing', '', /sent a reply without (?:an invocation id|rows)/u],
  ['null', 'null', /sent a reply without (?:an invocation id|rows)/u],
  ['rows that are none', '{"rows": [1], "invocationId": 1}', /sent a reply without (?:an invocation id|rows)/u],
])('a reply with %s is reported', async (_what, body, message) => {
  answer = (response) => response.end(body);
  await expect(restate.invoke('run')).rejects.toThrow(message);
  await expect(restate.find('run')).rejects.toThrow(message);
  await expect(restate.knows('inv')).rejects.toThrow(message);
});

test('a state that is not JSON is reported', async () => {
  answer = (response) => response.end(JSON.stringify({rows: [{key: 'waits', value_utf8: '{'}]}));
  await expect(restate.find('run')).rejects.toThrow('sent a reply that is not JSON (`{`)');
});

test('a reply that is cut is reported', async () => {
  answer = (response) => {
    response.writeHead(200, {'content-length': '100'});
    response.write('{"rows": [', () => void response.destroy());
  };
  await expect(restate.find('run')).rejects.toThrow(
    /^the Restate server at http:\/\/127\.0\.0\.1:\d+ stopped in its reply: /u,
  );
});
