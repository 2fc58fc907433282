// Frames that a guest sent before its end can arrive once the end is known. They must not end the host.
import {Duplex} from 'node:stream';
import {expect, test} from 'vitest';
import type {GuestFilesSync} from './guest-files-sync.ts';
import {frameWriterOf, type FrameKind} from './guest-channel.ts';
import {Guest} from './guest.ts';

const resultFrame = '\0\0\0\x11{"type":"result"}';

test.each<readonly [FrameKind, string, string | undefined]>([
  ['stdout', 'late', undefined],
  ['stderr', 'late', undefined],
  ['wire', resultFrame, undefined],
  ['message', '{"type":"ended"}', 'it reported an invalid exit code'],
  ['message', '{', 'it sent a message that is not JSON'],
  ['message', 'null', 'it sent a message without a type'],
  ['message', '"up"', 'it sent a message without a type'],
])('a late frame %s %j', async (kind, payload, problem) => {
  const {guest, send} = connect(async () => undefined);
  guest.end();
  await send(kind, payload);
  await guest.link.over;
  expect(guest.problem).toBe(problem);
});

test('a result whose files arrive after the end is dropped', async () => {
  let arrive = (): void => undefined;
  const {guest, send} = connect(async () => await new Promise<void>((resolve) => (arrive = resolve)));
  let wire = '';
  guest.wire.on('data', (bytes: Buffer) => (wire += bytes.toString()));
  await send('wire', resultFrame);
  await guest.link.over;
  guest.end();
  arrive();
  await new Promise((resolve) => setImmediate(resolve));
  expect(wire).toBe('');
});

interface Connected {
  readonly guest: Guest;
  /** The last frame of the guest. */
  send(kind: FrameKind, payload: string): Promise<void>;
}

function connect(bringBack: () => Promise<void>): Connected {
  const port: Duplex = new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
  const sync = {bringBack} as Partial<GuestFilesSync> as GuestFilesSync;
  const guest = new Guest({port, name: 'the machine', sync, isSpare: false, kill: () => undefined});
  const arriving = new Duplex({
    read: () => undefined,
    write(chunk, _encoding, done) {
      port.push(chunk);
      done();
    },
  });
  return {
    guest,
    async send(kind, payload) {
      await frameWriterOf(arriving)(kind, Buffer.from(payload, 'latin1'));
      port.push(null);
    },
  };
}
