// Checks that a work unit's lane exists in the workspace.
import {ToolError} from '@lumenflow/pack-sdk';
import type {LaneView} from './kernel-tasks.ts';

/** Throws ToolError LANE_UNKNOWN. */
export function checkLane(lanes: readonly LaneView[], id: string): LaneView {
  const lane = lanes.find((each) => each.id === id);
  if (lane !== undefined) return lane;
  const there = lanes.map((each) => `\`${each.id}\``).join(', ');
  throw new ToolError('LANE_UNKNOWN', `there is no lane \`${id}\` in workspace.yaml; it has ${there}`, {lane: id});
}
