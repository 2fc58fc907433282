// A bounded patch for people. A hash next to it identifies the whole difference.
import {diffArguments} from './read-staged.ts';
import {runGit, type GitContext} from './run-git.ts';

export interface BoundedPatch {
  /** Unified diff. */
  readonly patch: string;
  readonly patch_truncated: boolean;
}

const patchBytesMax = 64 * 1024;

/** `sides` are arguments of `git diff`, for example `--cached` or two commits. */
export async function boundedPatch(
  context: GitContext,
  sides: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<BoundedPatch> {
  const args = [...diffArguments, '--patch', '--src-prefix=a/', '--dst-prefix=b/', ...sides, '--'];
  const {stdout, truncated} = await runGit(context, args, {env, max_bytes: patchBytesMax, truncate: true});
  return {patch: stdout, patch_truncated: truncated};
}
