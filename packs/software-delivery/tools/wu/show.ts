// wu:show returns a work unit's whole spec and its history.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {recordedSpec} from '../../work-units/recorded-spec.ts';
import {readSoundSpec} from '../../work-units/spec-files.ts';
import {specPath} from '../../work-units/spec-place.ts';
import type {WorkUnit} from '../../work-units/work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import type {WuSpec} from '../../work-units/wu-spec.ts';

interface WuShowInput {
  readonly id: string;
}

interface WuShowOutput extends Omit<WorkUnit, 'spec'> {
  readonly spec: WuSpec;
  readonly path: string;
  /** True if the file matches the record, or is missing after completion. */
  readonly spec_recorded: boolean;
}

export const wuShow: ToolDefinition<WuShowInput, WuShowOutput, PackConfig> = defineTool({
  async run({id}, context) {
    const log = openDeliveryLog(context);
    const unit = findWorkUnit(await log.read(workUnitSlice), id);
    const path = specPath(context.config, id);
    // Another clone finished it, and git has not brought its file yet.
    if (unit.status === 'done' && (await context.fs.stat(path)) === undefined) {
      return {...unit, spec: await recordedSpec(log, id), path, spec_recorded: true};
    }
    const {spec, hash} = await readSoundSpec(context, id);
    return {...unit, spec, path, spec_recorded: hash === unit.spec_hash};
  },
});
