// The workspace of the kept state, and what was done in it by an earlier version. To keep the state of another version, run in its checkout:
//   node --import tsx test/acceptance/upgrade/earlier-workspace.ts FOLDER
import {packIntegrity, startHost, type Host} from '@lumenflow/host';
import {cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {pathToFileURL} from 'node:url';
import {opened} from '../../support/opened.ts';

const packFolder = join(import.meta.dirname, '../../bench/noop-pack');
const everywhere = [{type: 'path', pattern: '**', access: 'write'}];

/** A new folder with its workspace.yaml. */
export async function makeEarlierWorkspace(): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-upgrade-')));
  const pin = {id: 'noop', version: '0.1.0', source: 'local' as const, path: relative(root, packFolder)};
  const hashed = await packIntegrity({workspaceRoot: root, pin: {...pin, integrity: 'dev'}});
  if (!hashed.ok) throw new Error(JSON.stringify(hashed.problem, undefined, 2));
  const spec = {
    id: 'upgrade',
    packs: [{...pin, integrity: hashed.value.integrity, trust: 'in_process'}],
    lanes: [{id: 'core', wip_limit: 10, allowed_scopes: everywhere}],
    security: {allowed_scopes: everywhere, network_default: 'off', direct_writes: ['noop:*']},
    policies: {
      default_decision: 'allow',
      rules: [
        {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'noop:nothing'}},
        {id: 'no', trigger: 'on_tool_request', decision: 'deny', when: {arguments: {'/path': {equals: 'no'}}}},
      ],
    },
  };
  // JSON is YAML.
  writeFileSync(join(root, 'workspace.yaml'), JSON.stringify(spec, undefined, 2));
  return root;
}

/** Calls with every outcome, tasks in every state, and approvals: one granted, one pending. */
async function workEarlier({openSession, runtime}: Host): Promise<void> {
  const session = opened(await openSession({by: 'ann'}));
  for (const path of ['a', 'b', 'no']) await session.call('noop:read', {path});
  await session.call('noop:write', {path: 'out/a', text: 'x'.repeat(9_000)});
  for (const path of ['granted', 'pending']) await session.call('noop:nothing', {path});
  const [granted] = runtime.listApprovals({state: 'pending'});
  done(await runtime.resolveApproval({request_id: granted?.request_id ?? '', approved: true, approved_by: 'olga'}));
  for (const id of ['ready', 'claimed', 'done']) done(await runtime.createTask({id, lane_id: 'core'}, {by: 'ann'}));
  for (const task_id of ['claimed', 'done']) {
    const holder = {task_id, by: 'ann', session_id: 'earlier'};
    done(await runtime.claimTask(holder));
    if (task_id === 'done') done(await runtime.completeTask(holder));
  }
  await runtime.evidence.checkpoint();
}

function done(result: {readonly success: boolean}): void {
  if (!result.success) throw new Error(JSON.stringify(result));
}

const [, program = '', folder] = process.argv;
if (import.meta.url === pathToFileURL(program).href && folder !== undefined) {
  const workspaceRoot = await makeEarlierWorkspace();
  const host = await startHost({workspaceRoot, env: process.env, threads: 1});
  await workEarlier(host);
  await host.close();
  mkdirSync(folder, {recursive: true});
  for (const part of ['kernel/events', 'kernel/evidence', 'kernel/tasks', 'keys'])
    cpSync(join(workspaceRoot, '.lumenflow', part), join(folder, part), {recursive: true});
  // The next host makes a key of its own.
  rmSync(join(folder, 'keys/evidence.key'));
  process.stdout.write(`${workspaceRoot}\n`);
}
