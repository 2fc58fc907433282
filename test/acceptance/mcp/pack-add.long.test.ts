// `lumenflow pack add`: from the command of a real server to a governed call.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {runForJson, runProgram} from '../../support/lumenflow-program.ts';
import {makeUpstream, run} from '../../support/upstream-workspace.ts';

const {resolve} = createRequire(import.meta.url);
const server = join(dirname(resolve('@modelcontextprotocol/server-filesystem/package.json')), 'dist/index.js');

let workspace: HostWorkspace;
let file: string;
beforeAll(() => {
  workspace = makeUpstream(() => []);
  file = join(workspace.root, 'workspace.yaml');
  writeFileSync(file, `# Ours.\n${readFileSync(file, 'utf8')}`);
});
afterAll(() => workspace.remove());

it('pins the tools of a server with the strictest permission, for a person to decide', async () => {
  const {code, stdout, stderr} = await runProgram(['pack', 'add', 'fs', '--', 'node', server, '.'], {
    cwd: workspace.root,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('read_text_file')]);
  expect(stderr).toContain('lumenflow pack install fs && lumenflow pack approve fs');
  expect(stderr).toContain('keeps nothing in memory');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('# Ours.');
  expect(text).toMatch(/read_text_file: \{permission: admin\} # the server says: only reads/);
  expect(text).toMatch(/write_file: \{permission: admin\} # the server says: writes/);
  const scopes = "required_scopes: [{type: path, pattern: 'docs/**', access: read}]";
  writeFileSync(
    file,
    text.replace('read_text_file: {permission: admin}', `read_text_file: {permission: read, ${scopes}}`),
  );
  expect(await run(workspace.root, 'pack', 'install', 'fs')).not.toContain('"error"');
  const approved = await runProgram(['pack', 'approve', 'fs', '--as', 'olga'], {cwd: workspace.root});
  expect(approved.stdout).toMatch(/^\d+ added: .*1 read.*; none with network\n/);
  const called = await runForJson(['tools', 'call', 'fs:read-text-file', 'path=docs/a.md'], {cwd: workspace.root});
  expect(JSON.stringify(called.document)).toContain('hello');
});

it('changes nothing when the id is taken, or when the command is no server', async () => {
  const before = readFileSync(file, 'utf8');
  const add = async (...words: readonly string[]): Promise<string> =>
    (await runProgram(['pack', 'add', ...words], {cwd: workspace.root})).stderr;
  expect(await add('fs', '--', 'node', server)).toContain('INVALID_ARGUMENT');
  expect(await add('other', '--', 'node', '-e', '0')).toContain('PACK_FETCH_FAILED');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
