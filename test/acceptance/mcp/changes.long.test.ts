// Change sets for MCP clients: previewed, queried while they wait, withdrawn, reverted.
import type {CallToolResult, Client} from '@modelcontextprotocol/client';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {runForJson} from '../../support/lumenflow-program.ts';
import {connectDesk, createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

describe.each(eras)('an MCP client of the %s era', (era) => {
  let desk: HostWorkspace;
  let client: Client;
  let other: Client;
  beforeAll(async () => {
    desk = makeDesk({
      copied: {held: join(import.meta.dirname, '../host/transactional-pack')},
      pins: {held: {trust: 'in_process'}},
      spec: {
        policies: {
          default_decision: 'allow',
          rules: [
            {
              id: 'ask-infra',
              trigger: 'on_changes',
              decision: 'approval_required',
              when: {changes: {any: {path: 'infra/**'}}},
            },
          ],
        },
      },
    });
    client = createClient(era);
    other = createClient(era);
    await connectDesk(desk.root, client);
    await connectDesk(desk.root, other, ['--as', 'ben']);
  });
  afterAll(async () => {
    await client.close();
    await other.close();
    await desk.remove();
  });
  beforeEach(() => desk.write({'docs/a.md': 'one\ntwo\n', 'infra/main.tf': 'old\n'}));

  const read = (path: string): string => readFileSync(join(desk.root, path), 'utf8');
  const write = async (path: string, text: string, meta?: Record<string, unknown>): Promise<CallToolResult> =>
    await client.callTool({name: 'held_write', arguments: {files: {[path]: text}}, ...(meta && {_meta: meta})});
  const textOf = ({content}: CallToolResult): string =>
    content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
  const structure = async (from: Client, name: string, args: Record<string, unknown>): Promise<unknown> =>
    (await from.callTool({name, arguments: args})).structuredContent;

  async function park(): Promise<{readonly request_id: string; readonly remedy: string}> {
    const {structuredContent} = await write('infra/main.tf', 'new\n');
    const {code, details, remedy} = structuredContent as {code: string; details: {request_id: string}; remedy: string};
    expect(code).toBe('CHANGES_PARKED');
    return {request_id: details.request_id, remedy};
  }

  it('sees the difference of a dry run, which changes nothing', async () => {
    const dry = await write('docs/a.md', 'one\n2\n', {'lumenflow/dry_run': true});
    expect(dry.isError ?? false).toBe(false);
    expect(dry.structuredContent).toEqual({written: 1});
    expect(textOf(dry).split('\n')).toEqual(expect.arrayContaining(['modify docs/a.md', ' one', '-two', '+2']));
    const {_meta: said} = dry;
    expect(said?.['lumenflow/changes']).toMatchObject({dry_run: true, count: 1, list: [{path: 'docs/a.md'}]});
    expect(read('docs/a.md')).toBe('one\ntwo\n');
    await expect(write('docs/a.md', 'x', {'lumenflow/dry_run': 'yes'})).rejects.toThrow('must be true or false');
    expect(read('docs/a.md')).toBe('one\ntwo\n');
  });

  it('asks by a tool what became of what it wrote; others cannot', async () => {
    const {request_id, remedy} = await park();
    expect(remedy).toContain('kernel_show_request');
    const ask = async (): Promise<unknown> => await structure(client, 'kernel_show_request', {request_id});
    expect(await ask()).toMatchObject({
      state: 'pending',
      changes_state: 'parked',
      next: expect.stringContaining('wait'),
    });
    expect(await structure(other, 'kernel_show_request', {request_id})).toMatchObject({code: 'APPROVAL_NOT_FOUND'});
    await runForJson(['approvals', 'approve', request_id, '--as', 'olga'], {cwd: desk.root});
    expect(await ask()).toMatchObject({state: 'used', changes_state: 'applied', resolved_by: 'olga'});
    expect(read('infra/main.tf')).toBe('new\n');
  });

  it('withdraws what it asked for, which is discarded at once; others cannot', async () => {
    const {request_id} = await park();
    const args = {request_id, reason: 'a better way'};
    expect(await structure(other, 'kernel_withdraw_request', args)).toMatchObject({code: 'APPROVAL_NOT_FOUND'});
    expect(await structure(client, 'kernel_withdraw_request', args)).toMatchObject({
      state: 'withdrawn',
      changes_state: 'discarded',
    });
    expect(await structure(client, 'kernel_withdraw_request', args)).toMatchObject({code: 'APPROVAL_RESOLVED'});
    const {document} = await runForJson(['changes', 'list'], {cwd: desk.root});
    expect(JSON.stringify(document)).not.toContain(request_id);
    expect(read('infra/main.tf')).toBe('old\n');
  });

  it('receives the paths of a conflict', async () => {
    const {request_id} = await park();
    desk.write({'infra/main.tf': 'by hand\n'});
    await runForJson(['approvals', 'approve', request_id, '--as', 'olga'], {cwd: desk.root});
    expect(await structure(client, 'kernel_show_request', {request_id})).toMatchObject({
      changes_state: 'conflict',
      conflicts: ['infra/main.tf'],
    });
  });

  it('reverts its own changes, but not those of others', async () => {
    await write('docs/a.md', 'changed\n');
    const {document} = await runForJson(['evidence', 'list', '--tool', 'held:write'], {cwd: desk.root});
    const [receipt_id = ''] = JSON.stringify(document).match(/rcp-[\w-]+/u) ?? [];
    expect(await structure(other, 'kernel_revert_changes', {receipt_id})).toMatchObject({code: 'SCOPE_DENIED'});
    expect(await structure(client, 'kernel_revert_changes', {receipt_id})).toMatchObject({
      count: 1,
      paths: ['docs/a.md'],
    });
    expect(read('docs/a.md')).toBe('one\ntwo\n');
  });
});
