// The scopes of calls that code makes: those of the session, and of the tool that called the code, if one did.
import type {Host, LocalHandlers} from '@lumenflow/host';
import {createExec, type Exec} from '@lumenflow/host/exec';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const write = (path: string) => `await tools.file.write({path: '${path}', content: 'written'});`;
const bothIn = (tool: string) => `
  ${write(`inside/${tool}`)}
  try { ${write(`outside/${tool}`)} return 'written'; } catch (error) { return error.code; }`;

const handlers: LocalHandlers = {
  'narrow:run-code': {
    permission: 'write',
    required_scopes: [{type: 'path', pattern: 'inside/**', access: 'write'}],
    run: async ({tool}: {readonly tool: string}, {callTool}) =>
      (await callTool(tool, {language: 'javascript', code: bothIn('narrow')})).data,
  },
};

let workspace: HostWorkspace;
let host: Host;
let exec: Exec;
beforeAll(async () => {
  const lanes = [
    {id: 'core', allowed_scopes: [{type: 'path', pattern: '{inside,outside}/**', access: 'write'}]},
    {id: 'half', allowed_scopes: [{type: 'path', pattern: 'inside/**', access: 'write'}]},
  ] as const;
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    direct: ['narrow:run-code'],
    spec: {lanes: [...lanes]} as never,
  });
  host = await workspace.start({handlers});
  exec = createExec(host, {session: opened(await host.openSession({by: 'ann', lane: 'core'}))});
});
afterAll(async () => await workspace.remove());

it('are those of the session, though the run itself has none', async () => {
  const {value, calls, receipt_id = ''} = await exec.runCode({language: 'javascript', code: bothIn('core')});
  expect(value).toBe('written');
  expect(readFileSync(join(workspace.root, 'outside/core'), 'utf8')).toBe('written');
  const run = await host.runtime.evidence.receipt(receipt_id);
  expect(run?.started.scope_enforced).toMatchObject({read: [], write: []});
  const nested = await host.runtime.evidence.receipt(calls[1]?.receipt_id ?? '');
  expect(nested).toMatchObject({finished: {changes: {state: 'applied'}}});
});

it('end where the lane ends', async () => {
  const half = createExec(host, {session: opened(await host.openSession({by: 'ann', lane: 'half'}))});
  const {value} = await half.runCode({language: 'javascript', code: bothIn('half')});
  expect(value).toBe('SCOPE_DENIED');
  expect(existsSync(join(workspace.root, 'inside/half'))).toBe(true);
  expect(existsSync(join(workspace.root, 'outside/half'))).toBe(false);
});

it.each(['code:run', 'code:run-sandboxed'])('are those of a tool that calls %s', async (tool) => {
  const {value, error} = await exec.runTool('narrow:run-code', {tool});
  expect(error).toBeUndefined();
  expect(value).toMatchObject({value: 'SCOPE_DENIED', calls: [{status: 'succeeded'}, {error: {code: 'SCOPE_DENIED'}}]});
  expect(existsSync(join(workspace.root, 'outside/narrow'))).toBe(false);
});
