// The connections of one call, from the accepted client to the server that it asked for: judged, dialled, relayed, and finished
// when the call ends.
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {byteCounter} from './byte-counter.ts';
import {dial} from './dial.ts';
import {createNetworkAudit, type NetworkAudit} from './network-audit.ts';
import type {Judgement} from './network-policy.ts';
import {relay} from './relay.ts';

export interface Connection {
  /** Paused, with half-open allowed. */
  readonly client: Socket;
  server?: Socket;
  /** Resolves once `server` is connected; never if it is turned away. */
  readonly dialled: Promise<void>;
  markDialled(): void;
  done: Promise<void>;
  /** Adds its bytes to the audit; undefined before it is relayed. */
  count?: () => void;
}

export interface Carriage {
  readonly port: number;
  readonly judgement: Judgement;
  /** Shows the client that it was refused, or that nothing answered. */
  turnAway(reason: 'refused' | 'unreachable'): void;
  /** The server has answered; what the client says next is relayed. */
  welcome?(): void;
}

export interface OpenConnections {
  readonly audit: NetworkAudit;
  accept(client: Socket, admit: (connection: Connection) => Promise<void>): void;
  carry(connection: Connection, carriage: Carriage): Promise<void>;
  /** The call has ended: what it wrote must still arrive, what it did not wait for need not. */
  drain(): Promise<void>;
}

/** Open at once, for one call. */
const connectionsMax = 1024;
const drainMs = 2000;
/** Time for a server to answer that was contacted just before the call ended. */
const dialMs = 500;

export function createOpenConnections(): OpenConnections {
  const audit = createNetworkAudit();
  const open = new Set<Connection>();
  // A connection can outlast a call, whose report must not lack its bytes.
  const report: NetworkAudit['report'] = () => {
    for (const {count} of open) count?.();
    return audit.report();
  };
  return {
    audit: {...audit, report},
    accept(client, admit) {
      client.on('error', () => undefined);
      let markDialled = (): void => undefined;
      const dialled = new Promise<void>((resolve) => (markDialled = resolve));
      const connection: Connection = {client, dialled, markDialled, done: Promise.resolve()};
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
      if (open.size > connectionsMax) return refuse(`more than ${connectionsMax} simultaneous connections`);
      const found = await target();
      if (!found.ok) return refuse(found.problem);
      if (client.destroyed) return;
      const server = await dial(found.value, port, client);
      if (server === undefined) return turnAway('unreachable');
      if (client.destroyed) return void server.destroy();
      connection.server = server;
      connection.markDialled();
      const sum = audit.allow(attempt);
      const onRefused = (problem: string): void => {
        sum.attempts -= 1;
        client.resetAndDestroy();
        deny(problem);
      };
      welcome?.();
      const count = byteCounter(server, sum);
      connection.count = count;
      await relay({client, server, name, onRefused});
      count();
    },
    drain: () => drain(open),
  };
}

async function drain(open: ReadonlySet<Connection>): Promise<void> {
  const late = new AbortController();
  const after = (ms: number): Promise<void> => delay(ms, undefined, {signal: late.signal}).catch(() => undefined);
  const dialling = after(dialMs);
  const arrive = async (connection: Connection): Promise<void> => {
    const {client, dialled, done} = connection;
    await Promise.race([dialled, done, dialling]);
    const {server} = connection;
    if (server === undefined) client.destroy();
    else await Promise.race([done, once(server, 'finish').catch(() => undefined)]);
  };
  await Promise.race([Promise.all([...open].map(arrive)), after(drainMs)]);
  late.abort();
  const left = [...open];
  for (const {client, server} of left) {
    client.destroy();
    server?.destroy();
  }
  // A connection whose name is still being looked up ends with the lookup.
  await Promise.all(left.flatMap(({server, done}) => (server === undefined ? [] : [done])));
}
