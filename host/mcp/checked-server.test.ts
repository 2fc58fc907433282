import {InMemoryTransport, type JSONRPCMessage} from '@modelcontextprotocol/server';
import {expect, test} from 'vitest';
import {CheckedServer} from './checked-server.ts';

async function answerTo(method: string, params: Record<string, unknown>): Promise<unknown> {
  const server = new CheckedServer({name: 'a', version: '1'}, {capabilities: {tools: {}, resources: {}}});
  server.setRequestHandler('tools/call', () => ({content: []}));
  server.setRequestHandler('resources/read', () => {
    throw new Error('the disk failed: [0]');
  });
  const [client, own] = InMemoryTransport.createLinkedPair();
  await server.connect(own);
  const answer = new Promise<JSONRPCMessage>((onmessage) => void Object.assign(client, {onmessage}));
  await client.start();
  await client.send({jsonrpc: '2.0', id: 1, method, params});
  const received = await answer;
  await server.close();
  return 'error' in received ? received.error : received;
}

test.each([
  ['tools/call', {name: 7}, 'params.name: Invalid input: expected string, received number'],
  ['resources/read', {}, 'params.uri: Invalid input: expected string, received undefined'],
])('malformed params of %s are the mistake of the client', async (method, params, why) => {
  const message = `the params of ${method} are not valid: ${why}`;
  expect(await answerTo(method, params)).toEqual({code: -32602, message});
});

test('another error is not', async () => {
  expect(await answerTo('resources/read', {uri: 'a://b'})).toEqual({code: -32603, message: 'the disk failed: [0]'});
});
