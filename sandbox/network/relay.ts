// Carries one admitted connection between the client inside and the server outside: at the pace of the slower
// one, each direction ended on its own, and reset when the other side is.
import type {Socket} from 'node:net';
import type {ConnectionSum} from './network-audit.ts';
import {inspectOpening, type Opening} from './inspect-opening.ts';

export interface RelayInput {
  /** Paused, with half-open allowed. */
  readonly client: Socket;
  /** What it reads goes to the client by itself. */
  readonly server: Socket;
  /** The name that the client must mean, undefined for a connection to a bare address. */
  readonly name: string | undefined;
  readonly sum: ConnectionSum;
  /** What the client said first does not belong to `name`; resets the client. */
  readonly onRefused: (problem: string) => void;
}

/** Resolves when both sides are closed. */
export async function relay(input: RelayInput): Promise<void> {
  const {client, server, sum} = input;
  const closed = Promise.all([onceClosed(client, server), onceClosed(server, client)]);
  server.once('end', () => client.end());
  if (input.name === undefined) client.pipe(server);
  else passAfterOpening(input, input.name);
  await closed;
  sum.bytes_sent += server.bytesWritten;
  sum.bytes_received += server.bytesRead;
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

function passAfterOpening({client, server, onRefused}: RelayInput, name: string): void {
  let said: Buffer = Buffer.alloc(0);
  let sent = 0;
  const refuse = (problem: string): void => {
    server.resetAndDestroy();
    onRefused(problem);
  };
  const onData = (chunk: Buffer): void => {
    said = said.length === 0 ? chunk : Buffer.concat([said, chunk]);
    const opening: Opening = inspectOpening(said, name);
    if (opening.kind === 'refuse') return refuse(opening.problem);
    const until = opening.kind === 'pass' ? said.length : opening.harmless;
    if (until > sent) server.write(said.subarray(sent, until));
    sent = Math.max(sent, until);
    if (opening.kind === 'more') return;
    client.off('data', onData).off('end', onEnd);
    client.pipe(server);
  };
  const onEnd = (): void => {
    if (sent < said.length) refuse('it ended before it named its host');
    else server.end();
  };
  client.on('data', onData).on('end', onEnd);
  client.resume();
}
