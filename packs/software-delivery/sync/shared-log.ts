// The shared log on a remote: the ref `refs/lumenflow/log`. Each commit has one file with one batch of events, so the history of the
// ref is the log. It is only appended to: a push needs the tip that it builds on.
import {ToolError} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import type {DoneContext} from '../done/check-work.ts';
import {isAncestor} from '../git/merge-commits.ts';
import {runGit} from '../git/run-git.ts';
import {readShared, type SharedEvent} from './shared-event.ts';

export const sharedRef = 'refs/lumenflow/log';
const batchFile = 'events.jsonl';

export interface SharedLog {
  /** Null if nothing was published yet. */
  readonly tip: string | null;
  /** Events after the given tip, in order. */
  readonly events: readonly SharedEvent[];
  /** Lines that are not valid events. */
  readonly skipped: number;
}

/** Throws ToolErrors of the remote, and SHARED_LOG_REWRITTEN. */
export async function fetchLog(context: DoneContext, remote: string, since: string | null): Promise<SharedLog> {
  const input = {remote, ref: sharedRef, into: `refs/lumenflow/remotes/${remote}/log`};
  const {commit: tip} = (await callOrThrow(context, 'wu:fetch-ref', input)) as {readonly commit: string | null};
  if (tip === null || tip === since) return {tip, events: [], skipped: 0};
  if (since !== null && !(await isAncestor(context, since, tip))) {
    const message = `somebody rewrote \`${sharedRef}\` on \`${remote}\`: a person must restore commit ${since}`;
    throw new ToolError('SHARED_LOG_REWRITTEN', message, {remote, tip, since});
  }
  const lines = await readBatches(context, since === null ? tip : `${since}..${tip}`);
  const events = lines.flatMap((line) => readShared(line) ?? []);
  return {tip, events, skipped: lines.length - events.length};
}

async function readBatches(context: DoneContext, range: string): Promise<readonly string[]> {
  const {stdout: listed} = await runGit(context, ['rev-list', '--reverse', '--first-parent', range]);
  const commits = listed.split('\n').filter((sha) => sha !== '');
  const lines: string[] = [];
  for (const commit of commits) {
    const {stdout} = await runGit(context, ['cat-file', 'blob', `${commit}:${batchFile}`], {
      max_bytes: 64 * 1024 * 1024,
    });
    lines.push(...stdout.split('\n').filter((line) => line !== ''));
  }
  return lines;
}

export interface Batch {
  readonly remote: string;
  /** The tip to build on. */
  readonly tip: string | null;
  readonly lines: readonly string[];
}

export interface PushedBatch {
  /** False if another clone was faster. */
  readonly pushed: boolean;
  readonly commit: string;
}

export async function pushLog(context: DoneContext, {remote, tip, lines}: Batch): Promise<PushedBatch> {
  const input = {remote, parent: tip, text: `${lines.join('\n')}\n`};
  return (await callOrThrow(context, 'wu:push-batch', input)) as PushedBatch;
}

/** Writes the commit of a batch to git's objects. */
export async function writeBatch(
  context: DoneContext,
  {
    parent,
    text,
    env,
  }: {readonly parent: string | null; readonly text: string; readonly env: Readonly<Record<string, string>>},
): Promise<string> {
  const blob = (await runGit(context, ['hash-object', '-w', '--stdin'], {stdin: text})).stdout.trim();
  const entry = `100644 blob ${blob}\t${batchFile}\n`;
  const tree = (await runGit(context, ['mktree'], {stdin: entry})).stdout.trim();
  const args = ['commit-tree', '--no-gpg-sign', ...(parent === null ? [] : ['-p', parent]), tree];
  return (await runGit(context, args, {stdin: 'Publish events\n', env})).stdout.trim();
}
