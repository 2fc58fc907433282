// Removes the spec files of work units that other clones finished or deleted, as long as git does not track them here. The main branch
// brings the finished ones, and git refuses to pull over untracked files, even if they are equal.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import {literalPathspec, runGit} from '../git/run-git.ts';
import type {PackConfig} from '../pack-config.ts';
import {specHash} from '../work-units/spec-hash.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {SharedEvent} from './shared-event.ts';

type RemovingContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'exec' | 'fs' | 'workspace_root'>;

/** `units` contains deleted ones, too. A file that differs from its record is somebody's work, so it stays. */
export async function removeSpecs(
  context: RemovingContext,
  events: readonly SharedEvent[],
  units: WorkUnits['units'],
): Promise<void> {
  for (const {type, id} of events) {
    if (type !== 'wu_completed' && type !== 'wu_deleted') continue;
    const path = specPath(context.config, id);
    if ((await context.fs.stat(path)) === undefined) continue;
    const isRecorded = specHash(await context.fs.readText(path)) === units[id]?.spec_hash;
    if (isRecorded && !(await isTracked(context, path))) await writeDoc(context, {path});
  }
}

async function isTracked(context: RemovingContext, path: string): Promise<boolean> {
  const args = ['ls-files', '--error-unmatch', '--', literalPathspec(path)];
  return (await runGit(context, args, {exit_codes: [0, 1]})).exit_code === 0;
}
