// wu:claim claims a work unit for the session: lease, branch, worktree and kernel task. The session's later calls run in it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {renderBrief} from '../../briefs/render-brief.ts';
import {claimWorkUnit, planClaim, type CheckOut} from '../../claims/claim-work-unit.ts';
import type {Claim} from '../../claims/decide-claim.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {planGates} from '../../gates/plan-gates.ts';
import {syncUnlessOffline, type Unsynced} from '../../sync/in-sync.ts';
import {publishClaim} from '../../sync/publish-claim.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuClaimInput {
  readonly id: string;
  readonly dry_run?: boolean;
}

interface WuClaimOutput extends Partial<Pick<CheckOut, 'base' | 'left_out'>>, Unsynced {
  readonly id: string;
  /** `token` is an input of `wu:prep`, `wu:done`, `wu:block` and `wu:release`. Absent in a dry run. */
  readonly lease?: {readonly token: number; readonly expires_at: string};
  readonly branch: string;
  readonly worktree: string;
  /** This session already held it and resumes. */
  readonly resumed: boolean;
  /** Session whose expired lease was taken over. */
  readonly taken_from?: string;
  /** Markdown. */
  readonly brief: string;
  readonly dry_run: boolean;
}

export const wuClaim: ToolDefinition<WuClaimInput, WuClaimOutput, PackConfig> = defineTool({
  async run({id, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const synced = await syncUnlessOffline(context);
    const gates = planGates(context.config);
    if (dryRun) {
      const {unit, file, branch, worktree, decide} = await planClaim(context, log, id);
      const {result: claim} = decide(await log.read(workUnitSlice));
      return {
        id,
        branch,
        worktree,
        ...historyOf(claim),
        brief: renderBrief({spec: file.spec, unit, gates}),
        dry_run: true,
      };
    }
    const announce = async (): Promise<void> => await publishClaim(context, log, {id, session_id: context.session_id});
    const {claim, file, ...checkOut} = await claimWorkUnit(context, log, id, announce);
    const {token, expires_at} = claim.lease;
    const unit = findWorkUnit(await log.read(workUnitSlice), id);
    const brief = renderBrief({spec: file.spec, unit, gates});
    const unsynced = !synced && {unsynced: true as const};
    return {id, lease: {token, expires_at}, ...checkOut, ...historyOf(claim), ...unsynced, brief, dry_run: false};
  },
});

function historyOf({resumed, taken_from: takenFrom}: Claim): Pick<WuClaimOutput, 'resumed' | 'taken_from'> {
  return {resumed, ...(takenFrom !== undefined && {taken_from: takenFrom})};
}
