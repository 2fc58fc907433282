// config:propose validates a change of workspace.yaml as the runtime would, and stores it as a proposal: one setting of the pack, or
// lanes. It returns the YAML for a person to apply, because no tool can write that file.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {applySteps} from '../../config/apply-steps.ts';
import {configSlice} from '../../config/config-slice.ts';
import {keysOf} from '../../config/pointer.ts';
import {configKey, proposeChange} from '../../config/propose-change.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {proposedLane, type LaneEntry, type LaneWords} from '../../lanes/proposed-lane.ts';
import {laneYaml} from '../../lanes/lane-yaml.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface SettingInput {
  readonly pointer: string;
  readonly value?: unknown;
  /** Remove the value. */
  readonly remove?: boolean;
  readonly reason?: string;
  readonly dry_run?: boolean;
}

interface LanesInput {
  /** New lanes, and changes of existing ones. */
  readonly lanes: readonly LaneWords[];
  readonly dry_run?: boolean;
}

interface Proposal {
  readonly pointer?: string;
  readonly lanes?: readonly LaneEntry[];
  /** The part of workspace.yaml after the change. */
  readonly yaml: string;
  /** Always false: a person applies the change. */
  readonly applied: false;
  readonly next_steps: readonly string[];
  readonly dry_run: boolean;
}

export const configPropose: ToolDefinition<LanesInput | SettingInput, Proposal, PackConfig> = defineTool({
  run: async (input, context) =>
    'lanes' in input ? await proposeLanes(input, context) : await proposeSetting(input, context),
});

async function proposeSetting(
  {pointer, value, remove = false, reason, dry_run: dryRun = false}: SettingInput,
  context: ToolContext<PackConfig>,
): Promise<Proposal> {
  const keys = keysOf(pointer);
  if (keys.length === 0) throw new ToolError('INVALID_POINTER', 'the pointer must name one setting', {pointer});
  const yaml = proposeChange(await context.fs.readText('workspace.yaml'), {keys, value: remove ? undefined : value});
  const words = {pointer, value: remove ? null : value, ...(reason !== undefined && {reason})};
  await openDeliveryLog(context).decide(configSlice, () =>
    unlessDry(dryRun, {events: [{type: 'config_proposed', ...stampOf(context), ...words}], result: undefined}),
  );
  const steps = applySteps(`replace \`${configKey}:\``);
  return {pointer, yaml, applied: false, next_steps: steps, dry_run: dryRun};
}

async function proposeLanes(
  {lanes: words, dry_run: dryRun = false}: LanesInput,
  context: ToolContext<PackConfig>,
): Promise<Proposal> {
  const twice = words.find(({id}, index) => words.findIndex((each) => each.id === id) !== index);
  if (twice !== undefined) throw new ToolError('LANE_EXISTS', `lane \`${twice.id}\` is listed twice`, {lane: twice.id});
  const there = await kernelTasks(context).lanes();
  const lanes = words.map((each) => proposedLane(there, each, context.config));
  const stamp = stampOf(context);
  await openDeliveryLog(context).decide(workUnitSlice, () => {
    const events = lanes.map((lane) => ({
      type: 'lane_proposed' as const,
      ...stamp,
      lane: lane.id,
      yaml: laneYaml([lane]),
    }));
    return unlessDry(dryRun, {events, result: undefined});
  });
  const steps = applySteps('add the entries to `lanes:`, or replace the entries of these lanes there');
  return {lanes, yaml: laneYaml(lanes), applied: false, next_steps: steps, dry_run: dryRun};
}
