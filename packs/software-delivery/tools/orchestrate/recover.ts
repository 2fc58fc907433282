// orchestrate:recover frees stalled work from a list that a person approved. Skips work that has resumed, or was never stalled.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {withdraw} from '../../delegation/decide-delegation.ts';
import {delegationSlice} from '../../delegation/delegation-slice.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {DeliveryLog} from '../../events/delivery-log.ts';
import type {Patience, StuckWork} from '../../orchestration/find-stuck.ts';
import {patienceOf, readStuck} from '../../orchestration/watch-work.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface RecoverInput extends Partial<Patience> {
  readonly wus: readonly string[];
  readonly dry_run?: boolean;
}

interface Recovered {
  readonly wu: string;
  readonly outcome: 'released' | 'withdrawn' | 'not_stuck' | 'failed';
  /** The problem, or why nothing was done. */
  readonly message: string;
}

interface RecoverOutput {
  readonly wus: readonly Recovered[];
  readonly dry_run: boolean;
}

export const orchestrateRecover: ToolDefinition<RecoverInput, RecoverOutput, PackConfig> = defineTool({
  async run({wus, dry_run: dryRun = false, ...asked}, context) {
    const log = openDeliveryLog(context);
    const {units} = await log.read(workUnitSlice);
    for (const wu of wus) findWorkUnit({units}, wu);
    const found = await readStuck(context, log, {...patienceOf(context.config), ...asked});
    const stuck = new Map(found.map((each) => [each.wu, each]));
    const recovered: Recovered[] = [];
    for (const wu of wus) {
      const work = stuck.get(wu);
      if (work === undefined) recovered.push({wu, outcome: 'not_stuck', message: `\`${wu}\` is not stalled`});
      else recovered.push(dryRun ? done(work) : await recover(context, log, work));
    }
    return {wus: recovered, dry_run: dryRun};
  },
});

async function recover(context: ToolContext, log: DeliveryLog, work: StuckWork): Promise<Recovered> {
  return work.remedy === 'release' ? await release(context, log, work) : await takeBack(context, log, work);
}

/** Uses the holder's own lease token: the approving person decides for the holder. */
async function release(context: ToolContext, log: DeliveryLog, found: StuckWork): Promise<Recovered> {
  const {lease} = findWorkUnit(await log.read(workUnitSlice), found.wu);
  const output = await context.callTool('wu:release', {
    id: found.wu,
    reason: reasonOf(found),
    ...(lease !== undefined && {lease_token: lease.token}),
  });
  return output.success ? done(found) : {wu: found.wu, outcome: 'failed', message: output.error?.message ?? ''};
}

async function takeBack(context: ToolContext, log: DeliveryLog, found: StuckWork): Promise<Recovered> {
  const {delegation = ''} = found;
  await log.decide(delegationSlice, (state) =>
    withdraw(state, {delegation, reason: reasonOf(found)}, stampOf(context)),
  );
  return done(found);
}

function done(found: StuckWork): Recovered {
  return {wu: found.wu, outcome: found.remedy === 'release' ? 'released' : 'withdrawn', message: reasonOf(found)};
}

function reasonOf({reason, since, session_id: session = '', to = ''}: StuckWork): string {
  if (reason === 'lease_expired') return `the lease of session \`${session}\` expired at ${since}`;
  if (reason === 'holder_silent') return `session \`${session}\` has been silent since ${since}`;
  return `\`${to}\` has not claimed it since ${since}`;
}
