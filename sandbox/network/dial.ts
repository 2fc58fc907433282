// Connects to the first of several addresses that answers. It tries the next one while an earlier one is slow.
import {connect, isIPv4, type Socket, type TcpNetConnectOpts} from 'node:net';

const connectMs = 10_000;
const attemptMs = 250;
const firstReadBytes = 16 * 1024;
const readBytesMax = 512 * 1024;

/**
 * Data that is read goes to `client`. Resolves with an open socket, or with undefined if no address answered in time or `client`
 * closed.
 */
export function dial(addresses: readonly string[], port: number, client: Socket): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      // The name is a placeholder: a list of addresses is passed through a lookup.
      host: 'pinned.invalid',
      port,
      lookup: (_name, _options, answer) =>
        answer(
          null,
          addresses.map((address) => ({address, family: isIPv4(address) ? 4 : 6})),
        ),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptMs,
      allowHalfOpen: true,
      noDelay: true,
      onread: copyTo(client, () => socket.resume()),
    });
    const timer = setTimeout(() => socket.destroy(), connectMs);
    const giveUp = (): void => void socket.destroy();
    client.once('close', giveUp);
    const settle = (result: Socket | undefined): void => {
      clearTimeout(timer);
      client.off('close', giveUp);
      resolve(result);
    };
    socket.once('connect', () => settle(socket));
    // Stays: an error later ends the relay, through `close`.
    socket.on('error', () => undefined);
    socket.once('close', () => settle(undefined));
  });
}

/** One buffer for a connection, larger once it was filled: far fewer turns than a stream's own chunks for a large body. */
function copyTo(client: Socket, goOn: () => void): NonNullable<TcpNetConnectOpts['onread']> {
  let buffer = Buffer.allocUnsafeSlow(firstReadBytes);
  return {
    buffer: () => buffer,
    callback: (bytes, chunk) => {
      client.write(chunk.subarray(0, bytes), () => {
        if (bytes === buffer.length && bytes < readBytesMax) buffer = Buffer.allocUnsafeSlow(bytes * 4);
        goOn();
      });
      // There is one buffer, so nothing more is read until this is written.
      return false;
    },
  };
}
