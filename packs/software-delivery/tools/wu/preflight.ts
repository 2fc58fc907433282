// wu:preflight lists every reason why a claim would fail, and likely problems of the work after it.
import {holderOf} from '../../claims/lease.ts';
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findObstacles} from '../../claims/check-start.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {planGates} from '../../gates/plan-gates.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {createSpecReader} from '../../work-units/spec-reader.ts';
import {validateSpec, type SpecFinding} from '../../work-units/validate-spec.ts';
import type {WorkUnit} from '../../work-units/work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuPreflightInput {
  readonly id: string;
}

interface WuPreflightOutput {
  readonly id: string;
  /** True if a claim would succeed. */
  readonly ready: boolean;
  readonly findings: readonly SpecFinding[];
}

export const wuPreflight: ToolDefinition<WuPreflightInput, WuPreflightOutput, PackConfig> = defineTool({
  async run({id}, context) {
    const state = await openDeliveryLog(context).read(workUnitSlice);
    const unit = findWorkUnit(state, id);
    const lanes = await kernelTasks(context).lanes();
    const limit = lanes.find((lane) => lane.id === unit.spec.lane)?.wip_limit;
    const findings = [
      ...statusFindings(unit),
      ...findObstacles(state, unit, {...stampOf(context), wip_limit: limit}).map(({code, message}) =>
        finding(id, {code, message, severity: 'error'}),
      ),
      ...(await validateSpec(context, {id, state, lanes, reader: createSpecReader()})),
      ...gateFindings(id, context.config),
    ];
    return {id, ready: findings.every(({severity}) => severity !== 'error'), findings};
  },
});

function statusFindings({spec: {id}, status, lease}: WorkUnit): readonly SpecFinding[] {
  if (status === 'ready') return [];
  const holder = lease === undefined ? '' : `, claimed by ${holderOf(lease)}`;
  return [finding(id, {code: 'WU_NOT_READY', message: `\`${id}\` is ${status}${holder}`, severity: 'error'})];
}

function gateFindings(id: string, config: PackConfig): readonly SpecFinding[] {
  if (planGates(config).length > 0) return [];
  const message = 'no gate is configured, so `wu:done` would fail: set `software_delivery.gates.commands`';
  return [finding(id, {code: 'NO_GATES_CONFIGURED', message, severity: 'warn'})];
}

function finding(id: string, rest: Omit<SpecFinding, 'id' | 'where'>): SpecFinding {
  return {id, where: id, ...rest};
}
