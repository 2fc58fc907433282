// What the tools of a fresh workspace cost an MCP client: it passes the list to its model in every conversation.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {runProgram} from '../../support/lumenflow-program.ts';
import {connectDesk, createClient} from '../../support/mcp-desk.ts';

let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-fresh-'));
  execFileSync('git', ['init', '--quiet'], {cwd: root});
  expect((await runProgram(['init'], {cwd: root})).code).toBe(0);
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
