// What the tools of a fresh workspace cost an MCP client: it passes the list to its model in every conversation.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {initialize} from '../../support/lumenflow-program.ts';
import {connectDesk, createClient} from '../../support/mcp-desk.ts';

let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-fresh-'));
  execFileSync('git', ['init', '--quiet'], {cwd: root});
  await initialize(root);
});
afterAll(() => rmSync(root, {recursive: true}));

test('a fresh workspace lists its core tools in one page of at most 60 kB', async () => {
  const {client} = await connectDesk(root, createClient('legacy'));
  const {tools, nextCursor} = await client.listTools();
  await client.close();
  const names = tools.map(({name}) => name);
  expect(names).toEqual(
    expect.arrayContaining(['file_read', 'file_write', 'git_commit', 'gates', 'wu_claim', 'wu_done']),
  );
  expect(names.filter((name) => name.startsWith('agent'))).toEqual([]);
  expect(nextCursor).toBeUndefined();
  expect(JSON.stringify({tools}).length).toBeLessThanOrEqual(60_000);
});

test('a tool that does not exist any more answers with the one that replaced it', async () => {
  const {client} = await connectDesk(root, createClient('legacy'));
  const result = await client.callTool({name: 'state_doctor', arguments: {}});
  await client.close();
  expect(result).toMatchObject({
    isError: true,
    structuredContent: {code: 'TOOL_NOT_FOUND', details: {renamed_to: 'doctor'}},
  });
});

test('no text names a tool in another way than the client calls it', async () => {
  const {client} = await connectDesk(root, createClient('legacy'));
  const {tools} = await client.listTools();
  const others = new RegExp(
    `(?<![\\w:-])(?:${tools.flatMap(({title = ''}) => (title.includes(':') ? title : [])).join('|')})(?![\\w:-])`,
    'u',
  );
  const called = async (name: string, input: Record<string, unknown> = {}): Promise<string> =>
    await client.callTool({name, arguments: input}).then(
      (result) => JSON.stringify(result),
      (error: Error & {readonly data?: unknown}) => error.message + JSON.stringify(error.data),
    );
  const texts = tools.map((tool) => JSON.stringify({...tool, title: undefined}));
  for (const {name} of tools) texts.push(await called(name));
  for (const name of ['file_raed', 'state_doctor', 'wu_escalate']) texts.push(await called(name));
  texts.push(
    await called('wu_claim', {id: 'WU-9'}),
    await called('wu_create', {title: 'Tidy up', type: 'chore', code_paths: ['src/**']}),
  );
  const brief = await called('wu_brief', {id: 'WU-1'});
  expect(brief).toContain('`wu_prep`');
  texts.push(brief, await called('wu_done', {id: 'WU-1', lease_token: 1}));
  await client.close();
  expect(texts.flatMap((text) => others.exec(text)?.[0] ?? [])).toEqual([]);
});

test('a model is not led to open a file of the workspace itself', async () => {
  const {client} = await connectDesk(root, createClient('legacy'));
  expect(
    await client.callTool({name: 'file_write', arguments: {path: 'workspace.yaml', content: 'x', main_checkout: true}}),
  ).toMatchObject({
    structuredContent: {
      code: 'SCOPE_DENIED',
      remedy: expect.stringMatching(/^ask the operator to name `workspace\.yaml` itself in one write scope/u),
    },
  });
  await client.close();
});

test('a name of another surface is returned as it was written', async () => {
  const {client} = await connectDesk(root, createClient('legacy'));
  await expect(client.callTool({name: 'file:read', arguments: {}})).rejects.toMatchObject({
    message: expect.stringContaining('there is no tool `file:read`: did you mean `file_read`?'),
    data: {details: {nearest: 'file_read'}},
  });
  expect(await client.callTool({name: 'wu_recover', arguments: {}})).toMatchObject({
    structuredContent: {
      message: '`wu_recover` is now `doctor`: tool `doctor` is for operators of the workspace',
      remedy: expect.stringContaining('ask a person'),
    },
  });
  await client.close();
});
