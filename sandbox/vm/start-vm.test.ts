// Machines that do not run their program: the problem says how far they came, and why they did not continue.
import {PassThrough} from 'node:stream';
import {Duplex} from 'node:stream';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ok} from '../outcome.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {encodeMessage, frameWriterOf, readFrames} from '../guest/guest-channel.ts';
import type {GuestMessage, HostMessage} from '../guest/guest-messages.ts';
import type {Machine} from './hypervisor.ts';
import {startVm} from './start-vm.ts';
import type {VmHost} from './vm-host.ts';

beforeEach(() => vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => vi.useRealTimers());

interface GivenMachine {
  readonly reports?: readonly GuestMessage[];
  readonly console?: string;
  /** Default: it waits until it is killed. */
  readonly exitCode?: number;
  /** It continues from a saved machine. */
  readonly isRestored?: boolean;
}

let sent: PassThrough;
let discarded: number;

/** Starts a program in a machine whose agent reports this and no more. */
async function startIn({
  reports = [],
  console = '',
  exitCode,
  isRestored = false,
}: GivenMachine): ReturnType<typeof startVm> {
  const fromGuest = new PassThrough();
  sent = new PassThrough();
  discarded = 0;
  const write = frameWriterOf(fromGuest);
  for (const report of reports) await write('message', encodeMessage(report));
  let kill = (): void => undefined;
  const ended = new Promise<number>((resolve) => {
    kill = () => resolve(137);
    if (exitCode !== undefined) setImmediate(() => setImmediate(() => resolve(exitCode)));
  });
  const machine: Machine = {
    pid: undefined,
    port: Promise.resolve(Duplex.from({readable: fromGuest, writable: sent})),
    restored: isRestored ? {discard: () => (discarded += 1)} : undefined,
    ended: ended.then((code) => ({exitCode: code, timedOut: false, aborted: false, durationMs: 0})),
    console: () => console,
    errors: () => '',
    kill,
    keepAlive: () => undefined,
  };
  const host = {
    hypervisor: {launch: async () => ok(machine)},
    system: async () => ok({initrdPath: '/initrd', diskPath: '/disk'}),
    nodePath: '/node',
  };
  const profile = uncheckedProfile(narrowestProfile(), '/w');
  return await startVm({profile, program: {kind: 'command', argv: ['true']}}, host as unknown as VmHost);
}

test.each([
  ['before its agent reports', {}, 'did not start within 300 s: its agent did not report'],
  [
    'while it receives files',
    {reports: [{type: 'up'}], console: 'one\nlast words\n'},
    'did not start within 300 s: its agent did not start the program (`last words`)',
  ],
] as const)('a machine that stops %s is ended after its time', async (_when, given, text) => {
  let isOver = false;
  const starting = startIn(given).finally(() => (isOver = true));
  // Other test files of this process can have timers, too.
  await vi.waitFor(() => {
    vi.advanceTimersByTime(300_000);
    expect(isOver).toBe(true);
  });
  expect(await starting).toMatchObject({
    ok: false,
    problem: {message: `the virtual machine ${text}`},
  });
});

test('a machine that ends by itself is reported with its exit code and its last words', async () => {
  expect(await startIn({exitCode: 1, console: 'booting\nKernel panic'})).toMatchObject({
    ok: false,
    problem: {
      message: 'the virtual machine ended with exit code 1: its agent did not report (`Kernel panic`)',
      retryable: 'once',
    },
  });
});

test('a machine that continues from a saved one is renewed first, with a seed of its own', async () => {
  const first = async (): Promise<HostMessage> => {
    const starting = startIn({isRestored: true, exitCode: 1});
    await starting;
    const messages: HostMessage[] = [];
    sent.end();
    await readFrames(sent, async (_, payload) => void messages.push(JSON.parse(payload.toString()) as HostMessage));
    return messages[0] ?? {type: 'collect'};
  };
  const [one, other] = [await first(), await first()];
  expect(one).toMatchObject({type: 'renew', seed: expect.stringMatching(/^.{88}$/)});
  expect(one).not.toMatchObject({seed: (other as {seed?: string}).seed});
});

test('what a machine could not continue from is discarded', async () => {
  await startIn({isRestored: true, exitCode: 1});
  expect(discarded).toBe(1);
  await startIn({isRestored: true, exitCode: 1, reports: [{type: 'up'}]});
  expect(discarded).toBe(0);
});
