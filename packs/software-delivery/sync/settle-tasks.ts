// Brings the kernel's tasks of this clone in line with what other clones did, so that the board shows their new work, and no finished work
// as ready. `wu:claim` brings the spec of a task up to date.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {newestSpecs} from './newest-specs.ts';
import type {SharedEvent} from './shared-event.ts';

type SettlingContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'log'>;

/** `units` is the state with the events. Tasks that a session of this clone has claimed are left alone. */
export async function settleTasks(
  context: SettlingContext,
  events: readonly SharedEvent[],
  {units}: WorkUnits,
): Promise<void> {
  const tasks = kernelTasks(context);
  const there = await tasks.list([...new Set(events.map(({id}) => id))]);
  const isOver = (id: string): boolean => units[id] === undefined || units[id].status === 'done';
  for (const [id, {state}] of there) {
    if (state !== 'ready' || !isOver(id)) continue;
    await orWarn(context, tasks.cancel(id, 'another clone completed or deleted it'));
  }
  for (const [id, {spec}] of newestSpecs(events)) {
    if (!there.has(id) && !isOver(id)) await orWarn(context, tasks.create(spec));
  }
}

/** A work unit whose lane is missing here, for example, does not prevent the others. */
async function orWarn({log}: SettlingContext, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isToolError(error)) throw error;
    log.warn(`a task of another clone's work unit is not up to date: ${error.message}`);
  }
}
