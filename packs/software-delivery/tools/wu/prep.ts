// wu:prep prepares a work unit for wu:done: it reports what blocks the merge, and runs the gates on the worktree.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {readWork, type DoneContext, type Work} from '../../done/check-work.ts';
import {conflictsWithMain} from '../../done/merge-gated.ts';
import type {GateReport} from '../../gates/gate-report.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuPrepInput {
  readonly id: string;
  readonly lease_token: number;
  readonly fail_fast?: boolean;
  /** Gates to skip: the run then needs an approval. */
  readonly skip?: readonly {readonly gate: string; readonly reason: string}[];
  /** Report what blocks the merge without running gates. */
  readonly dry_run?: boolean;
}

interface WuPrepOutput extends Pick<Work, 'worktree' | 'branch' | 'head' | 'changed' | 'uncommitted' | 'outside'> {
  readonly id: string;
  /** Paths that conflict with the main branch. */
  readonly conflicts: readonly string[];
  readonly gates?: GateReport;
  /** True if `wu:done` could merge the work now. */
  readonly ready: boolean;
  readonly dry_run: boolean;
}

export const wuPrep: ToolDefinition<WuPrepInput, WuPrepOutput, PackConfig> = defineTool({
  async run({id, lease_token: token, fail_fast, skip, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const unit = requireHolder(await log.read(workUnitSlice), id, {token, session_id: context.session_id});
    const work = await readWork(context, unit);
    const conflicts = await conflictsWithMain(context, {id, title: unit.spec.title, head: work.head});
    const gates = dryRun ? undefined : await runGatesOf(context, {fail_fast, skip});
    const isSound = [work.uncommitted, work.outside, conflicts].every((paths) => paths.length === 0);
    return {
      id,
      ...work,
      conflicts,
      ...(gates !== undefined && {gates}),
      ready: isSound && gates?.passed === true,
      dry_run: dryRun,
    };
  },
});

async function runGatesOf(
  context: DoneContext,
  {fail_fast, skip}: {readonly fail_fast: boolean | undefined; readonly skip: WuPrepInput['skip']},
): Promise<GateReport> {
  const input = {...(fail_fast !== undefined && {fail_fast}), ...(skip !== undefined && {skip})};
  return (await callOrThrow(context, 'gates', input)) as GateReport;
}
