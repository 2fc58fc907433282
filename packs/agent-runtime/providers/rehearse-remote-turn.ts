// Runs a turn against a local server, so that a process's one-time work is done before the first real request. It needs only
// loopback.
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {runRemoteTurn} from './run-remote-turn.ts';

const reply = JSON.stringify({choices: [{message: {content: 'Hello.'}, finish_reason: 'stop'}]});

export async function rehearseRemoteTurn(): Promise<void> {
  const server = createServer((request, response) => request.resume().once('end', () => response.end(reply)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await runRemoteTurn(
      {provider: 'openai_compatible', model: 'rehearsal', base_url: addressOf(server), max_retries: 0},
      {session_id: 'rehearsal', messages: [{role: 'user', content: 'Hello?'}]},
      {env: {}, config: undefined, signal: new AbortController().signal, progress: async () => undefined},
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
