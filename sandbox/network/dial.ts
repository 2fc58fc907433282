// Connects to the first of several addresses that answers, the next being tried while one is slow.
import {connect, isIPv4, type Socket} from 'node:net';

const connectMs = 10_000;
const attemptMs = 250;

/** Resolves with an open socket, or with undefined when none of the addresses answered in time or `client` gave up. */
export function dial(addresses: readonly string[], port: number, client: Socket): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      // A name only because a list of addresses comes by way of a lookup.
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
