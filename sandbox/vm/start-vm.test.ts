// Machines that do not run their program: the problem says how far they came, and why they did not continue.
import {PassThrough} from 'node:stream';
import {Duplex} from 'node:stream';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ok} from '../outcome.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {encodeMessage, frameWriterOf} from './guest-channel.ts';
import type {GuestMessage} from './guest-messages.ts';
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
}

/** Starts a program in a machine whose agent reports this and no more. */
async function startIn({reports = [], console = '', exitCode}: GivenMachine): ReturnType<typeof startVm> {
  const fromGuest = new PassThrough();
  const write = frameWriterOf(fromGuest);
  for (const report of reports) await write('message', encodeMessage(report));
  let kill = (): void => undefined;
  const ended = new Promise<number>((resolve) => {
    kill = () => resolve(137);
    if (exitCode !== undefined) setImmediate(() => setImmediate(() => resolve(exitCode)));
  });
  const machine: Machine = {
    pid: undefined,
    port: Promise.resolve(Duplex.from({readable: fromGuest, writable: new PassThrough().resume()})),
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
  const starting = startIn(given);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  vi.advanceTimersByTime(300_000);
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
