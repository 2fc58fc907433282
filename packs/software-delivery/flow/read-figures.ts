// Reads the figures of the requested work units from the log.
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findInitiative} from '../initiatives/find-initiative.ts';
import {initiativeSlice, membersOf} from '../initiatives/initiative-slice.ts';
import {flowSlice} from './flow-slice.ts';
import {measureDora, type DoraFigures} from './measure-dora.ts';
import {measureFlow, type FlowFigures} from './measure-flow.ts';
import type {Timeline} from './timeline.ts';
import {chooseWindow, type Window, type WindowWords} from './window.ts';

export interface WorkUnitFilter {
  readonly lane?: string;
  readonly type?: string;
  readonly initiative?: string;
}

export interface Figures extends FlowFigures {
  readonly window: Window;
  readonly dora: DoraFigures;
}

export type Timelines = readonly (readonly [string, Timeline])[];

/** Gate runs count for every work unit. Throws ToolError INVALID_WINDOW and INITIATIVE_NOT_FOUND. */
export async function readFigures(
  log: DeliveryLog,
  asked: WindowWords & WorkUnitFilter,
  now: number,
): Promise<Figures> {
  const window = chooseWindow(asked, now);
  const {timelines, gates} = await log.read(flowSlice);
  const all = Object.entries(timelines);
  const wus = await chooseTimelines(log, all, asked);
  return {window, ...measureFlow({wus, gates}, window, now), dora: measureDora(wus, all, window)};
}

/** Throws ToolError INITIATIVE_NOT_FOUND. */
export async function chooseTimelines(log: DeliveryLog, all: Timelines, filter: WorkUnitFilter): Promise<Timelines> {
  const members = filter.initiative === undefined ? undefined : await membersIn(log, filter.initiative);
  return all.filter(
    ([id, {lane, type}]) =>
      (filter.lane ?? lane) === lane && (filter.type ?? type) === type && (members?.has(id) ?? true),
  );
}

async function membersIn(log: DeliveryLog, id: string): Promise<ReadonlySet<string>> {
  const state = await log.read(initiativeSlice);
  findInitiative(state, id);
  return new Set(membersOf(state, id).map(([wu]) => wu));
}
