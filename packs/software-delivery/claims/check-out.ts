// The git part of a claim: branch, worktree, and the spec as the first commit if the main branch lacks it.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {findIdentity, identityEnvironment} from '../git/commit-identity.ts';
import {mainBranch} from '../git/main-branch.ts';
import {literalPathspec, runGit} from '../git/run-git.ts';
import type {PackConfig} from '../pack-config.ts';
import {specSubject} from '../work-units/spec-subject.ts';
import {createWorktree} from '../worktrees/create-worktree.ts';
import {atRoot} from '../worktrees/in-work-tree.ts';
import type {CheckOut} from './claim-work-unit.ts';

export interface CheckOutRequest {
  /** The work unit's id. */
  readonly id: string;
  readonly branch: string;
  /** The spec file, relative to the repository. */
  readonly spec: string;
}

/** Idempotent. Throws ToolErrors of the worktree and of git. */
export async function checkOut(
  context: ToolContext<PackConfig>,
  {id, branch, spec}: CheckOutRequest,
): Promise<CheckOut> {
  const main = await mainBranch(context, context.config);
  const {path, left_out} = await createWorktree(context, {id, branch, base: main});
  const inside = atRoot(context, path);
  await commitSpec(context, inside, {id, branch, spec});
  const {stdout} = await runGit(inside, ['merge-base', main, 'HEAD']);
  return {worktree: path, branch, base: stdout.trim(), left_out};
}

async function commitSpec(
  context: ToolContext<PackConfig>,
  inside: ToolContext<PackConfig>,
  {id, spec}: CheckOutRequest,
): Promise<void> {
  const text = await context.fs.readText(spec);
  if ((await readIfThere(inside, spec)) !== text) await inside.fs.write(spec, text);
  const pathspec = literalPathspec(spec);
  await runGit(inside, ['add', '--', pathspec]);
  const staged = await runGit(inside, ['diff', '--cached', '--quiet', '--', pathspec], {exit_codes: [0, 1]});
  if (staged.exit_code === 0) return;
  const env = identityEnvironment(await findIdentity(inside));
  const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--only', '--file=-', '--', pathspec];
  await runGit(inside, args, {stdin: `${specSubject(id)}\n`, env});
}

async function readIfThere({fs}: ToolContext<PackConfig>, path: string): Promise<string | undefined> {
  try {
    return await fs.readText(path);
  } catch (error) {
    if (isToolError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
