// `security.sandbox.profile` of workspace.yaml: what a sandbox must be able to enforce, from the file to the receipt.
import type {Problem} from '@lumenflow/kernel';
import type {SecurityTier, WorkspaceSpec} from '@lumenflow/schemas';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace | undefined;
afterEach(() => workspace?.remove());

function withSandbox(sandbox: unknown, lane?: unknown): HostWorkspace {
  const security = {allowed_scopes: everything, ...(sandbox === undefined ? {} : {sandbox})};
  workspace = makeHostWorkspace({
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    files: {'note.txt': 'note\n'},
    spec: {security: security as WorkspaceSpec['security'], ...(lane !== undefined && {lanes: lanesOf(lane)})},
  });
  return workspace;
}

function lanesOf(sandbox: unknown): WorkspaceSpec['lanes'] {
  return [{id: 'main', allowed_scopes: everything, sandbox}] as WorkspaceSpec['lanes'];
}

async function call(tier: SecurityTier | undefined) {
  const warnings: Problem[] = [];
  const host = await withSandbox(tier && {profile: tier}).start({onWarning: (problem) => warnings.push(problem)});
  const session = opened(await host.openSession({by: 'tester'}));
  const output = await session.call('attack:read', {path: 'note.txt'});
  const {receipts} = await host.runtime.evidence.readTraces();
  const codes = warnings.map(({code}) => code);
  return {output, enforcement: receipts[0]?.finished?.enforcement, codes, warnings};
}

test('standard, which is also what is meant without the key, runs in a sandbox of that tier', async () => {
  for (const profile of [undefined, 'standard'] as const) {
    const {output, enforcement, codes} = await call(profile);
    expect(output).toMatchObject({success: true, data: {content: 'note\n'}});
    expect(enforcement?.tier).toBe('standard');
    expect(codes).not.toContain('SANDBOX_OFF');
    await workspace?.remove();
  }
});

test.each([
  ['the workspace', {profile: 'hardened'}, undefined],
  ['a lane', {profile: 'standard'}, {profile: 'hardened'}],
])('hardened fails the load where no backend can enforce it: required by %s', async (_, sandbox, lane) => {
  await expect(withSandbox(sandbox, lane).start()).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringMatching(
      /workspace\.yaml:\d+:\d+: no configured backend reaches the security tier `hardened`: `bubblewrap` does not support `kernel` \(use a backend with its own kernel/,
    ),
  });
});

test('a lane can require a higher tier than the workspace', async () => {
  const host = await withSandbox({profile: 'dev'}, {profile: 'standard'}).start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await session.call('attack:read', {path: 'note.txt'})).toMatchObject({success: true});
  const {receipts} = await host.runtime.evidence.readTraces();
  expect(receipts[0]?.finished?.enforcement).toMatchObject({backend: 'bubblewrap', tier: 'standard'});
});

test('options of a backend reach it, and those of an unknown one fail the load with the nearest name', async () => {
  const host = await withSandbox({backends: {bubblewrap: {program: '/nonexistent/bwrap'}}}).start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await session.call('attack:read', {path: 'note.txt'})).toMatchObject({
    error: {code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('`/nonexistent/bwrap` is not an executable')},
  });
  await workspace?.remove();
  await expect(withSandbox({backends: {bubblewarp: {program: '/b'}}}).start()).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringMatching(/workspace\.yaml:\d+:\d+: .*bubblewarp[\s\S]*`bubblewrap`/),
  });
});

test('dev has no sandbox: a warning at load gives the position, and every receipt reports it', async () => {
  const {output, enforcement, warnings} = await call('dev');
  expect(output).toMatchObject({success: true});
  expect(enforcement).toMatchObject({
    backend: 'unsafe-host',
    tier: 'dev',
    degraded: expect.arrayContaining([expect.stringContaining('no sandbox')]),
  });
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'SANDBOX_OFF',
      severity: 'warning',
      where: expect.stringMatching(/workspace\.yaml:\d+:\d+/),
    }),
  );
});

test('a backend that workspace.yaml names runs the calls; of a list the first that works and gives what is required', async () => {
  for (const backend of ['bubblewrap', ['seatbelt', 'bubblewrap']] as const) {
    const host = await withSandbox({profile: 'standard', backend}).start();
    const session = opened(await host.openSession({by: 'tester'}));
    expect(await session.call('attack:read', {path: 'note.txt'})).toMatchObject({success: true});
    const {receipts} = await host.runtime.evidence.readTraces();
    expect(receipts[0]?.finished?.enforcement).toMatchObject({backend: 'bubblewrap', tier: 'standard'});
    await workspace?.remove();
  }
});

test('one that is not there refuses the call, and one that gives less is not taken in its place', async () => {
  for (const backend of ['seatbelt', ['seatbelt', 'unsafe-host']] as const) {
    const host = await withSandbox({profile: 'standard', backend}).start();
    const session = opened(await host.openSession({by: 'tester'}));
    expect(await session.call('attack:read', {path: 'note.txt'})).toMatchObject({
      success: false,
      error: {code: 'SANDBOX_UNAVAILABLE'},
    });
    await workspace?.remove();
  }
});

test('unsafe-host under a tier that it cannot reach fails the load', async () => {
  await expect(withSandbox({profile: 'standard', backend: 'unsafe-host'}).start()).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringContaining('`unsafe-host` does not support `filesystem`'),
  });
});

test('unsafe-host is not run by its name alone: the tier must ask for no more', async () => {
  const host = await withSandbox({backend: 'unsafe-host'}).start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await session.call('attack:read', {path: 'note.txt'})).toMatchObject({
    error: {code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('`standard`, which requires')},
  });
});

test.each(['bubblewarp', ['bubblewarp'], ['seatbelt', 'bubblewarp']])(
  'the backend %j fails the load, with the name that was probably meant',
  async (backend) => {
    await expect(withSandbox({profile: 'standard', backend}).start()).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringMatching(/workspace\.yaml:\d+:\d+: .*bubblewarp[\s\S]*`bubblewrap`/),
    });
  },
);

test.each([[], ['bubblewrap', 'bubblewrap'], null, {}].map((backend) => [backend]))(
  '%j is no backend: nothing is loaded',
  async (backend) => {
    await expect(withSandbox({profile: 'standard', backend}).start()).rejects.toMatchObject({code: 'LOAD_FAILED'});
  },
);

test.each([[{profile: 'strict'}], [{profile: 'Standard'}], [{profile: null}], [{profiles: 'standard'}]])(
  '%j is not a tier: nothing is loaded',
  async (sandbox) => {
    await expect(withSandbox(sandbox).start()).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringMatching(/workspace\.yaml:\d+:\d+: .*(profile|dev|standard)/),
    });
  },
);

test('an empty `sandbox` is refused, too', async () => {
  await expect(withSandbox({}).start()).rejects.toMatchObject({
    code: 'LOAD_FAILED',
    message: expect.stringMatching(/workspace\.yaml:\d+:\d+: .*empty/),
  });
});
