// wu:validate checks specs, and reports each problem with its place.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {createSpecReader} from '../../work-units/spec-reader.ts';
import {listSpecFiles} from '../../work-units/spec-files.ts';
import {validateSpec, type SpecFinding} from '../../work-units/validate-spec.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuValidateInput {
  /** Default: every spec in files or in the record. */
  readonly ids?: readonly string[];
}

interface WuValidateOutput {
  /** True if there are no errors; warnings are possible. */
  readonly valid: boolean;
  readonly checked: number;
  readonly findings: readonly SpecFinding[];
}

/** Maximum number of findings. */
const findingsMax = 1000;

export const wuValidate: ToolDefinition<WuValidateInput, WuValidateOutput, PackConfig> = defineTool({
  async run({ids}, context) {
    const state = await openDeliveryLog(context).read(workUnitSlice);
    const lanes = await kernelTasks(context).lanes();
    const reader = createSpecReader();
    const open = Object.values(state.units).flatMap(({spec, status}) => (status === 'done' ? [] : [spec.id]));
    const asked = ids ?? [...new Set([...(await listSpecFiles(context)), ...open])];
    const findings: SpecFinding[] = [];
    for (const id of asked) {
      context.signal.throwIfAborted();
      findings.push(...(await validateSpec(context, {id, state, lanes, reader})));
    }
    const valid = findings.every(({severity}) => severity !== 'error');
    return {valid, checked: asked.length, findings: findings.slice(0, findingsMax)};
  },
});
