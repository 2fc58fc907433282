// A tool that writes directly cannot leave behind what git, shells, editors or agents would obey, though it was not there before.
import type {Session} from '@lumenflow/host';
import {existsSync, lstatSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    direct: ['attack:shell'],
    files: {'src/a.ts': 'a\n', 'sub/.envrc': 'use nix\n', '.git/HEAD': 'ref: refs/heads/main\n'},
  });
  session = opened(await (await workspace.start()).openSession({by: 'tester'}));
});
afterAll(async () => await workspace.remove());

const shell = (script: string) => session.call('attack:shell', {script});
const at = (path: string): string => join(workspace.root, path);

test.each([
  ['a hook', 'mkdir -p .git/hooks && echo evil > .git/hooks/post-checkout', '.git/hooks'],
  ['a hook of husky', 'mkdir .husky && echo evil > .husky/pre-commit', '.husky'],
  ['an editor’s tasks', 'mkdir .vscode && echo evil > .vscode/tasks.json', '.vscode'],
  ['servers for agents', 'echo evil > .mcp.json', '.mcp.json'],
  ['a workflow of CI', 'mkdir -p .github/workflows && echo evil > .github/workflows/ci.yml', '.github/workflows'],
  ['a repository further down', 'mkdir -p sub/lib/.git && echo evil > sub/lib/.git/config', 'sub/lib/.git/config'],
  ['an environment', 'echo KEY=1 > .env', '.env'],
  ['an environment further down', 'mkdir -p sub/deep && echo KEY=1 > sub/deep/.env', 'sub/deep/.env'],
])('%s is taken away, and the call has failed', async (_, script, path) => {
  const output = await shell(script);
  const keptIn = `.lumenflow/quarantine/${output.metadata?.receipt_id}`;
  expect(output).toMatchObject({
    success: false,
    error: {code: 'SCOPE_DENIED', message: expect.stringContaining(path), details: {paths: [path], kept_in: keptIn}},
  });
  expect(existsSync(at(path))).toBe(false);
  expect(existsSync(at(`${keptIn}/${path}`))).toBe(true);
});

test('of a link only the link is taken, not what it leads to', async () => {
  expect((await shell('ln -s src/a.ts .envrc; ln -s src/a.ts .env')).error?.details?.['paths']).toEqual([
    '.env',
    '.envrc',
  ]);
  expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('a\n');
  expect(() => lstatSync(at('.env'))).toThrow('ENOENT');
});

test('what was there, what is installed, and all else that is new stays', async () => {
  await must(session, 'attack:shell', {
    script: 'echo new > src/b.ts; mkdir -p node_modules/x; echo 1 > node_modules/x/.env',
  });
  expect(readFileSync(at('src/b.ts'), 'utf8')).toBe('new\n');
  expect(existsSync(at('node_modules/x/.env'))).toBe(true);
  expect(readFileSync(at('sub/.envrc'), 'utf8')).toBe('use nix\n');
});

test('what a call wrote before it was cancelled is inspected, too', async () => {
  const cancelling = new AbortController();
  const call = session.call('attack:shell', {script: 'echo evil > .mcp.json; sleep 60'}, {signal: cancelling.signal});
  await vi.waitUntil(() => existsSync(at('.mcp.json')), {timeout: 60_000});
  cancelling.abort();
  expect((await call).error).toMatchObject({code: 'SCOPE_DENIED', details: {paths: ['.mcp.json']}});
  expect(existsSync(at('.mcp.json'))).toBe(false);
});
