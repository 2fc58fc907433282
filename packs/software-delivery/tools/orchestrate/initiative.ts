// orchestrate:initiative plans an initiative in waves and delegates what can start now. Repeated calls delegate newly available
// work only.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {delegateFree} from '../../delegation/decide-delegation.ts';
import {delegationSlice, type Delegation} from '../../delegation/delegation-slice.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {readOrchestration} from '../../orchestration/read-orchestration.ts';
import type {WavePlan} from '../../orchestration/wave-plan.ts';
import type {PackConfig} from '../../pack-config.ts';

interface OrchestrateInput {
  readonly id: string;
  /** The assignee. */
  readonly to: string;
  readonly note?: string;
  readonly dry_run?: boolean;
}

interface OrchestrateOutput extends WavePlan {
  readonly initiative: string;
  /** Delegated by this call. */
  readonly handed_out: readonly Delegation[];
  /** Delegated before. */
  readonly already: readonly Delegation[];
  readonly dry_run: boolean;
}

export const orchestrateInitiative: ToolDefinition<OrchestrateInput, OrchestrateOutput, PackConfig> = defineTool({
  async run({id, to, note, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const {initiative, plan, progress, delegations} = await readOrchestration(context, log, id);
    if (initiative.status !== 'active') {
      const message = `the initiative \`${id}\` is ${initiative.status}: set it to active first`;
      throw new ToolError('INITIATIVE_NOT_ACTIVE', message, {initiative: id, status: initiative.status});
    }
    const ready = new Set(progress.wus.filter(({status}) => status === 'ready').map((wu) => wu.id));
    const now = plan.waves.find(({wave}) => wave === 1)?.wus.filter((wu) => ready.has(wu)) ?? [];
    const words = {to, initiative: id, ...(note !== undefined && {note})};
    const handedOut = await log.decide(delegationSlice, (state) =>
      unlessDry(dryRun, delegateFree(state, now, {...words, stamp: stampOf(context)})),
    );
    return {initiative: id, ...plan, handed_out: handedOut, already: delegations, dry_run: dryRun};
  },
});
