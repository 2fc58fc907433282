// An MCP server that cannot be trusted, and pins that cannot be kept.
import type {Host, Session} from '@lumenflow/host';
import type {PackPin} from '@lumenflow/schemas';
import {rmSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {makeUpstream, pinIn, run, within, type PinnedTools} from '../../support/upstream-workspace.ts';
import {opened} from '../../support/opened.ts';

describe('a server that cannot be trusted', () => {
  let workspace: HostWorkspace;
  let host: Host;
  let session: Session;
  const pin = (root: string, tools: PinnedTools): PackPin => ({
    id: 'rogue',
    version: '1.0.0',
    integrity: 'dev',
    source: 'mcp',
    command: ['node', join(import.meta.dirname, 'rogue-server/server.mjs'), 'mode/now'],
    path: relative(root, join(import.meta.dirname, 'rogue-server')),
    tools,
  });
  const weigh: PinnedTools = {weigh: {permission: 'read', required_scopes: within('mode', 'read'), timeout_ms: 20_000}};
  const become = (mode: string): void => workspace.write({'mode/now': mode});
  const call = async (mode: string) => {
    become(mode);
    return await session.call('rogue:weigh', {thing: 'a stone'});
  };

  beforeAll(async () => {
    workspace = makeUpstream((root) => [pin(root, weigh)]);
    become('honest');
    await run(workspace.root, 'pack', 'install');
    await run(workspace.root, 'pack', 'approve', 'rogue', '--as', 'olga');
    host = await workspace.start();
    session = opened(await host.openSession({by: 'ann'}));
  }, 60_000);
  afterAll(async () => {
    await workspace.remove();
  });

  it('is called while it matches what was approved, whatever it prints beside the protocol', async () => {
    expect(await call('honest')).toMatchObject({success: true, data: {structuredContent: {grams: 7}}});
    const noisy = await call('junk');
    expect(noisy).toMatchObject({success: true, data: {structuredContent: {grams: 7}}});
    const receipt = await host.runtime.evidence.receipt(noisy.metadata?.receipt_id ?? '');
    const log = await host.runtime.evidence.readBlob(receipt?.finished?.log_ref ?? '');
    expect(log).toContain('the rogue is up');
  });

  it.each([
    ['other-description', 'other description'],
    ['other-schema', 'other inputSchema'],
    ['gone', 'not there any more'],
  ])('is not called once it describes itself otherwise: %s', async (mode, said) => {
    expect((await call(mode)).error).toMatchObject({
      code: 'UPSTREAM_CHANGED',
      message: expect.stringContaining(said),
      details: {remedy: expect.stringContaining('lumenflow pack approve rogue')},
    });
  });

  it.each([
    ['other-structure', 'UPSTREAM_FAILED', 'schema'],
    ['crash', 'UPSTREAM_FAILED', 'closed'],
    ['huge', 'UPSTREAM_FAILED', ''],
    ['failing', 'TOOL_EXECUTION_FAILED', 'the scales are broken'],
  ])('fails its own call and no more: %s', async (mode, code, said) => {
    expect((await call(mode)).error).toMatchObject({code, message: expect.stringContaining(said)});
  });

  it('is told apart from one that has no network', async () => {
    expect((await call('online')).error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'fetch failed (this tool has no network)',
      details: {network: 'this tool has no network', remedy: expect.stringContaining('type: network')},
    });
  });

  it('is ended when it hangs', async () => {
    const root = workspace.root;
    become('honest');
    const short: PinnedTools = {
      weigh: {permission: 'read', required_scopes: within('mode', 'read'), timeout_ms: 3_000},
    };
    pinIn(workspace, [pin(root, short)]);
    const other = await workspace.start();
    const impatient = opened(await other.openSession({by: 'ben'}));
    for (const mode of ['hanging', 'silent']) {
      become(mode);
      expect((await impatient.call('rogue:weigh', {thing: 'a stone'})).error).toMatchObject({code: 'TOOL_TIMEOUT'});
    }
  });

  const notApproved = {code: 'POLICY_DENIED', details: {rule_id: 'not-approved:rogue:weigh'}};
  const weighAnew = async () => {
    const fresh = await workspace.start();
    return await opened(await fresh.openSession({by: 'cleo'})).call('rogue:weigh', {thing: 'a stone'});
  };
  it('waits for approval once more when it is taken as it is now, or the pin grants something else', async () => {
    const {root} = workspace;
    become('other-description');
    await run(root, 'pack', 'install', '--update');
    const changes = await run(root, 'pack', 'approve', 'rogue', '--dry-run');
    expect(changes).toContain('contents of .env first');
    expect((await weighAnew()).error).toMatchObject(notApproved);
    await run(root, 'pack', 'approve', 'rogue', '--as', 'olga');
    expect(await weighAnew()).toMatchObject({success: true});
    pinIn(workspace, [pin(root, {weigh: {permission: 'write', required_scopes: within('mode', 'write')}})]);
    expect((await weighAnew()).error).toMatchObject(notApproved);
  });
});

describe('a pin of a server', () => {
  let workspace: HostWorkspace;
  const program = join(import.meta.dirname, 'rogue-server/server.mjs');
  const pin = (more: Partial<PackPin>): PackPin => ({
    id: 'rogue',
    version: '1.0.0',
    integrity: 'dev',
    source: 'mcp',
    command: ['node', program, 'mode/now'],
    path: relative(workspace.root, dirname(program)),
    tools: {weigh: {permission: 'read', required_scopes: within('mode', 'read')}},
    ...more,
  });
  beforeAll(() => {
    workspace = makeHostWorkspace({files: {'mode/now': 'honest'}});
  });
  afterAll(async () => {
    await workspace.remove();
  });
  const install = (...args: readonly string[]): Promise<string> => run(workspace.root, 'pack', 'install', ...args);
  /** Why the workspace cannot be loaded with it. */
  const fault = async (more: Partial<PackPin>): Promise<string> => {
    pinIn(workspace, [pin(more)]);
    return await workspace.start().then(
      () => 'none',
      (error: unknown) => String(error),
    );
  };

  it('is of no use before the server was asked, which has to answer', async () => {
    expect(await fault({})).toContain('lumenflow pack install rogue');
    expect(await install('--frozen')).toContain('PACK_LOCK_FROZEN');
    pinIn(workspace, [pin({command: ['node', program, 'mode/none']})]);
    expect(await install()).toContain('does not list its tools');
  });

  it('means on every machine what the lock says', async () => {
    pinIn(workspace, [pin({})]);
    expect(await install()).toContain('"lock_changed":true');
    expect(await install()).toContain('"fetched":false');
    workspace.write({'mode/now': 'other-schema'});
    rmSync(join(workspace.root, '.lumenflow/cache'), {recursive: true});
    expect(await install()).toContain('PACK_SOURCE_CHANGED');
    workspace.write({'mode/now': 'honest'});
    expect(await install('--frozen')).toContain('"fetched":true');
    expect(await fault({})).toBe('none');
  });

  it.each<[string, Partial<PackPin>, string]>([
    ['a program that is not there', {path: 'nowhere'}, 'lumenflow pack install rogue'],
    ['a tool that the server does not have', {tools: {wiegh: {permission: 'read'}}}, 'has no tool `wiegh`'],
    ['another version', {version: '2.0.0'}, '`version: 1.0.0`'],
    ['a scope that leads out', {tools: {weigh: {permission: 'read', required_scopes: within('../x', 'read')}}}, '../x'],
    ['trust in its code', {trust: 'in_process'}, 'trust'],
    ['nothing to start', {command: undefined} as unknown as Partial<PackPin>, 'command'],
  ])('is refused with %s', async (_what, more, said) => {
    const why = await fault(more);
    expect(why).toContain('cannot be loaded');
    expect(why).toContain(said);
    expect(why).toContain('workspace.yaml:');
    expect(why).not.toContain('.lumenflow');
  });
});
