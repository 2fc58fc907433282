// Rules over paths on a real host: links, notations and directories. Explanations agree with calls.
import type {Host, Session} from '@lumenflow/host';
import {assert, asyncProperty, constantFrom, oneof, record, type Arbitrary} from 'fast-check';
import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
    files: {'infra/a.tf': 'a\n', 'src/a.ts': 'a\n', 'src/b/c.ts': 'c\n', 'hidden/x': 'x\n', 'certs/site.pem': 'KEY\n'},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything}],
      security: {allowed_scopes: everything, deny_overlays: ['hidden'], trusted_paths: ['mine/**']},
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'infra',
            trigger: 'on_tool_request',
            decision: 'deny',
            when: {any: [{reads: 'infra/**'}, {writes: 'infra/**'}]},
          },
          {id: 'keys', trigger: 'on_tool_request', decision: 'deny', when: {reads: '**/*.pem'}},
        ],
      },
    },
  });
  symlinkSync('infra', join(workspace.root, 'link'));
  symlinkSync('../infra/a.tf', join(workspace.root, 'src/file-link'));
  symlinkSync(join(workspace.root, 'infra'), join(workspace.root, 'absolute'));
  symlinkSync('loop', join(workspace.root, 'loop'));
  mkdirSync(join(workspace.root, 'src/empty'));
  host = await workspace.start();
  session = opened(await host.openSession({by: 'tester'}));
});
afterAll(() => workspace.remove());

async function codeOf(tool: string, input: object): Promise<string> {
  const output = await session.call(tool, input);
  return output.success ? 'success' : (output.error?.code ?? '');
}

test.each([
  'infra/a.tf',
  'src/../infra/a.tf',
  './infra//a.tf/',
  'link/a.tf',
  'src/b/../../link/./a.tf',
  'absolute/a.tf',
  'src/file-link',
])('%j meets the rule about infra/**', async (path) => {
  expect(await codeOf('file:read', {path})).toBe('POLICY_DENIED');
  expect(await codeOf('file:write', {path, content: 'x'})).toBe('POLICY_DENIED');
});

test('links from other paths do not count against them', async () => {
  expect(await codeOf('file:read', {path: 'src/a.ts'})).toBe('success');
  expect(await codeOf('file:read', {path: 'src/../src//b/c.ts/'})).toBe('success');
});

test('a search counts as reading all paths that it may reach', async () => {
  expect(await codeOf('file:search', {pattern: 'KEY'})).toBe('POLICY_DENIED');
  expect(await codeOf('file:search', {pattern: 'KEY', path: 'certs'})).toBe('POLICY_DENIED');
  expect(await codeOf('file:search', {pattern: 'a', path: 'src/a.ts'})).toBe('success');
});

test.each(['workspace.yaml', 'packs.lock', '.npmrc', 'src/.vscode/tasks.json', 'mine/tools/a.ts'])(
  'explaining says that a wide scope does not open %s, as the call does',
  async (at) => {
    const input = {path: at, content: 'x', main_checkout: true};
    const [verdict] = (await session.explain('file:write', input)).paths;
    const {error} = await session.call('file:write', input);
    expect(error).toMatchObject({code: 'SCOPE_DENIED', message: verdict?.refusal?.message});
    expect(verdict?.refusal?.help).toContain('itself in one write scope');
    expect(error?.details?.['remedy']).toBe(verdict?.refusal?.help);
  },
);

const pieces = constantFrom(
  'src',
  'infra',
  'link',
  'hidden',
  'certs',
  '.',
  '..',
  '',
  'b',
  'a.ts',
  'a.tf',
  'site.pem',
  'loop',
  '.lumenflow',
);
const path: Arbitrary<string> = oneof(
  pieces,
  record({a: pieces, b: pieces, c: pieces}).map(({a, b, c}) => [a, b, c].join('/')),
);
const request = oneof(
  path.map((at) => ({tool: 'file:read', input: {path: at}})),
  path.map((at) => ({tool: 'file:list', input: {path: at}})),
  path.map((at) => ({tool: 'file:search', input: {pattern: 'x', path: at}})),
);

test('explaining and calling agree on random requests', async () => {
  await assert(
    asyncProperty(request, async ({tool, input}) => {
      const explained = await session.explain(tool, input);
      const code = await codeOf(tool, input);
      const refused = explained.paths.some(({refusal}) => refusal !== undefined);
      if (explained.failure !== undefined) expect(code).toBe(explained.failure.code);
      else if (explained.decision === 'deny') expect(code).toBe('POLICY_DENIED');
      // The link itself exists, although it is not a file.
      else if (refused) expect(code).toMatch(input.path.includes('loop') ? /SCOPE_DENIED|NOT_A_/u : /^SCOPE_DENIED$/u);
      else expect(code).not.toMatch(/DENIED|INVALID_INPUT/u);
    }),
    {numRuns: 80},
  );
});
