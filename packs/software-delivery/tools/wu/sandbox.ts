// wu:sandbox runs a command in the worktree of the call's work unit, limited to that work unit's files.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../../pack-config.ts';
import {atRoot} from '../../worktrees/in-work-tree.ts';
import {worktreePath} from '../../worktrees/worktree-place.ts';

interface WuSandboxInput {
  /** The work unit that the calling session has claimed. */
  readonly id: string;
  /** Argument of `sh -c`. */
  readonly command: string;
  /** Default 600000. */
  readonly timeout_ms?: number;
  readonly dry_run?: boolean;
}

interface WuSandboxOutput {
  readonly id: string;
  /** Where it runs, relative to the workspace. */
  readonly worktree: string;
  /** Null in a dry run or after a timeout. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timed_out: boolean;
  /** The output was cut at its size limit. */
  readonly truncated: boolean;
  readonly dry_run: boolean;
}

const outputBytesMax = 256 * 1024;

export const wuSandbox: ToolDefinition<WuSandboxInput, WuSandboxOutput, PackConfig> = defineTool({
  async run({id, command, timeout_ms: timeout = 600_000, dry_run: dryRun = false}, context) {
    const worktree = worktreePath(id);
    if (context.task_id !== id || worktree === undefined) {
      const message = `this call belongs to \`${context.task_id}\`: claim \`${id}\` first, because the command is limited to its files`;
      throw new ToolError('NOT_CLAIMED', message, {id, task_id: context.task_id});
    }
    const nothing = {exit_code: null, stdout: '', stderr: '', timed_out: false, truncated: false};
    if (dryRun) return {id, worktree, ...nothing, dry_run: true};
    const {exec} = atRoot(context, worktree);
    const ran = await exec('sh', ['-c', command], {timeout_ms: timeout, max_bytes: outputBytesMax});
    return {id, worktree, ...ran, exit_code: ran.timed_out ? null : ran.exit_code, dry_run: false};
  },
});
