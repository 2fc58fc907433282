// A real host with the suite's fixture pack behind a real server, and a door in front of it that knows the token: the
// suite sends none. All else goes through as it came, so that a foreign Host or Origin is still the server's to refuse.
import {openTokenStore, startHttpServer, type Host} from '@lumenflow/host';
import {createServer, request as forward, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {everything, makeHostWorkspace} from '../support/host-workspace.ts';

export interface Fixture {
  /** Of the door. */
  readonly url: string;
  readonly host: Host;
  /** Of the workspace: absolute. */
  readonly root: string;
  close(): Promise<void>;
}

export async function serveFixture(): Promise<Fixture> {
  const workspace = makeHostWorkspace({
    copied: {conformance: join(import.meta.dirname, 'fixture-pack')},
    pins: {conformance: {trust: 'in_process'}},
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything, wip_limit: 1},
        {id: 'other', allowed_scopes: everything, wip_limit: 1},
      ],
    },
  });
  const host = await workspace.start({threads: 2});
  const tokens = openTokenStore(workspace.root);
  const token = await tokens.issue({name: 'suite', role: 'agent'});
  const server = await startHttpServer(host, {tokens, version: '0.0.0'});
  const door = createServer((incoming, outgoing) => pass(incoming, outgoing, {port: server.port, token}));
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(door.address() as AddressInfo).port}/mcp`,
    host,
    root: workspace.root,
    async close() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await server.close();
      await workspace.remove();
    },
  };
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {port, token}: {readonly port: number; readonly token: string},
): void {
  const headers = {...incoming.headers, authorization: `Bearer ${token}`};
  const {url: path, method} = incoming;
  const onward = forward({port, host: '127.0.0.1', path, method, headers}, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  // Either end may go away in mid-answer.
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
