// Examines the pack's state area by area. Changes nothing.
import {holderOf, isHeldBy} from '../../claims/lease.ts';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {doneSlice} from '../../done/done-slice.ts';
import type {DeliveryLog} from '../../events/delivery-log.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';
import {checkLog} from '../../log-maintenance/check-log.ts';
import {checkSnapshots} from '../../log-maintenance/check-snapshots.ts';
import {checkMemberships, checkWorkUnits, findUnrecorded} from '../../log-maintenance/check-work-units.ts';
import {byDoctor, type Area, type DoctorFinding} from '../../log-maintenance/doctor-finding.ts';
import type {WholeLog} from '../../log-maintenance/read-whole-log.ts';
import {deliverySlices} from '../../open-delivery-log.ts';
import {patienceOf, readStuck} from '../../orchestration/watch-work.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import {memoryCleanup} from '../memory/cleanup.ts';
import {signalCleanup} from '../signal/cleanup.ts';
import {wuPrune} from '../wu/prune.ts';

export interface Patient {
  readonly context: ToolContext<PackConfig>;
  readonly log: DeliveryLog;
  readonly whole: WholeLog;
}

interface Expired {
  readonly forgotten: number;
}

type Examination = (patient: Patient) => Promise<readonly DoctorFinding[]> | readonly DoctorFinding[];

/** In the order in which they are fixed: a later area builds on the earlier ones. */
const examinations: Readonly<Record<Area, Examination>> = {
  async log({context, whole}) {
    return [...checkLog(whole), ...(await checkSnapshots(context, deliverySlices, whole))];
  },
  specs: async ({context, log}) => await findUnrecorded(context, await log.read(workUnitSlice)),
  async work_units({context, log}) {
    const memberships = checkMemberships(await log.read(initiativeSlice));
    return [...(await checkWorkUnits(context, await log.read(workUnitSlice))), ...memberships];
  },
  async merges({context, log}) {
    const {units} = await log.read(workUnitSlice);
    const open = Object.entries(await log.read(doneSlice)).filter(([, {stage}]) => stage !== 'recorded');
    return open.map(([subject, {stage, since}]) => {
      const lease = units[subject]?.lease;
      const fixable = isHeldBy(lease, context.session_id);
      const fix = fixable
        ? `${byDoctor} to resume it`
        : `call \`wu:done\` again in ${lease === undefined ? 'its session' : holderOf(lease)}`;
      const message = `\`wu:done\` stopped at the stage \`${stage}\` at ${since}`;
      return {area: 'merges', code: 'MERGE_INTERRUPTED', severity: 'warning', subject, message, fix, fixable};
    });
  },
  async stalled({context, log}) {
    const found = await readStuck(context, log, patienceOf(context.config));
    return found.map(({wu, reason, since}) => warn('stalled', 'WORK_STALLED', wu, `${reason} since ${since}`));
  },
  async worktrees({context}) {
    const {removed} = (await wuPrune.run({dry_run: true}, context)) as {readonly removed: readonly string[]};
    return removed.map((path) => warn('worktrees', 'WORKTREE_LEFT', path, 'its work unit is done, or it is missing'));
  },
  async memory({context}) {
    const {forgotten} = (await memoryCleanup.run({dry_run: true}, context)) as Expired;
    return forgotten === 0 ? [] : [warn('memory', 'MEMORY_EXPIRED', 'memory', `${forgotten} nodes have expired`)];
  },
  async signals({context}) {
    const {forgotten} = (await signalCleanup.run({dry_run: true}, context)) as Expired;
    return forgotten === 0 ? [] : [warn('signals', 'SIGNALS_EXPIRED', 'signals', `${forgotten} signals have expired`)];
  },
};

export const areas: readonly Area[] = Object.keys(examinations) as Area[];

/** A damaged log hides everything else. */
export async function examine(patient: Patient, asked: readonly Area[]): Promise<readonly DoctorFinding[]> {
  if (patient.whole.damaged.length > 0) return checkLog(patient.whole);
  const findings: DoctorFinding[] = [];
  for (const area of areas) {
    if (!asked.includes(area)) continue;
    patient.context.signal.throwIfAborted();
    findings.push(...(await examinations[area](patient)));
  }
  return findings;
}

function warn(area: Area, code: string, subject: string, message: string): DoctorFinding {
  return {area, code, severity: 'warning', subject, message, fix: byDoctor, fixable: true};
}
