// Adds what a connection has carried since the last count, so that a connection can be counted while it is open.
import type {Socket} from 'node:net';
import type {ConnectionSum} from './network-audit.ts';

export function byteCounter(server: Pick<Socket, 'bytesRead' | 'bytesWritten'>, sum: ConnectionSum): () => void {
  let sent = 0;
  let received = 0;
  return () => {
    const {bytesWritten, bytesRead} = server;
    sum.bytes_sent += bytesWritten - sent;
    sum.bytes_received += bytesRead - received;
    sent = bytesWritten;
    received = bytesRead;
  };
}
