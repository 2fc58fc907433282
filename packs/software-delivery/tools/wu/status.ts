// wu:status returns the status of one work unit, or of all active ones.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {countByStatus, unitStatus, type StatusCounts, type UnitStatus} from '../../listing/unit-status.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

interface WuStatusInput {
  /** Default: all that are in progress or blocked. */
  readonly id?: string;
}

interface WuStatusOutput {
  /** Of all work units. */
  readonly counts: StatusCounts;
  readonly units: readonly UnitStatus[];
}

export const wuStatus: ToolDefinition<WuStatusInput, WuStatusOutput, PackConfig> = defineTool({
  async run({id}, context) {
    const state = await readHeldUnits(context, openDeliveryLog(context));
    const all = Object.values(state.units);
    const asked =
      id === undefined
        ? all.filter(({status}) => status === 'in_progress' || status === 'blocked')
        : [findWorkUnit(state, id)];
    // The limit matters only for a ready work unit.
    const lanes = asked.some(({status}) => status === 'ready') ? await kernelTasks(context).lanes() : [];
    const units = asked.map((unit) => {
      const limit = lanes.find((lane) => lane.id === unit.spec.lane)?.wip_limit;
      return unitStatus(state, unit, {...stampOf(context), wip_limit: limit});
    });
    return {counts: countByStatus(all), units};
  },
});
