// Carries one accepted connection between the client inside and the server outside, at the pace of the slower one. Each direction
// ends separately, and is reset when the other side is.
import type {Socket} from 'node:net';
import {createClientInspector} from './client-inspector.ts';

export interface RelayInput {
  /** Paused, with half-open allowed. */
  readonly client: Socket;
  /** What it reads goes to the client by itself. */
  readonly server: Socket;
  /** The name that the client must send; undefined for a connection to a bare address. */
  readonly name: string | undefined;
  /** The data of the client does not match `name`; resets the client. */
  readonly onRefused: (problem: string) => void;
}

/** Resolves when both sides are closed. */
export async function relay(input: RelayInput): Promise<void> {
  const {client, server} = input;
  const closed = Promise.all([onceClosed(client, server), onceClosed(server, client)]);
  server.once('end', () => client.end());
  if (input.name === undefined) client.pipe(server);
  else passInspected(input, input.name);
  await closed;
}

function onceClosed(socket: Socket, other: Socket): Promise<void> {
  return new Promise((resolve) => {
    const onClose = (hadError: boolean): void => {
      // Both directions were ended in order, or else the other side is to learn of it.
      if (hadError || !socket.readableEnded) other.resetAndDestroy();
      resolve();
    };
    if (socket.closed) onClose(true);
    else socket.once('close', onClose);
  });
}

/** At the pace of the server. */
function passInspected({client, server, onRefused}: RelayInput, name: string): void {
  const inspector = createClientInspector(name);
  const refuse = (problem: string): void => {
    client.off('data', onData).off('end', onEnd);
    server.resetAndDestroy();
    onRefused(problem);
  };
  const onData = (chunk: Buffer): void => {
    const passage = inspector.take(chunk);
    if (passage.kind === 'refuse') return refuse(passage.problem);
    const isFull = passage.parts.map((part) => server.write(part)).includes(false);
    if (passage.isFree) {
      client.off('data', onData).off('end', onEnd).pipe(server);
    } else if (isFull) {
      client.pause();
      server.once('drain', () => client.resume());
    }
  };
  const onEnd = (): void => {
    const problem = inspector.end();
    if (problem === undefined) server.end();
    else refuse(problem);
  };
  client.on('data', onData).on('end', onEnd);
  client.resume();
}
