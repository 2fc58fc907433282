// Backends are chosen, and refused, before anything runs.
import {existsSync, mkdirSync, rmdirSync, writeFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Invocation} from '@lumenflow/schemas';
import type {SandboxBackend} from './backends/sandbox-backend.ts';
import {makeTrialFolder} from './backends/trial-folders.ts';
import {createSandbox, type Sandbox} from './create-sandbox.ts';
import {createBench, type Bench} from './testing/sandbox-bench.fixture.ts';
import {createUnsafeHostBackend} from './unsafe-host/create-unsafe-host-backend.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({backend: 'unsafe-host'});
});
afterAll(() => bench.remove());

test('a missing bwrap is reported with its fix; no weaker backend replaces it', async () => {
  const marker = `${bench.folder}/ran`;
  writeFileSync(
    `${marker}.mjs`,
    `import fs from 'node:fs'; export const run = () => fs.writeFileSync(${JSON.stringify(marker)}, '');`,
  );
  const sandbox = createSandbox({
    searchPath: '/nonexistent',
    runnerPath: `${bench.folder}/runner.cjs`,
    backend: 'bubblewrap',
  });
  expect(await sandbox.probe()).toMatchObject({available: false, problem: {message: 'bubblewrap is not installed'}});
  const request = {profile: await bench.profile({}), invocation: invocationOf(`${marker}.mjs#run`), wallMs: 60_000};
  const result = await sandbox.execute(request);
  expect(result.output.error).toEqual({
    code: 'SANDBOX_UNAVAILABLE',
    message: 'bubblewrap is not installed: install it with `apt-get install bubblewrap`',
    details: {backend: 'bubblewrap', help: 'install it with `apt-get install bubblewrap`'},
  });
  expect(result.enforcement).toMatchObject({backend: 'bubblewrap', tier: 'none'});
  expect(existsSync(marker)).toBe(false);
  // The same request does run where it may.
  expect((await bench.sandbox.execute(request)).output.success).toBe(true);
  expect(existsSync(marker)).toBe(true);
});

test('of several backends, the one that could reach the tier reports why it does not', async () => {
  const sandbox = createSandbox({searchPath: process.env['PATH'] ?? ''});
  const profile = await bench.profile({});
  const {output} = await sandbox.execute({
    profile,
    invocation: invocationOf(`${bench.folder}/none.mjs#run`),
    wallMs: 60_000,
    securityTier: 'hardened',
    backend: ['unsafe-host', 'gvisor'],
    backendOptions: {gvisor: {program: '/nonexistent/runsc'}},
  });
  expect(output.error?.message).toMatch(/^`\/nonexistent\/runsc` is not an executable file/);
});

test('trials of killed hosts leave no folder', async () => {
  const mine = await makeTrialFolder();
  // No process has this id.
  const left = mine.replace(`-${process.pid}-`, '-4194305-');
  mkdirSync(left);
  await bench.sandbox.reap();
  expect([existsSync(mine), existsSync(left)]).toEqual([true, false]);
  rmdirSync(mine);
});

function invocationOf(entry: string): Invocation {
  return {
    protocol: 1,
    tool_name: 'a:b',
    handler_entry: entry,
    input: {},
    scope_enforced: {read: [], write: [], network: {posture: 'off', allowlist_entries: []}},
    receipt_id: 'r',
    task_id: 't',
    run_id: 'r',
    session_id: 's',
    lane_id: 'l',
    workspace_root: bench.workspace,
    config: {},
    env: {},
  };
}

test('the first of several backends that works here and meets the requirements runs the call', async () => {
  const sandbox = createSandbox({
    platform: 'linux',
    searchPath: '/nonexistent',
    runnerPath: `${bench.folder}/runner.cjs`,
  });
  writeFileSync(`${bench.folder}/chosen.mjs`, 'export const run = () => 1;');
  const invocation = invocationOf(`${bench.folder}/chosen.mjs#run`);
  const common = {profile: await bench.profile({}), invocation, wallMs: 60_000};
  const backends = ['bubblewrap', 'unsafe-host'] as const;
  const dev = await sandbox.execute({...common, backend: backends, securityTier: 'dev'});
  expect(dev).toMatchObject({output: {success: true, data: 1}, enforcement: {backend: 'unsafe-host', tier: 'dev'}});
  // The second one works, but is not a sandbox; the first one reports what is missing.
  const standard = await sandbox.execute({...common, backend: backends, securityTier: 'standard'});
  expect(standard.output.error?.message).toContain('bubblewrap is not installed');
  expect(standard.enforcement).toMatchObject({backend: 'bubblewrap', tier: 'none'});
  const one = await sandbox.execute({...common, backend: 'bubblewrap', securityTier: 'dev'});
  expect(one.output.error?.message).toContain('bubblewrap is not installed');
  await sandbox.close();
});

test('options of a backend apply to the calls that bring them', async () => {
  const sandbox = createSandbox({
    platform: 'linux',
    searchPath: '/usr/bin:/bin',
    runnerPath: `${bench.folder}/runner.cjs`,
  });
  const bwrap = `${bench.workspace}/bwrap`;
  writeFileSync(bwrap, '#!/bin/sh\nexec bwrap "$@"\n', {mode: 0o755});
  const invocation = invocationOf(`${bench.folder}/chosen.mjs#run`);
  const execute = async (program: string) => {
    const {output} = await sandbox.execute({
      profile: await bench.profile({}),
      invocation,
      wallMs: 60_000,
      backendOptions: {bubblewrap: {program}},
    });
    return output.error?.message;
  };
  expect(await execute('/nonexistent/bwrap')).toContain('`/nonexistent/bwrap` is not an executable file');
  if (await isBubblewrapHere(sandbox)) expect(await execute(bwrap)).toContain('is inside the workspace');
  await sandbox.close();
});

test('a call whose tool needs what the backend does not enforce is refused', async () => {
  const invocation = invocationOf(`${bench.folder}/chosen.mjs#run`);
  const request = {profile: await bench.profile({}), invocation, wallMs: 60_000, securityTier: 'dev'} as const;
  const refused = await bench.sandbox.execute({...request, needs: ['output', 'kernel']});
  expect(refused).toMatchObject({
    neverRan: {message: expect.stringContaining('`kernel` enforced')},
    output: {error: {code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('`kernel` enforced')}},
  });
  expect((await bench.sandbox.execute({...request, needs: ['output']})).output.success).toBe(true);
});

async function isBubblewrapHere(sandbox: Sandbox): Promise<boolean> {
  return (await sandbox.probe()).available;
}

test.each([
  ['darwin', 'seatbelt'],
  ['linux', 'bubblewrap'],
] as const)('%s has %s by default', async (platform, backend) => {
  const sandbox = createSandbox({platform, searchPath: '/nonexistent', runnerPath: `${bench.folder}/runner.cjs`});
  expect(sandbox.name).toBe(backend);
  await sandbox.close();
});

test.skipIf(process.platform === 'darwin')(
  'on a machine without sandbox-exec the calls for it are refused',
  async () => {
    const sandbox = createSandbox({platform: 'darwin', searchPath: '', runnerPath: `${bench.folder}/runner.cjs`});
    const problem = {
      message: '`/usr/bin/sandbox-exec` does not exist on this machine',
      help: expect.stringContaining('use the backend `bubblewrap`'),
    };
    expect(await sandbox.probe()).toMatchObject({available: false, backend: 'seatbelt', problem});
    const request = {
      profile: await bench.profile({}),
      invocation: invocationOf('/nonexistent.mjs#run'),
      wallMs: 60_000,
    };
    expect((await sandbox.execute(request)).output.error?.code).toBe('SANDBOX_UNAVAILABLE');
  },
);

test('a runner that was not built is reported', async () => {
  const sandbox = createSandbox({searchPath: '/usr/bin', runnerPath: '/nonexistent/runner.js'});
  expect(await sandbox.probe()).toMatchObject({available: false, problem: {help: 'run `npm run build`'}});
});

test('unsafe-host runs the same runner, in tier dev, and its receipt says what that means', async () => {
  const result = await bench.call(
    `console.log(process.env.HOME); return [input, Object.keys(process.env).includes('LUMENFLOW_SECRET')];`,
    {input: 1},
  );
  expect(result.output).toEqual({success: true, data: [1, false]});
  expect(result.stdout).toBe('/nonexistent\n');
  expect(result.enforcement).toMatchObject({
    backend: 'unsafe-host',
    tier: 'dev',
    degraded: [expect.stringContaining('no sandbox')],
  });
  expect(await bench.sandbox.probe()).toMatchObject({
    available: true,
    tier: 'dev',
    guarantees: {filesystem: 'unsupported'},
  });
  const stuck = await bench.call(`process.on('SIGTERM', () => {}); for (;;) {}`, {wallMs: 600});
  expect(stuck.output.error?.code).toBe('TOOL_TIMEOUT');
});

test.each([
  ['standard', 'unsafe-host', '`filesystem` enforced (it is unsupported)'],
  ['hardened', 'unsafe-host', '`kernel` enforced (it is unsupported)'],
] as const)('tier %s is not what %s gives: nothing runs', async (securityTier, backend, message) => {
  const marker = `${bench.folder}/${securityTier}`;
  const {output, enforcement} = await bench.call(`fs.writeFileSync(${JSON.stringify(marker)}, '')`, {
    request: {securityTier},
  });
  expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining(message)});
  expect(enforcement).toMatchObject({backend, tier: 'none'});
  expect(existsSync(marker)).toBe(false);
});

test('tier dev uses the named backend, or no sandbox if none is named', async () => {
  const run = async (backend?: 'bubblewrap') => {
    const sandbox = createSandbox({
      searchPath: '/nonexistent',
      runnerPath: `${bench.folder}/runner.cjs`,
      platform: 'linux',
      ...(backend && {backend}),
    });
    writeFileSync(`${bench.folder}/dev.mjs`, 'export const run = () => 1;');
    const invocation = invocationOf(`${bench.folder}/dev.mjs#run`);
    const profile = await bench.profile({});
    const result = await sandbox.execute({profile, invocation, wallMs: 60_000, securityTier: 'dev'});
    await sandbox.close();
    return result;
  };
  const {output, enforcement} = await run();
  expect(output).toEqual({success: true, data: 1});
  expect(enforcement).toMatchObject({
    backend: 'unsafe-host',
    tier: 'dev',
    degraded: [expect.stringContaining('no sandbox')],
  });
  expect((await run('bubblewrap')).output.error?.message).toContain('bubblewrap is not installed');
});

test('a backend of the caller runs every call, under the requirements of all backends', async () => {
  const started: string[] = [];
  const sandbox = createSandbox({
    searchPath: '/nonexistent',
    runnerPath: `${bench.folder}/runner.cjs`,
    backend: () => {
      const backend = createUnsafeHostBackend();
      const start: SandboxBackend['start'] = async (request) => {
        started.push(request.program.kind);
        return await backend.start(request);
      };
      return {...backend, name: 'own', probe: async () => ({...(await backend.probe()), backend: 'own'}), start};
    },
  });
  writeFileSync(`${bench.folder}/own.mjs`, 'export const run = () => 1;');
  const invocation = invocationOf(`${bench.folder}/own.mjs#run`);
  const request = {profile: await bench.profile({}), invocation, wallMs: 60_000, backend: 'bubblewrap'} as const;
  expect((await sandbox.execute(request)).output.error).toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('the backend `own` does not reach the security tier `standard`'),
  });
  expect(started).toEqual([]);
  const {output, enforcement} = await sandbox.execute({...request, securityTier: 'dev'});
  expect(output).toEqual({success: true, data: 1});
  expect(enforcement).toMatchObject({backend: 'own', tier: 'dev'});
  expect(sandbox.name).toBe('own');
  expect(started).toEqual(['runner']);
  await sandbox.close();
});
