// A work unit with a worktree in a real repository, ready to be merged. The log is in memory, gates really run, and the fake
// kernel completes the task once.
import {isToolError, type ToolContext, type ToolOutput} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../open-delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {gates} from '../tools/gates/gates.ts';
import {wuMerge} from '../tools/wu/merge.ts';
import {wuPrepareMerge} from '../tools/wu/prepare-merge.ts';
import {wuRemoveWorktree} from '../tools/wu/remove-worktree.ts';
import {wuUpdateCheckout} from '../tools/wu/update-checkout.ts';
import type {MovedBranch} from './moved-branch.ts';
import {worktreeCreate} from '../tools/worktree/create.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';

const stageConfig: PackConfig = {
  gates: {commands: {test: 'seq 30; test ! -e broken'}},
  git: {author: {name: 'Ada', email: 'ada@example.org'}},
};

export interface DoneStage {
  readonly workspace: TestWorkspace;
  /** Number of times that the kernel completed the task. */
  readonly completions: () => number;
  /** Makes the next completion fail with this code. */
  refuseCompletion(code: string): void;
  context(more?: Partial<ToolContext<PackConfig>>): ToolContext<PackConfig>;
  /** The output of a tool's nested call. Calls that only write run with the given context. */
  answer(name: string, input: unknown, context?: ToolContext<PackConfig>): Promise<ToolOutput>;
  /** Writes files in the worktree, by path, and commits them; null deletes a file. */
  work(files: Readonly<Record<string, string | null>>, folder?: string): Promise<string>;
  sha(revision: string): Promise<string>;
}

/** The nested steps of `wu:done` and `wu:prune`. */
const parts: Readonly<Record<string, {run(input: unknown, context: ToolContext<PackConfig>): unknown}>> = {
  'wu:prepare-merge': wuPrepareMerge,
  'wu:merge': wuMerge,
  'wu:remove-worktree': wuRemoveWorktree,
};

const stamp = {at: '2026-01-01T00:00:00.000Z', by: 'session-1'};
const spec = {
  id: 'WU-1',
  title: 'Ümlaut',
  lane: 'core',
  type: 'feature',
  priority: 'P1',
  description: '',
  acceptance: [],
  code_paths: ['src/**', 'a b.txt'],
} as const;

export async function createDoneStage(): Promise<DoneStage> {
  const workspace = await createTestWorkspace();
  const {git} = workspace;
  await git('init', '--quiet', '--initial-branch=main');
  await workspace.put('a b.txt', 'one\n');
  await workspace.put('src/old ü.txt', 'old\n'.repeat(20));
  await workspace.put('.npmrc', 'x=1\n');
  await commit(workspace, '.', 'first');
  let [completions, refusal] = [0, ''];
  const context = (more: Partial<ToolContext<PackConfig>> = {}): ToolContext<PackConfig> => ({
    ...workspace.context(stageConfig),
    task_id: 'WU-1',
    callTool: (name, input) => answer(name, input),
    ...more,
  });
  const answer: DoneStage['answer'] = async (name, input, caller = context()) => {
    if (name === 'gates') return await outputOf(gates.run(input as {commit?: string}, context()));
    if (name === 'wu:update-checkout') return await outputOf(wuUpdateCheckout.run(input as MovedBranch, context()));
    const part = parts[name];
    if (part !== undefined) return await outputOf(part.run(input, caller));
    const state = completions === 0 ? 'active' : 'done';
    if (name === 'kernel:list-tasks') return succeeded({tasks: [{task_id: 'WU-1', lane_id: 'core', state}]});
    if (name !== 'kernel:complete-task') throw new Error(`no ${name} here`);
    if (refusal !== '') {
      const error = {code: refusal, message: 'refused'};
      refusal = '';
      return {success: false, error};
    }
    completions += 1;
    return succeeded({});
  };
  const sha = async (revision: string): Promise<string> => (await git('rev-parse', revision)).trim();
  await worktreeCreate.run({id: 'WU-1', branch: 'lane/core/wu-1'}, context());
  const [id, token, branch, worktree] = ['WU-1', 1, 'lane/core/wu-1', 'worktrees/wu-1'] as const;
  const base = await sha('main');
  await openDeliveryLog(context()).decide(workUnitSlice, () => ({
    events: [
      {type: 'wu_created' as const, ...stamp, id, spec, spec_hash: ''},
      {type: 'wu_claimed' as const, ...stamp, id, token, branch, worktree, expires_at: '2026-01-01T01:00:00.000Z'},
      {type: 'wu_started' as const, ...stamp, id, token, base},
    ],
    result: undefined,
  }));
  return {
    workspace,
    completions: () => completions,
    refuseCompletion: (code) => void (refusal = code),
    context,
    answer,
    sha,
    async work(files, folder = 'worktrees/wu-1') {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) await git('-C', folder, 'rm', '--quiet', '--', path);
        else await workspace.put(`${folder}/${path}`, text);
      }
      await commit(workspace, folder, `change ${Object.keys(files).join(', ')}`);
      return (await git('-C', folder, 'rev-parse', 'HEAD')).trim();
    },
  };
}

async function commit({git}: TestWorkspace, folder: string, message: string): Promise<void> {
  const identity = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.org'];
  await git('-C', folder, 'add', '--all');
  await git('-C', folder, ...identity, 'commit', '--quiet', '--message', message);
}

async function outputOf(run: unknown): Promise<ToolOutput> {
  try {
    return succeeded(await run);
  } catch (error) {
    if (!isToolError(error)) throw error;
    const {code, message, details} = error;
    return {success: false, error: {code, message, ...(details && {details: {...details}})}};
  }
}

function succeeded(data: unknown): ToolOutput {
  return {success: true, data, metadata: {receipt_id: 'rcp-gates'}};
}
