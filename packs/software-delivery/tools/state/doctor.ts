// state:doctor compares log, snapshots, kernel and files.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {deliverySlices, openDeliveryLog} from '../../open-delivery-log.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';
import {checkLog} from '../../log-maintenance/check-log.ts';
import {checkSnapshots} from '../../log-maintenance/check-snapshots.ts';
import {checkMemberships, checkWorkUnits} from '../../log-maintenance/check-work-units.ts';
import type {LogFinding} from '../../log-maintenance/log-finding.ts';
import {readWholeLog} from '../../log-maintenance/read-whole-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnits} from '../../work-units/work-units.ts';

interface DoctorOutput {
  /** True if no finding is an error. */
  readonly sound: boolean;
  readonly events: number;
  readonly bytes: number;
  readonly findings: readonly LogFinding[];
}

export const stateDoctor: ToolDefinition<object, DoctorOutput, PackConfig> = defineTool({
  async run(_input, context) {
    const whole = await readWholeLog(context);
    const findings = [...checkLog(whole)];
    if (whole.damaged.length === 0) {
      findings.push(...(await checkSnapshots(context, deliverySlices, whole)));
      const log = openDeliveryLog(context);
      findings.push(...(await checkWorkUnits(context, await log.read(workUnits))));
      findings.push(...checkMemberships(await log.read(initiativeSlice)));
    }
    return {
      sound: findings.every(({severity}) => severity !== 'error'),
      events: whole.events.length,
      bytes: whole.size,
      findings,
    };
  },
});
