// The connections of one call, from a client that was met to the server that stands behind what it asked for:
// judged, dialled, relayed, and let arrive when the call ends.
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {dial} from './dial.ts';
import {createNetworkAudit, type NetworkAudit} from './network-audit.ts';
import type {Judgement} from './network-policy.ts';
import {relay} from './relay.ts';

export interface Connection {
  /** Paused, with half-open allowed. */
  readonly client: Socket;
  server?: Socket;
  done: Promise<void>;
}

export interface Carriage {
  readonly port: number;
  readonly judgement: Judgement;
  /** Shows the client that it is not let through, or that nobody answered. */
  turnAway(reason: 'refused' | 'unreachable'): void;
  /** The server has answered; what the client says next is relayed. */
  welcome?(): void;
}

export interface OpenConnections {
  readonly audit: NetworkAudit;
  accept(client: Socket, admit: (connection: Connection) => Promise<void>): void;
  carry(connection: Connection, carriage: Carriage): Promise<void>;
  /** The call has ended: what it wrote is still to arrive, what it did not wait for is not. */
  drain(): Promise<void>;
}

/** Open at once, for one call. */
const connectionsMax = 1024;
const drainMs = 2000;

export function createOpenConnections(): OpenConnections {
  const audit = createNetworkAudit();
  const open = new Set<Connection>();
  return {
    audit,
    accept(client, admit) {
      client.on('error', () => undefined);
      const connection: Connection = {client, done: Promise.resolve()};
      connection.done = admit(connection).finally(() => open.delete(connection));
      open.add(connection);
    },
    async carry(connection, {port, judgement, turnAway, welcome}) {
      const {client} = connection;
      const {attempt, name, target} = judgement;
      const deny = (problem: string): void =>
        audit.deny(attempt, attempt.rule === undefined ? problem : `${problem} (rule ${attempt.rule})`);
      const refuse = (problem: string): void => {
        turnAway('refused');
        deny(problem);
      };
      if (open.size > connectionsMax) return refuse(`more than ${connectionsMax} connections at once`);
      const found = await target();
      if ('problem' in found) return refuse(found.problem);
      if (client.destroyed) return;
      const server = await dial(found.addresses, port, client);
      if (server === undefined) return turnAway('unreachable');
      if (client.destroyed) return void server.destroy();
      connection.server = server;
      const sum = audit.allow(attempt);
      const onRefused = (problem: string): void => {
        sum.attempts -= 1;
        client.resetAndDestroy();
        deny(problem);
      };
      welcome?.();
      await relay({client, server, name, sum, onRefused});
    },
    drain: () => drain(open),
  };
}

async function drain(open: ReadonlySet<Connection>): Promise<void> {
  const arriving: Promise<unknown>[] = [];
  for (const {client, server, done} of open) {
    if (server === undefined) client.destroy();
    else arriving.push(Promise.race([done, once(server, 'finish').catch(() => undefined)]));
  }
  const late = new AbortController();
  await Promise.race([Promise.all(arriving), delay(drainMs, undefined, {signal: late.signal}).catch(() => undefined)]);
  late.abort();
  const left = [...open];
  for (const {client, server} of left) {
    client.destroy();
    server?.destroy();
  }
  // One whose name is still being looked up ends when that does.
  await Promise.all(left.flatMap(({server, done}) => (server === undefined ? [] : [done])));
}
