// Gates in tasks without a worktree, and what a person decides: gates that are left out, pushes, worktrees that go. On a
// real repository with a submodule and a remote, in the real sandbox.
import type {Host, Session} from '@lumenflow/host';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {codeOf, everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always'];
const git = (...args: string[]): string =>
  execFileSync('git', [...identity, ...args], {cwd: workspace.root, encoding: 'utf8'}).trim();

/** Asks, has a person approve, and calls again. */
async function approved(session: Session, tool: string, input: object): Promise<Record<string, unknown>> {
  const {error} = await session.call(tool, input);
  expect(error).toMatchObject({code: 'APPROVAL_REQUIRED'});
  const request_id = String(error?.details?.['request_id']);
  await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'bob', reason: 'looked at it'});
  return await must(session, tool, input);
}

let tasks = 0;
const openTask = async (): Promise<Session> =>
  opened(await host.openSession({by: 'ada', session_id: `task-${(tasks += 1)}`, task: {type: 'work-unit'}}));

async function completion(session: Session): Promise<string> {
  const result = await session.complete();
  return result.success ? 'completed' : `${result.error.code} ${String(result.error.details?.['rule_id'])}`;
}

beforeAll(async () => {
  const network = {type: 'network' as const, posture: 'full' as const};
  const scopes = [...everything, network];
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
    files: {
      '.gitignore': '.lumenflow/\nremote.git/\n',
      'lib/library.txt': 'of a repository of its own\n',
      'a.txt': 'a\n',
    },
    spec: {
      lanes: [{id: 'core', allowed_scopes: scopes}],
      security: {allowed_scopes: scopes},
      software_delivery: {
        gates: {
          commands: {test: 'grep -q a a.txt && cat module/library.txt', lint: 'test ! -e ugly'},
          conditional: [{trigger_patterns: ['docs/**'], command: 'false', severity: 'warn', guidance: 'mind the docs'}],
        },
        git: {author: {name: 'Ada', email: 'ada@example.org'}},
      },
    },
  });
  git('init', '--quiet', '--initial-branch=main', 'lib');
  git('-C', 'lib', 'add', '--all');
  git('-C', 'lib', 'commit', '--quiet', '--message', 'library');
  git('init', '--quiet', '--initial-branch=main');
  git('submodule', '--quiet', 'add', './lib', 'module');
  rmSync(join(workspace.root, 'lib'), {recursive: true});
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('init', '--quiet', '--bare', '--initial-branch=main', 'remote.git');
  host = await workspace.start();
});
afterAll(async () => await workspace.remove());

describe('a task without a worktree', () => {
  test('is completed only with the very files that its gates have passed on', async () => {
    const task = await openTask();
    expect(await completion(task)).toBe('POLICY_DENIED software-delivery.gate.test');
    expect(await must(task, 'gates')).toMatchObject({
      passed: true,
      gates: [{output_tail: 'of a repository of its own'}, {passed: true}, {not_triggered: true}],
    });
    await must(task, 'file:write', {path: 'a.txt', content: 'a and more\n'});
    expect(await completion(task)).toBe('POLICY_DENIED software-delivery.gate.test');
    await must(task, 'file:write', {path: 'a.txt', content: 'a\n'});
    workspace.write({untracked: 'by hand'});
    expect(await completion(task)).toBe('POLICY_DENIED software-delivery.gate.test');
    rmSync(join(workspace.root, 'untracked'));
    expect(await must(task, 'wu:verify')).toMatchObject({subject: 'workspace', gates: [{state: 'passed'}, {}, {}]});
    expect(await completion(task)).toBe('completed');
  });

  test('takes what passed on the same files elsewhere, and warns where a change calls for it', async () => {
    const task = await openTask();
    expect(await must(task, 'gates')).toMatchObject({gates: [{cached_from: expect.any(String)}, {}, {}]});
    workspace.write({'docs/ä.md': 'ä'});
    expect(await must(task, 'gates')).toMatchObject({
      passed: true,
      gates: [{exit_code: 0}, {exit_code: 0}, {passed: false, optional: true, guidance: 'mind the docs'}],
    });
    expect(await completion(task)).toBe('completed');
    rmSync(join(workspace.root, 'docs'), {recursive: true});
  });
});

describe('a person decides', () => {
  test('which gate is skipped, once, and the record names the person and the reason', async () => {
    const task = await openTask();
    workspace.write({ugly: 'x'});
    expect(await must(task, 'gates')).toMatchObject({passed: false});
    const skip = [{gate: 'lint', reason: 'ugly on purpose'}];
    expect(await approved(task, 'gates', {skip})).toMatchObject({
      passed: true,
      gates: [{}, {waived: 'ugly on purpose'}, {}],
    });
    expect(await codeOf(task, 'gates', {skip})).toBe('APPROVAL_REQUIRED');
    const results = await must(task, 'gates:results', {task_id: task.task_id});
    const [run] = results['runs'] as {receipt_id: string; gates: object[]}[];
    expect(run?.gates[1]).toMatchObject({name: 'lint', waived: 'ugly on purpose'});
    const receipt = await host.runtime.evidence.receipt(run?.receipt_id ?? '');
    const approvals = host.runtime.listApprovals({task_id: task.task_id});
    expect(approvals.find(({request_id: id}) => id === receipt?.started.approval_request_id)).toMatchObject({
      resolved_by: 'bob',
      state: 'used',
    });
    expect(await completion(task)).toBe('completed');
    rmSync(join(workspace.root, 'ugly'));
  });

  test('what is pushed, where there is a remote', async () => {
    const task = await openTask();
    await approvedCode(task, 'git:push', 'NO_REMOTE');
    git('remote', 'add', 'origin', join(workspace.root, 'remote.git'));
    expect(await approved(task, 'git:push', {branch: 'main'})).toMatchObject({state: 'created'});
    expect(git('-C', 'remote.git', 'rev-parse', 'main')).toBe(git('rev-parse', 'main'));
    expect(await codeOf(task, 'git:push', {branch: 'main'})).toBe('APPROVAL_REQUIRED');
  });

  test('which worktree is removed; creating or inspecting one needs no approval', async () => {
    const task = await openTask();
    const made = await must(task, 'worktree:create', {id: 'WU-7', branch: 'lane/core/wu-7'});
    expect(made).toMatchObject({path: 'worktrees/wu-7', created: true, left_out: ['.gitmodules', 'workspace.yaml']});
    expect(await must(task, 'worktree:list')).toMatchObject({worktrees: [{path: '.'}, {path: 'worktrees/wu-7'}]});
    expect(await must(task, 'git:branch', {under: 'lane'})).toMatchObject({branches: [{worktree: 'worktrees/wu-7'}]});
    expect(await must(task, 'git:show', {path: 'a.txt'})).toMatchObject({content: 'a\n'});
    expect(readFileSync(join(workspace.root, 'worktrees/wu-7/.git'), 'utf8')).toContain('.git/worktrees/wu-7');
    expect(await codeOf(task, 'file:write', {path: 'worktrees/wu-7/.git', content: 'gitdir: /x\n'})).toBe(
      'SCOPE_DENIED',
    );
    expect(await codeOf(task, 'file:write', {path: '.git/worktrees/wu-7/gitdir', content: '/x\n'})).toBe(
      'SCOPE_DENIED',
    );
    workspace.write({'worktrees/wu-7/work': 'x'});
    await approvedCode(task, 'worktree:remove', 'WORKTREE_DIRTY', {id: 'WU-7'});
    workspace.write({'worktrees/wu-7/.vscode/tasks.json': '{}'});
    await approvedCode(task, 'worktree:remove', 'WORKTREE_LEFT', {id: 'WU-7', force: true});
    rmSync(join(workspace.root, 'worktrees/wu-7/.vscode'), {recursive: true});
    await approved(task, 'worktree:remove', {id: 'WU-7', force: true});
    expect(existsSync(join(workspace.root, 'worktrees/wu-7'))).toBe(false);
    expect(git('worktree', 'list', '--porcelain')).not.toContain('wu-7');
  });
});

/** As `approved`, of a call that fails: in its preview, where that finds it out before a person is asked. */
async function approvedCode(session: Session, tool: string, code: string, input: object = {}): Promise<void> {
  const {error} = await session.call(tool, input);
  if (error?.code === 'PREVIEW_FAILED') expect(error.details).toMatchObject({cause: code});
  else await expect(approved(session, tool, input)).rejects.toThrow(`"code":"${code}"`);
}
