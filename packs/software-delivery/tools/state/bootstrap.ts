// state:bootstrap records specs that exist in the repository but not in the log. Merged ones are done. A person approves it and lists
// the others that are done, because specs do not contain their status.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {mergedUnits} from '../../log-maintenance/merged-units.ts';
import {planBootstrap} from '../../log-maintenance/plan-bootstrap.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {createSpecReader} from '../../work-units/spec-reader.ts';
import {listSpecFiles, readSoundSpec, type SoundSpecFile} from '../../work-units/spec-files.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface BootstrapInput {
  readonly done?: readonly string[];
  readonly dry_run?: boolean;
}

interface BootstrapOutput {
  readonly recorded: readonly {readonly id: string; readonly status: 'ready' | 'done'}[];
  readonly dry_run: boolean;
}

export const stateBootstrap: ToolDefinition<BootstrapInput, BootstrapOutput, PackConfig> = defineTool({
  async run({done: doneIds = [], dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const {units} = await log.read(workUnitSlice);
    const ids = (await listSpecFiles(context)).filter((id) => !Object.hasOwn(units, id));
    const stray = doneIds.filter((id) => !ids.includes(id));
    if (stray.length > 0) {
      const message = `\`${stray.join('`, `')}\` cannot be recorded as done: it is already recorded, or has no spec`;
      throw new ToolError('NOT_TO_BE_RECORDED', message, {ids: stray});
    }
    const tasks = kernelTasks(context);
    const lanes = await tasks.lanes();
    const reader = createSpecReader();
    const found: SoundSpecFile[] = [];
    for (const id of ids) found.push(await readSoundSpec(context, id, reader));
    for (const {spec} of found) checkLane(lanes, spec.lane);
    const merged = await mergedUnits(context);
    const done = new Set([...doneIds, ...ids.filter((id) => merged.has(id))]);
    const events = await log.decide(workUnitSlice, (state) => {
      const planned = planBootstrap(state, found, {done, stamp: stampOf(context)});
      return unlessDry(dryRun, {events: planned, result: planned});
    });
    const recorded = events.flatMap((event) => (event.type === 'wu_created' ? [event] : []));
    if (!dryRun) {
      const open = recorded.filter(({id}) => !done.has(id));
      const there = await tasks.list(open.map(({id}) => id));
      for (const {id, spec} of open) if (!there.has(id)) await tasks.create(spec);
    }
    return {
      recorded: recorded.map(({id}) => ({id, status: done.has(id) ? 'done' : 'ready'})),
      dry_run: dryRun,
    };
  },
});
