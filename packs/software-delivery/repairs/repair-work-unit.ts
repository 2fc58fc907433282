// Repairs a disagreement. Each repair does what a tool would have done, from the recorded data.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import {stampOf, type EventStamp} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {editWorkUnit} from '../work-units/edit-work-unit.ts';
import {kernelTasks, type KernelTask} from '../work-units/kernel-tasks.ts';
import {recordedSpec} from '../work-units/recorded-spec.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {Repair, RepairNeed} from './find-repairs.ts';

export interface RepairSubject {
  /** Undefined for a task without a work unit. */
  readonly unit: WorkUnit | undefined;
  readonly task: KernelTask | undefined;
}

type RepairContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'session_id'>;

interface Place {
  readonly context: RepairContext;
  readonly log: DeliveryLog;
  readonly need: RepairNeed;
  readonly stamp: EventStamp;
}

const reason = 'repaired';

const repairs: Readonly<Record<Repair, (place: Place, subject: RepairSubject) => Promise<void>>> = {
  async 'write-spec'({context, log, need: {id}}, {unit}) {
    const path = specPath(context.config, id);
    await writeDoc(context, {path, content: writeSpec(await recordedSpec(log, id))});
    // The comments of the old file are lost, so the record must refer to the new file.
    if (unit?.status === 'ready') await editWorkUnit(context, log, {id, changes: {}, dryRun: false});
  },
  async 'record-spec'({context, log, need: {id}}) {
    await editWorkUnit(context, log, {id, changes: {}, dryRun: false});
  },
  async 'create-task'({context, log, need: {id}}) {
    await kernelTasks(context).create(await recordedSpec(log, id));
  },
  async 'cancel-task'({context, need: {id}}, {task}) {
    const tasks = kernelTasks(context);
    if (task?.holder !== undefined) await tasks.release(id, reason, task.holder);
    await tasks.cancel(id, reason);
  },
  async complete(place, {unit}) {
    await append(place, {type: 'wu_completed', ...place.stamp, id: place.need.id, token: unit?.lease?.token ?? 0});
  },
  async release(place, {unit, task}) {
    const {id} = place.need;
    if (task?.holder !== undefined) await kernelTasks(place.context).release(id, reason, task.holder);
    await append(place, {type: 'wu_released', ...place.stamp, id, token: unit?.lease?.token ?? 0, reason});
  },
  async 'release-task'({context, need: {id}}, {task}) {
    if (task?.holder !== undefined) await kernelTasks(context).release(id, reason, task.holder);
  },
};

export async function repairWorkUnit(
  context: RepairContext,
  log: DeliveryLog,
  need: RepairNeed,
  subject: RepairSubject,
): Promise<void> {
  await repairs[need.repair]({context, log, need, stamp: stampOf(context)}, subject);
}

async function append({log}: Place, event: WuEvent): Promise<void> {
  await log.decide(workUnitSlice, () => ({events: [event], result: undefined}));
}
