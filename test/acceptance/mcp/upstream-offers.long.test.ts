// Prompts and resources of an MCP server that cannot be trusted, as calls and for MCP clients.
import type {Host, Session} from '@lumenflow/host';
import type {PackPin} from '@lumenflow/schemas';
import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {connectDesk, createClient} from '../../support/mcp-desk.ts';
import {opened} from '../../support/opened.ts';
import {makeUpstream, pinIn, run, within} from '../../support/upstream-workspace.ts';

describe('prompts and resources of a server that cannot be trusted', () => {
  let workspace: HostWorkspace;
  let host: Host;
  let session: Session;
  const allowed = {permission: 'read' as const, required_scopes: within('mode', 'read'), timeout_ms: 20_000};
  const pin = (root: string, more: Partial<PackPin>): PackPin => ({
    id: 'rogue',
    version: '1.0.0',
    integrity: 'dev',
    source: 'mcp',
    command: ['node', join(import.meta.dirname, 'rogue-server/server.mjs'), 'mode/now'],
    path: relative(root, join(import.meta.dirname, 'rogue-server')),
    tools: {},
    prompts: allowed,
    resources: allowed,
    ...more,
  });
  const without = ({prompts: _prompts, resources: _resources, ...tools}: PackPin): PackPin => tools;
  const become = (mode: string): void => workspace.write({'mode/now': mode});
  const read = async (uri = 'scales://one', pack = 'rogue', by: Session = session) =>
    await by.call(`${pack}:resource----read`, {uri});
  const textOf = ({data}: Awaited<ReturnType<typeof read>>): string =>
    (data as {readonly contents: readonly {readonly text: string}[]}).contents[0]?.text ?? '';

  beforeAll(async () => {
    workspace = makeUpstream((root) => [
      pin(root, {}),
      pin(root, {id: 'kept', lifetime: 'workspace'}),
      without(pin(root, {id: 'silent', tools: {weigh: allowed}})),
    ]);
    become('honest');
    expect(await run(workspace.root, 'pack', 'install')).not.toContain('"error"');
    for (const id of ['rogue', 'kept', 'silent']) await run(workspace.root, 'pack', 'approve', id, '--as', 'olga');
    host = await workspace.start();
    session = opened(await host.openSession({by: 'ann'}));
  }, 120_000);
  afterAll(async () => {
    await workspace.remove();
  });

  it('are listed and read by a client under addresses of their own, each with a receipt', async () => {
    become('honest');
    const client = createClient('legacy');
    await connectDesk(workspace.root, client);
    const {prompts} = await client.listPrompts();
    expect(prompts.map(({name}) => name)).toEqual(['kept_prompt____advise', 'rogue_prompt____advise']);
    const {messages} = await client.getPrompt({name: 'rogue_prompt____advise', arguments: {about: 'weight'}});
    expect(messages).toMatchObject([{content: {text: 'weight'}}]);
    const listed = (await client.listResources()).resources.filter(({uri}) => uri.startsWith('upstream:'));
    expect(listed).toMatchObject([
      {uri: 'upstream://kept/scales://one', name: '[31m../one'},
      {uri: 'upstream://rogue/scales://one', name: '[31m../one'},
    ]);
    const {resourceTemplates} = await client.listResourceTemplates();
    const upstream = resourceTemplates.filter(({uriTemplate}) => uriTemplate.startsWith('upstream:'));
    expect(upstream.map(({uriTemplate}) => uriTemplate)).toEqual([
      'upstream://kept/scales://of/{id}',
      'upstream://rogue/scales://of/{id}',
    ]);
    for (const uri of ['upstream://rogue/scales://one', 'upstream://rogue/scales://of/7'])
      expect((await client.readResource({uri})).contents).toMatchObject([{uri}]);
    for (const uri of ['upstream://rogue/file:///etc/passwd', 'upstream://rogue/scales://of/7/8'])
      await expect(client.readResource({uri})).rejects.toThrow('has no approved resource');
    await expect(client.readResource({uri: 'upstream://silent/scales://one'})).rejects.toThrow('not found');
    become('heavy');
    await expect(client.readResource({uri: 'upstream://rogue/scales://one'})).rejects.toThrow('OUTPUT_TOO_LARGE');
    await client.close();
    const receipt = await host.runtime.evidence.receipt((await read()).metadata?.receipt_id ?? '');
    expect(receipt).toMatchObject({
      started: {tool_name: 'rogue:resource----read', execution_mode: 'sandbox'},
      finished: {result: 'success'},
    });
  });

  it.each([
    ['other-resource', 'resource `scales://one` is not what was approved: other name'],
    ['other-prompt', 'prompt `advise` is not what was approved: other description'],
  ])('are not used once they differ from the approved ones: %s', async (mode, said) => {
    become(mode);
    const output = mode === 'other-prompt' ? await session.call('rogue:prompt----advise', {about: 'a'}) : await read();
    expect(output.error).toMatchObject({
      code: 'UPSTREAM_CHANGED',
      message: expect.stringContaining(said),
      details: {remedy: expect.stringContaining('lumenflow pack approve rogue')},
    });
  });

  it('fail their own call and no more if they are too large, or the server ends', async () => {
    for (const mode of ['huge', 'crash']) {
      become(mode);
      expect((await read()).error).toMatchObject({code: 'UPSTREAM_FAILED'});
    }
    become('honest');
    expect(await read()).toMatchObject({success: true});
  });

  it.each([
    ['sampling/createMessage', 'a server gets no access to a model'],
    ['roots/list', 'the files that a server sees are those that its pin grants'],
  ])('cannot ask the client: %s', async (mode, reason) => {
    become(mode);
    expect(textOf(await read())).toContain(`\`${mode}\` is not supported by LumenFlow: ${reason}`);
  });

  it('belong to servers that `pack doctor` checks', async () => {
    become('honest');
    const well = JSON.parse(await run(workspace.root, 'pack', 'doctor', 'rogue')) as object;
    expect(well).toMatchObject({
      checks: [{pack: 'rogue', server: expect.stringContaining('server.mjs'), replies: true, missing_env: []}],
    });
    const before = readFileSync(join(workspace.root, 'workspace.yaml'), 'utf8');
    const needy = {...allowed, required_env: ['SCALES_KEY_OF_NOBODY']};
    pinIn(workspace, [pin(workspace.root, {resources: needy}), pin(workspace.root, {id: 'gone', command: ['false']})]);
    const ill = JSON.parse(await run(workspace.root, 'pack', 'doctor')) as object;
    expect(ill).toMatchObject({
      checks: [
        {pack: 'rogue', replies: true, missing_env: ['SCALES_KEY_OF_NOBODY']},
        {pack: 'gone', replies: false, problem: expect.stringContaining('UPSTREAM_FAILED')},
      ],
    });
    workspace.write({'workspace.yaml': before});
  });

  it('are read by two sessions at once, and after the server was started again', async () => {
    become('honest');
    const ben = opened(await host.openSession({by: 'ben'}));
    const [first, second] = await Promise.all([read('scales://one', 'kept'), read('scales://of/2', 'kept', ben)]);
    const [, pid] = textOf(first).split(' ');
    expect(textOf(second)).toBe(`scales://of/2 ${pid}`);
    become('crash');
    const crashing = opened(await (await workspace.start()).openSession({by: 'cleo'}));
    expect((await read('scales://one', 'kept', crashing)).error).toMatchObject({code: 'UPSTREAM_FAILED'});
    become('honest');
    expect(textOf(await read('scales://one', 'kept', crashing))).toMatch(/^scales:\/\/one \d+$/u);
  });

  it('wait for approval once more when they are taken as they are now', async () => {
    become('other-resource');
    await run(workspace.root, 'pack', 'install', '--update');
    expect(await run(workspace.root, 'pack', 'approve', 'rogue', '--dry-run')).toContain('another');
    const fresh = opened(await (await workspace.start()).openSession({by: 'dora'}));
    expect((await read('scales://one', 'rogue', fresh)).error).toMatchObject({code: 'POLICY_DENIED'});
  });
});
