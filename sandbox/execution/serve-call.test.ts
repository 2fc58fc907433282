// Checks when a transaction is notified that its call has ended: only when nothing of the call can still write.
import {Duplex, PassThrough} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {encodeFrame} from '@lumenflow/pack-sdk/wire';
import {expect, test} from 'vitest';
import type {RunnerEnd, SandboxBackend, StartedRunner} from '../backends/sandbox-backend.ts';
import {createSandboxNetwork} from '../network/create-sandbox-network.ts';
import {ok} from '../outcome.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import {createCallExecutor, type CallExecutor} from './create-call-executor.ts';

const profile = {...uncheckedProfile(narrowestProfile()), digest: 'sha256:1'};
const invocation = {
  protocol: 1 as const,
  tool_name: 'test:run',
  handler_entry: '/handler.mjs#run',
  input: {},
  scope_enforced: {read: [], write: [], network: {posture: 'off' as const, allowlist_entries: []}},
  receipt_id: 'rcp-1',
  task_id: 'task-1',
  run_id: 'run-1',
  session_id: 'session-1',
  lane_id: 'lane-1',
  workspace_root: '/tmp',
  config: {},
  env: {},
};

interface Scripted extends Partial<StartedRunner> {
  readonly killsAtOnce: boolean;
  readonly printsLate?: boolean;
}

function backendOf({killsAtOnce, printsLate = false, ...runner}: Scripted): SandboxBackend {
  return {
    name: 'scripted',
    capabilities: {spares: false, views: true, network: undefined, selfTest: false, killsAtOnce, printsLate, lacks: []},
    probe: async () => ({
      available: true,
      backend: 'scripted',
      tier: 'dev',
      version: '1',
      guarantees: {network_full: 'enforced'} as never,
      gaps: [],
    }),
    start: async () =>
      ok({
        pid: undefined,
        wire: undefined,
        stdout: undefined,
        stderr: undefined,
        ended: Promise.resolve({exitCode: 0}),
        meter: undefined,
        degraded: [],
        kill: () => undefined,
        keepAlive: () => undefined,
        setUpProblem: () => undefined,
        ...runner,
      }),
    reap: async () => undefined,
    close: async () => undefined,
  };
}

function executorOf(backend: SandboxBackend): CallExecutor {
  return createCallExecutor({
    backend,
    runner: {nodePath: '', runnerPath: '', runtimePaths: [], argv: () => []},
    files: createHostFiles(),
    network: createSandboxNetwork({nodePath: '', holderPath: '', resolveHost: async () => []}),
    usualTier: 'dev',
  });
}

/** How often the transaction was notified. */
async function countNotifications(backend: SandboxBackend): Promise<number> {
  const executor = executorOf(backend);
  let notified = 0;
  const transaction = {
    open: async () => ok({enter: [], profile: narrowestProfile(), degraded: []}),
    adopt: () => Promise.reject(new Error('there are no spares')),
    callEnded: () => void (notified += 1),
  };
  await executor.execute({profile, invocation, wallMs: 60_000, transaction});
  const atAnswer = notified;
  await executor.close();
  return atAnswer;
}

test.each([
  ['it has ended by itself', {exitCode: 137}, true, 1],
  ['the sandbox around it was killed', {exitCode: 137, signal: 'SIGKILL'}, true, 0],
  ['its backend cannot end all of it at once', {exitCode: 0}, false, 0],
] as const)('when %s', async (_, end, killsAtOnce, calls) => {
  expect(await countNotifications(backendOf({killsAtOnce, ended: Promise.resolve<RunnerEnd>(end)}))).toBe(calls);
});

test('a call without write access is awaited too: the host may have written for it', async () => {
  let end: (how: RunnerEnd) => void = () => undefined;
  const ended = new Promise<RunnerEnd>((resolve) => (end = resolve));
  const wire = new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
  wire.push(encodeFrame({type: 'result', output: {success: true}}));
  const kill = (): void => void delay(50).then(() => end({exitCode: 137}));
  expect(await countNotifications(backendOf({killsAtOnce: true, wire, ended, kill}))).toBe(1);
});

test.each([
  ['is awaited if its network is that of another machine', 'full', true],
  ['is not awaited without a network', 'off', false],
] as const)('a call that writes nothing %s', async (_, network_posture, isAwaited) => {
  let isEnded = false;
  let end: (how: RunnerEnd) => void = () => undefined;
  const ended = new Promise<RunnerEnd>((resolve) => (end = resolve));
  const wire = new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
  wire.push(encodeFrame({type: 'result', output: {success: true}}));
  void ended.then(() => (isEnded = true));
  const kill = (): void => void delay(50).then(() => end({exitCode: 137}));
  const executor = executorOf(backendOf({killsAtOnce: true, wire, ended, kill}));
  const given = {...profile, profile: {...profile.profile, network_posture}};
  const {output} = await executor.execute({profile: given, invocation, wallMs: 60_000});
  expect(output).toEqual({success: true});
  expect(isEnded).toBe(isAwaited);
  await executor.close();
});

test('what a call printed belongs to it, also where it arrives after the result', async () => {
  const stdout = new PassThrough();
  let end: (how: RunnerEnd) => void = () => undefined;
  const ended = new Promise<RunnerEnd>((resolve) => (end = resolve));
  const wire = new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
  wire.push(encodeFrame({type: 'result', output: {success: true}}));
  const kill = async (): Promise<void> => {
    await delay(20);
    end({exitCode: 137});
    await delay(20);
    stdout.end('printed before the result');
  };
  const executor = executorOf(
    backendOf({killsAtOnce: true, printsLate: true, wire, stdout, ended, kill: () => void kill()}),
  );
  const {stdout: printed} = await executor.execute({profile, invocation, wallMs: 60_000});
  expect(printed).toBe('printed before the result');
  await executor.close();
});
